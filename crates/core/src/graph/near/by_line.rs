//! Places by straight-line distance from a target, listed as far as asked.

use super::ground::Ground;
use crate::vocabulary::NodeId;

/// The places of a ground that does not change, in order of straight-line distance from a target. Ties: the lower node
/// id first.
///
/// When a place beyond the end of the list is asked for, the list is built anew, at least four times as long. Building
/// the list takes time linear in the nodes of the ground. The list has room for at most about eight times the places
/// that were asked for.
#[derive(Clone, Debug)]
pub struct ByLine {
    target: NodeId,
    places: Vec<Listed>,
    is_complete: bool,
}

/// A place in a list, with its distance from the target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Listed {
    /// The place.
    pub node: NodeId,
    /// The square of its straight-line distance from the target, in world units.
    pub square: f64,
}

const FIRST_PIECE: usize = 64;

impl ByLine {
    /// The list of the places around `target`. Nothing is searched yet.
    pub fn new(target: NodeId) -> Self {
        Self { target, places: Vec::new(), is_complete: false }
    }

    /// The target.
    pub fn target(&self) -> NodeId {
        self.target
    }

    /// The place at `index`, from 0, among the places that `counts` accepts and on which a unit can stand; `None`:
    /// there are no more. Every call must pass an equal `ground`, and a `counts` that gives equal answers.
    pub fn get(&mut self, index: usize, ground: &impl Ground, counts: impl Fn(NodeId) -> bool) -> Option<Listed> {
        while index >= self.places.len() && !self.is_complete {
            self.lengthen(ground, &counts);
        }
        self.places.get(index).copied()
    }

    fn lengthen(&mut self, ground: &impl Ground, counts: &impl Fn(NodeId) -> bool) {
        let length = (self.places.len() * 4).max(FIRST_PIECE);
        let target = ground.position(self.target);
        let order = |a: &Listed, b: &Listed| a.square.total_cmp(&b.square).then(a.node.cmp(&b.node));
        let mut places: Vec<Listed> = Vec::with_capacity(2 * length);
        // The nearest of the places left out is at least this far.
        let mut limit = f64::INFINITY;
        self.is_complete = true;
        for node in NodeId::below(ground.node_bound()) {
            if !counts(node) || !ground.contains(node) {
                continue;
            }
            let square = square(target, ground.position(node));
            if square > limit {
                continue;
            }
            places.push(Listed { node, square });
            if places.len() == 2 * length {
                let (_, first_out, _) = places.select_nth_unstable_by(length, order);
                limit = first_out.square;
                places.truncate(length);
                self.is_complete = false;
            }
        }
        places.sort_unstable_by(order);
        if !self.is_complete {
            places.truncate(length);
        }
        self.places = places;
    }
}

/// The square of the straight-line distance; 0 where positions are not known.
fn square(from: Option<[f32; 3]>, to: Option<[f32; 3]>) -> f64 {
    match (from, to) {
        (Some(from), Some(to)) => {
            from.iter().zip(to).map(|(a, b)| f64::from(*a) - f64::from(b)).map(|offset| offset * offset).sum()
        }
        _ => 0.0,
    }
}
