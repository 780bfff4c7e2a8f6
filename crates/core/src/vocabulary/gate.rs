//! Gates: whether units may be at a place, and how changes of the world open and close it.

use super::area::Change;

/// Whether units may be at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Gate {
    /// Units come and go.
    #[default]
    Open,
    /// A wall that units inside may leave: no unit may come from an open place.
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

    /// Whether a move leads from a place with this gate to a place, or along a way, with the gate `to`.
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
