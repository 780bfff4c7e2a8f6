//! Text for terminals: names and contents of files may hold characters that a terminal takes for commands.

use std::fmt::{self, Write as _};

/// Text that is safe for terminals. Control characters (U+0000 to U+001F, and U+007F to U+009F) are written as escapes
/// such as `\u001b`, except for line ends. Escaped JSON is still JSON with the same meaning.
///
/// Without this, control characters in names of files, or in the contents of files, could send commands to a terminal.
/// The text of a [`FileError`](crate::FileError) is already escaped.
///
/// ```
/// assert_eq!(giveway_scenario::Escaped("a\u{1b}[31m").to_string(), "a\\u001b[31m");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Escaped<T>(pub T);

impl<T: fmt::Display> fmt::Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Filter(f), "{}", self.0)
    }
}

struct Filter<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl fmt::Write for Filter<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let commands = |c: char| c.is_control() && c != '\n';
        let mut rest = text;
        while let Some((at, command)) = rest.char_indices().find(|(_, c)| commands(*c)) {
            let (plain, behind) = rest.split_at(at);
            self.0.write_str(plain)?;
            write!(self.0, "\\u{:04x}", u32::from(command))?;
            rest = behind.get(command.len_utf8()..).unwrap_or_default();
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_commands_a_terminal_is_spelt_out() {
        let text = "a\u{1b}[31m\nä\r\t\0\u{7f}\u{9b}z\u{202e}";
        let expected = "a\\u001b[31m\nä\\u000d\\u0009\\u0000\\u007f\\u009bz\u{202e}";
        assert_eq!(Escaped(text).to_string(), expected);
        assert_eq!(Escaped("").to_string(), "");
    }
}
