//! Simulations that are saved: the crowd, and attached to it the tasks, how far they have come, and the metrics.

use giveway_core::{AgentId, Garbled, NodeId, Tick, WordReader, Words};
use giveway_crowd::{Save, SaveError, Served};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Actor, Simulation};
use crate::endpoints::Endpoints;
use crate::metrics::{AgentMetrics, Metrics};
use crate::recording::Recording;
use crate::task::{Assignment, Task};

type Actors = IndexMap<AgentId, Actor, FxBuildHasher>;

impl Simulation<'_> {
    /// Saves the simulation as it is now: the [crowd](giveway_crowd::Crowd::save), with the tasks and metrics attached.
    /// The recording is not saved.
    ///
    /// # Errors
    /// As for [`Crowd::save`](giveway_crowd::Crowd::save).
    pub fn save(&self) -> Result<Save, SaveError> {
        let mut save = self.crowd.save()?;
        let mut words = Words::new();
        write_metrics(&self.metrics, &mut words);
        write_actors(&self.actors, &mut words);
        save.attach(words.into_bytes());
        Ok(save)
    }

    /// Makes the simulation equal to the simulation that was saved. The crowd of this simulation must have been built
    /// like the saved crowd: see [`Crowd::load`](giveway_crowd::Crowd::load). If this simulation is
    /// [recorded](Self::recorded), a new recording begins. The setting [`nearest`](Self::nearest) is not saved: set it
    /// again.
    ///
    /// # Errors
    /// As for [`Crowd::load`](giveway_crowd::Crowd::load), or the save is not of a simulation. Nothing has changed.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings, Save};
    /// use giveway_sim::{Simulation, Task};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(12, 8)?;
    /// let empty = || -> Result<_, CrowdError> {
    ///     let mut crowd = Crowd::new(CrowdSettings::new());
    ///     let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    ///     Ok((Simulation::new(crowd), class))
    /// };
    /// let (mut simulation, class) = empty()?;
    /// let [start, goal] = [grid.node(0, 3), grid.node(11, 3)].map(|node| node.expect("on the grid"));
    /// simulation.add(class, Agent::new(start, goal), Task::Patrol(vec![goal, start]))?;
    /// simulation.run(20, Budget::unlimited());
    /// let file = simulation.save()?.to_bytes();
    ///
    /// let (mut again, _) = empty()?;
    /// again.load(&Save::from_bytes(&file)?)?;
    /// assert_eq!(again.metrics().arrivals, 1);
    /// again.run(20, Budget::unlimited());
    /// assert_eq!(again.metrics().arrivals, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(&mut self, save: &Save) -> Result<(), SaveError> {
        let mut words = WordReader::new(save.attached());
        let metrics = read_metrics(&mut words)?;
        let actors = read_actors(&mut words)?;
        if !words.is_at_end() {
            return Err(Garbled::new("the end of a simulation").into());
        }
        self.crowd.load(save)?;
        self.actors = self
            .crowd
            .agents()
            .map(|agent| (agent, actors.get(&agent).cloned()))
            .map(|(agent, known)| {
                let unknown = || Actor::new(Assignment::begin(Task::Once, agent), &self.crowd, agent);
                (agent, known.unwrap_or_else(unknown))
            })
            .collect();
        (self.metrics, self.checked) = (metrics, None);
        if self.recording.is_some() {
            let mut recording = Recording::default();
            self.crowd.agents().for_each(|agent| recording.appear(&self.crowd, agent));
            self.recording = Some(recording);
        }
        Ok(())
    }
}

fn write_metrics(metrics: &Metrics, words: &mut Words) {
    let mut copy = metrics.clone();
    counts(&mut copy).into_iter().for_each(|count| words.word(*count));
    served(&mut copy.served).into_iter().for_each(|count| words.size(*count));
    words.word(metrics.worst_tick.into());
}

fn read_metrics(words: &mut WordReader<'_>) -> Result<Metrics, Garbled> {
    let mut metrics = Metrics::default();
    for count in counts(&mut metrics) {
        *count = words.tally()?;
    }
    for count in served(&mut metrics.served) {
        *count = words.at_most(usize::MAX / 4)?;
    }
    metrics.worst_tick = words.word_32()?;
    Ok(metrics)
}

