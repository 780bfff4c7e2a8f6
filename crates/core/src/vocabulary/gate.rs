//! Gates: whether units may be at a place, and how changes of the world open and close it.

use super::area::Change;

/// Whether units may be at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Gate {
    /// An open place: units come and go.
    #[default]
    Open,
    /// A wall that units inside may leave. Moves lead to a vacated wall only from other vacated walls.
    Vacated,
    /// A wall.
    Closed,
}

impl Gate {
    /// The gate after `change`. Surfaces change no gate.
    #[must_use]
    pub fn after(self, change: Change) -> Self {
        match (change, self) {
            (Change::Close, _) | (Change::Seal, Self::Vacated) => Self::Closed,
            (Change::Vacate, Self::Open) => Self::Vacated,
            (Change::Open, _) => Self::Open,
            _ => self,
        }
    }

    /// Whether a move may lead from a place with this gate to a place with the gate `to`. A way can have a gate, too:
    /// give the gate of the way as `to`.
    #[inline]
    #[must_use]
    pub fn leads_to(self, to: Self) -> bool {
        match self {
            Self::Open => to == Self::Open,
            Self::Vacated => to != Self::Closed,
            Self::Closed => false,
        }
    }
}
