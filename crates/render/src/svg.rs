//! A plan as SVG: every agent's path over the map.

use std::fmt::{self, Write as _};

use giveway_core::{Trace, TracedAgent, Trajectory};

use crate::backdrop::Backdrop;
use crate::frame::Frame;
use crate::front::Front;
use crate::journey::{Corner, arrival, arrivals, corners, errands, is_live, waits, ways};
use crate::markup::{Escaped, Number};
use crate::outline::{Outline, Turned};
use crate::palette::Color;
use crate::placement::{Placement, fronts};
use crate::plane::plane;

/// A trace as one SVG picture: paths over the map. Starts are discs, goals are squares, and waits are dots on the path.
///
/// Each agent has its own colour ([`Color::from_agent`]). If there are few agents, each agent also has a number, and
/// paths are drawn beside each other. When the mouse pointer rests on a path, the picture shows the agent of the path.
/// Without agents, the picture shows the map alone. The picture follows the viewer's light or dark theme.
///
/// ```
/// use giveway_core::{Trace, TracedAgent, TracedMove, TracedPlace};
/// use giveway_render::{Backdrop, PlanPicture};
///
/// let place = |node: u32| TracedPlace::new(node, [node as f32, 0.0, 0.0]);
/// let moves = vec![TracedMove::new(3, 4, place(1))];
/// let agent = TracedAgent::new(place(0), vec![place(1)], moves);
/// let trace = Trace::new(1, vec![agent]);
/// let picture = PlanPicture::new(&trace, &Backdrop::cells(2, 1, |_, _| true)).to_string();
/// assert!(picture.contains("agent 0, arrives at tick 4, waits for 3 ticks"));
/// ```
#[derive(Clone, Debug)]
pub struct PlanPicture<'a> {
    trace: &'a Trace,
    backdrop: &'a Backdrop,
    title: String,
}

impl<'a> PlanPicture<'a> {
    /// The picture of `trace` over `backdrop`. If the trace reaches beyond the map, the picture is larger than the map.
    pub fn new(trace: &'a Trace, backdrop: &'a Backdrop) -> Self {
        Self { trace, backdrop, title: String::new() }
    }

    /// Sets the title of the picture.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }
}

impl fmt::Display for PlanPicture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, backdrop, title } = self;
        let extent = backdrop.extent().with_trace(trace, backdrop.pitch / 2.0);
        let mut frame = Frame::new(backdrop, extent, !title.is_empty());
        if trace.agents.is_empty() {
            frame = frame.without_legend();
        }
        let pen = Pen::new(trace, frame.pitch);
        let fronts = fronts(trace);
        frame.open(f, "A plan", title, STYLE)?;
        frame.layers(f, backdrop)?;
        for (id, agent) in (0..).zip(&trace.agents) {
            pen.path(f, &frame, id, agent, &trace.trajectories)?;
        }
        for ((id, agent), front) in (0..).zip(&trace.agents).zip(&fronts) {
            let mut drawn = Vec::new();
            let goals: Vec<_> = errands(agent).map(|(_, _, goals)| goals).filter(|goals| !goals.is_empty()).collect();
            for (goals, earlier) in goals.into_iter().rev().zip(0_usize..) {
                for goal in goals {
                    if !drawn.contains(&goal.node) {
                        pen.goal(f, id, frame.pixel(plane(goal)), earlier == 0)?;
                        if *front && earlier == 0 {
                            pen.goal_front(f, &frame, id, Placement::of(goal))?;
                        }
                        drawn.push(goal.node);
                    }
                }
            }
        }
        for ((id, agent), front) in (0..).zip(&trace.agents).zip(fronts) {
            let placement = Placement::of(&agent.start);
            if let Some(body) = &agent.body {
                let [x, y] = frame.pixel(placement.at).map(|side| Number(side, 1));
                let (color, outline, turned) =
                    (Color::from_agent(id), Outline(body, frame.scale()), Turned(placement.heading));
                writeln!(
                    f,
                    "<path class=\"body\" transform=\"translate({x} {y}){turned}\" d=\"{outline}\" fill=\"{color}\"/>"
                )?;
                if front {
                    let path = Front::of(body).path(placement, |at| frame.pixel(at));
                    writeln!(f, "<path class=\"front\" d=\"{path}\"/>")?;
                }
            }
            if front && agent.body.is_none() {
                let path = Front::of_point(pen.radius() / frame.scale()).path(placement, |at| frame.pixel(at));
                writeln!(f, "<path class=\"start\" fill=\"{}\" d=\"{path}\"/>", Color::from_agent(id))?;
            }
            pen.start(f, id, frame.pixel(placement.at))?;
        }
        if !trace.agents.is_empty() {
            legend(f, &frame, trace)?;
        }
        f.write_str("</svg>\n")
    }
}

