//! Memory: how much of it a value holds.

use std::alloc::System;

use cap::Cap;

/// Counts the bytes that are allocated; there is no limit.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Drops `value`, and counts the bytes that this frees: all that it holds on the heap, and does not share.
pub(crate) fn bytes_freed_by<T>(value: T) -> usize {
    let before = MEMORY.allocated();
    drop(value);
    before.saturating_sub(MEMORY.allocated())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_is_shared_is_not_freed() {
        let shared: Arc<[u64]> = vec![1; 1_000_000].into();
        // Other tests allocate at the same time, but not as much.
        let freed = bytes_freed_by((Arc::clone(&shared), vec![[0_u64; 4]; 250_000]));
        assert!(freed.abs_diff(8_000_000) < 2_000_000, "{freed}");
    }
}
