//! A value that is owned, borrowed or shared: how crowds hold their spaces.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::space::SpaceGraph;

/// A space that its holder owns, borrows, or shares.
///
/// A function with an argument `impl Into<Held<'a, S>>` takes an `S`, a `&S` or an `Arc<S>`. In all three cases
/// footprints, heuristics and layers are written for `S` itself.
///
/// ```
/// use std::sync::Arc;
///
/// use giveway_core::{Held, SpaceGraph};
///
/// # use giveway_core::{Move, NodeId};
/// # struct Ring(u32);
/// # impl SpaceGraph for Ring {
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         let to = NodeId((from.0 + 1) % self.0);
/// #         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
/// #     }
/// # }
/// fn nodes<'a, S: SpaceGraph + 'a>(space: impl Into<Held<'a, S>>) -> usize {
///     space.into().node_bound()
/// }
///
/// let ring = Ring(5); // a one-way ring road
/// assert_eq!([nodes(&ring), nodes(Arc::new(Ring(6))), nodes(ring)], [5, 6, 5]);
/// ```
pub enum Held<'a, S> {
    /// The holder owns the space.
    Owned(S),
    /// The holder borrows the space.
    Borrowed(&'a S),
    /// The holder shares the space.
    Shared(Arc<S>),
}

impl<S> Held<'_, S> {
    /// The space, for changes. `None` if the holder borrows or shares the space.
    pub fn get_mut(&mut self) -> Option<&mut S> {
        match self {
            Self::Owned(space) => Some(space),
            Self::Borrowed(_) | Self::Shared(_) => None,
        }
    }
}

impl<S> Deref for Held<'_, S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        match self {
            Self::Owned(space) => space,
            Self::Borrowed(space) => space,
            Self::Shared(space) => space,
        }
    }
}

impl<S: SpaceGraph> From<S> for Held<'_, S> {
    fn from(space: S) -> Self {
        Self::Owned(space)
    }
}

impl<'a, S> From<&'a S> for Held<'a, S> {
    fn from(space: &'a S) -> Self {
        Self::Borrowed(space)
    }
}

impl<S> From<Arc<S>> for Held<'_, S> {
    fn from(space: Arc<S>) -> Self {
        Self::Shared(space)
    }
}

/// An owned space is cloned; a borrowed or shared one stays the same space.
impl<S: Clone> Clone for Held<'_, S> {
    fn clone(&self) -> Self {
        match self {
            Self::Owned(space) => Self::Owned(space.clone()),
            Self::Borrowed(space) => Self::Borrowed(space),
            Self::Shared(space) => Self::Shared(Arc::clone(space)),
        }
    }
}

/// Shows how the space is held, and not the space, which may be large.
impl<S> fmt::Debug for Held<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Owned(_) => "Owned(..)",
            Self::Borrowed(_) => "Borrowed(..)",
            Self::Shared(_) => "Shared(..)",
        })
    }
}
