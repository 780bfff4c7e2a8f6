//! The depth: how far ahead agents plan.

/// How far ahead agents plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Depth {
    /// A fixed number of steps, for every agent.
    Fixed(u32),
    /// A number of steps that depends on crowding. Crowding is the share of the places within three moves that other
    /// agents have reserved. The depth is `least` at a share of 0, grows with the share, and is `most` from a share of
    /// one half on.
    ByCrowding {
        /// The depth in steps if no place within three moves is reserved.
        least: u32,
        /// The depth in steps if half of these places or more are reserved.
        most: u32,
    },
}

impl Depth {
    /// The depth in steps, at least 1, where `crowding` is the share of the places within three moves that others have
    /// reserved.
    #[doc(hidden)]
    #[inline]
    pub fn at(self, crowding: impl FnOnce() -> f64) -> u32 {
        match self {
            Self::Fixed(depth) => depth.max(1),
            Self::ByCrowding { least, most } => {
                let (least, most) = (least.max(1), most.max(least).max(1));
                let share = crowding().min(0.5) * 2.0;
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between the two bounds
                let more = (f64::from(most - least) * share).round() as u32;
                least + more
            }
        }
    }

    /// The largest depth, at least 1.
    #[doc(hidden)]
    #[inline]
    pub fn most(self) -> u32 {
        match self {
            Self::Fixed(depth) => depth.max(1),
            Self::ByCrowding { least, most } => most.max(least).max(1),
        }
    }
}
