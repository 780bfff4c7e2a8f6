//! Files that are replaced as a whole, or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A safe way to replace a file. The new contents are written to a temporary file in the same directory; then the
/// temporary file takes the place of the old file in one step.
///
/// So a reader finds either the old contents or the new contents, never a part of them. Before [`commit`](Self::commit)
/// the old file does not change. If the replacement is dropped before its commit, the temporary file is removed. If the
/// program is killed, a temporary file `.giveway-….tmp` remains in the directory.
///
/// Devices and pipes cannot be replaced: contents go to them directly.
#[derive(Debug)]
pub struct Replacement {
    /// `None` after the commit.
    file: Option<BufWriter<File>>,
    staged: Option<Staged>,
}

#[derive(Debug)]
struct Staged {
    beside: PathBuf,
    place: PathBuf,
    /// The permissions of the file that is there.
    permissions: Option<Permissions>,
}

impl Replacement {
    /// Begins a replacement of the file at `name`, with empty contents. The file need not exist. If `name` is a link,
    /// the target of the link is replaced; the target need not exist either. The new file gets the permissions of the
    /// old file.
    ///
    /// # Errors
    /// The file or its directory cannot be written to, or `name` is a directory.
    pub fn new(name: impl AsRef<Path>) -> io::Result<Self> {
        let name = name.as_ref();
        let Some(place) = Self::place(name)? else {
            // A pipe or a file that is already open must not be truncated.
            let file =
                OpenOptions::new().append(true).open(name).or_else(|_| OpenOptions::new().write(true).open(name));
            return Ok(Self { file: Some(BufWriter::new(file?)), staged: None });
        };
        let permissions = match fs::metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
            Ok(metadata) => {
                // This refuses a directory, and a file without write permission.
                OpenOptions::new().write(true).open(&place)?;
                Some(metadata.permissions())
            }
        };
        let (beside, file) = create_beside(&place, "tmp")?;
        Ok(Self { file: Some(BufWriter::new(file)), staged: Some(Staged { beside, place, permissions }) })
    }

    /// The path of the file that a replacement at `name` would replace. If `name` is a link, this is the target of the
    /// link, which need not exist.
    ///
    /// `None` if contents would go directly to `name`: for a device or a pipe, and for all files below `/dev` and
    /// `/proc`, except `/dev/shm`. So a file that is already open, such as `/dev/stdout`, is never replaced.
    ///
    /// # Errors
    /// The directory of the file does not exist.
    pub fn place(name: impl AsRef<Path>) -> io::Result<Option<PathBuf>> {
        let name = name.as_ref();
        if ["/dev", "/proc"].iter().any(|streams| name.starts_with(streams)) && !name.starts_with("/dev/shm") {
            return Ok(None);
        }
        let place = resolve(name)?;
        let is_stream = fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        Ok((!is_stream).then_some(place))
    }

    /// Puts the new file in the place of the old file.
    ///
    /// # Errors
    /// The contents could not be written completely, or the new file cannot be moved. The old file is unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        self.finish()?;
        self.staged.take().map_or(Ok(()), |staged| staged.take_place())
    }

    /// Puts the new file in the place of the old file, and keeps the old file until the result is dropped, so that the
    /// old file can be restored.
    ///
    /// # Errors
    /// As for [`commit`](Self::commit), or the old file cannot be kept.
    pub fn commit_for_now(mut self) -> io::Result<Replaced> {
        self.finish()?;
        let Some(staged) = self.staged.take() else {
            return Ok(Replaced { place: None, before: None });
        };
        let mut replaced = Replaced { place: None, before: None };
        if staged.permissions.is_some() {
            replaced.before = Some(keep(&staged.place)?);
        }
        staged.take_place()?;
        replaced.place = Some(staged.place.clone());
        Ok(replaced)
    }

    /// Flushes the writer, and closes the file.
    fn finish(&mut self) -> io::Result<()> {
        let file = self.file.take().map(BufWriter::into_inner).transpose();
        drop(file.map_err(io::IntoInnerError::into_error)?);
        match &self.staged {
            Some(Staged { beside, permissions: Some(permissions), .. }) => {
                fs::set_permissions(beside, permissions.clone())
            }
            _ => Ok(()),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Staged {
    fn take_place(&self) -> io::Result<()> {
        fs::rename(&self.beside, &self.place)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // After the move there is nothing to remove.
        let _ = fs::remove_file(&self.beside);
    }
}

/// A file that has been replaced, and whose old contents can still be restored.
#[derive(Debug)]
pub struct Replaced {
    /// `None`: a device or a pipe.
    place: Option<PathBuf>,
    /// The former file, under another name; `None`: there was none.
    before: Option<PathBuf>,
}

impl Replaced {
    /// Restores the old file. If there was no old file, removes the new file. Output to a device or a pipe cannot be
    /// undone.
    ///
    /// # Errors
    /// The old file cannot be restored. The new file then stays in place, and the old file stays in the same directory,
    /// under a name that begins with `.giveway-`.
    pub fn undo(mut self) -> io::Result<()> {
        // A former file that cannot be restored must not be lost.
        match (self.place.take(), self.before.take()) {
            (Some(place), Some(before)) => fs::rename(before, place),
            (Some(place), None) => fs::remove_file(place),
            (None, _) => Ok(()),
        }
    }
}

impl Drop for Replaced {
    fn drop(&mut self) {
        // After it has been restored there is nothing to remove.
        let _ = self.before.take().map(fs::remove_file);
    }
}

/// Gives the file at `place` a second name beside it: by a link where possible, else by a copy.
fn keep(place: &Path) -> io::Result<PathBuf> {
    let (before, _) = create_beside(place, "old")?;
    let kept = fs::remove_file(&before).and_then(|()| fs::hard_link(place, &before));
    kept.or_else(|_| fs::copy(place, &before).map(|_| ())).inspect_err(|_| drop(fs::remove_file(&before)))?;
    Ok(before)
}

/// A new hidden file in the directory of `place`, and its name.
fn create_beside(place: &Path, extension: &str) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0;
    loop {
        let beside = place.with_file_name(format!(".giveway-{}-{attempt}.{extension}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
            result => return result.map(|file| (beside, file)),
        }
    }
}

/// Where `name` leads, links followed; the file itself need not be there.
fn resolve(name: &Path) -> io::Result<PathBuf> {
    // The limit of Linux.
    const MOST_LINKS: usize = 40;
    let mut name = name.to_owned();
    for _ in 0..=MOST_LINKS {
        match (fs::canonicalize(&name), name.file_name()) {
            (Err(error), Some(file)) if error.kind() == io::ErrorKind::NotFound => {
                let directory = name.parent().filter(|directory| *directory != Path::new(""));
                let place = fs::canonicalize(directory.unwrap_or(Path::new(".")))?.join(file);
                match fs::read_link(&place) {
                    Ok(target) => name = place.parent().unwrap_or(Path::new("")).join(target),
                    Err(_) => return Ok(place),
                }
            }
            (result, _) => return result,
        }
    }
    fs::canonicalize(name)
}
