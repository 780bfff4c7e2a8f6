//! One step of all units by priority inheritance: a picture in, a picture out. Units that come first in the alphabet
//! have the way.

use giveway_core::Fuel;

use super::board::{Board, Rule, Unit};
use crate::Step;
use crate::choices::Choices;
use crate::generator::Generator;
use crate::spots::Paged;

fn step(mut board: Board) -> Option<Vec<Step>> {
    let fuel = &mut Fuel::unlimited();
    let starts: Vec<_> = board.units.iter().map(|unit| unit.start).collect();
    let order: Vec<u32> = (0..).take(starts.len()).collect();
    let mut choices = Choices::<Paged>::default();
    let mut spots = Vec::new();
    for (unit, start) in starts.into_iter().enumerate() {
        let spot = choices.spot_on(&mut board, unit, start, fuel).unwrap().unwrap();
        choices.explore(&mut board, spot, fuel).unwrap();
        spots.push(spot);
    }
    let mut generator = Generator::default();
    generator.ties.free_first = true;
    let found = generator.generate((&mut board, &mut choices), &spots, &order, std::iter::empty())?;
    Some(found.iter().zip(spots).map(|(option, spot)| choices.step(spot, *option)).collect())
}

/// The picture after one step.
fn after(board: Board) -> Vec<String> {
    let grid = board.grid.clone();
    let steps = step(board).expect("a step");
    let cell = |x, y| {
        let node = grid.node(x, y).unwrap();
        let here = steps.iter().position(|step| step.to == node);
        let free = if grid.is_passable(x, y) { '.' } else { '@' };
        here.map_or(free, |unit| char::from(b'A' + u8::try_from(unit).unwrap()))
    };
    let rows = (0..).take_while(|y| grid.node(0, *y).is_some());
    rows.map(|y| (0..grid.width()).map(|x| cell(x, y)).collect()).collect()
}

#[test]
fn who_has_the_way_pushes_others_before_it() {
    assert_eq!(after(Board::pictures(&["ABC."], &[".bca"])), [".ABC"]);
    assert_eq!(after(Board::pictures(&["AB.", "@.."], &[".ba", "@.."])), [".A.", "@B."]);
}

#[test]
fn who_pushes_in_vain_leaves_everyone_where_they_were() {
    assert_eq!(after(Board::pictures(&["ABC"], &["cba"])), ["ABC"]);
}

#[test]
fn who_has_to_exchange_places_goes_back_and_is_followed() {
    assert_eq!(after(Board::pictures(&["DABC", "@.@@"], &["cdba", "@.@@"])), [".DBC", "@A@@"]);
    assert_eq!(after(Board::pictures(&["..AB", "@.@@"], &["..ba", "@.@@"])), [".AB.", "@.@@"]);
    // Under the following rule nobody can follow at once.
    let following = Board::pictures(&["..AB", "@.@@"], &["..ba", "@.@@"]).rule(Rule::Following);
    assert_eq!(after(following), ["..AB", "@.@@"]);
}

#[test]
fn a_chain_of_pushes_may_be_long() {
    let row = |before: &str, unit: char, after: &str| format!("{before}{unit}{after}");
    let (starts, goals) = (row("", 'A', &".".repeat(1200)), row(&".".repeat(1200), 'a', ""));
    let mut board = Board::pictures(&[&starts], &[&goals]);
    let others = (1..1100).map(|x| board.grid.node(x, 0).unwrap());
    let units = board.units.drain(..).chain(others.map(|node| Unit { start: node, goals: vec![node] })).collect();
    let steps = step(Board::new(board.grid, Rule::Swap, 1, units, Vec::new())).unwrap();
    assert!(steps.iter().all(|step| step.action.is_none()), "too long a chain");
}

#[test]
fn who_is_on_the_way_of_a_neighbour_goes_elsewhere() {
    // Both ways of the first unit are equally long and free, and the second unit needs one of them.
    assert_eq!(after(Board::pictures(&["...", ".A.", ".B@"], &["..a", "..b", "..@"])), [".A.", ".B.", "..@"]);
}

#[test]
fn of_equally_near_cells_the_free_one_comes_first() {
    assert_eq!(after(Board::pictures(&["AB.", "..."], &[".b.", ".a."])), [".B.", "A.."]);
    assert_eq!(after(Board::pictures(&["A..", "B.."], &["...", "ba."])), [".A.", "B.."]);
}

#[test]
fn of_two_goals_side_by_side_it_keeps_its_own() {
    assert_eq!(after(Board::pictures(&[".A."], &["aaa"])), [".A."]);
}
