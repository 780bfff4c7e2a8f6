//! Output files: they are checked before the work, and written as a whole or not at all.

use std::fmt::{self, Display};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway::scenario::{Replaced, Replacement};

use crate::input_file;

/// The name of standard output in arguments.
const STANDARD_OUTPUT: &str = "-";

/// The claim of standard output for one JSON object, if JSON is asked for: as one of the `others`.
pub(crate) fn claim_of_json(json: bool) -> Option<(&'static str, &'static Path)> {
    json.then(|| ("--json", Path::new(STANDARD_OUTPUT)))
}

/// A file that can be written, as far as this can be known before.
pub(crate) struct OutputFile {
    /// The name given by the user.
    name: PathBuf,
    target: OutputPlace,
    /// The input that it may replace.
    replaces: Option<PathBuf>,
}

enum OutputPlace {
    /// A place where a file may exist already.
    File(PathBuf),
    /// A device or a pipe, which cannot be replaced.
    Stream(File),
    StandardOutput,
}

impl OutputFile {
    /// The file at `name`. Fails if it cannot be written, or is one of `others`, each with its purpose. `-` is standard
    /// output.
    pub(crate) fn claim(name: &Path, others: &[(&str, &Path)]) -> Result<Self> {
        let target = OutputPlace::find(name).with_context(|| cannot_be_written(name))?;
        for (what, other) in others {
            let is_standard_output = matches!(target, OutputPlace::StandardOutput);
            if target.is_file(other) || is_standard_output && *other == Path::new(STANDARD_OUTPUT) {
                let advice = match target {
                    OutputPlace::StandardOutput => "; - is standard output, and ./- a file of that name",
                    OutputPlace::File(_) | OutputPlace::Stream(_) => "",
                };
                bail!("{}: expected another file than the file of {what}{advice}", name.display());
            }
        }
        Ok(Self { name: name.to_owned(), target, replaces: None })
    }

    /// The file at `name`, if any, whose purpose is `what`. It must be none of the `others`, and becomes one of them.
    pub(crate) fn claim_next<'a>(
        what: &'a str,
        name: Option<&'a Path>,
        others: &mut Vec<(&'a str, &'a Path)>,
    ) -> Result<Option<Self>> {
        let claimed = name.map(|name| Self::claim(name, others)).transpose()?;
        others.extend(name.map(|name| (what, name)));
        Ok(claimed)
    }

    /// The same, which may replace the input at `path`.
    pub(crate) fn replacing(self, path: Option<&Path>) -> Self {
        Self { replaces: path.map(Path::to_owned), ..self }
    }

    /// Refuses to be a file that was read, as a map that a world names.
    pub(crate) fn spare_inputs(&self) -> Result<()> {
        let may_replace = |input: &Path| self.replaces.as_deref() == Some(input);
        match input_file::files_read().iter().find(|input| self.target.is_file(input) && !may_replace(input)) {
            Some(input) => {
                let (name, input) = (self.name.display(), input.display());
                bail!("{name}: expected another file than the input {input}")
            }
            None => Ok(()),
        }
    }

    /// The name given by the user.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// The place of the file, links followed; `None` for a device, a pipe or standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.target {
            OutputPlace::File(place) => Some(place),
            OutputPlace::Stream(_) | OutputPlace::StandardOutput => None,
        }
    }

    /// Writes `contents` to a place that is not the final one yet. Fails if the file is one that was read.
    pub(crate) fn stage(self, contents: &impl Display) -> Result<StagedFile> {
        self.spare_inputs()?;
        let stage = match self.target {
            OutputPlace::File(place) => stage_beside(&place, contents).map(StagedContents::File),
            OutputPlace::Stream(file) => Ok(StagedContents::Stream(file, contents.to_string())),
            OutputPlace::StandardOutput => Ok(StagedContents::StandardOutput(contents.to_string())),
        };
        let staged = stage.with_context(|| cannot_be_written(&self.name))?;
        Ok(StagedFile { name: self.name, staged })
    }
}

impl OutputPlace {
    fn find(name: &Path) -> io::Result<Self> {
        if name == Path::new(STANDARD_OUTPUT) {
            return Ok(Self::StandardOutput);
        }
        match Replacement::place(name)? {
            Some(place) => {
                // A trial, of which nothing remains.
                drop(Replacement::new(&place)?);
                Ok(Self::File(place))
            }
            None => OpenOptions::new().append(true).open(name).map(Self::Stream),
        }
    }

    /// Whether it is the file at `path`.
    fn is_file(&self, path: &Path) -> bool {
        let Self::File(place) = self else { return false };
        Replacement::place(path).is_ok_and(|other| other.as_ref() == Some(place))
    }
}

