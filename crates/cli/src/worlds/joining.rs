//! How the classes of a world join a crowd, and how they plan there.

use anyhow::{Result, bail};
use giveway::scenario::{WorldClass, WorldFile, WorldStrategy};
use giveway::strategies::{Chain, Class, ClassId, Crowd, Depth, Lra, Planner};

use super::kinds::{Kind, KindSpace, OnSpace, with_space};
use super::maps::{Terrain, WorldPart};
use super::sides::SharedSides;
use crate::learning::Directions;

impl Kind {
    /// Adds the class to `crowd`, with the map of its side. It is `editable` if areas close.
    pub(super) fn add_to(
        &self,
        crowd: &mut Crowd<'static>,
        sides: &SharedSides,
        seed: u64,
        editable: bool,
    ) -> Result<ClassId> {
        macro_rules! add {
            ($class:expr) => {{
                let mut class = $class;
                if let Some(outline) = &self.outline {
                    class = class.body(outline.clone());
                }
                if let Some(chain) = self.chain(seed) {
                    class = class.chain(chain);
                }
                if let Some(window) = self.window {
                    class = class.depth(Depth::Fixed(window));
                }
                if editable {
                    class = class.editable();
                }
                crowd.add_class(class)?
            }};
        }
        let side = self.side.as_ref().and_then(|side| sides.get(side));
        if self.strategy == Some(WorldStrategy::Dm) && side.is_none() {
            return Ok(match &self.space {
                KindSpace::Grid(OnSpace { space, footprint }) => {
                    add!(Class::new(space.clone(), footprint.clone()).layer(Directions::blank_map(space, None)))
                }
                KindSpace::Cells(OnSpace { space, footprint }) => {
                    add!(Class::new(space.clone(), footprint.clone()).layer(Directions::blank_map(space, None)))
                }
                _ => bail!("direction maps are learned on cells"),
            });
        }
        macro_rules! add_to_side {
            ($class:expr) => {
                match side {
                    Some(map) => add!($class.layer(map.clone())),
                    None => add!($class),
                }
            };
        }
        let class = &self.space;
        Ok(with_space!(class, on => add_to_side!(Class::new(on.space.clone(), on.footprint.clone()))))
    }

    /// Refuses a class that should learn a direction map of its own, and is not on square cells.
    pub(super) fn refuse_learning(&self, world: &WorldFile, class: &WorldClass, maps: &[WorldPart]) -> Result<()> {
        let own =
            class.strategy.as_ref().filter(|strategy| strategy.value == WorldStrategy::Dm && class.side.is_none());
        let Some(strategy) = own else {
            return Ok(());
        };
        let found = match (&self.space, &self.on[..]) {
            (KindSpace::Grid(_) | KindSpace::Cells(_), _) => return Ok(()),
            (KindSpace::Vehicles(_), _) => "a class that turns",
            (_, [map]) if !matches!(maps[*map].terrain, Terrain::Cells { .. }) => maps[*map].kind(),
            (_, [_]) => "links, a speed, or an offset",
            _ => "several maps",
        };
        let expected = "a side, or a class on one map of square cells, without links, for the strategy dm";
        Err(world.error_at(strategy.at, expected, found).into())
    }

    /// Whether the file says how the class plans, or that it learns.
    pub(super) fn has_strategy(&self) -> bool {
        self.strategy.is_some() || self.side.is_some()
    }

    /// `None`: that of the crowd.
    fn chain(&self, seed: u64) -> Option<Chain> {
        match self.strategy? {
            WorldStrategy::Whca => Some(Chain::default()),
            WorldStrategy::Dm => Some(Chain::followers(seed)),
            WorldStrategy::Lra => Some(Chain::new(Planner::LocalRepair(Lra::new(seed)))),
            _ => None,
        }
    }
}
