//! Poses: where units are between ticks, for drawing.

use giveway_core::{AgentId, NodeId, Tick, Ticks};

use giveway_members::class_id::ClassId;
use giveway_members::roster::{Member, paused};
use giveway_members::world::AnyClass;

/// Where an agent is at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// The agent.
    pub agent: AgentId,
    /// The class of the agent.
    pub class: ClassId,
    /// The node from which the agent comes.
    pub from: NodeId,
    /// The node to which the agent goes; equal to `from` if the agent rests.
    pub to: NodeId,
    /// The share of the move's time that has passed, from 0 to 1. Ticks for which the agent is
    /// [held](crate::Crowd::hold) on its way do not count. At rest, 1.
    pub progress: f32,
    /// The position of the agent, in world units; `None` if the class is [bare](crate::Class::bare).
    pub position: Option<[f32; 3]>,
    /// The heading of the agent, in radians from x towards y; 0 if units do not turn. During a move the heading goes on
    /// from the heading at `from`, so it can exceed a full turn. To compare two headings, take their difference modulo
    /// a full turn.
    pub heading: f32,
}

impl Pose {
    /// The pose of `member` of `class`, `fraction` of a tick after the tick before `now`.
    pub(super) fn new(member: &Member, class: &dyn AnyClass, now: Tick, fraction: f32) -> Self {
        let leg = member.motion.last(now);
        let progress = if leg.is_move() && leg.arrive > leg.depart {
            let tick = now - 1;
            let pauses = member.motion.pauses();
            let fraction = if pauses.iter().any(|pause| pause.contains(tick)) { 0.0 } else { fraction };
            let before: Ticks = pauses.iter().map(|pause| pause.end.min(tick).saturating_sub(pause.start)).sum();
            let begun = tick.saturating_sub(leg.depart) - before;
            #[allow(clippy::cast_precision_loss)] // moves that last for more ticks than 2^24 are not drawn smoothly
            let progress = (begun as f32 + fraction) / (leg.arrive - leg.depart - paused(pauses)) as f32;
            progress.min(1.0)
        } else {
            1.0
        };
        let ends = class.position(leg.from).zip(class.position(leg.to));
        let mut position: Option<[f32; 3]> =
            ends.map(|(from, to)| std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * progress));
        let mut heading = class.heading(if progress < 1.0 { leg.from } else { leg.to });
        if progress < 1.0
            && let Some((trajectory, [x, y, _])) = member.motion.trajectory().zip(class.position(leg.from))
        {
            let driven = trajectory.pose([x, y], heading, progress);
            heading = driven.1;
            position = match class.position(leg.from) {
                from if trajectory.is_jump() => from,
                _ => position.map(|[_, _, z]| [driven.0[0], driven.0[1], z]),
            };
        }
        Self { agent: member.id(), class: member.class(), from: leg.from, to: leg.to, progress, position, heading }
    }
}