fn stage_beside(place: &Path, contents: &impl Display) -> io::Result<Replacement> {
    let mut file = Replacement::new(place)?;
    write!(file, "{contents}")?;
    file.flush()?;
    Ok(file)
}

/// A file whose contents are written, but not yet in place.
pub(crate) struct StagedFile {
    /// The name given by the user.
    name: PathBuf,
    staged: StagedContents,
}

enum StagedContents {
    File(Replacement),
    Stream(File, String),
    StandardOutput(String),
}

/// Files in their places, which can still be undone.
#[derive(Default)]
pub(crate) struct WrittenFiles {
    replaced: Vec<(PathBuf, Replaced)>,
    standard_output: Option<String>,
}

impl WrittenFiles {
    /// Puts `files` into their places: all, or none. Devices and pipes come first, and cannot be undone.
    pub(crate) fn commit(files: Vec<StagedFile>) -> Result<Self> {
        let mut written = Self::default();
        let mut replacements = Vec::new();
        for StagedFile { name, staged } in files {
            match staged {
                StagedContents::File(replacement) => replacements.push((name, replacement)),
                StagedContents::Stream(mut file, contents) => {
                    let sent = file.write_all(contents.as_bytes()).and_then(|()| file.flush());
                    sent.with_context(|| cannot_be_written(&name))?;
                }
                StagedContents::StandardOutput(contents) => written.standard_output = Some(contents),
            }
        }
        for (name, replacement) in replacements {
            match replacement.commit_for_now().with_context(|| cannot_be_written(&name)) {
                Ok(replaced) => written.replaced.push((name, replaced)),
                Err(error) => return Err(written.undo(error)),
            }
        }
        Ok(written)
    }

    /// The text for standard output, if there is any.
    pub(crate) fn standard_output(&self) -> Option<&str> {
        self.standard_output.as_deref()
    }

    /// Undoes the files because of `error`. If that fails, the error names the files that remain.
    pub(crate) fn undo(self, error: anyhow::Error) -> anyhow::Error {
        self.replaced.into_iter().rev().fold(error, |error, (name, replaced)| match replaced.undo() {
            Ok(()) => error,
            Err(failure) => error.context(format!("{}: written, and cannot be taken back ({failure})", name.display())),
        })
    }
}

/// The files that a summary lists as written, without standard output, and a file that was asked for in vain.
#[derive(Clone, Default)]
pub(crate) struct FileList {
    written: Vec<PathBuf>,
    missing: Option<(PathBuf, String)>,
}

impl FileList {
    /// The files of `names`.
    pub(crate) fn of<'a>(names: impl IntoIterator<Item = &'a Path>) -> Self {
        let names = names.into_iter().filter(|name| *name != Path::new(STANDARD_OUTPUT));
        Self { written: names.map(Path::to_owned).collect(), missing: None }
    }

    /// The files of these options that were given.
    pub(crate) fn of_options<'a>(names: impl IntoIterator<Item = &'a Option<PathBuf>>) -> Self {
        Self::of(names.into_iter().flatten().map(PathBuf::as_path))
    }

    /// Lists the file `name` as one that is not written, and `why`.
    pub(crate) fn miss(&mut self, name: &Path, why: String) {
        self.written.retain(|written| written != name);
        self.missing = Some((name.to_owned(), why));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.written.is_empty() && self.missing.is_none()
    }
}

/// A line for each.
impl Display for FileList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A line end in a name must not begin another line.
        let shown = |name: &Path| name.display().to_string().replace('\n', "\\n");
        self.written.iter().try_for_each(|name| writeln!(f, "Written: {}", shown(name)))?;
        match &self.missing {
            Some((name, why)) => writeln!(f, "Not written: {}: {why}", shown(name)),
            None => Ok(()),
        }
    }
}

fn cannot_be_written(name: &Path) -> String {
    format!("{}: cannot be written", name.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Between two renames the second place becomes a folder, which no file can replace.
    #[test]
    fn if_one_file_cannot_take_its_place_none_does() {
        let folder = std::env::temp_dir().join(format!("giveway-output-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("old"), "old").unwrap();
        let stage = |name: &str| OutputFile::claim(&folder.join(name), &[]).unwrap().stage(&"new").unwrap();
        let staged = ["old", "first", "second"].map(stage).into();
        fs::create_dir_all(folder.join("second/inside")).unwrap();
        let error = WrittenFiles::commit(staged).map(|_| ()).unwrap_err();
        assert!(format!("{error:#}").contains("second: cannot be written: "), "{error:#}");
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, ["old", "second"]);
        assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "old");
        fs::remove_dir_all(&folder).unwrap();
    }
}
