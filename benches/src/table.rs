//! Results: a table to read on standard output, and what each piece of work took in a file.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing results is what benchmarks are for")]

use std::fmt::{Display, Write};
use std::path::Path;

use crate::timing::{Spread, Times};

/// A table in Markdown, printed row by row, and the times behind it.
#[derive(Debug)]
pub struct Table {
    columns: usize,
    /// The lines of the file of times.
    raw: String,
}

impl Table {
    /// Prints the heading.
    pub fn begin(columns: &[&str]) -> Self {
        println!("| {} |", columns.join(" | "));
        println!("|{}", "---|".repeat(columns.len()));
        Self { columns: columns.len(), raw: "case,contender,piece,least_ns,median_ns,most_ns\n".to_owned() }
    }

    /// Prints a row; there must be as many cells as columns.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        assert_eq!(cells.len(), self.columns, "a row must fill the table");
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        println!("| {} |", cells.join(" | "));
    }

    /// Keeps the times of `case` for the file.
    pub fn keep(&mut self, case: &str, times: &[Times]) {
        for Times { name, pieces } in times {
            for (piece, Spread { least, median, most }) in pieces.iter().enumerate() {
                // Writing to a string does not fail.
                let _ = writeln!(self.raw, "{case},{name},{piece},{least:.0},{median:.0},{most:.0}");
            }
        }
    }

    /// Writes the times to `directory`/`name`.csv, and says where they are.
    pub fn end(mut self, directory: &str, name: &str) {
        let raw = std::mem::take(&mut self.raw);
        self.write_raw(directory, name, &raw);
    }

    /// Writes `raw` to `directory`/`name`.csv, and says where it is.
    pub fn write_raw(self, directory: &str, name: &str, raw: &str) {
        let path = Path::new(directory).join(format!("{name}.csv"));
        match std::fs::write(&path, raw) {
            Ok(()) => println!("\nRaw numbers: {}", path.display()),
            Err(why) => eprintln!("The raw numbers could not be written to {}: {why}", path.display()),
        }
    }
}
