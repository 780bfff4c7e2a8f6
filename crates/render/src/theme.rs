//! The theme of SVG pictures: their colours on light and on dark pages.
//!
//! Colours are written out for light pages, so that a picture needs no more than the plainest CSS. A media query has
//! the colours for dark pages; viewers that do not know of dark pages ignore it.

use std::fmt;

/// A style sheet in which `$page`, `$ground` and so on stand for colours of the theme.
///
/// The sheet is displayed as rules for light pages, and a media query for dark pages with the rules that name a colour.
pub(crate) struct StyleSheet<'a>(pub(crate) &'a str);

impl fmt::Display for StyleSheet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(rules) = self;
        f.write_str(&colored(rules, |[light, _]| light))?;
        // In a page, a picture is no wider than the room there. Other viewers might take that limit for the picture's
        // size.
        f.write_str("@media screen{.giveway{max-width:100%;height:auto}}@media(prefers-color-scheme:dark){")?;
        for rule in rules.split_inclusive('}').filter(|rule| rule.contains('$')) {
            f.write_str(&colored(rule, |[_, dark]| dark))?;
        }
        f.write_str("}")
    }
}

fn colored(rules: &str, side: impl Fn([&'static str; 2]) -> &'static str) -> String {
    COLORS.into_iter().fold(rules.to_owned(), |rules, (name, both)| rules.replace(name, side(both)))
}

/// On light pages and on dark ones.
const COLORS: [(&str, [&str; 2]); 10] = [
    ("$page", [PAGE, "#14161a"]),
    ("$ground", ["#fff", "#1b1e23"]),
    ("$rim", ["#d9dce2", "#353a43"]),
    ("$wall", ["#ccd1d9", "#3b414b"]),
    ("$shore", ["#98a1ae", "#667080"]),
    ("$rough", ["#efe7d3", "#39342a"]),
    ("$lane", ["#e9ecf1", "#2b3038"]),
    ("$edge", ["#c5cbd4", "#474e5a"]),
    ("$ink", ["#20242c", "#e8eaed"]),
    ("$quiet", ["#656d7a", "#9aa2ae"]),
];

/// The opaque ground of pictures, whatever is around them.
pub(crate) const PAGE: &str = "#fff";

/// The type of all text, as an attribute: some viewers do not read it from rules.
pub(crate) const FONT: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// The rules of all pictures. Every rule stays inside the picture, which may stand in a page.
pub(crate) const SHARED: &str = "\
.giveway .page{fill:$page}.giveway .ground{fill:$ground;stroke:$rim}.giveway .walls{fill:$wall;stroke:none}\
.giveway .edges{fill:none;stroke:$edge;stroke-linecap:round}.giveway .nodes{fill:none;stroke:$edge;stroke-linecap:round}\
.giveway text{fill:$quiet}.giveway .title{font-size:18px;font-weight:600;fill:$ink;letter-spacing:-.01em}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_rules_are_those_that_name_a_color() {
        let sheet = StyleSheet(".a{fill:$ink}.b{opacity:.5}.c{fill:none;stroke:$ground}").to_string();
        assert_eq!(
            sheet,
            ".a{fill:#20242c}.b{opacity:.5}.c{fill:none;stroke:#fff}\
             @media screen{.giveway{max-width:100%;height:auto}}\
             @media(prefers-color-scheme:dark){.a{fill:#e8eaed}.c{fill:none;stroke:#1b1e23}}"
        );
        assert!(!StyleSheet(SHARED).to_string().contains('$'));
    }
}
