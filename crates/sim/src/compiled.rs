//! A simulation on the default store, compiled with this crate. See the module of that name in `giveway-strategies`.

use giveway_core::{Agent, AgentId, Goals, NodeId, Trace};
use giveway_crowd::{Budget, ClassId, Crowd, CrowdError};

use crate::{Simulation, Task};

/// Uses what a simulation can be told. Nobody calls it.
#[doc(hidden)]
pub fn simulation_on_the_default_store(
    crowd: Crowd<'_>,
    (class, agent, id, node): (ClassId, Agent, AgentId, NodeId),
    (goals, task): (Goals, Task),
) -> Result<Option<Trace>, CrowdError> {
    let mut simulation = Simulation::new(crowd).recorded().nearest();
    simulation.add(class, agent, task.clone())?;
    simulation.assign(id, task)?;
    simulation.send(id, goals)?;
    simulation.send(id, node)?;
    simulation.send_near(id, node)?;
    simulation.stop(id)?;
    simulation.place(id, node)?;
    simulation.place_near(id, node)?;
    simulation.change_class(id, class)?;
    simulation.set_open(class, node, false)?;
    simulation.remove(id)?;
    simulation.run(1, Budget::unlimited());
    Ok(simulation.trace())
}
