//! Orders to groups: who of them gets which place, and how they keep together.

use giveway_core::{AgentId, Area, CellId, FOREVER, Goals, NodeId};
use rustc_hash::FxHashSet;

use super::assignment::least_sum;
use super::muster::Muster;
use crate::calls::Call;
use crate::crowd::Crowd;
use crate::destinations::Equals;
use crate::error::CrowdError;
use crate::news::News;
use crate::report::Report;
use crate::standing::{Group, Marcher};
use crate::state::State;
use giveway_members::class_id::ClassId;
use giveway_members::roster::{Errand, Slot};

/// Up to so many agents or places, the assignment is the best one. It takes time in proportion to the third power of
/// their number: some 10 ms for 128.
const MOST_BY_SUM: usize = 128;

/// How a [group](Crowd::send_group) goes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct March {
    /// By how many plain steps an agent may be nearer to its place than the last one.
    spread: Option<f64>,
}

impl March {
    /// Each agent goes at its own pace. This is the default.
    pub fn apart() -> Self {
        Self::default()
    }

    /// The group goes at the pace of its slowest agent. The last agent is the one with the longest way left. An agent
    /// whose way is more than `spread` plain steps shorter than that of the last agent stands by. It goes on when its
    /// way is at most half of `spread` shorter. A `spread` below 1, or not finite, counts as 1.
    pub fn together(spread: f64) -> Self {
        Self { spread: Some(if spread.is_finite() { spread.max(1.0) } else { 1.0 }) }
    }
}

/// In a group of more than `FEW` agents, no searches decide between equally near places.
const FEW: usize = 8;

/// A place for an agent of the group, before it is known for whom.
#[derive(Clone, Copy)]
struct Vacancy {
    position: [f32; 3],
    /// The node, if it is a node of each class.
    node: Option<NodeId>,
}

impl Crowd<'_> {
    /// Sends `agents` to the places of `muster`, one agent to each place. Returns the place of each agent, in the order
    /// of `agents`. If an agent cannot have or reach its place, the nearest place replaces it, as by
    /// [`send_near`](Self::send_near). There is one difference if there are more than eight agents: of several places
    /// that are equally near, an agent gets the one that is nearest to the agent by straight line. If there are fewer
    /// places than agents, the agents that are left over go near the middle of all places. An agent that is named twice
    /// counts once.
    ///
    /// Up to 128 agents and 128 places are matched so that the sum of the straight-line distances from agents to places
    /// is the least. With more agents or places, one agent after the other takes the nearest place that is left, and
    /// the agents nearest to the middle of the places choose last.
    ///
    /// With [`March::together`] the group goes at the pace of its slowest agent. An agent leaves its group when it gets
    /// another order.
    ///
    /// For formations and areas, agents may be of any classes with positions. For [places](Muster::Places), the nodes
    /// must be the same places in all classes.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Formation, March};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(20, 9)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let column = (0..5).map(|x| crowd.add(class, Agent::bystander(at(x, 4)))).collect::<Result<Vec<_>, _>>()?;
    /// // A wedge with its tip at the click of the player, facing east.
    /// let wedge = Formation::wedge(1.0).at([18.0, 4.0, 0.0], [1.0, 0.0]);
    /// let places = crowd.send_group(&column, wedge, March::together(4.0))?;
    /// assert_eq!(places[4], Some(at(18, 4)));
    /// while !crowd.is_at_rest() || crowd.node(column[4]) != Some(at(18, 4)) {
    ///     crowd.tick(Budget::unlimited());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such agent; `agents` or the places are empty, or a position is not finite; a class is
    /// [bare](crate::Class::bare); or a place does not exist in the class of an agent, or lies elsewhere there; the error
    /// names the first such agent. Nothing has changed.
    /// An agent for which no free place can be reached is no error: it stands by, and has no place in the answer.
    pub fn send_group(
        &mut self,
        agents: &[AgentId],
        muster: impl Into<Muster>,
        march: March,
    ) -> Result<Vec<Option<NodeId>>, CrowdError> {
        let muster = muster.into();
        self.note(|| Call::SendGroup { agents: agents.to_vec(), muster: muster.clone(), march });
        let mut named = FxHashSet::default();
        let mut slots = agents.iter().map(|agent| self.slot(*agent)).collect::<Result<Vec<_>, _>>()?;
        slots.retain(|slot| named.insert(*slot));
        let state = &mut self.state;
        state.check_group(&slots, &muster)?;
        let parts = state.parts_of(&slots, &muster);
        // What they had is for the others, too.
        slots.iter().for_each(|slot| state.give_up_order(*slot));
        let mut goals: Vec<(Slot, Option<NodeId>)> = Vec::new();
        let equals = if slots.len() > FEW { Equals::Straight } else { Equals::Cheapest };
        for (slots, vacancies) in parts {
            for (slot, vacancy) in state.assign_group(&slots, &vacancies) {
                goals.push((slot, state.send_to(slot, vacancy, equals)));
            }
        }
        goals.sort_unstable_by_key(|(slot, _)| *slot);
        // What was read from a text may be below 0.
        if let Some(spread) = march.spread.and_then(|spread| March::together(spread).spread) {
            let of = goals.iter().filter_map(|(slot, goal)| {
                Some(Marcher { agent: state.roster[*slot].id(), goals: Goals::one((*goal)?), held: None })
            });
            let of: Vec<Marcher> = of.collect();
            if of.len() > 1 {
                state.standing.set_out(Group { spread, of });
            }
        }
        let place = |agent: &AgentId| {
            let slot = state.roster.slot(*agent)?;
            let index = goals.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
            goals[index].1
        };
        Ok(agents.iter().map(place).collect())
    }
}

