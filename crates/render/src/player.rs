//! The player: a trace as one HTML file that plays it.

mod data;
mod flow;
mod parts;

use std::fmt;

use giveway_core::Trace;

use crate::arrow::Flow;
use crate::backdrop::Backdrop;
use crate::journey::is_live;
use crate::markup::Escaped;
use data::Data;
use parts::in_parts;

/// A trace as one self-contained HTML page that plays the trace. A viewer can pause, step, move to any tick, zoom, and
/// read about each agent.
///
/// The page can be opened as a file, makes no network requests (its content policy forbids them), and runs only its own
/// code. Equal input gives equal bytes. Titles and captions are escaped: markup in them is shown as text.
///
/// # The page's address
/// | parameter | effect |
/// |---|---|
/// | `?t=12.5` | shows tick 12.5, paused; when the picture is drawn, the root element has `data-ready="1"` |
/// | `?agent=3` | selects agent 3 |
/// | `?boxes=1` | shows what the selected agent holds in space and time, and the agent for which it waits, as boxes: height is time |
/// | `?flow=lanes`, `?flow=arrows`, `?flow=off` | shows the [flow](Self::flow) as lanes or as arrows, or hides it; lanes by default |
/// | `?theme=dark`, `?theme=light` | overrides the viewer's theme |
///
/// # Scripts
///
/// For tests, scripts can use the object `window.giveway`. `seek(tick)`, `play()` and `pause()` control the page, and
/// `advance(seconds)` plays on as if this number of seconds had passed. `positions()` returns the positions last drawn,
/// and `poses()` returns the headings, too. `flow()` returns x, y and the vector of each place. `state()` returns the
/// state of the page; its `flow` is `lanes`, `arrows` or `off`, or null if the page has no flow.
///
/// ```
/// use giveway_core::Trace;
/// use giveway_render::{Backdrop, Player};
///
/// let trace = Trace::new(1, Vec::new());
/// let page = Player::new(&trace, &Backdrop::cells(8, 8, |_, _| true)).title("Nobody <here>").to_string();
/// assert!(page.contains("<title>Nobody &lt;here&gt;</title>"));
/// ```
#[derive(Clone, Debug)]
pub struct Player<'a> {
    trace: &'a Trace,
    backdrop: &'a Backdrop,
    flow: Flow,
    title: String,
    caption: String,
}

impl<'a> Player<'a> {
    /// The page that plays `trace` over `backdrop`.
    pub fn new(trace: &'a Trace, backdrop: &'a Backdrop) -> Self {
        let count = trace.agents.len();
        let agents = if count == 1 { "agent" } else { "agents" };
        let what = if is_live(trace) { "A recording of" } else { "A plan for" };
        Self { trace, backdrop, flow: Flow::new(), title: format!("{what} {count} {agents}"), caption: String::new() }
    }

    /// Sets the title of the page. The default title has the number of agents.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Sets the line below the title, for the map, the strategy, or anything else that a viewer should know.
    #[must_use]
    pub fn caption(self, caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), ..self }
    }

    /// Adds a layer that shows the directions in which units go, as lanes or as arrows. A lane is a row of places in
    /// the colour of one heading. At each tick the page shows the latest snapshot up to that tick. If `flow` has no
    /// snapshot, the page has no such layer.
    ///
    /// ```
    /// use giveway_core::Trace;
    /// use giveway_render::{Arrow, Backdrop, Flow, Player};
    ///
    /// let arrows = [Arrow::new([0.0; 3], [0.8, 0.0, 0.0])];
    /// let (trace, backdrop) = (Trace::new(1, Vec::new()), Backdrop::cells(8, 8, |_, _| true));
    /// let page = Player::new(&trace, &backdrop).flow(Flow::still(arrows)).to_string();
    /// assert!(page.contains("\"snapshots\":[[0,[0,80,0]]]"));
    /// ```
    #[must_use]
    pub fn flow(self, flow: Flow) -> Self {
        Self { flow, ..self }
    }
}

impl fmt::Display for Player<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Filled-in text is never read again, so that no title can name another hole.
        let mut rest = PAGE;
        while let Some((before, hole)) = rest.split_once("{{") {
            f.write_str(before)?;
            let (name, after) = hole.split_once("}}").unwrap_or((hole, ""));
            match name {
                "title" => write!(f, "{}", Escaped(&self.title))?,
                "caption" => write!(f, "{}", Escaped(&self.caption))?,
                "style" => STYLES.iter().try_for_each(|style| f.write_str(style))?,
                "script" => SCRIPTS.iter().try_for_each(|script| f.write_str(script))?,
                "data" => write!(f, "{}", Data::new(&in_parts(self.trace), self.backdrop, &self.flow))?,
                _ => {}
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

const PAGE: &str = include_str!("player/page.html");

const STYLES: [&str; 2] = [include_str!("player/theme.css"), include_str!("player/layout.css")];

/// In the order of their dependencies.
const SCRIPTS: [&str; 13] = [
    include_str!("player/courses.js"),
    include_str!("player/errands.js"),
    include_str!("player/journeys.js"),
    include_str!("player/waits.js"),
    include_str!("player/clock.js"),
    include_str!("player/camera.js"),
    include_str!("player/shapes.js"),
    include_str!("player/flow.js"),
    include_str!("player/boxes.js"),
    include_str!("player/painter.js"),
    include_str!("player/pointer.js"),
    include_str!("player/panel.js"),
    include_str!("player/main.js"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hole_of_the_page_is_known() {
        let holes: Vec<&str> =
            PAGE.split("{{").skip(1).filter_map(|hole| hole.split_once("}}")).map(|(name, _)| name).collect();
        for hole in &holes {
            assert!(["title", "caption", "style", "script", "data"].contains(hole), "{hole}");
        }
        assert_eq!(holes.len(), 6);
        // Filled-in code must not end its element.
        assert!(SCRIPTS.iter().all(|script| !script.contains("</script") && !script.contains("<!--")));
        assert!(STYLES.iter().all(|style| !style.contains("</style")));
    }
}
