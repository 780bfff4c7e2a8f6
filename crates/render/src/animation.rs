//! A plan as an animated SVG: for pages that show pictures and run no scripts, such as a README.
//!
//! Viewers that do not animate show the first tick: elements stand at their first places, and animations move them.

use std::fmt;

use giveway_core::{FOREVER, Ticks, Trace, TracedAgent, TracedBody};

use crate::backdrop::Backdrop;
use crate::frame::Frame;
use crate::front::Front;
use crate::instants::instants;
use crate::journey::{errands, last_tick};
use crate::markup::{Escaped, Number};
use crate::outline::{Outline, Turned};
use crate::palette::Color;
use crate::placement::{Placement, fronts};

/// A trace as one SVG picture with an endless animation: agents are discs, goals are squares.
///
/// The size of the file grows with the number of times that agents turn, wait, or change their speed.
///
/// ```
/// use giveway_core::{Trace, TracedAgent, TracedMove, TracedPlace};
/// use giveway_render::{AnimatedPicture, Backdrop};
///
/// let place = |node: u32| TracedPlace::new(node, [node as f32, 0.0, 0.0]);
/// let moves = vec![TracedMove::new(1, 2, place(1))];
/// let agent = TracedAgent::new(place(0), vec![place(1)], moves);
/// let trace = Trace::new(1, vec![agent]);
/// let picture = AnimatedPicture::new(&trace, &Backdrop::cells(2, 1, |_, _| true)).to_string();
/// assert!(picture.contains("<animateTransform"));
/// ```
#[derive(Clone, Debug)]
pub struct AnimatedPicture<'a> {
    trace: &'a Trace,
    backdrop: &'a Backdrop,
    title: String,
    steps_per_second: f64,
}

/// The steps for which the end is shown before the animation begins again.
const PAUSE: u32 = 4;

impl<'a> AnimatedPicture<'a> {
    /// The animation of `trace` over `backdrop`, at four plain steps per second.
    pub fn new(trace: &'a Trace, backdrop: &'a Backdrop) -> Self {
        Self { trace, backdrop, title: String::new(), steps_per_second: 4.0 }
    }

    /// Sets the title of the picture.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Sets the speed of the animation, in plain steps per second. Clamped to the range from 0.1 to 100; NaN counts as
    /// 0.1.
    #[must_use]
    pub fn steps_per_second(self, steps_per_second: f64) -> Self {
        let known = if steps_per_second.is_nan() { 0.1 } else { steps_per_second };
        Self { steps_per_second: known.clamp(0.1, 100.0), ..self }
    }

    fn total_ticks(&self) -> f64 {
        let pause = f64::from(PAUSE) * f64::from(self.trace.ticks_per_step.max(1));
        f64::from(last_tick(self.trace)) + pause
    }
}

impl fmt::Display for AnimatedPicture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, backdrop, title, .. } = self;
        let extent = backdrop.extent().with_trace(trace, backdrop.pitch / 2.0);
        let frame = Frame::new(backdrop, extent, !title.is_empty()).without_legend();
        frame.open(f, "An animated plan", title, STYLE)?;
        frame.moving_layers(f, backdrop, |f, [begin, end]| self.close(f, "path", (begin, end)))?;
        let agents = || (0..).zip(&trace.agents);
        let fronts = fronts(trace);
        for ((id, agent), front) in agents().zip(&fronts) {
            let goals =
                errands(agent).flat_map(|(begin, end, goals)| goals.iter().map(move |goal| ((begin, end), goal)));
            for (span, goal) in goals {
                self.goal(f, &frame, id, Placement::of(goal), span)?;
                if *front {
                    let path =
                        Front::of_goal(frame.pitch / frame.scale()).path(Placement::of(goal), |at| frame.pixel(at));
                    write!(f, "<path opacity=\".75\" d=\"{path}\" fill=\"{}\"", Color::from_agent(id))?;
                    self.close(f, "path", span)?;
                }
            }
        }
        for ((id, agent), front) in agents().zip(fronts) {
            self.agent(f, &frame, (id, agent), front)?;
        }
        f.write_str("</svg>\n")
    }
}

