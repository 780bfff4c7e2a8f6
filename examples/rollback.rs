//! Two players with rollback, in one process. The other player's orders come late; meanwhile each player guesses that
//! there are none, and goes back when that was wrong. In the end both have seen the same game.

use std::collections::{BTreeMap, VecDeque};

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings, OutOfReach, Rewind};
use giveway::{Agent, AgentId, NodeId, Point};

/// The orders of a player come to the other one after so many ticks.
const DELAY: u32 = 6;
const TICKS: u32 = 120;
const BUDGET: Budget = Budget::work(1500);

/// An order: which unit goes where.
type Order = (AgentId, NodeId);

/// What one player knows of the game.
struct Player<'a> {
    crowd: Rewind<'a>,
    /// The orders of both players, by tick and player.
    orders: BTreeMap<(u32, usize), Vec<Order>>,
    /// What comes from the other player: when it arrives, the tick that it is for, and the orders.
    underway: VecDeque<(u32, u32, Vec<Order>)>,
    /// Ticks that were simulated again.
    again: u32,
}

impl<'a> Player<'a> {
    fn new(grid: &'a Grid, units: &[Agent]) -> Result<Self, CrowdError> {
        let mut crowd = Crowd::new(CrowdSettings::new());
        crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?;
        for unit in units {
            crowd.add(ClassId(0), unit.clone())?;
        }
        Ok(Self { crowd: Rewind::new(crowd, DELAY), orders: BTreeMap::new(), underway: VecDeque::new(), again: 0 })
    }

    /// Lets a tick go by, with the orders that are known for it: in the order of the players, equal for both.
    fn tick(&mut self) {
        let now = self.crowd.crowd().now();
        for (_, orders) in self.orders.range((now, 0)..(now + 1, 0)) {
            for (unit, goal) in orders {
                // An order that is refused is refused in both crowds.
                let _ = self.crowd.crowd_mut().send_near(*unit, *goal);
            }
        }
        self.crowd.tick(BUDGET);
    }

    /// Takes up what has arrived of the player `other`, and goes back to the first tick that was guessed wrongly.
    fn receive(&mut self, other: usize) -> Result<(), OutOfReach> {
        let now = self.crowd.crowd().now();
        let mut wrong_since = now;
        while self.underway.front().is_some_and(|(arrival, ..)| *arrival <= now) {
            let Some((_, tick, orders)) = self.underway.pop_front() else { break };
            if !orders.is_empty() {
                wrong_since = wrong_since.min(tick);
                self.orders.insert((tick, other), orders);
            }
        }
        self.again += now - wrong_since;
        if wrong_since < now {
            self.crowd.go_back(wrong_since)?;
            (wrong_since..now).for_each(|_| self.tick());
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_fn(40, 24, |x, y| x != 20 || y % 8 == 4)?;
    let mut random = (1_u32..).map(|number| number.wrapping_mul(0x9E37_79B9) >> 7);
    let mut draw = |below: u32| random.next().map_or(0, |number| number % below);
    // Player 0 has the units with even ids, and player 1 the others.
    let start =
        |unit: u32| grid.node(if unit.is_multiple_of(2) { 2 } else { 37 }, 2 + unit / 2 * 2).expect("on the grid");
    let units: Vec<Agent> = (0..20).map(|unit| Agent::bystander(start(unit))).collect();
    let mut players = [Player::new(&grid, &units)?, Player::new(&grid, &units)?];

    for tick in 0..TICKS + DELAY {
        for one in [0, 1] {
            let mut orders = Vec::new();
            if tick < TICKS && draw(3) == 0 {
                #[allow(clippy::cast_possible_truncation)] // there are two players
                let unit = AgentId(draw(10) * 2 + one as u32);
                let goal = grid.node(draw(40), draw(24)).expect("on the grid");
                orders.push((unit, goal));
            }
            players[one].orders.insert((tick, one), orders.clone());
            players[1 - one].underway.push_back((tick + DELAY, tick, orders));
        }
        for one in [0, 1] {
            players[one].receive(1 - one)?;
            players[one].tick();
        }
    }
    for (number, player) in players.iter().enumerate() {
        println!("player {number} has simulated {} of {} ticks again", player.again, TICKS + DELAY);
    }
    let [one, other] = players.each_mut().map(|player| player.crowd.crowd_mut().state_hash());
    assert_eq!(one, other, "both have seen the same game");
    println!("both crowds are equal");
    Ok(())
}
