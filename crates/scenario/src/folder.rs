//! Which files a file may name: those in a folder, as a file from elsewhere must not make a program read anything else.

use std::path::{Component, Path, PathBuf};

/// The file `name`, which a file in `from` names, if it lies in `folder`. Names from the root of a disk never do.
pub(crate) fn within(folder: &Path, from: &Path, name: &Path) -> Option<PathBuf> {
    if name.components().any(|part| matches!(part, Component::Prefix(_) | Component::RootDir)) {
        return None;
    }
    let file = from.join(name);
    plain(&file)?.starts_with(plain(folder)?).then_some(file)
}

/// The name of `folder` for messages.
pub(crate) fn named(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { ".".to_owned() } else { folder.display().to_string() }
}

/// The path from the root, without `.` and `..`.
fn plain(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}
