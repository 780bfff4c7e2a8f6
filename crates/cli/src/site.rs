//! Where agents go: the cells of a map, a navigation mesh, a graph.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use giveway::heuristic::{Metric, TrueDistances};
use giveway::plan::{PlanIn, Trace};
use giveway::render::Backdrop;
use giveway::scenario::{MovedGoal, PlanHeader, PlanText};
use giveway::sim::Endpoints;
use giveway::spaces::{Embedding, Grid};
use giveway::strategies::{ClassId, Crowd, SolutionIn, Watch};
use giveway::time::Span;
use giveway::{Footprint, Instance};

use crate::arguments::CrowdArguments;
use crate::learning::Directions;
use crate::node_map::Labels;
use crate::places::Places;
use crate::planning::{ChosenStrategy, Details};
use crate::violation_text::Violations;

/// A map, and the agents on it.
pub(crate) trait Site {
    type Space: Embedding;
    type Footprint: Footprint<Self::Space>;
    /// The estimates that aim true distances.
    type Metric: Metric<Self::Space> + Clone;

    /// The time after reading the files.
    fn begin(&self) -> Instant;

    fn instance(&self) -> Result<Instance<'_, Self::Space, Self::Footprint>>;

    /// The grid, and what agents learn on it; `None`: they learn nothing.
    fn learning(&self) -> Option<(&Grid, &Directions)> {
        None
    }

    fn distances(&self) -> TrueDistances<Self::Space, Self::Metric>;

    /// `arguments` in the steps of a crowd.
    fn crowd(&self, arguments: &CrowdArguments) -> CrowdArguments;

    fn plan(
        &self,
        chosen: &ChosenStrategy,
        instance: &Instance<'_, Self::Space, Self::Footprint>,
        distances: &mut TrueDistances<Self::Space, Self::Metric>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Self::Space, Details>;

    /// Adds the class of the agents to a crowd.
    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>) -> Result<ClassId>;

    /// The goals of `--task lifelong`.
    fn goals(&self) -> Endpoints;

    fn trace(&self, plan: &PlanIn<Self::Space>) -> Trace;

    /// The recording of a crowd, as it is written.
    fn traced(&self, recording: Trace) -> Trace {
        recording
    }

    fn violations(&self, plan: &PlanIn<Self::Space>) -> Violations;

    /// The violations of a recording, or of a piece of it, that begin during `span`.
    fn violations_of_trace(&self, trace: &Trace, span: Span) -> Violations;

    /// The plan as text; `None`: the text cannot express it.
    fn text(&self, _plan: &PlanIn<Self::Space>, _header: PlanHeader) -> Option<PlanText> {
        None
    }

    /// What the map is, for messages.
    fn kind(&self) -> &'static str;

    /// The file of the map, if the arguments do not name it.
    fn map_file(&self) -> Option<&Path> {
        None
    }

    /// Whether there is such a text.
    fn has_text(&self) -> bool {
        false
    }

    /// What traces say about the file of the map.
    fn labels(&self) -> Labels {
        Labels::default()
    }

    fn backdrop(&self) -> Backdrop;

    fn places(&self) -> Places;

    /// `None`: goals were not to be moved.
    fn moved_goals(&self) -> Option<Vec<MovedGoal>> {
        None
    }
}
