//! Snapshots: a crowd as it was, in memory.

use std::fmt;

use giveway_core::Tick;

use crate::crowd::Crowd;
use crate::hash::Hashes;
use crate::state::State;
use crate::store::Kept;

/// A crowd as it was when the snapshot was [taken](Crowd::snapshot). It takes less time and memory than a clone, but
/// has to be [restored](Crowd::restore) before anything can be asked of it.
///
/// Reservations are packed, and what can be found again without a search is left out. Maps, ways, and distances that no
/// search has changed since are shared with the crowd. A [layer](crate::Class::layer) behind a `&` or an `Arc` is one
/// for all copies, and does not go back. A reservation store of the user's own is cloned.
#[derive(Clone)]
pub struct Snapshot<'a> {
    /// Has no reservations.
    state: State<'a>,
    kept: Kept,
    reverse_before: u64,
}

impl fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("now", &self.now()).finish_non_exhaustive()
    }
}

impl Snapshot<'_> {
    /// The tick that begins next in the crowd as it was.
    pub fn now(&self) -> Tick {
        self.state.clock.now
    }

    /// The number of classes that the crowd had.
    pub(crate) fn classes(&self) -> u32 {
        self.state.world.count()
    }
}

impl<'a> Crowd<'a> {
    /// Takes a snapshot, to which the crowd can be [restored](Self::restore), however often. For games that go back
    /// some ticks again and again there is [`Rewind`](crate::Rewind), and for files there is [`save`](Self::save).
    ///
    /// # Cost
    /// Memory in proportion to the units and their plans, and 4 bytes for each place of the map once units were sent
    /// [near places](Self::send_near). Time for these, and for a look at each cell.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(20, 5)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let scouts = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let scout = crowd.add(scouts, Agent::new(at(0, 2), at(19, 2)))?;
    /// (0..5).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    ///
    /// // What if the scout turned back? Look, and forget it.
    /// let now = crowd.snapshot();
    /// crowd.send(scout, at(0, 0))?;
    /// (0..7).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    /// assert!(crowd.is_home(scout) == Some(true));
    /// crowd.restore(&now);
    /// assert_eq!((crowd.now(), crowd.node(scout)), (5, Some(at(5, 2))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Snapshot<'a> {
        let (state, kept) = self.state.without_store();
        Snapshot { state, kept, reverse_before: self.reverse_before }
    }

    /// Makes the crowd be what it was when `snapshot` was taken, of this crowd or of another one: agents, orders,
    /// plans, spaces with their edits, and distances. With equal calls the crowd goes on as it did then, to the last
    /// bit. Calls that are [recorded](Self::record_calls) and were not taken yet are forgotten.
    ///
    /// # Cost
    /// That of a clone.
    pub fn restore(&mut self, snapshot: &Snapshot<'a>) {
        let mut state = snapshot.state.clone();
        state.restore(&snapshot.kept);
        let calls = self.calls.as_ref().map(|_| Vec::new());
        let reverse_before = snapshot.reverse_before;
        *self = Self { state, reverse_before, hashes: Hashes::default(), calls, called: self.called + 1 };
    }
}