impl AnimatedPicture<'_> {
    fn goal(
        &self,
        f: &mut fmt::Formatter<'_>,
        frame: &Frame,
        id: u32,
        placement: Placement,
        span: (Ticks, Ticks),
    ) -> fmt::Result {
        let side = frame.pitch * 0.72;
        let [x, y] = frame.pixel(placement.at).map(|middle| Number(middle - side / 2.0, 1));
        let (color, side, round) = (Color::from_agent(id), Number(side, 1), Number(side * 0.22, 1));
        write!(
            f,
            "<rect class=\"goal\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{round}\" stroke=\"{color}\""
        )?;
        self.close(f, "rect", span)
    }

    /// Ends an element that is visible during `span` only; its tag is still open.
    fn close(&self, f: &mut fmt::Formatter<'_>, name: &str, span: (Ticks, Ticks)) -> fmt::Result {
        if self.is_always(span) {
            return f.write_str("/>\n");
        }
        write!(f, "{}>", at_first(span))?;
        self.while_there(f, span)?;
        writeln!(f, "</{name}>")
    }

    fn agent(
        &self,
        f: &mut fmt::Formatter<'_>,
        frame: &Frame,
        (id, agent): (u32, &TracedAgent),
        front: bool,
    ) -> fmt::Result {
        let instants = instants(&self.trace.trajectories, agent);
        for (span, body) in agent.bodies() {
            let span = (span.start.max(agent.appears), span.end.min(agent.vanishes.unwrap_or(FOREVER)));
            if span.0 < span.1 {
                self.shape(f, frame, (id, body, span), &instants, front)?;
            }
        }
        Ok(())
    }

    /// An agent, for as long as it has one shape.
    fn shape(
        &self,
        f: &mut fmt::Formatter<'_>,
        frame: &Frame,
        (id, body, span): (u32, Option<&TracedBody>, (Ticks, Ticks)),
        instants: &[(f64, Placement)],
        front: bool,
    ) -> fmt::Result {
        let (color, radius) = (Color::from_agent(id), (frame.pitch * 0.36).max(1.2));
        match body {
            None if !front => write!(f, "<circle class=\"agent\" r=\"{}\" fill=\"{color}\"", Number(radius, 2))?,
            Some(body) if !front => {
                write!(f, "<path class=\"agent\" d=\"{}\" fill=\"{color}\"", Outline(body, frame.scale()))?;
            }
            _ => f.write_str("<g")?,
        }
        let [x, y] = frame.pixel(instants[0].1.at).map(|side| Number(side, 1));
        write!(f, " transform=\"translate({x} {y})\"{}>", at_first(span))?;
        write!(f, "<title>{}</title>", Escaped(&format!("agent {id}")))?;
        self.animate(f, "translate", instants, |f, placement| {
            let [x, y] = frame.pixel(placement.at).map(|side| Number(side, 1));
            write!(f, "{x} {y}")
        })?;
        self.while_there(f, span)?;
        match body {
            None if !front => return f.write_str("</circle>\n"),
            Some(_) if !front => return f.write_str("</path>\n"),
            _ => {}
        }
        // The turning element is inside the moving one.
        let heading = instants[0].1.heading;
        let turns = instants.iter().any(|(_, placement)| (placement.heading - heading).abs() > 0.0);
        match Turned(heading).to_string() {
            turned if turned.is_empty() => f.write_str("<g>")?,
            turned => write!(f, "<g transform=\"{}\">", turned.trim_start())?,
        }
        let (outline, mark) = match body {
            None => (Outline(&disc(radius), 1.0).to_string(), Front::of_point(radius / frame.scale())),
            Some(body) => (Outline(body, frame.scale()).to_string(), Front::of(body)),
        };
        let mark = mark.path(Placement { at: [0.0; 2], heading: 0.0 }, |at| at.map(|side| side * frame.scale()));
        // The mark lies above a body, but below a point's disc.
        let path = format!("<path class=\"agent\" d=\"{outline}\" fill=\"{color}\"/>");
        match body {
            None => write!(f, "<path class=\"agent\" d=\"{mark}\" fill=\"{color}\"/>{path}")?,
            Some(_) => write!(f, "{path}<path d=\"{mark}\" fill=\"{}\"/>", color.ink())?,
        }
        if turns {
            self.animate(f, "rotate", instants, |f, placement| {
                write!(f, "{}", Number(placement.heading.to_degrees(), 2))
            })?;
        }
        f.write_str("</g></g>\n")
    }

    /// A transform with a `value` at each of `instants`, and linear between them.
    fn animate(
        &self,
        f: &mut fmt::Formatter<'_>,
        kind: &str,
        instants: &[(f64, Placement)],
        value: impl Fn(&mut fmt::Formatter<'_>, &Placement) -> fmt::Result,
    ) -> fmt::Result {
        let total = self.total_ticks();
        // Curves have instants within ticks.
        let decimals = if instants.iter().all(|(tick, _)| tick.fract() == 0.0) { 5 } else { 7 };
        write!(
            f,
            "<animateTransform attributeName=\"transform\" type=\"{kind}\" repeatCount=\"indefinite\" dur=\"{}s\" values=\"",
            Number(self.seconds(), 3)
        )?;
        for (_, placement) in instants {
            value(f, placement)?;
            f.write_str(";")?;
        }
        // The last value stays until the animation begins again.
        value(f, &instants[instants.len() - 1].1)?;
        f.write_str("\" keyTimes=\"")?;
        for (tick, _) in instants {
            write!(f, "{};", Number(tick / total, decimals))?;
        }
        f.write_str("1\"/>")
    }

    fn seconds(&self) -> f64 {
        self.total_ticks() / f64::from(self.trace.ticks_per_step.max(1)) / self.steps_per_second
    }

    fn is_always(&self, (begin, end): (Ticks, Ticks)) -> bool {
        begin == 0 && f64::from(end) >= self.total_ticks()
    }

    /// Makes the enclosing element visible from `begin` to `end` only.
    fn while_there(&self, f: &mut fmt::Formatter<'_>, (begin, end): (Ticks, Ticks)) -> fmt::Result {
        if self.is_always((begin, end)) {
            return Ok(());
        }
        let share = |tick: Ticks| Number((f64::from(tick) / self.total_ticks()).min(1.0), 5);
        write!(
            f,
            "<animate attributeName=\"visibility\" calcMode=\"discrete\" repeatCount=\"indefinite\" dur=\"{}s\" \
             values=\"hidden;visible;hidden\" keyTimes=\"0;{};{}\"/>",
            Number(self.seconds(), 3),
            share(begin),
            share(end.max(begin))
        )
    }
}

