//! A run: a crowd that plays a problem step by step.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Context as _, Result};
use giveway::scenario::{Errands, Problem, ProblemLog};
use giveway::spaces::Direction;
use giveway::strategies::{Budget, ClassId, Crowd, CrowdSettings, Report};
use giveway::words::{Garbled, WordReader, Words};
use giveway::{Agent, AgentId, NodeId};

use super::lanes::Lanes;
use super::team::Team;
use crate::arguments::{SimulateArguments, YesNo};
use crate::count::Count;
use crate::memory::bytes_freed_by;
use crate::recording::{Hash, Recorder};
use crate::saved_run::Saving;
use crate::tick_times::TickTimes;
use crate::watch::bar;

/// A run that has ended.
pub(super) struct Run<'p> {
    pub(super) log: ProblemLog<'p>,
    /// Where each robot was when the run began.
    pub(super) starts: Vec<NodeId>,
    /// The lines of the hashes, the recording, and the saved run; empty, if they are not to be written.
    pub(super) hashes: String,
    pub(super) recording: String,
    pub(super) save: String,
    /// Why the run was not saved, if it was to be.
    pub(super) missed_save: Option<String>,
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

impl Work {
    /// Adds what `report` tells.
    fn add(&mut self, report: &Report) {
        self.moves += report.moves as u64;
        self.failed += report.failed.len() as u64;
        self.postponed += report.postponed.len() as u64;
        self.unreachable += report.unreachable.len() as u64;
        self.expansions += report.expansions;
        self.reverse_expansions += report.reverse_expansions;
        self.work += report.work;
    }

    fn counts(&mut self) -> [&mut u64; 7] {
        let Self { moves, failed, postponed, unreachable, expansions, reverse_expansions, work } = self;
        [moves, failed, postponed, unreachable, expansions, reverse_expansions, work]
    }

    /// Reads the counts that were written.
    fn read_from(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        for count in self.counts() {
            *count = words.tally()?;
        }
        Ok(())
    }
}

/// A crowd of the settings without robots, and the class of the robots that play `problem`.
pub(super) fn empty_crowd<'t, T: Team>(
    team: &'t T,
    arguments: &SimulateArguments,
    problem: &Problem,
    settings: CrowdSettings,
) -> Result<(Crowd<'t>, ClassId)> {
    let mut crowd = Crowd::new(settings);
    let lanes = match arguments.problem.lanes {
        Some(YesNo::No) => None,
        Some(YesNo::Yes) => Some(Lanes::of(team.grid(), problem.starts().len(), T::POSES)),
        None => Lanes::if_cheap(team.grid(), problem.starts().len(), T::POSES, arguments.budget),
    };
    let class = team.add_class(&mut crowd, lanes)?;
    Ok((crowd, class))
}

/// Checks that `log` has come as far as `crowd`, and that its robots are where the units of `crowd` are.
fn is_of(log: &ProblemLog<'_>, crowd: &Crowd<'_>, team: &impl Team) -> Result<(), Garbled> {
    if log.steps() != crowd.now() {
        return Err(Garbled::new("a log of as many steps as the crowd has had"));
    }
    let headings = [Direction::East, Direction::South, Direction::West, Direction::North];
    let node = |(place, heading): (u32, u32)| Some(team.node(place, *headings.get(heading as usize)?));
    if !log.poses().map(node).eq(crowd.agents().map(|agent| crowd.node(agent))) {
        return Err(Garbled::new("a log of robots where the crowd has them"));
    }
    Ok(())
}

impl<'p> Run<'p> {
    /// Plays `problem` with `team` from the beginning, or from where it was saved. With `keeps`, the log is recorded.
    pub(super) fn to_the_end<T: Team>(
        team: &T,
        arguments: &SimulateArguments,
        problem: &'p Problem,
        keeps: bool,
        settings: CrowdSettings,
        saving: &Saving,
    ) -> Result<Self> {
        let (mut crowd, class) = empty_crowd(team, arguments, problem, settings)?;
        crowd.record_calls(arguments.record.is_some());
        let turning = arguments.problem.is_turning();
        let (mut log, mut work, mut errands) = (ProblemLog::new(problem, turning), Work::default(), problem.errands());
        if let Some(saved) = &saving.saved {
            let around = |words: &mut WordReader<'_>| {
                log = ProblemLog::read_from(problem, turning, words)?;
                errands.read_from(words)?;
                work.read_from(words)
            };
            saved.load(|save| crowd.load(save), around)?;
            saved.check(is_of(&log, &crowd, team))?;
            saved.check_ticks(arguments.ticks, crowd.now())?;
        } else {
            for place in problem.starts() {
                crowd.add(class, Agent::bystander(team.start(*place)))?;
            }
        }
        let mut robots: Vec<(AgentId, NodeId)> = Vec::new();
        for agent in crowd.agents() {
            robots.push((agent, crowd.node(agent).context("a robot has left the crowd")?));
        }
        let starts = robots.iter().map(|(_, node)| *node).collect();
        let mut run = Self {
            log: if keeps { log.recorded() } else { log },
            starts,
            hashes: String::new(),
            recording: String::new(),
            save: String::new(),
            missed_save: None,
            times: TickTimes::default(),
            work,
            distance_bytes: 0,
            crowd_bytes: 0,
            ended: true,
        };
        if saving.saved.is_none() {
            for (robot, (agent, _)) in robots.iter().enumerate() {
                run.hand_out(&mut errands, robot, *agent, team, &mut crowd)?;
            }
        }
        let mut recorder = arguments.record.as_ref().map(|_| Recorder::begin()).transpose()?;
        let begin = Instant::now();
        let budget = arguments.budget.map_or(Budget::unlimited(), Budget::work);
        let bar = bar(arguments.ticks.into(), "ticks");
        for tick in crowd.now()..arguments.ticks {
            if arguments.time_limit.is_some_and(|limit| begin.elapsed() >= limit) {
                run.ended = false;
                break;
            }
            let before = Instant::now();
            let report = crowd.tick(budget);
            let took = before.elapsed();
            run.times.add(took);
            run.work.add(&report);
            if arguments.hashes.is_some() {
                writeln!(run.hashes, "{tick} {}", Hash(crowd.state_hash()))?;
            }
            if let Some(recorder) = &mut recorder {
                recorder.note(tick, &mut crowd)?;
            }

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
            if saving.is_due(tick) {
                let Self { log, work, .. } = &mut run;
                run.save = saving.text(crowd.save(), |words: &mut Words| {
                    log.write_to(words);
                    errands.write_to(words);
                    work.counts().into_iter().for_each(|count| words.word(*count));
                })?;
            }
            if !bar.is_hidden() {
                bar.set_message(Count(run.log.finished() as u64, "errand").to_string());
                bar.set_position(u64::from(tick) + 1);
            }
        }
        bar.finish_and_clear();
        run.missed_save = saving.missed(&run.save, crowd.now(), !run.ended)?;
        run.recording = recorder.map(Recorder::finish).unwrap_or_default();
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
