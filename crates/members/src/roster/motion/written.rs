//! Motions as words. How a move is driven is looked up.

use giveway_core::{Garbled, NodeId, Tick, Trajectory, WordReader, Words};

use super::{Motion, Rare, Swept};
use crate::chain::Kind;
use crate::class_id::ClassId;
use crate::leg::{Before, Leg};

impl Motion {
    /// Appends the motion to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        self.last.write_to(Before(NodeId(0), now), words);
        words.flag(self.is_moving);
        Kind::write(self.by, words);
        words.flag(matches!(self.swept, Swept::One(_)));
        words.entries(now, self.swept());
        words.flag(self.has_other_bodies());
        if self.has_other_bodies() {
            for class in self.bodies() {
                words.flag(class.is_some());
                class.iter().for_each(|class| words.word(class.0.into()));
            }
        }
        self.write_lateness(now, words);
    }

    /// Reads a motion between nodes below `bound`, in cells below `cells`, of one of `classes` classes.
    pub fn read_from(
        now: Tick,
        [bound, cells, classes]: [usize; 3],
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let last = Leg::read_from(Before(NodeId(0), now), bound, words)?;
        let is_moving = words.flag()?;
        let by = Kind::read(words)?;
        let is_one = words.flag()?;
        let swept = words.entries(now, cells)?;
        if swept.iter().any(|entry| entry.span.end <= now || entry.span.is_empty()) {
            return Err(Garbled::new("what a motion still occupies"));
        }
        let swept = match swept[..] {
            [only] if is_one => Swept::One(only),
            _ => Swept::Others(swept),
        };
        let mut bodies = [None; 2];
        if words.flag()? {
            for body in &mut bodies {
                if words.flag()? {
                    #[allow(clippy::cast_possible_truncation)] // class ids have 32 bits
                    let class = ClassId(words.below(classes)? as u32);
                    *body = Some(class);
                }
            }
            if bodies == [None; 2] {
                return Err(Garbled::new("the body of a motion"));
            }
        }
        let [moves_as, stays_as] = bodies;
        let is_other = moves_as.or(stays_as).is_some();
        let rare = is_other.then(|| Box::new(Rare { moves_as, stays_as, ..Rare::default() }));
        let mut motion = Self { last, is_moving, by, swept, rare };
        motion.read_lateness(now, words)?;
        if moves_as.is_some() && !last.is_move() || stays_as.is_some() && motion.stays().is_none() {
            return Err(Garbled::new("the body of a motion"));
        }
        let is_in_time = if is_moving && motion.stays_until().is_none() {
            last.is_move() && last.depart < now && (last.arrive > now || last.arrive == now && motion.awaits_report())
        } else {
            last.depart <= last.arrive && last.arrive <= now
        };
        if is_in_time { Ok(motion) } else { Err(Garbled::new("a motion up to now")) }
    }

    /// The last move, or the rest with which the agent appeared.
    pub fn last_move(&self) -> &Leg {
        &self.last
    }

    /// Whether the agent made its last move, or stays where it is held, with the body of another class.
    fn has_other_bodies(&self) -> bool {
        self.bodies().iter().any(Option::is_some)
    }

    /// Sets how the agent drives its last move.
    pub fn set_trajectory(&mut self, trajectory: Trajectory) {
        self.rare.get_or_insert_default().trajectory = Some(trajectory);
    }
}
