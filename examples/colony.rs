//! A colony: a small game without graphics, on a map with a river, a town and a hall upstairs. `begin` and `happen`
//! tell the story, `tick` is the loop. It plays 200 steps, is saved in the middle, and writes `colony.html` to the
//! folder for temporary files: `cargo run --release -p giveway --example colony`.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use giveway::area::Area;
use giveway::check::BodyChecker;
use giveway::heuristic::Hierarchy;
use giveway::render::{Backdrop, FloorPlan, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Floors, Grid, Ground, Headings, Link, Linked, Primitives, Vehicle};
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
const BUDGET: Budget = Budget::work(2800); // per tick; who gets none keeps its plan or stays: see `sim::Calibration`
/// Columns, rows and height of places: the east bank for carts and wagons; for villagers the west, the east, the hall.
const ERRANDS: [[u32; 5]; 4] = [[46, 58, 26, 66, 0], [4, 34, 4, 92, 0], [48, 92, 4, 92, 0], [66, 77, 34, 43, 3]];
const GATES: [u32; 2] = [60, 85]; // columns of the town's walls

fn is_free(x: u32, y: u32) -> bool {
    let river = (40..=43).contains(&x) && !(16..=23).contains(&y) && !(68..=75).contains(&y);
    let in_town = (GATES[0]..=GATES[1]).contains(&x) && (30..=60).contains(&y);
    let is_wall = y == 30 || y == 60 || (GATES.contains(&x) && !(44..=47).contains(&y));
    !(river || in_town && is_wall)
}

/// The ground, a hall above the town, and two stairs: at a cost of 6000 (1000 a step), 6 cells long, for two units.
fn two_floors(ground: Grid) -> Result<Arc<Linked<Floors>>> {
    let is_hall = |x, y| (66..=76).contains(&x) && (34..=42).contains(&y);
    let hall = Grid::from_fn(SIDE, SIDE, is_hall)?.at_height(UP)?;
    let floors = Floors::new([ground, hall])?;
    let at = |floor, x| floors.node(floor, x, 38).expect("a place before the stairs");
    let link = |down, up| Link::new(at(0, down), at(1, up), 6000, 6.0).both_ways().places(2);
    let stairs = vec![link(63, 66), link(79, 76)];
    Ok(Linked::new(floors, stairs)?.into())
}

struct Game {
    simulation: Simulation<'static>,
    ticks: Ticks, // in a step: a unit of speed 1 goes one cell, a cart (0.5) takes two steps. Times below are in steps
    villagers: ClassId,
    soldiers: ClassId,
    carts: ClassId,
    wagons: ClassId,
    cast: [AgentId; 3],  // villagers with parts of their own: leaver, recruit and idler
    to_go: Vec<AgentId>, // units that wait for their first errands
}

impl Game {
    fn new() -> Result<Self> {
        let (villager, soldier, cart) = (Body::disc(0.25)?, Body::disc(0.4)?, Body::square(2)?.speed(0.5)?);
        let driving = Primitives::straight(Headings::Eight, 1)?.arcs(2.0)?.reversing(2.0)?;
        let wagon = Vehicle::new(Body::rectangle(1.8, 0.9)?, driving);
        let slowness = |x, y| if (5..30).contains(&x) && (44..58).contains(&y) { 2 } else { 1 }; // a forest
        let grid = Grid::from_fn(SIDE, SIDE, is_free)?.with_terrain(slowness)?;
        let grid = grid.with_slowness(|x, y| slowness(x, y) as f32)?;
        let map = two_floors(grid.clone())?;
        let ticks =
            CommonTicks::new().of([&villager, &soldier], &map).of([&cart], &grid).of([&wagon], &grid).fewest()?;
        // All kinds share one ground, so that none of them ever overlap: squares of half a cell, on two levels.
        let ground = Ground::new([-0.5, -0.5], [SIDE as f32, SIDE as f32], 0.5)?.levels(-UP / 2.0, UP, 2)?;
        let mut crowd = Crowd::new(CrowdSettings::new());
        // Distances by ways from part to part, as larger maps have by default. Carts and wagons have exact ones here.
        let ways = || Hierarchy::new().with_positions().from_size(0);
        let on_foot = |body: &Body| Class::for_body(body, &map, ground, ticks).map(|class| class.heuristics(ways()));
        let villagers = crowd.add_class(on_foot(&villager)?.editable())?;
        let soldiers = crowd.add_class(on_foot(&soldier)?.editable())?;
        let carts = crowd.add_class(Class::for_body(&cart, &grid, ground, ticks)?.editable())?;
        let wagons = crowd.add_class(Class::for_body(&wagon, &grid, ground, ticks)?.editable())?;
        crowd.close(&map.space().walls().ok_or("a floor has walls")?)?; // the graph ends at walls; bodies stay off them
        let (simulation, cast, to_go) = (Simulation::new(crowd).recorded(), [AgentId(0); 3], Vec::new());
        Ok(Self { simulation, ticks, villagers, soldiers, carts, wagons, cast, to_go })
    }

