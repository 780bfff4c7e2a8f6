//! A colony: a small game without graphics. A river with two fords, a town with gates and a hall upstairs; villagers,
//! soldiers, handcarts and wagons in one crowd; errands, patrols, guards, formations, a hero, an enemy on a known path,
//! a building site, gates by the clock, units that come and go and change; and a save in the middle of it all. Plays
//! 200 steps, and writes `colony.html`: `cargo run --release -p giveway --example colony`.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use giveway::area::{Area, Change};
use giveway::check::BodyChecker;
use giveway::heuristic::Hierarchy;
use giveway::render::{Backdrop, FloorPlan, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{
    Body, CommonTicks, Connectivity, Editable as _, Embedding, Floors, Grid, Ground, Headings, Lattice, Link, Linked,
    Primitives, Vehicle,
};
use giveway::strategies::{
    Budget, Class, ClassId, Crowd, CrowdSettings, Follow, Formation, March, Report, Round, Save,
};
use giveway::time::{Tick, Ticks};
use giveway::{Agent, AgentId, NodeId};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SIDE: u32 = 96;
const UP: f32 = 3.0; // to the upper floor
const STEPS: Tick = 200;
const BUDGET: Budget = Budget::work(3000); // units of work for a tick, not for a step: see `sim::Calibration`
const GATES: [u32; 2] = [60, 85]; // columns of the town's walls

fn is_free(x: u32, y: u32) -> bool {
    let river = (40..=43).contains(&x) && !(18..=21).contains(&y) && !(70..=73).contains(&y);
    let in_town = (GATES[0]..=GATES[1]).contains(&x) && (30..=60).contains(&y);
    let is_edge = GATES.contains(&x) || y == 30 || y == 60;
    let is_gate = GATES.contains(&x) && (44..=47).contains(&y);
    !river && (!in_town || !is_edge || is_gate)
}

/// Forest takes twice as long as meadows, and mud three times; moves cost as much more.
fn slowness(x: u32, y: u32) -> u8 {
    let (in_forest, in_mud) = ((5..30).contains(&x) && (40..60).contains(&y), (48..56).contains(&x) && y > 74);
    1 + u8::from(in_forest) + 2 * u8::from(in_mud)
}

fn ground_floor(connectivity: Connectivity) -> Result<Grid> {
    let grid = Grid::from_fn(SIDE, SIDE, is_free)?.with_connectivity(connectivity);
    Ok(grid.with_terrain(|x, y| slowness(x, y).into())?.with_slowness(|x, y| slowness(x, y).into())?)
}

/// Two floors, and two stairs from the town to the hall above it: six steps long, with room for two units.
fn house(connectivity: Connectivity) -> Result<Arc<Linked<Floors>>> {
    let is_hall = |x, y| (66..=76).contains(&x) && (34..=42).contains(&y);
    let hall = Grid::from_fn(SIDE, SIDE, is_hall)?.with_connectivity(connectivity).at_height(UP)?;
    let floors = Floors::new([ground_floor(connectivity)?, hall])?;
    let at = |floor, x| floors.node(floor, x, 38).expect("a place before the stairs");
    let stairs = [(63, 66), (79, 76)].map(|(down, up)| Link::new(at(0, down), at(1, up), 6000, 6.0));
    let stairs = stairs.map(|stairs| stairs.both_ways().places(2)).to_vec();
    Ok(Arc::new(Linked::new(floors, stairs)?))
}

/// Distances by ways from part to part of the map. By default only larger maps have them.
fn ways<S: Embedding>() -> Hierarchy<S> {
    Hierarchy::new().with_positions().from_size(0)
}

struct Game {
    simulation: Simulation<'static>,
    ticks: Ticks, // in a step of a unit of speed 1; all times below are in steps
    villagers: ClassId,
    soldiers: ClassId,
    carts: ClassId,
    wagons: ClassId,
    lattice: Lattice,
    gates: [Area; 2],
}

impl Game {
    fn new() -> Result<Self> {
        let (villager, soldier, cart) = (Body::disc(0.25)?, Body::disc(0.4)?, Body::square(2)?.speed(0.5)?);
        let driving = Primitives::straight(Headings::Eight, 1)?.arcs(2.0)?.reversing(2.0)?;
        let wagon = Vehicle::new(Body::rectangle(1.8, 0.9)?, driving);
        let grid = ground_floor(Connectivity::Four)?;
        let (by_four, by_eight) = (house(Connectivity::Four)?, house(Connectivity::Eight)?);
        let on_foot = CommonTicks::new().of([&villager], &by_four).of([&soldier], &by_eight);
        let ticks = on_foot.of([&cart], &grid).of([&wagon], &grid).fewest()?;
        // All kinds share one ground, so that none of them ever overlap: squares of half a cell, on two levels.
        let ground = Ground::new([-0.5, -0.5], [SIDE as f32, SIDE as f32], 0.5)?.levels(-UP / 2.0, UP, 2)?;
        let walls = by_four.space().walls().ok_or("a floor has walls")?;
        let mut crowd = Crowd::new(CrowdSettings::new());
        let mut walk = |body: &Body, house: &Arc<Linked<Floors>>| -> Result<ClassId> {
            let (mut space, footprint) = body.on(house, ground, ticks)?;
            space.change(&walls, Change::Close);
            Ok(crowd.add_class(Class::new(space, footprint).heuristics(ways()).editable().body(body.outline()))?)
        };
        let (villagers, soldiers) = (walk(&villager, &by_four)?, walk(&soldier, &by_eight)?);
        let carts = crowd.add_class(Class::for_body(&cart, &grid, ground, ticks)?.heuristics(ways()).editable())?;
        let (lattice, _) = wagon.on(&grid, ground, ticks)?;
        let wagons = crowd.add_class(Class::for_body(&wagon, &grid, ground, ticks)?.editable())?;
        let gate_at = |x| Area::cells(x, 44, 1, 4).and_then(|area| area.heights(-1.0, 1.0));
        let (gates, simulation) = ([gate_at(GATES[0])?, gate_at(GATES[1])?], Simulation::new(crowd).recorded());
        Ok(Self { simulation, ticks, villagers, soldiers, carts, wagons, lattice, gates })
    }

    /// The node of a class at a point of the map, where the player has clicked.
    fn node(&mut self, class: ClassId, x: u32, y: u32) -> Result<NodeId> {
        let position = [x as f32, y as f32, 0.0];
        self.simulation.crowd_mut().nearest_node(class, position).ok_or_else(|| "no place".into())
    }

    /// Adds `count` units of a class at places west of the river.
    fn spawn(&mut self, class: ClassId, count: usize, random: &mut Pcg32) -> Result<Vec<AgentId>> {
        let mut units = Vec::new();
        while units.len() < count {
            let start = self.node(class, random.random_range(1..39), random.random_range(2..92))?;
            // Where somebody stands already there is no room: then somewhere else.
            units.extend(self.simulation.add(class, Agent::bystander(start), Task::Once).ok());
        }
        Ok(units)
    }

    /// Whatever the kind, a click sends it there, or as near as it can come.
    fn send(&mut self, unit: AgentId, x: u32, y: u32) -> Result<()> {
        let class = self.simulation.crowd().class_of(unit).ok_or("gone")?;
        let node = self.node(class, x, y)?;
        if class == self.wagons {
            let (x, y, _) = self.lattice.pose(node);
            self.simulation.send(unit, self.lattice.any_heading(x, y))?; // whatever its heading there
            return Ok(());
        }
        Ok(self.simulation.send_near(unit, node).map(drop)?)
    }

    /// Who does what at the beginning.
    fn begin(&mut self) -> Result<()> {
        let mut random = Pcg32::seed_from_u64(12345);
        let villagers = self.spawn(self.villagers, 60, &mut random)?;
        let carts = self.spawn(self.carts, 12, &mut random)?;
        let soldiers = self.spawn(self.soldiers, 42, &mut random)?;
        let wagons = self.spawn(self.wagons, 8, &mut random)?;
        for unit in villagers[10..].iter().chain(&carts).chain(&wagons) {
            self.send(*unit, random.random_range(46..92), random.random_range(4..92))?;
        }
        let places = [(30, 20), (50, 20), (70, 50), (5, 80), (10, 10), (34, 10), (34, 30), (10, 30)];
        let places = places.iter().map(|(x, y)| self.node(self.villagers, *x, *y)).collect::<Result<Vec<_>>>()?;
        let (round, fence) = places.split_at(4);
        let crowd = self.simulation.crowd_mut();
        villagers[..5].iter().try_for_each(|unit| crowd.queue(*unit, round))?;
        villagers[5..10].iter().try_for_each(|unit| crowd.patrol(*unit, fence, Round::Around))?;
        // Four soldiers guard a cart each, three steps behind; the others form up beyond the ford.
        for (guard, cart) in soldiers[..4].iter().zip(&carts) {
            crowd.follow(*guard, *cart, Follow::new().within(3.0))?;
        }
        let block = Formation::block(5, 2.0).at([52.0, 20.0, 0.0], [1.0, 0.0]);
        crowd.send_group(&soldiers[4..24], block, March::together(8.0))?;
        crowd.send_group(&soldiers[24..40], Area::disc([52.0, 72.0], 4.0)?, March::apart())?;
        // The hero goes before all others.
        crowd.set_priority(soldiers[40], 9)?;
        self.send(soldiers[40], 90, 20)?;
        // The enemy's path is known: everybody makes way. It keeps off the forest, where a move takes two steps.
        let path = (3..=36).map(|x| (x, 4)).chain((5..=19).map(|y| (36, y))).chain((37..=58).map(|x| (x, 19)));
        let path = path.map(|(x, y)| self.node(self.soldiers, x, y)).collect::<Result<Vec<_>>>()?;
        let start = self.node(self.soldiers, 2, 4)?;
        self.simulation.place_near(soldiers[41], start)?;
        let stops: Vec<(Tick, NodeId)> = (1..).map(|step| step * self.ticks).zip(path).collect();
        self.simulation.crowd_mut().send_along(soldiers[41], &stops)?;
        Ok(())
    }

    /// A tick, and before each step what happens in the game.
    fn tick(&mut self) -> Result<Report> {
        let now = self.simulation.crowd().now();
        if !now.is_multiple_of(self.ticks) {
            return Ok(self.simulation.tick(BUDGET));
        }
        let step = now / self.ticks;
        for (gate, area) in (0..).zip(&self.gates).filter(|_| step.is_multiple_of(20)) {
            // One of the two is open. Whoever stands in a gate that closes goes on, or steps out.
            let crowd = self.simulation.crowd_mut();
            let opens = (step / 20 + gate).is_multiple_of(2);
            if opens { crowd.open(area).map(drop)? } else { crowd.vacate(area).map(drop)? }
        }
        let [builder, leaver, recruit, idler] = [20, 21, 22, 30].map(AgentId);
        let crowd = self.simulation.crowd_mut();
        match step {
            // A house where somebody stands: first they leave, and then it is closed.
            10 => {
                let [x, y, _] = crowd.pose(builder, 1.0).and_then(|pose| pose.position).ok_or("gone")?;
                crowd.vacate(&Area::rectangle([x - 2.5, y - 2.5], [x + 2.5, y + 2.5])?.heights(-1.0, 1.0)?)?;
            }
            15 => {
                self.simulation.remove(leaver)?;
                self.spawn(self.villagers, 1, &mut Pcg32::seed_from_u64(7))?;
            }
            20 => drop(self.simulation.change_class(recruit, self.soldiers)), // if there is room for a larger body
            30 => drop(self.simulation.stop(idler)?),
            _ => {}
        }
        Ok(self.simulation.tick(BUDGET))
    }
}

fn main() -> Result<()> {
    let mut game = Game::new()?;
    game.begin()?;
    let (mut times, mut saved, [mut arrived, mut under_way, mut moving]) = (Vec::new(), None, [0; 3]);
    for tick in 0..STEPS * game.ticks {
        if tick == STEPS / 2 * game.ticks {
            saved = Some(game.simulation.save()?.to_bytes());
        }
        let before = Instant::now();
        let report = game.tick()?;
        times.push(before.elapsed());
        arrived += report.arrived.len();
        let crowd = game.simulation.crowd();
        let is_under_way = |unit: &AgentId| crowd.is_home(*unit).zip(crowd.is_bystander(*unit)) == Some((false, false));
        for unit in crowd.agents().filter(is_under_way) {
            under_way += 1;
            moving += usize::from(crowd.last_leg(unit).is_some_and(|leg| leg.is_move()));
        }
    }
    times.sort_unstable();
    let [median, most] = [50, 99].map(|percent| times[times.len() * percent / 100]);
    println!("a tick takes {median:?} in the median, {most:?} at 99 %");
    println!("{arrived} arrivals; units under way move in {} % of their ticks", moving * 100 / under_way);
    for waiting in game.simulation.crowd_mut().waiting().iter().take(3) {
        println!("{} waits for {} until {}", waiting.agent, waiting.by, waiting.until);
    }
    let held = game.simulation.crowd().reservations(Area::cells(60, 30, 26, 31)?, game.ticks);
    println!("{} reservations in the town for the next step", held.len());

    // What was saved goes on as the first game did.
    let mut again = Game::new()?;
    again.simulation.load(&Save::from_bytes(&saved.ok_or("never saved")?)?)?;
    for _ in STEPS / 2 * game.ticks..STEPS * game.ticks {
        again.tick()?;
    }
    assert_eq!(again.simulation.crowd_mut().state_hash(), game.simulation.crowd_mut().state_hash());

    let trace = game.simulation.trace().ok_or("recorded")?;
    assert_eq!(BodyChecker::new().levels(-UP / 2.0, UP, 2).check(&trace), [], "no bodies overlap");
    let (plan, backdrop) = (FloorPlan::new([0.0, -30.0]), Backdrop::cells(SIDE, SIDE, is_free));
    let file = std::env::temp_dir().join("colony.html");
    println!("written: {}", file.display());
    Ok(std::fs::write(&file, Player::new(&plan.trace(&trace), &backdrop).title("Colony").to_string())?)
}
