//! Lists that grow sparingly.

/// Adds `element`, and makes room by an eighth at a time: doubled, the memory of large elements would be mostly unused.
#[inline]
pub fn push_sparingly<T>(elements: &mut Vec<T>, element: T) {
    if elements.len() == elements.capacity() {
        elements.reserve_exact(elements.len() / 8 + 4);
    }
    elements.push(element);
}
