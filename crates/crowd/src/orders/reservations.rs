//! Reservations, for debug views: which agent holds which cell when.

use std::collections::BTreeSet;

use giveway_core::{AgentId, Area, CellId, Cells, Entry, FOREVER, NodeId, ReservationStore as _, Span, Tick, Ticks};

use crate::crowd::Crowd;
use crate::state::State;
use giveway_members::class_id::ClassId;

/// Cells whose [reservations](Crowd::reservations) are wanted.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Region {
    /// All cells of the crowd.
    All,
    /// These cells.
    Cells(Vec<CellId>),
    /// The cells that units of a class hold at rest on these nodes.
    Nodes(ClassId, Vec<NodeId>),
    /// The cells that units of any class hold at rest on nodes in an area. [Bare](crate::Class::bare) classes are left
    /// out.
    Area(Area),
}

impl From<Vec<CellId>> for Region {
    fn from(cells: Vec<CellId>) -> Self {
        Self::Cells(cells)
    }
}

impl From<&Area> for Region {
    fn from(area: &Area) -> Self {
        Self::Area(area.clone())
    }
}

impl From<Area> for Region {
    fn from(area: Area) -> Self {
        Self::Area(area)
    }
}

/// An agent holds a cell for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reservation {
    /// The cell. For [points](giveway_core::Point), the cell of a node has the number of the node.
    pub cell: CellId,
    /// The agent.
    pub agent: AgentId,
    /// The first tick of the reservation; never before [`now`](Crowd::now).
    pub from: Tick,
    /// The first tick after the reservation; at the latest [`now`](Crowd::now) plus the number of ticks that were asked
    /// for.
    pub until: Tick,
}

impl Crowd<'_> {
    /// The reservations of the cells of `region` in the next `ticks` ticks: which agent holds which cell, and when. Use
    /// this method for pictures of what the agents have planned. The reservations are in ascending order of cells, and
    /// then of ticks. A reservation that begins earlier or ends later is cut off. No agent holds a cell that does not
    /// exist.
    ///
    /// Some footprints reserve cells for moves, besides the cells of places. [`Region::All`] includes these cells, and
    /// [`Region::Cells`] includes the ones in its list. The other regions leave them out. The call takes time in
    /// proportion to the cells of the region, and to the reservations in them. For an [area](Region::Area), it also
    /// takes time in proportion to the nodes of all classes. On a [store of your own](Self::new_on), it takes time in
    /// proportion to the ticks in which cells are held.
    ///
    /// ```
    /// use giveway_core::{Agent, Area, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(6, 3)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let walker = crowd.add(class, Agent::new(at(0, 1), at(5, 1)))?;
    /// crowd.tick(Budget::unlimited());
    /// // The third and the fourth column.
    /// let held = crowd.reservations(Area::cells(2, 0, 2, 3)?, 10);
    /// let rows: Vec<_> = held.iter().map(|held| (held.cell.0, held.agent, held.from, held.until)).collect();
    /// assert_eq!(rows, [(at(2, 1).0, walker, 2, 3), (at(3, 1).0, walker, 3, 4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reservations(&self, region: impl Into<Region>, ticks: Ticks) -> Vec<Reservation> {
        let now = self.now();
        let end = now.saturating_add(ticks);
        let mut found: Vec<Reservation> = Vec::new();
        for cell in self.state.cells_of(region.into()) {
            self.state.reservations_of(cell, Span::new(now, end), &mut found);
        }
        found
    }
}

impl State<'_> {
    /// The cells of `region`, in ascending order.
    fn cells_of(&self, region: Region) -> Box<dyn Iterator<Item = CellId>> {
        let bound = u32::try_from(self.world.cells().map_or(0, Cells::bound)).unwrap_or(u32::MAX);
        let mut cells: BTreeSet<CellId> = BTreeSet::new();
        let mut add = |class: ClassId, node: NodeId| {
            let Some(class) = self.world.get(class).filter(|class| class.contains(node)) else { return };
            cells.extend(class.room(node, 0, FOREVER).iter().map(|entry| entry.cell));
        };
        match region {
            Region::All => return Box::new((0..bound).map(CellId)),
            Region::Cells(some) => cells.extend(some),
            Region::Nodes(class, nodes) => nodes.into_iter().for_each(|node| add(class, node)),
            Region::Area(area) => {
                for id in self.world.ids() {
                    let class = &self.world[id];
                    let is_inside =
                        |node: &NodeId| class.position(*node).is_some_and(|position| area.contains(position));
                    NodeId::below(class.node_bound()).filter(is_inside).for_each(|node| add(id, node));
                }
            }
        }
        cells.retain(|cell| cell.0 < bound);
        Box::new(cells.into_iter())
    }

    /// Appends who holds `cell` in `span`.
    fn reservations_of(&self, cell: CellId, span: Span, found: &mut Vec<Reservation>) {
        let store = self.ledger.reservations();
        // From then on nothing changes.
        let settled = store.settled_from().max(span.start).saturating_add(1);
        let looked_at = Span::new(span.start, span.end.min(settled));
        if looked_at.is_empty() {
            return;
        }
        store.for_each_holder(&Entry { cell, span: looked_at }, &mut |held, agent, _| {
            let until = if held.end >= looked_at.end { span.end } else { held.end };
            match found.last_mut() {
                Some(last) if (last.cell, last.agent, last.until) == (cell, agent, held.start) => last.until = until,
                _ => found.push(Reservation { cell, agent, from: held.start, until }),
            }
        });
    }
}