/// The attribute that hides an element that appears later, as long as nothing is animated.
fn at_first((begin, _): (Ticks, Ticks)) -> &'static str {
    if begin > 0 { " visibility=\"hidden\"" } else { "" }
}

/// The shape of a point as it is drawn, in pixels.
fn disc(radius: f64) -> TracedBody {
    #[allow(clippy::cast_possible_truncation)] // drawn to a hundredth
    TracedBody::Disc { center: [0.0; 2], radius: radius as f32 }
}

const STYLE: &str = "\
.giveway .goal{fill:none;stroke-width:2.5;opacity:.75}.giveway .agent{stroke:$ground;stroke-width:1}";

#[cfg(test)]
mod tests {
    use giveway_core::{TracedMove, TracedPlace};

    use super::*;

    #[test]
    fn a_plan_without_moves_stands_still() {
        let trace = Trace::new(0, vec![]);
        let backdrop = Backdrop::cells(1, 1, |_, _| true);
        let picture = AnimatedPicture::new(&trace, &backdrop).steps_per_second(f64::MAX);
        assert!(picture.to_string().ends_with("</svg>\n"));
    }

    #[test]
    fn moves_out_of_order_are_drawn_somehow() {
        let place = TracedPlace::new(0, [0.0; 3]);
        for ticks in [[(5, 6), (2, 3), (3, 4)], [(0, 1), (u32::MAX, u32::MAX), (u32::MAX, 0)]] {
            let moves = ticks.map(|(depart, arrive)| TracedMove::new(depart, arrive, place)).to_vec();
            let trace = Trace::new(1, vec![TracedAgent::new(place, vec![], moves)]);
            let backdrop = Backdrop::cells(1, 1, |_, _| true);
            assert!(
                AnimatedPicture::new(&trace, &backdrop).steps_per_second(f64::NAN).to_string().ends_with("</svg>\n")
            );
        }
    }
}
