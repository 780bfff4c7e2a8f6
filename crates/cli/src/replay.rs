//! `giveway replay`: plays a recording again, and stops where it goes otherwise.

use std::fmt;

use anyhow::{Context as _, Result};
use giveway::AgentId;
use giveway::strategies::Crowd;
use giveway::time::Tick;

use crate::arguments::{ReplayArguments, SimulateArguments, TaskName};
use crate::count::Count;
use crate::input_file;
use crate::problem;
use crate::recording::{Hash, Recording};
use crate::simulate::{empty_crowd, settings};
use crate::site::Site;
use crate::verdict::Verdict;
use crate::world::{OnSite, SiteArguments};
use crate::worlds::LoadedWorld;

/// Plays the recording that `arguments` name.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<Verdict> {
    let path = &arguments.recording;
    let text = String::from_utf8(input_file::bytes(path)?).ok();
    let text = text.with_context(|| format!("{}: expected a text", path.display()))?;
    let (of_simulate, recording) = Recording::open(&text, path)?;
    if let Some(problem) = &of_simulate.problem.problem {
        return problem::replay_in(&of_simulate, problem, |crowd| replay_in(crowd, recording));
    }
    if let Some(world) = &of_simulate.instance.world {
        let world = LoadedWorld::read(world, of_simulate.seed, false)?;
        let (crowd, _) = world.crowd(settings(&world, &of_simulate), &world.course()?)?;
        return replay_in(crowd, recording);
    }
    let SimulateArguments { instance, learning, strategy, task, seed, .. } = &of_simulate;
    let (strategy, once) = (*strategy, *task == TaskName::Once);
    let site = SiteArguments { instance, learning, strategy, once, seed: *seed };
    site.run(Replaying { arguments: &of_simulate, recording })
}

/// The command, once it has the recording.
struct Replaying<'a> {
    arguments: &'a SimulateArguments,
    recording: Recording<'a>,
}

impl OnSite for Replaying<'_> {
    type Output = Verdict;

    fn run(self, site: &impl Site) -> Result<Verdict> {
        replay_on(site, self.arguments, self.recording)
    }
}

fn replay_on(site: &impl Site, arguments: &SimulateArguments, recording: Recording<'_>) -> Result<Verdict> {
    replay_in(empty_crowd(site, arguments)?.0, recording)
}

/// Plays `recording` in `crowd`, which has classes and no agents.
fn replay_in(mut crowd: Crowd<'_>, recording: Recording<'_>) -> Result<Verdict> {
    let recorded_by = recording.giveway.clone();
    let mut ticks = 0;
    let mut difference = None;
    for line in recording {
        let line = line?;
        // What was refused is refused again, or the hash tells.
        for call in &line.calls {
            let _ = crowd.apply(call);
        }
        let hash = Hash(crowd.state_hash());
        if hash != line.hash {
            let agents = line.agents.differing(&crowd);
            difference = Some(Difference { tick: line.tick, expected: line.hash, found: hash, agents });
            break;
        }
        ticks += 1;
    }
    let agents = crowd.agents().count();
    let good = difference.is_none();
    Ok(Verdict { good, text: Box::new(Story { ticks, agents, difference, recorded_by }), files: Vec::new() })
}

/// The first tick that went otherwise than recorded.
struct Difference {
    tick: Tick,
    expected: Hash,
    found: Hash,
    /// `None`: there are more or fewer than recorded.
    agents: Option<Vec<AgentId>>,
}

/// The summary for people.
struct Story {
    ticks: u64,
    agents: usize,
    difference: Option<Difference>,
    recorded_by: String,
}

/// So many agents are named.
const MOST_NAMED: usize = 20;

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticks, agents, difference, recorded_by } = self;
        let (ticks, agents) = (Count(*ticks, "tick"), Count(*agents as u64, "agent"));
        let Some(Difference { tick, expected, found, agents: differing }) = difference else {
            return writeln!(f, "{ticks} of {agents} went as recorded.");
        };
        writeln!(f, "Tick {tick} went otherwise than recorded, after {ticks} that went as recorded.")?;
        writeln!(f, "The hash is {found}, and {expected} in the recording.")?;
        match differing.as_deref() {
            None => writeln!(f, "There are {agents}, and more or fewer in the recording.")?,
            Some([]) => writeln!(f, "No agent differs: what differs is the map, or what concerns all agents.")?,
            Some(differing) => {
                let names: Vec<String> = differing.iter().take(MOST_NAMED).map(|agent| agent.0.to_string()).collect();
                write!(f, "These of {agents} differ: {}", names.join(", "))?;
                match differing.len().saturating_sub(MOST_NAMED) {
                    0 => writeln!(f, ".")?,
                    more => writeln!(f, ", and {more} more.")?,
                }
            }
        }
        let version = env!("CARGO_PKG_VERSION");
        if recorded_by != version {
            writeln!(
                f,
                "Recorded by giveway {recorded_by}, and replayed by {version}: hashes differ between versions."
            )?;
        }
        Ok(())
    }
}
