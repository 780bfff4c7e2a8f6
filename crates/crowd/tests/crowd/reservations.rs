//! Reservations as they are told for debug views: what the plans of all agents occupy, on any store.

use giveway_core::store::{IntervalTable, SparseTable};
use giveway_core::{Agent, AgentId, Area, CellId, FOREVER, NodeId, Point, SpaceGraph as _, Tick};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, Region, Reservation};
use giveway_spaces::Grid;

use crate::field::Field;

const CLASS: ClassId = ClassId(0);

fn crowds(grid: &Grid) -> [Crowd<'_>; 3] {
    let settings = CrowdSettings::new;
    let mut crowds = [
        Crowd::new(settings()),
        Crowd::new_on(settings(), |cells, _| IntervalTable::new(cells)),
        Crowd::new_on(settings(), |cells, _| SparseTable::new(cells)),
    ];
    for crowd in &mut crowds {
        crowd.add_class(Class::new(grid, Point::swap_rule(grid))).unwrap();
    }
    crowds
}

/// Whether `agent` holds `node` at `tick` by its plan.
fn plans(crowd: &Crowd<'_>, agent: AgentId, node: NodeId, tick: Tick) -> bool {
    let covers = |depart: Tick, arrive: Tick| (depart..arrive).contains(&tick);
    let legs = crowd.plan(agent);
    let at = |leg: &giveway_crowd::Leg| if leg.is_move() { leg.to } else { leg.from };
    legs.iter().any(|leg| {
        // A point on its way holds its target from the tick at which it arrives.
        if leg.is_move() { false } else { at(leg) == node && covers(leg.depart, leg.arrive) }
    })
}

#[test]
fn all_stores_tell_the_same() {
    let field = Field::random(16, 50, 3);
    let mut crowds = crowds(&field.grid);
    let everywhere = Area::cells(0, 0, 16, 16).unwrap();
    for crowd in &mut crowds {
        for (start, goal) in field.starts.iter().zip(&field.goals).take(60) {
            let _ = crowd.add(CLASS, Agent::new(*start, *goal));
        }
    }
    for _ in 0..30 {
        let told: Vec<[Vec<Reservation>; 3]> = crowds
            .iter_mut()
            .map(|crowd| {
                crowd.tick(Budget::unlimited());
                [
                    crowd.reservations(Region::All, 40),
                    crowd.reservations(&everywhere, FOREVER),
                    crowd.reservations(Region::Nodes(CLASS, field.starts[..9].to_vec()), 1),
                ]
            })
            .collect();
        assert_eq!(told[0], told[1]);
        assert_eq!(told[0], told[2]);
        let crowd = &crowds[0];
        let [all, area, now] = &told[0];
        // In order, without overlaps, and each tick of a planned rest is there.
        for pair in all.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            assert!(one.cell < other.cell || one.cell == other.cell && one.until <= other.from);
        }
        let holds = |held: &Reservation, node: NodeId, agent: AgentId, tick: Tick| {
            (held.cell, held.agent) == (CellId(node.0), agent) && (held.from..held.until).contains(&tick)
        };
        for agent in crowd.agents() {
            let node = crowd.node(agent).unwrap();
            for tick in crowd.now()..crowd.now() + 40 {
                if plans(crowd, agent, node, tick) {
                    assert!(all.iter().any(|held| holds(held, node, agent, tick)), "{agent} at {tick}");
                }
            }
        }
        let nodes: Vec<&Reservation> = area.iter().filter(|held| field.grid.contains(NodeId(held.cell.0))).collect();
        assert_eq!(nodes.len(), area.len(), "the cells of places alone");
        assert!(now.iter().all(|held| held.until == held.from + 1 && field.starts[..9].contains(&NodeId(held.cell.0))));
        assert_eq!(crowd.reservations(Region::All, 0), []);
    }
}

#[test]
fn one_agent_has_rows_that_can_be_counted() {
    let grid = Grid::open(5, 1).unwrap();
    for mut crowd in crowds(&grid) {
        let agent = crowd.add(CLASS, Agent::new(NodeId(0), NodeId(3))).unwrap();
        crowd.tick(Budget::unlimited());
        let held = crowd.reservations(Region::Cells((0..5).map(CellId).collect()), 6);
        let rows: Vec<(u32, AgentId, Tick, Tick)> =
            held.iter().map(|held| (held.cell.0, held.agent, held.from, held.until)).collect();
        assert_eq!(rows, [(1, agent, 1, 2), (2, agent, 2, 3), (3, agent, 3, 7)]);
        let forever = crowd.reservations(vec![CellId(3), CellId(77)], FOREVER);
        assert_eq!((forever.len(), forever[0].until), (1, FOREVER));
    }
}
