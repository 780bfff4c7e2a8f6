//! Files are replaced as a whole or not at all.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use giveway_scenario::{MapFile, Replacement};

/// An empty folder; `name` is the test's.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replacement").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A replacement of the file at `place` that has got these contents.
fn written(place: &Path, contents: &str) -> Replacement {
    let mut file = Replacement::new(place).unwrap();
    file.write_all(contents.as_bytes()).unwrap();
    file
}

#[test]
fn the_place_changes_when_it_is_taken_and_not_before() {
    let folder = folder("taken");
    let place = folder.join("a.txt");
    fs::write(&place, "old").unwrap();
    let file = written(&place, "new");
    let beside = names(&folder);
    assert!(beside.len() == 2 && beside[0].starts_with(".giveway-") && beside[0].ends_with(".tmp"), "{beside:?}");
    assert_eq!(fs::read_to_string(&place).unwrap(), "old");
    file.commit().unwrap();
    assert_eq!(fs::read_to_string(&place).unwrap(), "new");
    drop(written(&place, "newer"));
    assert_eq!((fs::read_to_string(&place).unwrap().as_str(), names(&folder)), ("new", vec!["a.txt".to_owned()]));
}

#[test]
fn what_was_there_can_be_had_back() {
    let folder = folder("back");
    let [old, new] = ["old.txt", "new.txt"].map(|name| folder.join(name));
    fs::write(&old, "old").unwrap();
    for undone in [true, false] {
        let replaced = [&old, &new].map(|place| written(place, "written").commit_for_now().unwrap());
        assert_eq!([&old, &new].map(|place| fs::read_to_string(place).unwrap()), ["written", "written"]);
        for replaced in replaced {
            if undone {
                replaced.undo().unwrap();
            }
        }
        let expected = if undone { vec!["old.txt"] } else { vec!["new.txt", "old.txt"] };
        assert_eq!(names(&folder), expected, "undone: {undone}");
        assert_eq!(fs::read_to_string(&old).unwrap(), if undone { "old" } else { "written" });
    }
}

#[test]
fn a_file_that_cannot_be_written_stays_as_it_was() {
    let folder = folder("refused");
    let map = MapFile::parse("type octile\nheight 1\nwidth 1\nmap\n.\n", "a.map").unwrap();
    let error = map.write(folder.join("none/a.map")).unwrap_err();
    assert!(error.to_string().contains("a.map: cannot be written: ") && error.io_kind().is_some(), "{error}");
    assert!(map.write(&folder).is_err(), "a directory");
    assert_eq!(names(&folder), Vec::<String>::new());
    map.write(folder.join("a.map")).unwrap();
    assert_eq!(names(&folder), ["a.map"]);
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = folder("links");
    fs::create_dir(folder.join("elsewhere")).unwrap();
    symlink("elsewhere/a.txt", folder.join("one")).unwrap();
    symlink("one", folder.join("two")).unwrap();
    symlink("none/a.txt", folder.join("nowhere")).unwrap();
    symlink("loop", folder.join("loop")).unwrap();
    // Through two links to a file that is not there yet, and then to the one that is.
    for contents in ["first", "second"] {
        written(&folder.join("two"), contents).commit().unwrap();
        assert_eq!(fs::read_to_string(folder.join("elsewhere/a.txt")).unwrap(), contents);
        fs::set_permissions(folder.join("elsewhere/a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    }
    written(&folder.join("one"), "third").commit().unwrap();
    assert_eq!(fs::metadata(folder.join("one")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(["one", "two"].iter().all(|link| fs::symlink_metadata(folder.join(link)).unwrap().is_symlink()));
    for refused in ["nowhere", "loop"] {
        assert!(Replacement::new(folder.join(refused)).is_err(), "{refused}");
    }
    assert_eq!(names(&folder), ["elsewhere", "loop", "nowhere", "one", "two"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to() {
    assert_eq!(Replacement::place("/dev/stdout").unwrap(), None);
    written(Path::new("/dev/null"), "gone").commit().unwrap();
    let full = written(Path::new("/dev/full"), "too much").commit_for_now();
    assert_eq!(full.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
}
