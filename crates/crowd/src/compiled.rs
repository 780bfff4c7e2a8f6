//! A crowd on the default store, compiled with this crate.
//!
//! Crowds are generic over their stores, and generic code is compiled where it is used: every game would compile the whole crowd anew. Builds without
//! optimisation, or with little, take instances of a generic function from the crate that has some; so this crate has one of each that is large.

use giveway_core::{Agent, AgentId, Goals, NodeId};

use crate::budget::Budget;
use crate::chain::Chain;
use crate::class_id::ClassId;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::report::Report;

/// Uses what a crowd can be told. Nobody calls it.
#[doc(hidden)]
pub fn crowd_on_the_default_store(
    crowd: &mut Crowd<'_>,
    (class, agent, id, node): (ClassId, Agent, AgentId, NodeId),
    (goals, chain): (Goals, Chain),
) -> Result<Report, CrowdError> {
    crowd.add(class, agent.clone())?;
    crowd.add_near(class, agent)?;
    crowd.send(id, goals)?;
    crowd.send(id, node)?;
    crowd.send_near(id, node)?;
    crowd.stop(id)?;
    crowd.place(id, node)?;
    crowd.place_near(id, node)?;
    crowd.change_class(id, class)?;
    crowd.set_chain(id, chain)?;
    crowd.set_open(class, node, false)?;
    crowd.remove(id)?;
    crowd.distance(id, Budget::unlimited());
    crowd.explain(id);
    crowd.poses(0.5).for_each(drop);
    Ok(crowd.tick(Budget::unlimited()))
}
