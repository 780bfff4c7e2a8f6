//! Poses: where units are between ticks, for drawing.

use giveway_core::{AgentId, NodeId, Tick};

use super::ClassId;
use super::roster::Member;
use super::world::AnyClass;

/// Where an agent is at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// Which agent.
    pub agent: AgentId,
    /// Of which class.
    pub class: ClassId,
    /// The node that it comes from.
    pub from: NodeId,
    /// The node that it goes to; the same if it rests.
    pub to: NodeId,
    /// How much of the way is done, from 0 to 1; at rest, 1.
    pub progress: f32,
    /// Where that is, in world units; `None` if the class is not [embedded](super::Class::embedded).
    pub position: Option<[f32; 3]>,
    /// The heading there, in radians from x towards y; 0 where units do not turn. Under way it goes on from that of `from`, be it beyond a
    /// full turn; to compare two headings, take their difference modulo a full turn.
    pub heading: f32,
}

impl Pose {
    /// Where `member` of `class` is, `fraction` of a tick after the one before `now`.
    pub(super) fn new<R>(member: &Member, class: &dyn AnyClass<R>, now: Tick, fraction: f32) -> Self {
        let leg = member.last;
        let progress = if leg.is_move() && leg.arrive > leg.depart {
            let begun = (now - 1).saturating_sub(leg.depart);
            #[allow(clippy::cast_precision_loss)] // moves that last for more ticks than 2^24 are not drawn smoothly
            let progress = (begun as f32 + fraction) / (leg.arrive - leg.depart) as f32;
            progress.min(1.0)
        } else {
            1.0
        };
        let ends = class.position(leg.from).zip(class.position(leg.to));
        let mut position: Option<[f32; 3]> =
            ends.map(|(from, to)| std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * progress));
        let mut heading = class.heading(if progress < 1.0 { leg.from } else { leg.to });
        if progress < 1.0
            && let Some((trajectory, [x, y, _])) = member.trajectory.as_ref().zip(class.position(leg.from))
        {
            let driven = trajectory.pose([x, y], heading, progress);
            heading = driven.1;
            position = position.map(|[_, _, z]| [driven.0[0], driven.0[1], z]);
        }
        Self { agent: member.id, class: member.class, from: leg.from, to: leg.to, progress, position, heading }
    }
}