    /// The node of a class that is nearest to a point of the map. A class has nodes only where its body fits.
    fn node(&mut self, class: ClassId, x: u32, y: u32, z: u32) -> Result<NodeId> {
        self.simulation.crowd_mut().nearest_node(class, [x as f32, y as f32, z as f32]).ok_or_else(|| "no place".into())
    }

    fn add(&mut self, class: ClassId, x: u32, y: u32) -> Result<AgentId> {
        let start = self.node(class, x, y, 0)?;
        Ok(self.simulation.add(class, Agent::bystander(start), Task::Once)?)
    }

    /// Adds `count` units of a class at places west of the river where nobody stands.
    fn spawn(&mut self, class: ClassId, count: usize, random: &mut Pcg32) -> Result<Vec<AgentId>> {
        let mut units = Vec::new();
        while units.len() < count {
            units.extend(self.add(class, random.random_range(1..39), random.random_range(2..92)).ok());
        }
        Ok(units)
    }

    /// A click: a unit goes to a point, or as near as it can, if the place is out of reach or another unit's goal. A
    /// wagon has a node for each heading there, and gets the first that fits, from east on.
    fn send(&mut self, unit: AgentId, x: u32, y: u32, z: u32) -> Result<()> {
        let class = self.simulation.crowd().class_of(unit).ok_or("gone")?;
        let node = self.node(class, x, y, z)?;
        Ok(self.simulation.send_near(unit, node).map(drop)?)
    }

    /// Sends a unit to a place for errands; one villager in eight goes upstairs.
    fn send_on_errand(&mut self, unit: AgentId) -> Result<()> {
        // Drawn by the tick and the unit, and by nothing else: a game that was loaded draws equally.
        let mut random = Pcg32::new(self.simulation.crowd().now().into(), unit.0.into());
        let is_on_foot = self.simulation.crowd().class_of(unit) == Some(self.villagers);
        let place = if is_on_foot { [1, 1, 1, 2, 2, 2, 2, 3][random.random_range(0..8)] } else { 0 };
        let [west, east, north, south, height] = ERRANDS[place];
        self.send(unit, random.random_range(west..east), random.random_range(north..south), height)
    }

    /// Who does what at the beginning.
    fn begin(&mut self) -> Result<()> {
        let mut random = Pcg32::seed_from_u64(12345);
        let enemy = self.add(self.soldiers, 2, 4)?;
        self.add(self.villagers, 20, 70)?; // where a house will be built
        let villagers = self.spawn(self.villagers, 59, &mut random)?;
        let carts = self.spawn(self.carts, 12, &mut random)?;
        let soldiers = self.spawn(self.soldiers, 41, &mut random)?;
        let wagons = self.spawn(self.wagons, 8, &mut random)?;
        self.cast = [villagers[20], villagers[21], villagers[22]];
        self.to_go = [&wagons, &carts, &villagers[10..]].concat();
        // Wagons go before people on foot, and the hero before both. The enemy's path is above all priorities.
        wagons.iter().try_for_each(|wagon| self.simulation.crowd_mut().set_priority(*wagon, 1))?;
        self.simulation.crowd_mut().set_priority(soldiers[40], 9)?;
        self.send(soldiers[40], 90, 20, 0)?;
        let cells = [(30, 20), (50, 20), (70, 50), (5, 80)].into_iter();
        let round = cells.map(|(x, y)| self.node(self.villagers, x, y, 0)).collect::<Result<Vec<_>>>()?;
        let cells = (3..=36).map(|x| (x, 4)).chain((5..=19).map(|y| (36, y))).chain((37..=58).map(|x| (x, 19)));
        let path = cells.map(|(x, y)| self.node(self.soldiers, x, y, 0)).collect::<Result<Vec<_>>>()?;
        // A stop is the tick at which a move begins, and the node to which it leads.
        let stops: Vec<(Tick, NodeId)> = (1..).map(|step| step * self.ticks).zip(path).collect();
        // Single orders go through the simulation, which counts them. Orders that go on are the crowd's.
        let crowd = self.simulation.crowd_mut();
        // Everybody makes way, and it waits if nobody can. An enemy that may leave its path: `predict`, and `walk`.
        crowd.send_along(enemy, &stops)?;
        villagers[..5].iter().try_for_each(|unit| crowd.queue(*unit, &round[..]))?;
        villagers[5..10].iter().try_for_each(|unit| crowd.patrol(*unit, &round[..], Round::Around))?;
        // Four soldiers guard a cart each, three steps behind. The others form up beyond the fords.
        let follow = Follow::new().within(3.0);
        soldiers[..4].iter().zip(&carts).try_for_each(|(guard, cart)| crowd.follow(*guard, *cart, follow))?;
        let block = Formation::block(6, 2.0).at([62.0, 10.0, 0.0], [1.0, 0.0]);
        Ok(crowd.send_group(&soldiers[4..40], block, March::together(8.0)).map(drop)?)
    }

