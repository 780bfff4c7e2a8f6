//! The checkers know the vocabulary only: what an agent, a plan and a trace are, and which moves a space has.

use std::fs;
use std::path::{Path, PathBuf};

/// What the sources may name of `giveway-core`. Nothing here plans, reserves or stamps.
const VOCABULARY: [&str; 29] = [
    "Agent",
    "AgentId",
    "AtEnd",
    "ConflictRule",
    "Embedding",
    "FOREVER",
    "Goals",
    "Motion",
    "Move",
    "NodeId",
    "Path",
    "PathIn",
    "Plan",
    "PlanIn",
    "SpaceGraph",
    "Span",
    "Step",
    "Stretch",
    "Tick",
    "Ticks",
    "Trace",
    "TracedAgent",
    "TracedBody",
    "TracedChange",
    "TracedMove",
    "TracedOrder",
    "TracedPlace",
    "Trajectories",
    "Trajectory",
];

#[test]
fn the_checkers_import_the_vocabulary_only() {
    let mut files = Vec::new();
    list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 15, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for used in text.split("giveway_core::").skip(1) {
            let list = used.strip_prefix('{').map_or_else(|| word(used), |list| list.split('}').next().unwrap());
            for name in list.split(',').map(|name| word(name.trim_start_matches([' ', '\n', '/']))) {
                assert!(name.is_empty() || VOCABULARY.contains(&name), "{} names {name}", file.display());
            }
        }
        assert!(!text.contains("giveway_core as"), "{} renames the crate", file.display());
    }
}

fn word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { list(&path, files) } else { files.push(path) }
    }
}
