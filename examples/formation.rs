//! A block of 5x5 units moves to another place, through gaps in a wall, and is a block again when it is there. The slots are
//! given away nearest first: `cargo run -p giveway --example formation`.

use giveway::heuristic::{DistanceTable, Predecessors};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, Whca};
use giveway::{Agent, AgentId, Fuel, Goals, Heuristic, NodeId, Point};

const MAP: &str = "
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
const SIDE: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let at = |x, y| grid.node(x, y).expect("on the grid");
    let block = |left, top| (0..SIDE * SIDE).map(move |slot| (left + slot % SIDE, top + slot / SIDE));

    // They stand where they are, and have no orders.
    let mut crowd = Crowd::new(Whca::new());
    let class = crowd.class(Class::new(&grid, Point::swap_rule(&grid)))?;
    for (x, y) in block(1, 2) {
        crowd.add(class, Agent::bystander(at(x, y)))?;
    }
    print("start", &grid, &crowd);

    let slots: Vec<NodeId> = block(16, 2).map(|(x, y)| at(x, y)).collect();
    let mut alone = 0;
    for (unit, slot, steps) in assign(&grid, &crowd, &slots) {
        // Each slot is one unit's goal, so everybody is sent just there.
        assert_eq!(crowd.send(unit, slot)?.nodes(), [slot]);
        alone = alone.max(steps);
    }

    // Who arrives first stands in the front row, and makes way for those who want to be behind it.
    let (mut arrived, mut made_way) = (0, 0);
    while !crowd.is_at_rest() && crowd.now() < 200 {
        let report = crowd.tick(Budget::unlimited());
        arrived += report.arrived.len();
        made_way += report.overridden.len();
        if crowd.now() == 12 {
            print("on the way", &grid, &crowd);
        }
    }
    print("end", &grid, &crowd);

    println!("{arrived} arrivals in {} ticks; alone, the slowest would need {alone}", crowd.now());
    println!("units at rest were asked to make way {made_way} times");
    assert_eq!(arrived, 25);
    assert!(crowd.agents().all(|agent| crowd.node(agent).is_some_and(|node| slots.contains(&node))));
    // Two gaps, each one unit wide, for 25 units.
    assert_eq!(crowd.now(), 32);
    Ok(())
}

/// Which unit takes which slot, and how many steps that is: the unit that is nearest to the slots first, and each takes the
/// nearest one that is left.
fn assign(grid: &Grid, crowd: &Crowd<'_>, slots: &[NodeId]) -> Vec<(AgentId, NodeId, u32)> {
    let predecessors = Predecessors::of(grid);
    let table = |goals: Goals| DistanceTable::new(grid, predecessors.clone(), goals);
    // Slots that cannot be reached are the last ones that anybody takes.
    let steps = |table: &mut DistanceTable<Grid>, unit| {
        let estimate = crowd.node(unit).and_then(|from| table.estimate(grid, from, &mut Fuel::unlimited()).ok()?);
        estimate.map_or(u32::MAX, |cost| cost / 1000)
    };

    let mut area = table(slots.iter().copied().collect());
    let mut units: Vec<AgentId> = crowd.agents().collect();
    units.sort_by_key(|unit| steps(&mut area, *unit));

    let mut free: Vec<_> = slots.iter().map(|slot| (*slot, table(Goals::one(*slot)))).collect();
    let mut taken = Vec::new();
    for unit in units {
        let left = free.iter_mut().enumerate();
        let left = left.map(|(index, (_, table))| (steps(table, unit), index));
        if let Some((steps, index)) = left.min() {
            taken.push((unit, free.remove(index).0, steps));
        }
    }
    taken
}

fn print(title: &str, grid: &Grid, crowd: &Crowd<'_>) {
    println!("{title}, tick {}", crowd.now());
    for y in 0..grid.height() {
        let cell = |x| match crowd.agents().find(|agent| crowd.node(*agent).map(|node| grid.xy(node)) == Some((x, y))) {
            Some(agent) => char::from(b'a' + u8::try_from(agent.0).unwrap_or(0)),
            None if grid.is_passable(x, y) => '.',
            None => '@',
        };
        println!("  {}", (0..grid.width()).map(cell).collect::<String>());
    }
}