/// All counts of `metrics`.
fn counts(metrics: &mut Metrics) -> [&mut u64; 21] {
    let Metrics {
        ticks,
        agent_ticks,
        arrivals,
        flow_time,
        path_length,
        waits,
        replans,
        revisits,
        unreachable,
        searches,
        failed,
        postponed,
        stopped,
        overridden,
        rolled_back,
        expansions,
        reverse_expansions,
        work,
        worst_tick_expansions,
        worst_tick: _,
        overlaps,
        served: _,
        out_of_memory,
    } = metrics;
    [
        ticks,
        agent_ticks,
        arrivals,
        flow_time,
        path_length,
        waits,
        replans,
        revisits,
        unreachable,
        searches,
        failed,
        postponed,
        stopped,
        overridden,
        rolled_back,
        expansions,
        reverse_expansions,
        work,
        worst_tick_expansions,
        overlaps,
        out_of_memory,
    ]
}

fn served(served: &mut Served) -> [&mut usize; 6] {
    let Served { windowed, local_repair, pibt, step, lacam, standing, .. } = served;
    [windowed, local_repair, pibt, step, lacam, standing]
}

fn counts_of_agent(metrics: &mut AgentMetrics) -> [&mut u64; 7] {
    let AgentMetrics { arrivals, flow_time, path_length, waits, replans, revisits, unreachable } = metrics;
    [arrivals, flow_time, path_length, waits, replans, revisits, unreachable]
}

fn write_actors(actors: &Actors, words: &mut Words) {
    // Agents share places.
    let mut shared: Vec<&Endpoints> = Vec::new();
    for actor in actors.values() {
        if let Task::Lifelong { places, .. } = actor.assignment.task()
            && !shared.iter().rev().any(|known| known.is(places))
        {
            shared.push(places);
        }
    }
    words.size(shared.len());
    shared.iter().for_each(|places| write_places(places.nodes(), words));
    words.size(actors.len());
    for (agent, actor) in actors {
        words.word(agent.0.into());
        match actor.assignment.task() {
            Task::Once => words.word(0),
            Task::Patrol(places) => {
                words.word(1);
                write_places(places, words);
            }
            Task::Lifelong { places, seed } => {
                words.word(2);
                words.size(shared.iter().position(|known| known.is(places)).unwrap_or(0));
                words.word(*seed);
            }
        }
        actor.assignment.progress().into_iter().for_each(|count| words.word(count));
        counts_of_agent(&mut actor.metrics.clone()).into_iter().for_each(|count| words.word(*count));
        words.word(actor.ordered.into());
        words.word(actor.plans);
        let mut visited: Vec<NodeId> = actor.visited.iter().copied().collect();
        visited.sort_unstable();
        write_places(&visited, words);
        for flag in [actor.idle, actor.was_home, actor.is_sent, actor.has_arrived] {
            words.flag(flag);
        }
        words.option(actor.home_since);
    }
}

fn read_actors(words: &mut WordReader<'_>) -> Result<Actors, Garbled> {
    let mut shared: Vec<Endpoints> = Vec::new();
    for _ in 0..words.count()? {
        shared.push(read_places(words)?.into());
    }
    let mut actors = Actors::default();
    for _ in 0..words.count()? {
        let agent = AgentId(words.word_32()?);
        let task = match words.word()? {
            0 => Task::Once,
            1 => Task::Patrol(read_places(words)?),
            2 => Task::Lifelong { places: shared[words.below(shared.len())?].clone(), seed: words.word()? },
            _ => return Err(Garbled::new("a task")),
        };
        let progress = [words.tally()?, words.tally()?];
        let mut metrics = AgentMetrics::default();
        for count in counts_of_agent(&mut metrics) {
            *count = words.tally()?;
        }
        let ordered: Tick = words.word_32()?;
        let plans = words.tally()?;
        let visited = read_places(words)?.into_iter().collect();
        let mut flag = || words.flag();
        let (idle, was_home, is_sent, has_arrived) = (flag()?, flag()?, flag()?, flag()?);
        let home_since = words.option()?;
        let assignment = Assignment::resumed(task, agent, progress);
        let actor = Actor {
            assignment,
            metrics,
            ordered,
            plans,
            visited,
            newest: None,
            idle,
            was_home,
            is_sent,
            has_arrived,
            home_since,
        };
        if actors.insert(agent, actor).is_some() {
            return Err(Garbled::new("agents that differ"));
        }
    }
    Ok(actors)
}

fn write_places(places: &[NodeId], words: &mut Words) {
    words.size(places.len());
    let mut last = 0;
    for node in places {
        words.difference(last, node.0);
        last = node.0;
    }
}

/// Some nodes; a crowd refuses those that it does not have.
fn read_places(words: &mut WordReader<'_>) -> Result<Vec<NodeId>, Garbled> {
    let (mut places, mut last) = (Vec::new(), 0);
    for _ in 0..words.count()? {
        last = words.difference(last)?;
        places.push(NodeId(last));
    }
    Ok(places)
}