impl State<'_> {
    fn check_group(&self, slots: &[Slot], muster: &Muster) -> Result<(), CrowdError> {
        let first = slots.first().ok_or(CrowdError::NoAgent)?;
        if let Some(slot) = slots.iter().find(|slot| self.class(**slot).space().is_none()) {
            return Err(CrowdError::Bare(self.roster[*slot].class()));
        }
        if let Muster::Formation { formation, at, towards } = muster {
            let positions = formation.positions(slots.len(), *at, *towards);
            let is_finite = positions.iter().chain([at]).flatten().all(|axis| axis.is_finite());
            return if is_finite { Ok(()) } else { Err(CrowdError::NotFinite) };
        }
        let Muster::Places(places) = muster else { return Ok(()) };
        if places.is_empty() {
            return Err(CrowdError::NoGoal);
        }
        // One agent for each class: the others of the class fare alike.
        let mut seen = FxHashSet::default();
        for member in slots.iter().map(|slot| &self.roster[*slot]).filter(|member| seen.insert(member.class())) {
            let (agent, class) = (member.id(), &self.world[member.class()]);
            if let Some(node) = places.iter().copied().find(|place| !class.contains(*place)) {
                return Err(CrowdError::NoPlaceOf { agent, node });
            }
            let is_elsewhere = |place: &NodeId| class.position(*place) != self.class(*first).position(*place);
            if let Some(node) = places.iter().copied().find(is_elsewhere) {
                return Err(CrowdError::OtherPlaceOf { agent, node });
            }
        }
        Ok(())
    }

    /// The parts of a group, each with the places of which its agents can have any.
    fn parts_of(&self, slots: &[Slot], muster: &Muster) -> Vec<(Vec<Slot>, Vec<Vacancy>)> {
        match muster {
            Muster::Places(places) => {
                let class = self.class(slots[0]);
                let vacancy = |place: &NodeId| Some(Vacancy { position: class.position(*place)?, node: Some(*place) });
                vec![(slots.to_vec(), places.iter().filter_map(vacancy).collect())]
            }
            Muster::Formation { formation, at, towards } => {
                let positions = formation.positions(slots.len(), *at, *towards).into_iter();
                let mut vacancies: Vec<Vacancy> = positions.map(|position| Vacancy { position, node: None }).collect();
                if vacancies.is_empty() {
                    vacancies.push(Vacancy { position: *at, node: None });
                }
                vec![(slots.to_vec(), vacancies)]
            }
            Muster::Area(area) => self.parts_in(slots, area),
        }
    }

    /// A part for each class, those with the largest units first, and places in `area` on which they stand beside each
    /// other.
    fn parts_in(&self, slots: &[Slot], area: &Area) -> Vec<(Vec<Slot>, Vec<Vacancy>)> {
        let boxes: Vec<[[f64; 2]; 2]> = area.boxes().collect();
        let ends = |axis: usize| {
            let least = boxes.iter().map(|corners| corners[0][axis]).fold(f64::INFINITY, f64::min);
            let most = boxes.iter().map(|corners| corners[1][axis]).fold(f64::NEG_INFINITY, f64::max);
            f64::midpoint(least, most)
        };
        let middle = [ends(0), ends(1)];
        let mut parts: Vec<(usize, ClassId, Vec<Slot>)> = Vec::new();
        for slot in slots {
            let class = self.roster[*slot].class();
            match parts.iter_mut().find(|(_, of, _)| *of == class) {
                Some((_, _, part)) => part.push(*slot),
                None => {
                    let (node, _) = self.roster[*slot].motion.free_at(self.clock.now);
                    parts.push((self.world[class].room(node, 0, FOREVER).len(), class, vec![*slot]));
                }
            }
        }
        parts.sort_by_key(|(size, class, _)| (usize::MAX - size, *class));
        let mut taken: FxHashSet<CellId> = FxHashSet::default();
        let mut vacancies_of = |class: ClassId, count: usize| -> Vec<Vacancy> {
            let space = &self.world[class];
            let nodes = NodeId::below(space.node_bound()).filter(|node| space.contains(*node));
            let inside = nodes.filter_map(|node| {
                let position = space.position(node).filter(|position| area.contains(*position))?;
                let [x, y] = [0, 1].map(|axis| f64::from(position[axis]) - middle[axis]);
                Some((x * x + y * y, node, position))
            });
            let mut inside: Vec<(f64, NodeId, [f32; 3])> = inside.collect();
            inside.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            let mut vacancies = Vec::new();
            for (_, node, position) in inside {
                if vacancies.len() == count {
                    break;
                }
                let room = space.room(node, 0, FOREVER);
                if room.iter().all(|entry| !taken.contains(&entry.cell)) {
                    taken.extend(room.iter().map(|entry| entry.cell));
                    vacancies.push(Vacancy { position, node: Some(node) });
                }
            }
            #[allow(clippy::cast_possible_truncation)] // world units
            let at = [middle[0] as f32, middle[1] as f32, 0.0];
            if vacancies.is_empty() {
                // The area has no room for them: as near as they come.
                vacancies.push(Vacancy { position: at, node: None });
            }
            vacancies
        };
        let with_places = |(_, class, slots): (usize, ClassId, Vec<Slot>)| {
            let vacancies = vacancies_of(class, slots.len());
            (slots, vacancies)
        };
        parts.into_iter().map(with_places).collect()
    }

    /// Which of `vacancies`, of which there is one at least, each of `slots` gets.
    fn assign_group(&self, slots: &[Slot], vacancies: &[Vacancy]) -> Vec<(Slot, Vacancy)> {
        let now = self.clock.now;
        let position = |slot: &Slot| {
            let (node, _) = self.roster[*slot].motion.free_at(now);
            self.class(*slot).position(node).unwrap_or_default()
        };
        let from: Vec<[f32; 3]> = slots.iter().map(position).collect();
        let to: Vec<[f32; 3]> = vacancies.iter().map(|vacancy| vacancy.position).collect();
        let places = pair(&from, &to);
        let middle = Vacancy { position: mean(&to), node: None };
        slots.iter().zip(places).map(|(slot, place)| (*slot, place.map_or(middle, |place| vacancies[place]))).collect()
    }

    /// Sends `slot`, which has given up its order, to `vacancy` or near it.
    fn send_to(&mut self, slot: Slot, vacancy: Vacancy, equals: Equals) -> Option<NodeId> {
        let class = self.roster[slot].class();
        let node = match vacancy.node {
            Some(node) => Some(node),
            None => self.standing.beacons.nearest(class, &self.world[class], vacancy.position),
        };
        let State { world, roster, destinations, standing, clock, .. } = self;
        let member = &roster[slot];
        let (from, _) = member.motion.free_at(clock.now);
        let beacons = &mut standing.beacons;
        let assign = |node| destinations.assign_near(member, [from, node], equals, world, roster, beacons).ok();
        let goal = node.and_then(assign);
        match goal {
            Some(goal) => self.set_goals(slot, Errand::Go, Goals::one(goal)),
            None if self.stop(slot).is_err() => {
                // It stands by where it is, although the place is another agent's goal.
                let goals = Goals::one(from);
                self.world.seek(class, &goals);
                self.roster[slot].order.give(Errand::StandBy, goals, Vec::new());
                self.roster[slot].turn.begin_anew(self.clock.now);
            }
            None => {}
        }
        goal
    }

    /// Takes the order of `slot` away, and what it claims. It gets another one at once.
    fn give_up_order(&mut self, slot: Slot) {
        self.note_order(slot);
        self.leave_path(slot);
        let member = &mut self.roster[slot];
        self.world.stop_seeking(member.class(), member.order.goals());
        self.destinations.give_up(member.id(), member.order.claimed());
        member.order.clear();
    }

    /// Lets the agents of `groups` wait for each other. Returns the groups that are still on their way.
    pub(super) fn march(&mut self, mut groups: Vec<Group>, report: &mut Report) -> Vec<Group> {
        groups.retain_mut(|group| {
            self.keep_together(group, report);
            group.of.len() > 1
        });
        groups
    }

    fn keep_together(&mut self, group: &mut Group, report: &mut Report) {
        // Who has arrived, or has lost its order, waits for nobody.
        group.of.retain(|marcher| {
            let Some(member) = self.roster.get(marcher.agent) else { return false };
            marcher.held.is_some() || !member.order.has_arrived() && !member.order.stands_by()
        });
        let mut left: Vec<Option<f64>> = Vec::with_capacity(group.of.len());
        for marcher in &group.of {
            let State { world, roster, .. } = &mut *self;
            let known = || roster.get(marcher.agent).and_then(|member| world.known_distance(member));
            left.push(marcher.held.or_else(known).filter(|left| left.is_finite()));
        }
        let Some(last) = left.iter().flatten().copied().reduce(f64::max) else { return };
        for (marcher, left) in group.of.iter_mut().zip(left) {
            let Some((slot, left)) = self.roster.slot(marcher.agent).zip(left) else { continue };
            if marcher.held.is_some() {
                if left >= last - group.spread / 2.0 {
                    marcher.held = None;
                    if let Some(goals) = self.goals_after_wait(slot, &marcher.goals) {
                        marcher.goals = goals.clone();
                        self.set_goals(slot, Errand::Go, goals);
                    } else {
                        report.news.push((marcher.agent, News::NoPlace));
                    }
                }
            } else if left < last - group.spread && self.stop(slot).is_ok() {
                marcher.held = Some(left);
            }
        }
    }

    /// The goals to which `slot`, which has waited for its group, goes on: `goals`, or the place nearest to them if
    /// they were closed. `None`: there is none.
    fn goals_after_wait(&mut self, slot: Slot, goals: &Goals) -> Option<Goals> {
        let member = &self.roster[slot];
        let (agent, class) = (member.id(), member.class());
        if let Ok(goals) = self.assign(agent, class, Errand::Go, goals) {
            return Some(goals);
        }
        let State { world, roster, destinations, standing, clock, .. } = self;
        let (from, _) = roster[slot].motion.free_at(clock.now);
        let near = *goals.nodes().first()?;
        let beacons = &mut standing.beacons;
        destinations
            .assign_near(&roster[slot], [from, near], Equals::Cheapest, world, roster, beacons)
            .ok()
            .map(Goals::one)
    }
}

