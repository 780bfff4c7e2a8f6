//! Hashes of what was computed, and the file of those that are expected.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// With this variable set to 1 the file is written anew.
const RECORD: &str = "GIVEWAY_RECORD_HASHES";

/// FNV-1a of 64 bits, over numbers of eight bytes each, the lowest byte first.
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        self.bytes(&number.into().to_le_bytes());
    }

    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item: Into<u64>>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub(crate) fn counts(&mut self, counts: impl IntoIterator<Item = usize>) {
        counts.into_iter().for_each(|count| self.count(count));
    }
}

/// The cases that were run, and their hashes.
#[derive(Default)]
pub(crate) struct Cases(BTreeMap<String, u64>);

impl Cases {
    /// Runs a case.
    pub(crate) fn run(&mut self, name: impl Into<String>, case: impl FnOnce(&mut Hash)) {
        let (name, mut hash) = (name.into(), Hash::new());
        assert!(!name.contains(' '), "{name:?} is one word");
        case(&mut hash);
        let before = self.0.insert(name.clone(), hash.value());
        assert_eq!(before, None, "{name} is the name of one case");
    }

    /// Compares all hashes with those of `file`, which has a line for each: its name, a space, and 16 hexadecimal digits.
    ///
    /// # Panics
    /// Some differ, are missing or are too many; or the file has been written anew.
    pub(crate) fn compare(&self, file: &Path) {
        if std::env::var_os(RECORD).is_some_and(|value| value == "1") {
            let lines: String = self.0.iter().map(|(name, hash)| format!("{name} {hash:016x}\n")).collect();
            std::fs::write(file, lines).expect("the file can be written");
            panic!("{} was written anew, {} cases; unset {RECORD} to compare", file.display(), self.0.len());
        }
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut expected: BTreeMap<&str, &str> = BTreeMap::new();
        let mut differences = String::new();
        for line in text.lines() {
            let (name, hash) = line.split_once(' ').unwrap_or((line, ""));
            if expected.insert(name, hash).is_some() {
                let _ = writeln!(differences, "{name}: expected twice");
            }
        }
        for (name, hash) in &self.0 {
            let found = format!("{hash:016x}");
            match expected.remove(name.as_str()) {
                None => drop(writeln!(differences, "{name}: expected nothing, found {found}")),
                Some(hash) if hash != found => drop(writeln!(differences, "{name}: expected {hash}, found {found}")),
                Some(_) => {}
            }
        }
        for (name, hash) in expected {
            let _ = writeln!(differences, "{name}: expected {hash}, found no such case");
        }
        let (count, file) = (differences.lines().count(), file.display());
        assert!(
            differences.is_empty(),
            "{count} differences from {file}:\n{differences}if this is meant, {RECORD}=1 writes the file anew"
        );
    }
}