/// The sizes of lines and marks, which depend on the number of agents and the size of a place.
struct Pen {
    pitch: f64,
    line: f64,
    opacity: f64,
    /// The number of lanes; agents take turns in them.
    lanes: u32,
    /// The distance between the outermost lanes.
    spread: f64,
    few: bool,
    /// Whether the trace holds more than a plan could.
    live: bool,
}

impl Pen {
    fn new(trace: &Trace, pitch: f64) -> Self {
        let agents = trace.agents.len();
        let few = agents <= 40;
        let (line, opacity, lanes, spread) = match agents {
            0..=12 => (0.15, 1.0, agents, 0.12 * (agents.saturating_sub(1)).min(4) as f64),
            13..=40 => (0.11, 0.9, 7, 0.5),
            41..=120 => (0.09, 0.75, 9, 0.56),
            _ => (0.07, 0.6, 11, 0.6),
        };
        Self {
            pitch,
            line: (line * pitch).max(0.7),
            opacity,
            lanes: u32::try_from(lanes).unwrap_or(1).max(1),
            spread: spread * pitch,
            few,
            live: is_live(trace),
        }
    }

    /// The distance of agent `id` from the middle, so that agents on one way lie side by side.
    fn lane(&self, id: u32) -> f64 {
        let lane = f64::from(id % self.lanes) / f64::from((self.lanes - 1).max(1)) - 0.5;
        if self.lanes == 1 { 0.0 } else { lane * self.spread }
    }

    /// Whether ids are written at starts and goals.
    fn numbered(&self) -> bool {
        self.few && self.pitch >= 16.0
    }

    fn number(&self, f: &mut fmt::Formatter<'_>, id: u32, [x, y]: [f64; 2], fill: &str) -> fmt::Result {
        let size = self.pitch * if id < 10 { 0.42 } else { 0.36 };
        let (x, y) = (Number(x, 1), Number(y + size * 0.36, 1));
        let size = Number(size, 1);
        writeln!(f, "<text class=\"id\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" style=\"fill:{fill}\">{id}</text>")
    }

    /// A goal; paler if it is not the last one.
    fn goal(&self, f: &mut fmt::Formatter<'_>, id: u32, at: [f64; 2], last: bool) -> fmt::Result {
        let color = Color::from_agent(id);
        let side = self.pitch * if self.few { 0.72 } else { 0.6 };
        let [x, y] = at.map(|middle| Number(middle - side / 2.0, 1));
        let (side, round) = (Number(side, 1), Number(side * 0.22, 1));
        let line = Number((self.pitch * 0.09).max(0.8), 2);
        let opacity = Number(self.opacity * if last { 1.0 } else { 0.35 }, 2);
        writeln!(
            f,
            "<rect class=\"goal\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{round}\" stroke=\"{color}\" \
             stroke-width=\"{line}\" opacity=\"{opacity}\"/>"
        )?;
        if !last {
            return Ok(());
        }
        let core = self.pitch * if self.few { 0.34 } else { 0.26 };
        let [x, y] = at.map(|middle| Number(middle - core / 2.0, 1));
        let (core, round) = (Number(core, 1), Number(core * 0.25, 1));
        writeln!(f, "<rect x=\"{x}\" y=\"{y}\" width=\"{core}\" height=\"{core}\" rx=\"{round}\" fill=\"{color}\"/>")
    }

