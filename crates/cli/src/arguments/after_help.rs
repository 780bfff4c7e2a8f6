//! The end of the long help of commands that read and write files.

/// The `text` of a command, the meaning of `-` as a file, and the exit codes: `exit_codes` and 2.
pub(super) fn after_help(text: &str, exit_codes: &str) -> String {
    format!(
        "{text}

A FILE that is read may be -, which is standard input, but only one of them.
A FILE that is written may be -, which is standard output. The summary goes to
standard error then. A file of that name is ./-.

Exit codes:
{exit_codes}
  2  bad input or usage, or a file or standard output cannot be written;
     no file is written or changed"
    )
}
