//! Blocks of units move to other places, and form blocks again: 25 units through gaps in a wall, and two squares of 16
//! that exchange places. Slots are assigned by distance: `cargo run -p giveway --example formation`.

use std::cmp::Reverse;

use giveway::heuristic::{DistanceTable, Predecessors};
use giveway::search::Fuel;
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::time::Tick;
use giveway::{Agent, AgentId, Heuristic, NodeId, Point};

const WALL: &str = "
    ...........@..........
    ...........@..........
    ......................
    ...........@..........
    ...........@..........
    ...........@..........
    ......................
    ...........@..........
    ...........@..........
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two gaps, each one unit wide, for 25 units.
    assert_eq!(march("a block of 25", &Grid::from_ascii(WALL)?, 5, &[[(1, 2), (16, 2)]], 12)?, 29);
    // Head on, with a free row on either side.
    assert_eq!(march("two squares", &Grid::open(12, 6)?, 4, &[[(0, 1), (8, 1)], [(8, 1), (0, 1)]], 6)?, 16);
    Ok(())
}

/// Marches blocks of `side` by `side` units, each from one corner to another. Prints the start, the end, and the state
/// at tick `picture`. Returns the ticks needed.
fn march(
    title: &str,
    grid: &Grid,
    side: u32,
    blocks: &[[(u32, u32); 2]],
    picture: Tick,
) -> Result<Tick, Box<dyn std::error::Error>> {
    let block = |(left, top): (u32, u32)| -> Vec<NodeId> {
        let places = (0..side * side).map(|slot| (left + slot % side, top + slot / side));
        places.map(|(x, y)| grid.node(x, y).expect("on the grid")).collect()
    };

    // Bystanders: they stand where they are, and have no orders.
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?;
    let mut units = Vec::new();
    for [from, _] in blocks {
        let added = block(*from).into_iter().map(|at| crowd.add(class, Agent::bystander(at)));
        units.push(added.collect::<Result<Vec<_>, _>>()?);
    }
    print(&format!("{title}: the start"), grid, &crowd);

    let mut alone = 0;
    for ([_, to], units) in blocks.iter().zip(units) {
        for (unit, slot, steps) in assign(grid, &crowd, units, &block(*to)) {
            // Each slot is the goal of one unit only, so every unit is sent exactly there.
            assert_eq!(crowd.send(unit, slot)?.nodes(), [slot]);
            alone = alone.max(steps);
        }
    }

    let (mut arrived, mut made_way) = (0, 0);
    while !crowd.is_at_rest() && crowd.now() < 200 {
        let report = crowd.tick(Budget::unlimited());
        arrived += report.arrived.len();
        made_way += report.overridden.len();
        if crowd.now() == picture {
            print("on the way", grid, &crowd);
        }
    }
    print("the end", grid, &crowd);

    println!("{arrived} arrivals in {} ticks, {alone} if all were alone; {made_way} times one made way\n", crowd.now());
    assert_eq!(arrived, crowd.agents().count());
    let slots: Vec<NodeId> = blocks.iter().flat_map(|[_, to]| block(*to)).collect();
    assert!(crowd.agents().all(|agent| crowd.node(agent).is_some_and(|node| slots.contains(&node))));
    Ok(crowd.now())
}

/// Assigns a slot to each unit, with the distance in steps. The unit nearest to the slots chooses first, and takes one
/// at the back, so that no unit has to pass units that have arrived.
fn assign(grid: &Grid, crowd: &Crowd<'_>, mut units: Vec<AgentId>, slots: &[NodeId]) -> Vec<(AgentId, NodeId, u32)> {
    let predecessors = Predecessors::from_space(grid);
    let steps = |to: &[NodeId], from: &NodeId| {
        let mut table = DistanceTable::new(grid, predecessors.clone(), to.iter().copied().collect());
        // Slots that cannot be reached sort last.
        table.estimate(grid, *from, &mut Fuel::unlimited()).ok().flatten().map_or(u32::MAX, |cost| cost / 1000)
    };
    let at = |unit: &AgentId| crowd.node(*unit).expect("it was added");

    units.sort_by_key(|unit| steps(slots, &at(unit)));
    let starts: Vec<NodeId> = units.iter().map(at).collect();
    let mut free: Vec<(u32, NodeId)> = slots.iter().map(|slot| (steps(&starts, slot), *slot)).collect();
    let mut taken = Vec::new();
    for (unit, from) in units.into_iter().zip(starts) {
        let choice = |(depth, slot): &(u32, NodeId)| (Reverse(*depth), steps(&[*slot], &from));
        if let Some(best) = (0..free.len()).min_by_key(|index| choice(&free[*index])) {
            let (_, slot) = free.remove(best);
            taken.push((unit, slot, steps(&[slot], &from)));
        }
    }
    taken
}

fn print(title: &str, grid: &Grid, crowd: &Crowd<'_>) {
    println!("{title}, tick {}", crowd.now());
    for y in 0..grid.height() {
        let cell = |x| match crowd.agents().find(|agent| crowd.node(*agent).map(|node| grid.xy(node)) == Some((x, y))) {
            Some(agent) => char::from(b"abcdefghijklmnopqrstuvwxyzABCDEF"[agent.index() % 32]),
            None if grid.is_passable(x, y) => '.',
            None => '@',
        };
        println!("  {}", (0..grid.width()).map(cell).collect::<String>());
    }
}