    fn path(
        &self,
        f: &mut fmt::Formatter<'_>,
        frame: &Frame,
        id: u32,
        agent: &TracedAgent,
        trajectories: &[Trajectory],
    ) -> fmt::Result {
        let lane = self.lane(id);
        let shifted = |at: [f64; 2]| frame.pixel(at).map(|side| side + lane);
        let (color, line) = (Color::from_agent(id), Number(self.line, 2));
        writeln!(f, "<g stroke=\"{color}\" opacity=\"{}\">", Number(self.opacity, 2))?;
        writeln!(f, "<title>{}</title>", Escaped(&story(id, agent, self.live)))?;
        for (start, moves) in ways(agent).into_iter().filter(|(_, moves)| !moves.is_empty()) {
            // From the middle of the start into the lane, and from the lane into the middle of the end.
            let end = moves.last().map_or(start, |traced| &traced.to);
            let sharp = |at| Corner { at, curved: false };
            let mut points = vec![sharp(frame.pixel(plane(start)))];
            let corners = corners(trajectories, start, moves);
            points.extend(corners.into_iter().map(|corner| Corner { at: shifted(corner.at), ..corner }));
            // A curve into the goal needs no hook at its end.
            if !points[points.len() - 1].curved {
                points.push(sharp(frame.pixel(plane(end))));
            }
            points.dedup_by_key(|point| point.at);
            let way = rounded(&points, 0.3 * self.pitch);
            if self.few {
                let halo = Number(self.line * 2.0, 2);
                writeln!(f, "<path class=\"halo\" stroke-width=\"{halo}\" d=\"{way}\"/>")?;
            }
            writeln!(f, "<path class=\"way\" stroke-width=\"{line}\" d=\"{way}\"/>")?;
        }
        let on_the_way = waits(agent).filter(|(at, _)| *at != plane(&agent.start));
        let mut beads: Vec<[f64; 2]> = on_the_way.map(|(at, _)| shifted(at)).collect();
        beads.dedup();
        for bead in beads {
            let [x, y] = bead.map(|side| Number(side, 1));
            let radius = Number((self.line * 1.05).max(1.0), 2);
            let rim = Number((self.line * 0.55).max(0.5), 2);
            writeln!(f, "<circle class=\"wait\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" stroke-width=\"{rim}\"/>")?;
        }
        writeln!(f, "</g>")
    }

    /// The mark beside a goal's square that shows the heading there.
    fn goal_front(&self, f: &mut fmt::Formatter<'_>, frame: &Frame, id: u32, placement: Placement) -> fmt::Result {
        let path = Front::of_goal(self.pitch / frame.scale()).path(placement, |at| frame.pixel(at));
        writeln!(f, "<path fill=\"{}\" opacity=\"{}\" d=\"{path}\"/>", Color::from_agent(id), Number(self.opacity, 2))
    }

    /// The radius of the disc at a start.
    fn radius(&self) -> f64 {
        (self.pitch * if self.few { 0.34 } else { 0.24 }).max(1.2)
    }

    fn start(&self, f: &mut fmt::Formatter<'_>, id: u32, at: [f64; 2]) -> fmt::Result {
        let color = Color::from_agent(id);
        let [x, y] = at.map(|side| Number(side, 1));
        let radius = Number(self.radius(), 2);
        writeln!(f, "<circle class=\"start\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>")?;
        if self.numbered() {
            self.number(f, id, at, color.ink())?;
        }
        Ok(())
    }
}

/// One sentence about an agent.
fn story(id: u32, agent: &TracedAgent, live: bool) -> String {
    let mut story = format!("agent {id}");
    if agent.appears > 0 {
        let _ = write!(story, ", appears at tick {}", agent.appears);
    }
    let sent = errands(agent).filter(|(_, _, goals)| !goals.is_empty()).count();
    let _ = match (sent, arrival(agent)) {
        (0, _) => write!(story, ", stands by"),
        _ if live => write!(story, ", sent {}, arrives {}", Times(sent), Times(arrivals(agent).len())),
        (_, Some(tick)) => write!(story, ", arrives at tick {tick}"),
        (_, None) => write!(story, ", does not arrive"),
    };
    let waited: u64 = waits(agent).map(|(_, ticks)| u64::from(ticks)).sum();
    if waited > 0 {
        let ticks = if waited == 1 { "tick" } else { "ticks" };
        let _ = write!(story, ", {} for {waited} {ticks}", if live { "rests" } else { "waits" });
    }
    if let Some(tick) = agent.vanishes {
        let _ = write!(story, ", leaves at tick {tick}");
    }
    story
}

