//! A crowd in a game loop: orders at any time, a budget of work for every tick, positions for the frames between two
//! ticks, and a report of each tick. There are two rooms, and a door that all units want to pass: `cargo run -p giveway
//! --example game_loop`.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, Point};

const MAP: &str = "
    ......@......
    ......@......
    .............
    ......@......
    ......@......
";

/// The largest work of one tick, whatever the number of units.
const BUDGET: u64 = 120;

/// The orders of the game.
enum Order {
    Add(u32, u32),
    Send(char, u32, u32),
    Stop(char),
    Remove(char),
}

const ORDERS: [(u32, Order); 5] = [
    (2, Order::Add(12, 4)),      // D, to (2, 4)
    (4, Order::Send('b', 0, 0)), // turned back in front of the door
    (6, Order::Stop('C')),       // from now on it lets others pass, and comes back
    (9, Order::Remove('D')),
    (14, Order::Send('C', 0, 3)),
];

/// The units, in the order of their ids: capitals go west, the others east.
const NAMES: [char; 8] = ['a', 'b', 'c', 'd', 'A', 'B', 'C', 'D'];

fn id_of(name: char) -> AgentId {
    AgentId((0..).zip(NAMES).find(|(_, other)| *other == name).map_or(u32::MAX, |(id, _)| id))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let at = |x, y| grid.node(x, y).expect("on the grid");

    let mut crowd = Crowd::new(CrowdSettings::new());
    let infantry = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    for y in [0, 1, 3, 4] {
        crowd.add(infantry, Agent::new(at(1, y), at(11, y)))?;
    }
    for y in [0, 1, 3] {
        crowd.add(infantry, Agent::new(at(12, y), at(2, y)))?;
    }

    let (mut expansions, mut worst, mut postponed, mut arrivals) = (0, 0, 0, 0);
    while crowd.now() < 60 && !(crowd.now() > 14 && crowd.is_at_rest()) {
        let now = crowd.now();
        for (_, order) in ORDERS.iter().filter(|(tick, _)| *tick == now) {
            match *order {
                Order::Add(x, y) => drop(crowd.add(infantry, Agent::new(at(x, y), at(2, y)))?),
                Order::Send(name, x, y) => drop(crowd.send(id_of(name), at(x, y))?),
                Order::Stop(name) => drop(crowd.stop(id_of(name))?),
                Order::Remove(name) => crowd.remove(id_of(name))?,
            }
        }

        let report = crowd.tick(Budget::work(BUDGET));
        let work = report.work;
        assert!(work <= BUDGET, "the budget holds");
        (expansions, worst, postponed) = (expansions + work, worst.max(work), postponed + report.postponed.len());
        arrivals += report.arrived.len();
        assert_nobody_overlaps(&crowd);

        if [0, 5, 10, 20].contains(&now) {
            println!("after tick {now}: {} planned, {} postponed", report.planned.len(), report.postponed.len());
            draw(&grid, &crowd);
            for waiting in crowd.waiting() {
                // The units that stay at the next tick, and the unit that each waits for.
                let chain = crowd.explain(waiting.by).chain;
                let names = std::iter::once(waiting.by).chain(chain.iter().map(|next| next.by));
                let names: Vec<String> = names.map(|by| NAMES[by.index()].to_string()).collect();
                println!("  {} waits for {}", NAMES[waiting.agent.index()], names.join(", who waits for "));
            }
            // The frames of the last tick: four, for a game of 15 ticks and 60 frames a second.
            let frames = [0.0, 0.25, 0.5, 0.75].map(|fraction| {
                let pose = crowd.poses(fraction).find(|pose| pose.agent == id_of('a'));
                pose.and_then(|pose| pose.position).map_or(f32::NAN, |[x, ..]| x)
            });
            println!("  a is drawn at x = {frames:?}\n");
        }
    }

    println!("at rest after {} ticks", crowd.now());
    draw(&grid, &crowd);
    println!("{arrivals} arrivals, {expansions} expansions, {worst} in the worst tick, {postponed} turns put off");
    assert!(crowd.is_at_rest());
    assert_eq!(crowd.node(id_of('b')), Some(at(0, 0)), "it went where it was sent last");
    assert_eq!(crowd.node(id_of('C')), Some(at(0, 3)), "it was stopped and sent on");
    assert_eq!(crowd.node(id_of('D')), None, "it was removed");
    assert_eq!(arrivals, 7);
    Ok(())
}

fn assert_nobody_overlaps(crowd: &Crowd<'_>) {
    let mut places: Vec<_> = crowd.agents().filter_map(|agent| crowd.node(agent)).collect();
    let units = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), units);
}

fn draw(grid: &Grid, crowd: &Crowd<'_>) {
    for y in 0..grid.height() {
        let row = (0..grid.width()).map(|x| {
            let unit = crowd.agents().find(|agent| crowd.node(*agent) == grid.node(x, y) && grid.is_passable(x, y));
            let ground = if grid.is_passable(x, y) { '.' } else { '@' };
            unit.map_or(ground, |unit| NAMES[unit.index()])
        });
        println!("  {}", row.collect::<String>());
    }
}