    /// What happens before a step by the clock of the game.
    fn happen(&mut self, step: Tick) -> Result<()> {
        let [leaver, recruit, idler] = self.cast;
        let crowd = self.simulation.crowd_mut();
        // Of the two gates one is open, in turns. A vacated area lets nobody in: whoever is inside and has a goal
        // outside goes on, the others go out and stand by. When it is empty, it closes. The house below likewise.
        for (gate, column) in (0..).zip(GATES).filter(|_| step.is_multiple_of(50)) {
            let area = Area::cells(column, 44, 1, 4)?.heights(-1.0, 1.0)?; // on the ground floor
            let opens = (step / 50 + gate).is_multiple_of(2);
            if opens { crowd.open(&area).map(drop)? } else { crowd.vacate(&area).map(drop)? }
        }
        match step {
            10 => drop(crowd.vacate(&Area::cells(18, 68, 5, 5)?)?), // a house, where somebody stands
            15 => {
                self.simulation.remove(leaver)?; // as at a death
                self.to_go = self.spawn(self.villagers, 1, &mut Pcg32::seed_from_u64(7))?;
            }
            20 => drop(self.simulation.change_class(recruit, self.soldiers)), // if there is room; else no change
            30 => drop(self.simulation.stop(idler)?),
            _ => {}
        }
        Ok(())
    }

    /// A tick: what the game does by its clock, what the crowd does, and what the game answers.
    fn tick(&mut self) -> Result<Report> {
        let now = self.simulation.crowd().now();
        if now.is_multiple_of(self.ticks) {
            self.happen(now / self.ticks)?;
        }
        // One a tick sets out: a first plan takes much of a budget.
        self.to_go.pop().map_or(Ok(()), |unit| self.send_on_errand(unit))?;
        let report = self.simulation.tick(BUDGET);
        // A villager that has arrived, cannot arrive or is stuck gets the next errand. All other kinds stay where they
        // are. A queue or a patrol goes on by itself.
        let stuck = report.stuck.iter().map(|stuck| &stuck.agent);
        for unit in report.arrived.iter().chain(&report.unreachable).chain(stuck) {
            let crowd = self.simulation.crowd();
            if crowd.class_of(*unit) == Some(self.villagers) && crowd.stages(*unit).next().is_none() {
                self.send_on_errand(*unit)?;
            }
        }
        Ok(report)
    }
}

fn main() -> Result<()> {
    let mut game = Game::new()?;
    game.begin()?;
    let (mut times, mut saved, mut counts, [mut under_way, mut moving]) = (Vec::new(), None, [0; 4], [0; 2]);
    for tick in 0..STEPS * game.ticks {
        if tick == STEPS / 2 * game.ticks {
            saved = Some(game.simulation.save()?.to_bytes());
            // Why does it wait? A question may find parts of ways, so a copy is asked.
            let mut crowd = game.simulation.crowd().clone();
            if let Some(waiting) = crowd.waiting().first() {
                let why = crowd.explain(waiting.agent);
                println!("{} waits: {:?}, by {:?}", waiting.agent, why.reason, why.by);
            }
        }
        let before = Instant::now();
        let report = game.tick()?;
        times.push(before.elapsed());
        let lists = [report.arrived.len(), report.unreachable.len(), report.stuck.len(), report.postponed.len()];
        counts.iter_mut().zip(lists).for_each(|(count, more)| *count += more);
        let crowd = game.simulation.crowd();
        let is_under_way = |unit: &AgentId| crowd.is_home(*unit).zip(crowd.is_bystander(*unit)) == Some((false, false));
        let is_moving = |unit: &AgentId| crowd.last_leg(*unit).is_some_and(|leg| leg.is_move());
        under_way += crowd.agents().filter(is_under_way).count();
        moving += crowd.agents().filter(is_under_way).filter(is_moving).count();
    }
    times.sort_unstable();
    let [median, most] = [50, 99].map(|percent| times[times.len() * percent / 100]);
    println!("a tick takes {median:?} in the median, {most:?} at 99 %");
    println!("units under way move in {} % of their ticks", moving * 100 / under_way);
    println!("[arrived, goal out of reach, stuck, put off, mostly for want of budget], summed over ticks: {counts:?}");

    // What was saved goes on as the first game did. A game saves its own fields: the cast; `to_go` is empty by now.
    let mut again = Game { cast: game.cast, ..Game::new()? };
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