/// A number of times, in words.
struct Times(usize);

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("never"),
            1 => f.write_str("once"),
            times => write!(f, "{times} times"),
        }
    }
}

/// The path through `points` with corners rounded by up to `radius`. Reversals and points of curves stay sharp.
fn rounded(points: &[Corner], radius: f64) -> String {
    let mut path = String::new();
    let mut put = |command: char, [x, y]: [f64; 2]| {
        let _ = write!(path, "{command}{} {}", Number(x, 1), Number(y, 1));
    };
    put('M', points[0].at);
    for corner in points.windows(3) {
        let [a, b, c] = [corner[0].at, corner[1].at, corner[2].at];
        match (towards(b, a, radius), towards(b, c, radius)) {
            (Some((before, u)), Some((after, v))) if u[0] * v[0] + u[1] * v[1] < 0.99 && !corner[1].curved => {
                put('L', before);
                put('Q', b);
                put(' ', after);
            }
            _ => put('L', b),
        }
    }
    put('L', points[points.len() - 1].at);
    path
}

/// The point at distance `radius` from `from` towards `to`, but at most half way, and the direction. `None` if the two
/// points are equal.
fn towards(from: [f64; 2], to: [f64; 2], radius: f64) -> Option<([f64; 2], [f64; 2])> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = (dx * dx + dy * dy).sqrt();
    let unit = [dx / length, dy / length];
    let step = radius.min(length / 2.0);
    (length > 0.0).then(|| ([from[0] + unit[0] * step, from[1] + unit[1] * step], unit))
}

fn legend(f: &mut fmt::Formatter<'_>, frame: &Frame, trace: &Trace) -> fmt::Result {
    let [x, y] = frame.legend();
    let (text, middle) = (Number(y + 4.5, 1), Number(y, 1));
    let at = |offset: f64| Number(x + offset, 1);
    writeln!(f, "<g class=\"legend\">")?;
    writeln!(f, "<circle cx=\"{}\" cy=\"{middle}\" r=\"5\" class=\"mark\"/>", at(6.0))?;
    writeln!(f, "<text x=\"{}\" y=\"{text}\">start</text>", at(17.0))?;
    writeln!(
        f,
        "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" rx=\"2.2\" class=\"ring\"/>\
         <rect x=\"{}\" y=\"{}\" width=\"4\" height=\"4\" rx=\"1\" class=\"mark\"/>",
        at(63.0),
        Number(y - 5.0, 1),
        at(66.0),
        Number(y - 2.0, 1)
    )?;
    writeln!(f, "<text x=\"{}\" y=\"{text}\">goal</text>", at(80.0))?;
    writeln!(
        f,
        "<path d=\"M{} {middle}h18\" class=\"ring\"/><circle cx=\"{}\" cy=\"{middle}\" r=\"3\" class=\"wait ring\"/>",
        at(122.0),
        at(131.0)
    )?;
    writeln!(f, "<text x=\"{}\" y=\"{text}\">waits</text>", at(147.0))?;
    let count = trace.agents.len();
    let agents = if count == 1 { "agent" } else { "agents" };
    writeln!(f, "<text x=\"{}\" y=\"{text}\">{count} {agents}</text>", at(197.0))?;
    writeln!(f, "</g>")
}

const STYLE: &str = "\
.giveway .halo{fill:none;stroke:$ground;stroke-linejoin:round;stroke-linecap:round}\
.giveway .way{fill:none;stroke-linejoin:round;stroke-linecap:round}.giveway .goal{fill:none}\
.giveway .front{fill:$ink}.giveway .wait{fill:$ground}.giveway .start{stroke:$ground;stroke-width:1}.giveway .body{opacity:.35}\
.giveway .id{font-weight:600;text-anchor:middle;pointer-events:none}\
.giveway .mark{fill:$quiet}.giveway .ring{fill:$ground;stroke:$quiet;stroke-width:1.6}";
