//! What several parts of a crowd share: copied once, and written once.

use std::any::Any;
use std::sync::Arc;

/// Copies of what the layers of a crowd share, while the crowd is cloned: see
/// [`CostLayer::detach`](crate::CostLayer::detach).
#[derive(Debug, Default)]
pub struct Copies {
    /// What was copied, and its copy.
    known: Vec<[Arc<dyn Any + Send + Sync>; 2]>,
}

impl Copies {
    /// No copies.
    pub fn new() -> Self {
        Self::default()
    }

    /// The copy of `part`, which is made at the first question for it. Takes time in proportion to the number of
    /// copies, and to `part` if it is copied.
    pub fn of<T: Clone + Send + Sync + 'static>(&mut self, part: &Arc<T>) -> Arc<T> {
        let is_known = |[original, _]: &&[Arc<dyn Any + Send + Sync>; 2]| is_same(original, part);
        let known = self.known.iter().find(is_known).and_then(|[_, copy]| Arc::clone(copy).downcast().ok());
        known.unwrap_or_else(|| {
            let copy = Arc::new(T::clone(part));
            self.known.push([Arc::<T>::clone(part), Arc::<T>::clone(&copy)]);
            copy
        })
    }
}

/// Whether `one` is `other`.
fn is_same<T: 'static>(one: &Arc<dyn Any + Send + Sync>, other: &Arc<T>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other))
}

/// What several parts share, in the order in which it came up while words were written or read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen(Vec<Arc<dyn Any + Send + Sync>>);

impl Seen {
    /// The number of `part`, and whether it comes up for the first time.
    pub(crate) fn number<T: Send + Sync + 'static>(&mut self, part: &Arc<T>) -> (usize, bool) {
        let known = self.0.iter().position(|known| is_same(known, part));
        let number = known.unwrap_or(self.0.len());
        if known.is_none() {
            self.0.push(Arc::<T>::clone(part));
        }
        (number, known.is_none())
    }
}
