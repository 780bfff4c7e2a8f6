//! Charts: well-formed, and right at the edges.

use giveway_experiments::{Chart, Mark};

use crate::markup::elements;

fn drawn(chart: &Chart) -> String {
    let text = chart.to_string();
    elements(&text);
    assert_eq!(text, chart.to_string());
    text
}

/// The texts of a picture, in order.
fn texts(svg: &str) -> Vec<String> {
    let parts = svg.split("<text").skip(1);
    parts.map(|part| part.split_once('>').unwrap().1.split_once('<').unwrap().0.trim().to_owned()).collect()
}

fn labels(xs: [f64; 2], ys: [f64; 2]) -> Vec<String> {
    let marks = [Mark::at(xs[0], ys[0]), Mark::at(xs[1], ys[1])];
    texts(&drawn(&Chart::new("across", "up").series("one", marks)))
}

#[test]
fn labels_are_round_numbers() {
    let has = |labels: &[String], expected: &[&str]| {
        for label in expected {
            assert!(labels.iter().any(|found| found == label), "{label} is missing in {labels:?}");
        }
    };
    has(&labels([0.0, 100.0], [1.0, 1.3]), &["across", "up", "one", "20", "80", "1.05", "1.25"]);
    has(&labels([0.0, 0.3], [-5.0, 5.0]), &["0.1", "0.3", "-4", "0", "4"]);
    has(&labels([1000.0, 21_000.0], [0.0, 2_000_000.0]), &["20\u{202f}000", "1\u{202f}500\u{202f}000"]);
    let all = labels([0.0, 0.3], [0.0, 0.7]);
    assert!(all.iter().all(|label| label.len() < 8), "{all:?}");
}

#[test]
fn what_is_not_finite_is_left_out() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e13];
    let marks = odd.map(|value| Mark { x: value, ..Mark::at(1.0, 1.0) });
    let empty = drawn(&Chart::new("x", "y").series("one", []));
    assert_eq!(drawn(&Chart::new("x", "y").series("one", marks)), empty);
    for value in odd {
        let bad = [
            Mark::at(1.0, value),
            Mark { low: value, ..Mark::at(1.0, 1.0) },
            Mark { high: value, ..Mark::at(1.0, 1.0) },
        ];
        assert_eq!(drawn(&Chart::new("x", "y").series("one", bad)), empty);
    }
    assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
}

#[test]
fn few_and_extreme_values_give_a_picture() {
    drawn(&Chart::new("", ""));
    for value in [0.0, 1.0, -1.0, 1e-12, -1e12, 1e12, f64::MIN_POSITIVE] {
        let one = drawn(&Chart::new("x", "y").series("one", [Mark::at(value, value)]));
        assert!(one.contains("<polygon"), "no mark at {value}: {one}");
        assert!(!one.contains("NaN") && !one.contains("inf"), "{value}: {one}");
    }
    drawn(&Chart::new("x", "y").series("one", [Mark::at(-1e12, -1e12), Mark::at(1e12, 1e12)]));
    drawn(&Chart::new("x", "y").series("one", [Mark::at(1e12, 1.0), Mark::at(1e12 - 1e-3, 1.0 + 1e-15)]));
}

#[test]
fn names_are_escaped_and_shortened() {
    let chart = Chart::new("<x>", "a & b").title("\"<title>\" & more").series("<one> & \"two\"", [Mark::at(0.0, 0.0)]);
    let text = drawn(&chart);
    assert!(text.contains("&lt;one&gt; &amp; "), "{text}");
    assert!(text.contains("&lt;title&gt;"), "{text}");
    drawn(&Chart::new("\0", "\u{1b}").title("\u{7}").series("\u{0}\u{ffff}", [Mark::at(0.0, 0.0)]));
    let long = drawn(&Chart::new("x", "y").series("a name that is much too long for the key", []));
    assert!(long.contains("a name that is much too…") && !long.contains("for the key"), "{long}");
}

#[test]
fn every_series_has_its_line_marks_and_whiskers() {
    let marks =
        |height: f64| (0..4).map(move |x| Mark { x: f64::from(x), y: height, low: height - 0.2, high: height + 0.2 });
    let ten =
        (0..10).fold(Chart::new("x", "y"), |chart, index| chart.series(format!("s{index}"), marks(f64::from(index))));
    let text = drawn(&ten);
    // A mark for each value and one in the key.
    assert_eq!(text.matches("<polygon").count(), 10 * (4 + 1));
    let names = texts(&text);
    assert!((0..10).all(|index| names.contains(&format!("s{index}"))), "{names:?}");
    let lines = text.matches("<polyline").count();
    let without = Chart::new("x", "y").series("s", (0..4).map(|x| Mark::at(f64::from(x), 1.0)));
    let with = Chart::new("x", "y").series("s", marks(1.0));
    let count = |chart: &Chart| drawn(chart).matches("<line").count() + drawn(chart).matches("<polyline").count();
    assert!(lines >= 10 && count(&with) > count(&without), "{text}");
}
