//! Files to be written: whether they can be is known before the work, and they are written as a whole or not at all.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// A file that can be written, as far as one can know before writing it.
pub(crate) struct OutputFile {
    /// As the user names it.
    name: PathBuf,
    target: Target,
}

enum Target {
    /// A file, there or not: written beside its place, then moved there.
    File {
        path: PathBuf,
        /// Those of the file that was there before.
        permissions: Option<Permissions>,
    },
    /// A device or a pipe: nothing to be moved to.
    Stream(File),
}

impl OutputFile {
    /// The file at `name`, unless it cannot be written or is one of `others`, each with what it is for.
    pub(crate) fn claim(name: &Path, others: &[(&str, &Path)]) -> Result<Self> {
        let target = Target::find(name).with_context(|| cannot_be_written(name))?;
        if let Target::File { path, .. } = &target {
            for (what, other) in others {
                if resolve(other).is_ok_and(|other| other == *path) {
                    bail!("{}: expected another file than that of {what}", name.display());
                }
            }
        }
        Ok(Self { name: name.to_owned(), target })
    }

    /// The file at `name`, if any, which is for `what` and must be none of the `others`. It becomes one of them.
    pub(crate) fn claim_next<'a>(
        what: &'a str,
        name: Option<&'a Path>,
        others: &mut Vec<(&'a str, &'a Path)>,
    ) -> Result<Option<Self>> {
        let claimed = name.map(|name| Self::claim(name, others)).transpose()?;
        others.extend(name.map(|name| (what, name)));
        Ok(claimed)
    }

    /// Where it is, links followed; `None` for a device or a pipe.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.target {
            Target::File { path, .. } => Some(path),
            Target::Stream(_) => None,
        }
    }

    /// Writes `contents` to where they can still be taken back.
    pub(crate) fn stage(self, contents: &impl Display) -> Result<StagedFile> {
        let name = self.name;
        let stage = match self.target {
            Target::Stream(file) => write(file, contents).map(|()| None),
            Target::File { path, permissions } => Staging::begin(path, permissions, contents).map(Some),
        };
        let staging = stage.with_context(|| cannot_be_written(&name))?;
        Ok(StagedFile { name, staging })
    }
}

impl Target {
    fn find(name: &Path) -> io::Result<Self> {
        // What is open already, such as /dev/stdout, is written to, whatever it leads to, and never replaced.
        if ["/dev", "/proc"].iter().any(|streams| name.starts_with(streams)) {
            return OpenOptions::new().append(true).open(name).map(Self::Stream);
        }
        let path = resolve(name)?;
        let permissions = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
            Ok(metadata) => {
                // A directory is refused here, and a file that must not be changed.
                let file = OpenOptions::new().write(true).open(&path)?;
                if !metadata.is_file() {
                    return Ok(Self::Stream(file));
                }
                Some(metadata.permissions())
            }
        };
        let (trial, _) = create_beside(&path)?;
        fs::remove_file(trial)?;
        Ok(Self::File { path, permissions })
    }
}

/// A file whose contents are written, but not yet in place.
pub(crate) struct StagedFile {
    name: PathBuf,
    staging: Option<Staging>,
}

impl StagedFile {
    /// Puts the file in its place.
    pub(crate) fn commit(self) -> Result<()> {
        let moved = self.staging.map_or(Ok(()), Staging::end);
        moved.with_context(|| cannot_be_written(&self.name))
    }
}

/// A file beside the place where it belongs; gone if it never gets there.
struct Staging {
    beside: PathBuf,
    path: PathBuf,
}

impl Staging {
    fn begin(path: PathBuf, permissions: Option<Permissions>, contents: &impl Display) -> io::Result<Self> {
        let (beside, file) = create_beside(&path)?;
        let staging = Self { beside, path };
        write(file, contents)?;
        if let Some(permissions) = permissions {
            fs::set_permissions(&staging.beside, permissions)?;
        }
        Ok(staging)
    }

    fn end(self) -> io::Result<()> {
        fs::rename(&self.beside, &self.path)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Once it has been moved there is nothing to remove.
        let _ = fs::remove_file(&self.beside);
    }
}

fn write(file: File, contents: &impl Display) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    write!(file, "{contents}")?;
    file.flush()
}

/// A new file in the directory of `path`.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0;
    loop {
        let beside = path.with_file_name(format!(".giveway-{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            result => return result.map(|file| (beside, file)),
        }
    }
}

/// Where `name` leads, links followed; the file itself need not be there.
fn resolve(name: &Path) -> io::Result<PathBuf> {
    match (fs::canonicalize(name), name.file_name()) {
        (Err(error), Some(file)) if error.kind() == io::ErrorKind::NotFound => {
            let directory = name.parent().filter(|directory| *directory != Path::new(""));
            Ok(fs::canonicalize(directory.unwrap_or(Path::new(".")))?.join(file))
        }
        (result, _) => result,
    }
}

fn cannot_be_written(name: &Path) -> String {
    format!("{}: cannot be written", name.display())
}
