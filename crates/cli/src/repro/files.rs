//! Where the maps and scenarios of an experiment are.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use giveway_experiments::{Files, ScenarioSet};

use crate::arguments::ReproArguments;

/// The files that `arguments` name, or else the files of `set`.
///
/// # Errors
/// They are not there.
pub(super) fn find(arguments: &ReproArguments, set: &ScenarioSet) -> Result<Files> {
    if let Some(map) = &arguments.map {
        return Ok(Files { map: map.clone(), scenarios: arguments.scen.clone(), are_prescribed: false });
    }
    let of_set = |folder: &Path| in_folder(folder, set, arguments.files);
    if let Some(folder) = &arguments.data {
        let files = of_set(folder);
        return match missing(&files) {
            None => Ok(files),
            Some(missing) => bail!("{missing}; it is part of {HOG2}"),
        };
    }
    let mut looked = String::new();
    for (nowhere, folder) in usual_folders() {
        let missing = match folder.as_deref().map(of_set) {
            None => nowhere,
            Some(files) => match missing(&files) {
                None => return Ok(files),
                Some(missing) => missing,
            },
        };
        looked += &format!("\n  {missing}");
    }
    bail!(
        "the scenarios of this experiment are not here: give --data DIR or set GIVEWAY_DATA to a folder with \
         direction-maps/maps/{}.map and direction-maps/scens/{}_1.txt to _10.txt, which are part of {HOG2}; or give other ones by \
         --map and --scen{looked}",
        set.map,
        set.name,
    );
}

/// The first `count` scenarios of `set` and their map below `folder`, there or not.
fn in_folder(folder: &Path, set: &ScenarioSet, count: u8) -> Files {
    let folder = folder.join("direction-maps");
    let scenario = |number| folder.join(format!("scens/{}_{number}.txt", set.name));
    let map = folder.join(format!("maps/{}.map", set.map));
    Files { map, scenarios: (1..=count).map(scenario).collect(), are_prescribed: true }
}

/// The first file that is not there, and what can be done.
fn missing(files: &Files) -> Option<String> {
    let file = std::iter::once(&files.map).chain(&files.scenarios).find(|file| !file.is_file())?;
    let advice = match files.scenarios.iter().take_while(|file| file.is_file()).count() {
        0 => String::new(),
        _ if *file == files.map => String::new(),
        there => format!(", and --files {there} takes fewer scenarios"),
    };
    Some(format!("{}: not there{advice}", file.display()))
}

/// The repository with all scenarios.
const HOG2: &str = "https://github.com/nathansttt/hog2";

/// The scenarios in a clone of giveway.
const CLONED: &str = "testdata/direction-maps";

/// The default folders: `GIVEWAY_DATA`, and the clone around the current folder; each with a message for the case that
/// it is missing.
fn usual_folders() -> [(String, Option<PathBuf>); 2] {
    let variable = std::env::var_os("GIVEWAY_DATA").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let here = std::env::current_dir().unwrap_or_default();
    let clone = here.ancestors().find(|folder| folder.join(CLONED).is_dir()).map(|folder| folder.join("testdata"));
    [
        ("GIVEWAY_DATA: not set".to_owned(), variable),
        (format!("{}: neither here nor in a folder around it is there {CLONED}", here.display()), clone),
    ]
}