/// For each of `from` one of `to`, by its index, as near as can be; `None`: none was left.
fn pair(from: &[[f32; 3]], to: &[[f32; 3]]) -> Vec<Option<usize>> {
    if from.len().max(to.len()) > MOST_BY_SUM {
        return pair_nearest(from, to);
    }
    // Thousandths of a world unit. There must be as many columns as rows at least.
    #[allow(clippy::cast_possible_truncation)] // positions are small
    let cost = |one: [f32; 3], other: [f32; 3]| (square(one, other).sqrt() * 1000.0).round().min(1e12) as i64;
    let is_wide = from.len() <= to.len();
    let (rows, columns) = if is_wide { (from, to) } else { (to, from) };
    let columns_of = least_sum(rows.len(), columns.len(), |row, column| cost(rows[row], columns[column]));
    if is_wide {
        return columns_of.into_iter().map(Some).collect();
    }
    let mut places = vec![None; from.len()];
    columns_of.into_iter().enumerate().for_each(|(row, column)| places[column] = Some(row));
    places
}

/// One after the other takes the nearest that is left, those nearest to the middle last.
fn pair_nearest(from: &[[f32; 3]], to: &[[f32; 3]]) -> Vec<Option<usize>> {
    let middle = mean(to);
    let mut order: Vec<usize> = (0..from.len()).collect();
    order.sort_by(|one, other| square(from[*other], middle).total_cmp(&square(from[*one], middle)));
    let mut left: Vec<usize> = (0..to.len()).collect();
    let mut places = vec![None; from.len()];
    for unit in order {
        // Among equals the lowest.
        let nearest = left.iter().enumerate().map(|(at, index)| (square(from[unit], to[*index]), *index, at));
        let Some((_, index, at)) = nearest.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))
        else {
            break;
        };
        places[unit] = Some(index);
        left.swap_remove(at);
    }
    places
}

