//! Text and numbers as markup and JSON need them.

use std::fmt::{self, Write as _};

/// Text in XML or HTML, inside or outside quotes. Characters that XML forbids become U+FFFD.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(char)?,
                '\0'..' ' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(char)?,
            }
        }
        Ok(())
    }
}

/// A number with at most this many decimals and no needless characters; 0 if it is not finite.
#[derive(Clone, Copy)]
pub(crate) struct Number(pub(crate) f64, pub(crate) usize);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, decimals) = *self;
        if !value.is_finite() {
            return f.write_str("0");
        }
        let fixed = format!("{value:.decimals$}");
        let short = match fixed.contains('.') {
            true => fixed.trim_end_matches('0').trim_end_matches('.'),
            false => &fixed,
        };
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

/// The decimals that distinguish lengths of a thousandth of `length`.
pub(crate) fn decimals_for(length: f64) -> usize {
    let (mut decimals, mut unit) = (0, length / 1000.0);
    while unit < 1.0 && decimals < 12 {
        unit *= 10.0;
        decimals += 1;
    }
    decimals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(1.0, "1"), (-0.0001, "0"), (1.0 / 3.0, "0.333"), (100.0, "100"), (-2.50, "-2.5"), (f64::NAN, "0")];
        for (value, expected) in cases {
            assert_eq!(Number(value, 3).to_string(), expected);
        }
        assert_eq!(Number(1200.0, 0).to_string(), "1200");
        assert_eq!([1.0, 0.02, 5000.0].map(decimals_for), [3, 5, 0]);
    }

    #[test]
    fn nothing_breaks_out_of_text_or_quotes() {
        let hostile = Escaped("</script>\"'&\u{1}<!--").to_string();
        assert_eq!(hostile, "&lt;/script&gt;&quot;&#39;&amp;\u{fffd}&lt;!--");
    }
}
