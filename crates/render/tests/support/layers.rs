//! The layers of an SVG picture.

/// The paths of the layers called `name`, from the lowest.
pub(crate) fn paths<'a>(picture: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!("<path class=\"{name}\"");
    let layers = picture.split(begin.as_str()).skip(1);
    layers.map(|layer| layer.split_once(" d=\"").unwrap().1.split_once('"').unwrap().0).collect()
}
