//! A run: a crowd that plays a problem step by step.

use std::time::Instant;

use anyhow::{Context as _, Result};
use giveway::scenario::{Errands, Problem, ProblemLog};
use giveway::strategies::{Budget, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, NodeId};

use super::lanes::Lanes;
use super::team::Team;
use crate::arguments::{SimulateArguments, YesNo};
use crate::count::Count;
use crate::memory::bytes_freed_by;
use crate::tick_times::TickTimes;
use crate::watch::bar;

/// A run that has ended.
pub(super) struct Run<'p> {
    pub(super) log: ProblemLog<'p>,
    /// Without the handing out of errands.
    pub(super) times: TickTimes,
    pub(super) work: Work,
    /// The memory of the distances of the crowd in the end, and the memory of the whole crowd, in bytes.
    pub(super) distance_bytes: usize,
    pub(super) crowd_bytes: usize,
    /// Whether the run was not stopped by the time limit.
    pub(super) ended: bool,
}

/// What planning took, in counts.
#[derive(Default)]
pub(super) struct Work {
    pub(super) moves: u64,
    pub(super) failed: u64,
    pub(super) postponed: u64,
    pub(super) unreachable: u64,
    pub(super) expansions: u64,
    pub(super) reverse_expansions: u64,
    /// In units of a budget.
    pub(super) work: u64,
}

impl<'p> Run<'p> {
    /// Plays `problem` with `team`, and notes in `log` what is done.
    pub(super) fn to_the_end<T: Team>(
        team: &T,
        arguments: &SimulateArguments,
        problem: &'p Problem,
        log: ProblemLog<'p>,
        settings: CrowdSettings,
    ) -> Result<Self> {
        let mut crowd = Crowd::new(settings);
        let lanes = match arguments.problem.lanes {
            Some(YesNo::No) => None,
            Some(YesNo::Yes) => Some(Lanes::of(team.grid(), problem.starts().len(), T::POSES)),
            None => Lanes::if_cheap(team.grid(), problem.starts().len(), T::POSES, arguments.budget),
        };
        let class = team.add_class(&mut crowd, lanes)?;
        let mut robots: Vec<(AgentId, NodeId)> = Vec::new();
        for place in problem.starts() {
            let start = team.start(*place);
            robots.push((crowd.add(class, Agent::bystander(start))?, start));
        }
        let (times, work) = (TickTimes::default(), Work::default());
        let mut run = Self { log, times, work, distance_bytes: 0, crowd_bytes: 0, ended: true };
        let mut errands = problem.errands();
        for (robot, (agent, _)) in robots.iter().enumerate() {
            run.hand_out(&mut errands, robot, *agent, team, &mut crowd)?;
        }
        let begin = Instant::now();
        let budget = arguments.budget.map_or(Budget::unlimited(), Budget::work);
        let bar = bar(arguments.ticks.into(), "ticks");
        for tick in 0..arguments.ticks {
            if arguments.time_limit.is_some_and(|limit| begin.elapsed() >= limit) {
                run.ended = false;
                break;
            }
            let before = Instant::now();
            let report = crowd.tick(budget);
            let took = before.elapsed();
            run.times.add(took);
            run.work.moves += report.moves as u64;
            run.work.failed += report.failed.len() as u64;
            run.work.postponed += report.postponed.len() as u64;
            run.work.unreachable += report.unreachable.len() as u64;
            run.work.expansions += report.expansions;
            run.work.reverse_expansions += report.reverse_expansions;
            run.work.work += report.work;

            let mut actions = Vec::with_capacity(robots.len());
            for (agent, node) in &mut robots {
                let from = std::mem::replace(node, crowd.node(*agent).context("a robot has left the crowd")?);
                actions.push(team.action_between(from, *node));
            }
            run.log.step(actions, took.as_secs_f64());
            for (robot, (agent, node)) in robots.iter().enumerate() {
                if run.log.place(robot) == Some(team.place(*node)) {
                    run.log.finish(robot);
                    run.hand_out(&mut errands, robot, *agent, team, &mut crowd)?;
                }
            }
            if !bar.is_hidden() {
                bar.set_message(Count(run.log.finished() as u64, "errand").to_string());
                bar.set_position(u64::from(tick) + 1);
            }
        }
        bar.finish_and_clear();
        run.distance_bytes = crowd.distance_bytes();
        run.crowd_bytes = bytes_freed_by(crowd);
        Ok(run)
    }

    /// Gives `robot` its next errand; without one it stands by.
    fn hand_out<'a>(
        &mut self,
        errands: &mut Errands<'_>,
        robot: usize,
        agent: AgentId,
        team: &'a impl Team,
        crowd: &mut Crowd<'a>,
    ) -> Result<()> {
        if let Some(errand) = errands.next(robot) {
            self.log.assign(robot, errand);
            crowd.send_shared(agent, team.goals(errand.place))?;
        } else {
            crowd.stop(agent)?;
        }
        Ok(())
    }
}
