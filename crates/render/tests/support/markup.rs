//! Whether a picture is well-formed.

/// Asserts that `text` is one well-formed XML element, as far as these pictures use XML, and returns its elements'
/// names.
pub(crate) fn elements(text: &str) -> Vec<String> {
    let (mut open, mut names) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some((between, tag)) = rest.split_once('<') {
        assert_references(between);
        assert!(open.is_empty() <= between.trim().is_empty(), "text outside: {between:?}");
        // No attribute of these pictures contains '>', which must be escaped.
        let (tag, after) = tag.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(char::is_alphanumeric), "{tag:?}");
        assert!(names.is_empty() || !open.is_empty(), "a second root: {tag:?}");
        let mut attributes = attributes.trim();
        while !attributes.is_empty() {
            let (name, value) = attributes.split_once("=\"").expect("a quoted value");
            assert!(name.chars().all(|char| char.is_alphanumeric() || char == '-'), "{name:?}");
            let (value, after) = value.split_once('"').expect("the value ends");
            assert_references(value);
            attributes = after.trim_start();
        }
        names.push(name.to_owned());
        if !empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    names
}

/// Asserts that every `&` of `text` is a reference, and that all of its characters are allowed.
fn assert_references(text: &str) {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        assert!(known.iter().any(|reference| text[at..].starts_with(reference)), "{text:?}");
    }
    assert!(!text.chars().any(|char| char.is_control() && char != '\n'), "{text:?}");
}
