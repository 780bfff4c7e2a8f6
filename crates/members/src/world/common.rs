//! The space and the footprint of a class, as the clones of a crowd hold them: they have them in common until one of
//! them changes the space.

use std::ops::Deref;
use std::sync::Arc;

use giveway_core::Held;

/// A space, or a footprint, that clones have in common.
pub(super) enum Common<'a, S> {
    /// Of the user.
    Borrowed(&'a S),
    /// Of the user and the crowd, or of the crowd and its clones.
    Shared(Arc<S>),
}

impl<S> Common<'_, S> {
    /// The space, for changes that no clone sees: a space that clones have in common is copied first. `None`: the space
    /// is borrowed. The space must not be one that the user shares.
    pub(super) fn change(&mut self, copy: fn(&S) -> S) -> Option<&mut S> {
        let Self::Shared(space) = self else { return None };
        if Arc::get_mut(space).is_none() {
            *space = Arc::new(copy(space));
        }
        Arc::get_mut(space)
    }
}

impl<'a, S> From<Held<'a, S>> for Common<'a, S> {
    fn from(held: Held<'a, S>) -> Self {
        match held {
            Held::Owned(space) => Self::Shared(Arc::new(space)),
            Held::Borrowed(space) => Self::Borrowed(space),
            Held::Shared(space) => Self::Shared(space),
        }
    }
}

impl<S> Clone for Common<'_, S> {
    fn clone(&self) -> Self {
        match self {
            Self::Borrowed(space) => Self::Borrowed(space),
            Self::Shared(space) => Self::Shared(Arc::clone(space)),
        }
    }
}

impl<S> Deref for Common<'_, S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        match self {
            Self::Borrowed(space) => space,
            Self::Shared(space) => space,
        }
    }
}
