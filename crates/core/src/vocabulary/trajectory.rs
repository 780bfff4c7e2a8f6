//! Trajectories: how a unit drives from one place to another, if not straight.

/// A part of a trajectory at constant speed: straight on, along an arc of a circle, or turning on the spot.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stretch {
    /// The share of this stretch in the time of the whole trajectory, from 0 to 1.
    pub share: f32,
    /// The length in world units along the heading; negative: backwards.
    pub length: f32,
    /// The change of the heading, in radians from x towards y.
    pub turn: f32,
}

/// How a unit drives from one place to another: stretches in order, each of constant speed and curvature.
///
/// Without stretches it is a [jump](Self::JUMP).
///
/// ```
/// use giveway_core::{Trajectory, Stretch};
///
/// // One unit straight on, then a quarter of a circle of radius 1: from heading along x to heading along y.
/// let (way, quarter) = (1.0 + std::f32::consts::FRAC_PI_2, std::f32::consts::FRAC_PI_2);
/// let trajectory = Trajectory::new(vec![
///     Stretch { share: 1.0 / way, length: 1.0, turn: 0.0 },
///     Stretch { share: quarter / way, length: quarter, turn: quarter },
/// ]);
/// let (position, heading) = trajectory.pose([0.0, 0.0], 0.0, 1.0);
/// assert!((position[0] - 2.0).abs() < 1e-6 && (position[1] - 1.0).abs() < 1e-6);
/// assert!((heading - quarter).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Trajectory {
    stretches: Vec<Stretch>,
}

impl Trajectory {
    /// A jump, as through a portal: the unit stays at its old place until the move ends, and is then at its new place.
    /// Walls and other units between the two places do not matter.
    pub const JUMP: Self = Self { stretches: Vec::new() };

    /// Whether the trajectory is a [jump](Self::JUMP).
    pub fn is_jump(&self) -> bool {
        self.stretches.is_empty()
    }

    /// The trajectory of `stretches`, whose shares should add up to 1.
    pub fn new(stretches: Vec<Stretch>) -> Self {
        Self { stretches }
    }

    /// The stretches.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The first part of the trajectory, up to the share `progress` of its time, from 0 to 1. At a share of 0 or less,
    /// the result has no stretches, and leads nowhere.
    #[must_use]
    pub fn first(&self, progress: f32) -> Self {
        if progress <= 0.0 {
            return Self::default();
        }
        let mut left = progress;
        let mut stretches = Vec::new();
        for Stretch { share, length, turn } in &self.stretches {
            let part = if left < *share { left / share } else { 1.0 };
            stretches.push(Stretch { share: share * part / progress, length: length * part, turn: turn * part });
            left -= share;
            if left <= 0.0 {
                break;
            }
        }
        Self { stretches }
    }

    /// The length of the whole trajectory, in world units.
    pub fn length(&self) -> f32 {
        self.stretches.iter().map(|stretch| stretch.length.abs()).sum()
    }

    /// The position and the heading of a unit when the share `progress` of the time, from 0 to 1, has passed. The unit
    /// set out at `position`, in world units, with `heading`, in radians from x towards y. The returned heading may
    /// exceed a full turn.
    #[allow(clippy::cast_possible_truncation)] // exact enough within
    pub fn pose(&self, position: [f32; 2], heading: f32, progress: f32) -> ([f32; 2], f32) {
        let ([mut x, mut y], mut heading) = (position.map(f64::from), f64::from(heading));
        let mut left = f64::from(progress);
        for stretch in &self.stretches {
            let [share, length, turn] = [stretch.share, stretch.length, stretch.turn].map(f64::from);
            let part = if left < share { left / share } else { 1.0 };
            let (length, turn) = (length * part, turn * part);
            // The direction of an arc's chord is halfway between the headings at its ends. Sines of the standard
            // library differ between platforms.
            let (middle, half) = (heading + turn / 2.0, turn / 2.0);
            let chord = if half.abs() < 1e-9 { length } else { length * libm::sin(half) / half };
            x += chord * libm::cos(middle);
            y += chord * libm::sin(middle);
            heading += turn;
            left -= share;
            if left <= 0.0 {
                break;
            }
        }
        ([x as f32, y as f32], heading as f32)
    }
}
