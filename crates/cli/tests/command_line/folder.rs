//! A folder of its own for every test, in which the binary runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with files, in which commands are run.
pub(crate) struct Folder(PathBuf);

/// The output of a command.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Five columns, three rows, two walls.
pub(crate) const SMALL_MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@.@.\n.....\n";

/// Two agents that meet head-on, and one that stays out of their way.
pub(crate) const SMALL_SCEN: &str = "version 1\n\
    0\tsmall.map\t5\t3\t0\t0\t4\t0\t4.0\n\
    0\tsmall.map\t5\t3\t4\t0\t0\t0\t4.0\n\
    0\tsmall.map\t5\t3\t0\t2\t2\t2\t2.0\n";

/// The agent with the shorter way stands in the way of the other, unless the other goes first. The sums of costs are
/// certain, whichever way ties are broken.
pub(crate) const BAY_MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n....\n@.@@\n";
pub(crate) const BAY_SCEN: &str = "version 1\n0\tbay.map\t4\t2\t0\t0\t1\t0\t1\n0\tbay.map\t4\t2\t3\t0\t1\t1\t3\n";

impl Folder {
    /// An empty folder; `name` is the test's.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command_line").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// An empty folder that belongs to this one, for what must not need its files. Tests run at once, so that each needs
    /// its own.
    pub(crate) fn elsewhere(&self) -> Self {
        Self::new(&format!("{}_elsewhere", self.0.file_name().unwrap().to_str().unwrap()))
    }

    /// A folder with `small.map` and `small.scen`.
    pub(crate) fn small(name: &str) -> Self {
        Self::new(name).with("small.map", SMALL_MAP).with("small.scen", SMALL_SCEN)
    }

    /// A folder with `bay.map` and `bay.scen`.
    pub(crate) fn bay(name: &str) -> Self {
        Self::new(name).with("bay.map", BAY_MAP).with("bay.scen", BAY_SCEN)
    }

    /// Adds a file to the folder.
    pub(crate) fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), contents).unwrap();
        self
    }

    /// Adds `NAME.map` and `NAME.scen` to the folder, copied from the test data.
    pub(crate) fn with_benchmark(self, map: &str) -> Self {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/movingai");
        fs::copy(data.join(format!("maps/{map}.map")), self.path(&format!("{map}.map"))).unwrap();
        fs::copy(data.join(format!("scens/{map}-random-1.scen")), self.path(&format!("{map}.scen"))).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of the files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The binary, about to run in this folder.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_giveway"));
        command.args(arguments.split_whitespace()).current_dir(&self.0);
        for variable in ["COLUMNS", "LINES", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE", "GIVEWAY_DATA"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs the binary with `arguments`, separated by spaces.
    pub(crate) fn run(&self, arguments: &str) -> Run {
        Self::outcome(arguments, self.command(arguments))
    }

    /// Runs `arguments` and a path behind them, which may contain spaces.
    pub(crate) fn run_with(&self, arguments: &str, path: &Path) -> Run {
        let mut command = self.command(arguments);
        command.arg(path);
        Self::outcome(arguments, command)
    }

    fn outcome(arguments: &str, mut command: Command) -> Run {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let run = Run {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        };
        assert!(!run.stderr.contains("panicked"), "{arguments}: {run:#?}");
        run
    }
}

/// The names of XML's vocabularies are no addresses that anyone visits; there is no other in `html`.
pub(crate) fn assert_asks_nothing_of_the_network(html: &str) {
    assert!(html.contains("Content-Security-Policy\" content=\"default-src 'none'"));
    let vocabulary = "http://www.w3.org/2000/svg";
    assert!(!html.replace(vocabulary, "").contains("://"));
    for word in [" src=", "@import", "url(", "fetch(", "import("] {
        assert!(!html.contains(word), "{word}");
    }
}

impl Run {
    /// The JSON object that alone is on standard output.
    pub(crate) fn json(&self) -> serde_json::Map<String, serde_json::Value> {
        assert_eq!(self.stdout.lines().count(), 1, "{self:#?}");
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Standard output without what depends on the machine, or on how cleverly searches go about it.
    pub(crate) fn redacted(&self) -> String {
        let json = redact_after(
            &self.stdout,
            &[
                "expansions\":",
                "work\":",
                "planning_ms\":",
                "milliseconds\":",
                "_median\":",
                "_p99\":",
                "_max\":",
                "_first\":",
                "distance_bytes\":",
                "bytes_per_agent\":",
            ],
        );
        redact_after(
            &json,
            &[
                "\n  expansions",
                "\n  reverse expansions",
                "\n  planning",
                "\n  worst tick",
                "\n  time",
                "\n  longest tick",
            ],
        )
    }
}

/// Replaces the number after each of the `words`, whatever the spaces between, by `[..]`.
fn redact_after(text: &str, words: &[&str]) -> String {
    words.iter().fold(text.to_owned(), |text, word| {
        let mut parts = text.split(word);
        let mut redacted = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let number = part.trim_start_matches(' ');
            let rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            redacted += &format!("{word}{}[..]{rest}", if number == part { "" } else { " " });
        }
        redacted
    })
}
