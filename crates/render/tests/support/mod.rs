//! What tests of pictures share.

#![allow(dead_code)] // each test file takes what it needs

use giveway_core::{Tick, Trace, TracedAgent, TracedMove, TracedOrder, TracedPlace};

/// On 4 x 3 cells, up to tick 13: a patrol with three goals that stands by in the end; one that is there from tick 5 to tick 9;
/// a bystander that is put elsewhere at tick 4, and one that steps aside and comes back.
pub(crate) fn running_world() -> Trace {
    let place = |x: u8, y: u8| TracedPlace::new(u32::from(y * 4 + x), [x.into(), y.into(), 0.0]);
    let step = |depart, x, y| TracedMove::new(depart, depart + 1, place(x, y));
    let order = |tick: Tick, goals: &[TracedPlace]| TracedOrder { tick, goals: goals.to_vec() };
    let (left, right) = (place(0, 0), place(3, 0));
    let moves = vec![
        step(0, 1, 0),
        step(1, 2, 0),
        step(2, 3, 0),
        step(3, 2, 0),
        step(4, 1, 0),
        step(5, 0, 0),
        step(7, 1, 0),
        step(8, 2, 0),
        step(9, 3, 0),
    ];
    let mut patrol = TracedAgent::new(left, vec![right], moves);
    patrol.orders = vec![order(3, &[left]), order(6, &[right]), order(10, &[])];
    let mut guest = TracedAgent::new(place(0, 2), vec![place(1, 2)], vec![step(6, 1, 2)]);
    (guest.appears, guest.vanishes) = (5, Some(9));
    let leap = TracedMove::new(4, 4, place(0, 1));
    let leaper = TracedAgent::new(place(3, 2), vec![], vec![leap]);
    let aside = TracedAgent::new(place(2, 1), vec![], vec![step(2, 2, 2), step(4, 2, 1)]);
    Trace { until: Some(13), ..Trace::new(1, vec![patrol, guest, leaper, aside]) }
}

/// Asserts that `text` is one well-formed XML element, as far as these pictures use XML, and returns its elements' names.
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
