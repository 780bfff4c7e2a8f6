//! Patrols by a crowd, under the clock of the paper's patrols.

use giveway_core::{AgentId, NodeId, Tick};
use giveway_crowd::{Budget, Crowd, CrowdError, Report};

use super::error::PatrolError;
use super::legs::{straight, towards};
use super::metrics::PatrolMetrics;
use super::rules::PatrolRules;

/// Agents of a crowd that go back and forth between two places each, a given number of times, under the clock of
/// [`Patrols`](super::Patrols): a step of the crowd takes 1.5 units of time.
///
/// The crowd decides how agents plan. An agent is sent back in the tick in which it arrives. An agent that is done
/// rests where it is, and makes way for others, as resting units do. If an end is the goal of another agent, the crowd
/// [sends](Crowd::send) the agent nearby, and arriving there counts.
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_experiments::CrowdPatrols;
/// use giveway_spaces::Grid;
/// use giveway_crowd::{Class, Crowd, CrowdSettings};
///
/// let grid = Grid::open(20, 3)?;
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// let mut crowd = Crowd::new(CrowdSettings::new());
/// let guards = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
/// let ends = [[at(0, 1), at(19, 1)], [at(19, 0), at(0, 0)]];
/// let patrols = [crowd.add(guards, Agent::bystander(ends[0][0]))?, crowd.add(guards, Agent::bystander(ends[1][0]))?];
/// let mut patrols = CrowdPatrols::new(&mut crowd, &[(patrols[0], ends[0]), (patrols[1], ends[1])], 5)?;
/// while patrols.advance().is_some() {}
/// let metrics = patrols.metrics();
/// assert_eq!((metrics.loops, metrics.time, metrics.path), (10, 5.0 * 38.0 * 1.5, 10.0 * 38.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CrowdPatrols<'c, 'a> {
    crowd: &'c mut Crowd<'a>,
    patrols: Vec<Patrol>,
    began: Tick,
    /// The tick at which the last agent arrived for good, or now.
    ended: Tick,
    metrics: PatrolMetrics,
}

#[derive(Debug)]
struct Patrol {
    agent: AgentId,
    ends: [NodeId; 2],
    /// How many ends it has to come to.
    left: u64,
    /// How often it has come to an end.
    legs: u64,
}

impl<'c, 'a> CrowdPatrols<'c, 'a> {
    /// Sends each of `patrols` to the second of its two ends, and later back to the first, `loops` times.
    ///
    /// # Errors
    /// * There is no such agent, an agent is given twice, or an end does not exist. Then no agent has been sent.
    /// * The crowd refuses to send an agent. Then the agents before it have been sent.
    pub fn new(crowd: &'c mut Crowd<'a>, patrols: &[(AgentId, [NodeId; 2])], loops: u32) -> Result<Self, PatrolError> {
        for (patrol, (agent, ends)) in patrols.iter().enumerate() {
            if patrols[..patrol].iter().any(|(other, _)| other == agent) {
                return Err(PatrolError::SameAgent { patrol, agent: *agent });
            }
            let class = crowd.class_of(*agent).ok_or(CrowdError::NoSuchAgent(*agent))?;
            if let Some(node) = ends.iter().copied().find(|end| !crowd.has_node(class, *end)) {
                return Err(PatrolError::NoSuchNode { patrol, node });
            }
        }
        let left = 2 * u64::from(loops);
        if left > 0 {
            for (agent, ends) in patrols {
                crowd.send(*agent, towards(*ends, 0))?;
            }
        }
        let patrol = |(agent, ends): &(AgentId, [NodeId; 2])| Patrol { agent: *agent, ends: *ends, left, legs: 0 };
        let (began, patrols) = (crowd.now(), patrols.iter().map(patrol).collect());
        Ok(Self { crowd, patrols, began, ended: began, metrics: PatrolMetrics::default() })
    }

    /// Lets a tick of the crowd go by, without a limit on its work. Returns the report on the tick; `None` if all
    /// agents are done. An agent that was removed from the crowd counts as done.
    pub fn advance(&mut self) -> Option<Report> {
        if self.patrols.iter().all(|patrol| patrol.left == 0) {
            return None;
        }
        let report = self.crowd.tick(Budget::unlimited());
        self.ended = self.crowd.now();
        self.metrics.nodes += report.expansions;
        self.metrics.reverse_nodes += report.reverse_expansions;
        let patrols = |agent: &&AgentId| self.patrols.iter().any(|patrol| patrol.left > 0 && patrol.agent == **agent);
        self.metrics.stopped += report.stopped.iter().filter(patrols).count() as u64;
        for patrol in self.patrols.iter_mut().filter(|patrol| patrol.left > 0) {
            let Some(leg) = self.crowd.last_leg(patrol.agent) else {
                // The agent was removed from the crowd.
                patrol.left = 0;
                continue;
            };
            if !leg.is_move() {
                self.metrics.stood += 1;
            } else if leg.arrive == self.crowd.now() {
                let position =
                    |node| self.crowd.class_of(patrol.agent).and_then(|class| self.crowd.position(class, node));
                self.metrics.path += match (position(leg.from), position(leg.to)) {
                    (Some(from), Some(to)) => straight(from, to),
                    _ => 1.0,
                };
            }
            if self.crowd.is_home(patrol.agent) == Some(true) {
                patrol.left -= 1;
                patrol.legs += 1;
                self.metrics.loops += u64::from(patrol.legs.is_multiple_of(2));
                if patrol.left > 0 {
                    // The agent exists, and so does its goal.
                    let _ = self.crowd.send(patrol.agent, towards(patrol.ends, patrol.legs));
                }
            }
        }
        Some(report)
    }

    /// The crowd, to look at.
    pub fn crowd(&self) -> &Crowd<'a> {
        self.crowd
    }

    /// The time since the beginning, in units of time.
    pub fn now(&self) -> f64 {
        f64::from(self.ended - self.began) / f64::from(self.crowd.ticks_per_step()) * PatrolRules::ACTION
    }

    /// The metrics so far. No move of a crowd fails: moves that the guard stops have not begun.
    pub fn metrics(&self) -> PatrolMetrics {
        PatrolMetrics { time: self.now(), ..self.metrics.clone() }
    }
}