fn square(one: [f32; 3], other: [f32; 3]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) - f64::from(b)).map(|axis| axis * axis).sum()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // positions are small
fn mean(of: &[[f32; 3]]) -> [f32; 3] {
    let count = of.len().max(1) as f64;
    [0, 1, 2].map(|axis| (of.iter().map(|at| f64::from(at[axis])).sum::<f64>() / count) as f32)
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    fn draw(count: usize, random: &mut Pcg64Mcg) -> Vec<[f32; 3]> {
        let side = f32::from(u16::try_from(count).unwrap()).sqrt() * 2.0;
        (0..count).map(|_| [random.random_range(0.0..side), random.random_range(0.0..side), 0.0]).collect()
    }

    fn sum(from: &[[f32; 3]], to: &[[f32; 3]], places: &[Option<usize>]) -> f64 {
        places.iter().enumerate().map(|(unit, place)| square(from[unit], to[place.unwrap()]).sqrt()).sum()
    }

    /// The least sum, by trying all orders.
    fn least(from: &[[f32; 3]], to: &[[f32; 3]], taken: &mut Vec<usize>) -> f64 {
        if taken.len() == from.len() {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for place in 0..to.len() {
            if !taken.contains(&place) {
                let own = square(from[taken.len()], to[place]).sqrt();
                taken.push(place);
                best = best.min(own + least(from, to, taken));
                taken.pop();
            }
        }
        best
    }

    #[test]
    fn small_groups_go_the_least_sum_of_ways() {
        let mut random = Pcg64Mcg::new(0xFACE);
        for (units, places) in [(1, 1), (2, 5), (4, 4), (5, 6), (6, 6)] {
            let (from, to) = (draw(units, &mut random), draw(places, &mut random));
            let pairs = pair(&from, &to);
            let mut taken: Vec<usize> = pairs.iter().flatten().copied().collect();
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), units, "no place twice");
            assert!((sum(&from, &to, &pairs) - least(&from, &to, &mut Vec::new())).abs() < 0.01);
        }
        let places = pair(&draw(5, &mut random), &draw(3, &mut random));
        assert_eq!(places.iter().flatten().count(), 3);
    }

    #[test]
    fn of_equally_near_places_a_large_group_takes_the_lowest_first() {
        // All stand in the middle of a ring of four places, of which each is there twice.
        let ring = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
        let to: Vec<[f32; 3]> = ring.iter().chain(&ring).copied().collect();
        let places = pair_nearest(&[[0.0; 3]; 10], &to);
        let expected: Vec<Option<usize>> = (0..8).map(Some).chain([None; 2]).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn large_groups_go_hardly_farther() {
        let mut random = Pcg64Mcg::new(0xFACE);
        let (from, to) = (draw(100, &mut random), draw(100, &mut random));
        let to: Vec<[f32; 3]> = to.iter().map(|[x, y, _]| [x + 60.0, y + 10.0, 0.0]).collect();
        let (best, nearest) = (sum(&from, &to, &pair(&from, &to)), sum(&from, &to, &pair_nearest(&from, &to)));
        assert!(nearest <= 1.1 * best, "{nearest} instead of {best}");
    }
}
