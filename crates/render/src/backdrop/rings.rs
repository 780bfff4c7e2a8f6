//! Rings: walls joined end to end.

/// `walls` as rings: each wall begins where the wall before it in its ring ends. Points on straight lines are left out,
/// and so are walls without a length. A ring that does not close is left open.
///
/// If several walls begin in one point, the first of them in order goes on. Takes time in proportion to the walls, up
/// to a logarithmic factor.
pub(super) fn rings(walls: impl IntoIterator<Item = [[f64; 2]; 2]>) -> Vec<Vec<[f64; 2]>> {
    // Bits tell points apart; zero has one sign.
    let key = |at: [f64; 2]| at.map(|side| (side + 0.0).to_bits());
    let walls: Vec<[[f64; 2]; 2]> = walls.into_iter().filter(|[from, to]| key(*from) != key(*to)).collect();
    let mut by_begin: Vec<([u64; 2], usize)> =
        walls.iter().enumerate().map(|(wall, [from, _])| (key(*from), wall)).collect();
    by_begin.sort_unstable();
    // Of the walls that begin in one point, those before this place are used up; only the first place of each point
    // counts.
    let mut used = vec![0; walls.len()];
    let mut seen = vec![false; walls.len()];
    let mut next = |at: [f64; 2], seen: &[bool]| {
        let first = by_begin.partition_point(|(begin, _)| *begin < key(at));
        let skipped = used.get(first).copied()?;
        let of_point = by_begin[first + skipped..].iter().take_while(|(begin, _)| *begin == key(at));
        let place = of_point.map(|(_, wall)| *wall).enumerate().find(|(_, wall)| !seen[*wall]);
        used[first] = skipped + place.map_or(0, |(further, _)| further);
        place.map(|(_, wall)| wall)
    };
    let mut rings = Vec::new();
    for first in 0..walls.len() {
        let mut ring = Vec::new();
        let mut wall = (!seen[first]).then_some(first);
        while let Some(current) = wall {
            seen[current] = true;
            let [from, to] = walls[current];
            add(&mut ring, from);
            wall = next(to, &seen);
            if wall.is_none() && key(to) != key(walls[first][0]) {
                add(&mut ring, to);
            }
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings
}

/// Adds `point` to `ring`; it replaces the last point if that point lies on the way.
fn add(ring: &mut Vec<[f64; 2]>, point: [f64; 2]) {
    if let [.., a, b] = ring[..] {
        let (before, after) = ([b[0] - a[0], b[1] - a[1]], [point[0] - b[0], point[1] - b[1]]);
        let is_straight = before[0] * after[1] == before[1] * after[0];
        if is_straight && before[0] * after[0] + before[1] * after[1] > 0.0 {
            ring.pop();
        }
    }
    ring.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_joined_where_they_meet() {
        let square = |x: f64, size: f64| {
            let corners = [[x, 0.0], [x + size, 0.0], [x + size, size], [x, size]];
            [0, 1, 2, 3].map(|side| [corners[side], corners[(side + 1) % 4]])
        };
        let joined = |walls: &[[[f64; 2]; 2]]| rings(walls.iter().copied());
        let mut two = [square(0.0, 1.0), square(5.0, 2.0)].concat();
        two.reverse();
        assert_eq!(joined(&two).iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
        // Two that touch at a corner, as one way round or two.
        let around = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]];
        let touching: Vec<_> =
            (0..4).map(|side| [around[side], around[(side + 1) % 4]]).chain(square(0.0, 1.0)).collect();
        assert_eq!(joined(&touching).concat().len(), 8);
        // Straight on, and open.
        assert_eq!(joined(&[[[0.0, 0.0], [1.0, 1.0]], [[1.0, 1.0], [3.0, 3.0]]]), [[[0.0, 0.0], [3.0, 3.0]]]);
        // There and back; of no length; zeros of both signs.
        assert_eq!(joined(&[[[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]]), [[[0.0, 0.0], [1.0, 0.0]]]);
        assert_eq!(joined(&[[[-0.0, 0.0], [0.0, 0.0]]]), [] as [Vec<[f64; 2]>; 0]);
        assert!(joined(&[]).is_empty() && joined(&[[[f64::NAN; 2]; 2]]).is_empty());
    }
}
