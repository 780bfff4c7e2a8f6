//! Backdrops of worlds that are not one grid: tiles, roads, links, floors, and walls that come and go.

use giveway_core::{NodeId, Trace, TracedAgent, TracedMove, TracedOrder, TracedPlace};
use giveway_render::{AnimatedPicture, Backdrop, ExpansionPicture, FloorPlan, PlanPicture, Player};
use giveway_spaces::{FnSpace, Grid, Link, Linked, Positions, RoadRules, Roads};

use crate::support::layers::paths;
use crate::support::markup::elements;

/// The picture of an empty world.
fn picture(backdrop: &Backdrop) -> String {
    let picture = PlanPicture::new(&Trace::new(1, Vec::new()), backdrop).to_string();
    elements(&picture);
    picture
}

/// A street with a corner: from (0, 0) by (20, 0) to (20, 12).
fn street() -> FnSpace<u32, Positions> {
    let at = [[0.0, 0.0], [20.0, 0.0], [20.0, 12.0]];
    let near = |node: u32| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 3);
    FnSpace::new(3, |node| near(node).map(|to| (to, 1000)).collect::<Vec<_>>())
        .unwrap()
        .with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0])
        .unwrap()
}

/// The corners of a cell of `grid`, larger by a tenth.
fn cell(grid: &Grid, node: NodeId) -> Vec<[f32; 2]> {
    #[allow(clippy::cast_precision_loss)] // small
    let (x, y) = (grid.xy(node).0 as f32 * 1.1, grid.xy(node).1 as f32 * 1.1);
    vec![[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]]
}

#[test]
fn tiles_are_outlines_where_they_are_free_and_walls_where_they_are_closed() {
    let grid = Grid::from_ascii("..@").unwrap();
    let drawn = picture(&Backdrop::tiles(&grid, |node| cell(&grid, node)));
    assert_eq!(paths(&drawn, "tiles"), ["M-0.5 -0.5L0.5 -0.5L0.5 0.5L-0.5 0.5zM0.6 -0.5L1.6 -0.5L1.6 0.5L0.6 0.5z"]);
    assert_eq!(paths(&drawn, "blocks"), ["M1.7 -0.5L2.7 -0.5L2.7 0.5L1.7 0.5z"]);
    assert!(drawn.contains(".giveway .tiles{fill:none;stroke:#d9dce2"));
    // Heat is where tiles are, and a node without a tile has none.
    let backdrop = Backdrop::tiles(&grid, |node| if node.0 == 1 { vec![] } else { cell(&grid, node) });
    let heat = |counts: &[u32]| ExpansionPicture::new(counts, &backdrop).to_string().matches("class=\"heat ").count();
    assert_eq!((heat(&[1, 0, 0]), heat(&[0, 1, 0])), (1, 0));
}

#[test]
fn roads_are_as_wide_as_lanes_and_bend_as_vehicles_do() {
    let map = street();
    let roads = Roads::new(&map, RoadRules::new(4.0, 2.0, 3.0)).unwrap();
    let backdrop = Backdrop::roads(&roads, 2.0);
    let drawn = picture(&backdrop);
    let (lanes, edges) = (paths(&drawn, "lanes"), paths(&drawn, "edges"));
    assert_eq!(lanes, edges);
    assert_eq!(paths(&drawn, "nodes").len(), 0);
    // Lanes are beneath lines, and 2 world units wide.
    assert!(drawn.find("class=\"lanes\"") < drawn.find("class=\"edges\""));
    let (_, tag) = drawn.split_once("<path class=\"lanes\"").unwrap();
    assert!(tag.split_once(" d=").unwrap().0.contains("stroke-width=\"2\""), "{tag}");
    // Both curves at the corner go through many points; between places lines are straight.
    let points: Vec<usize> = lanes[0].split('M').skip(1).map(|line| line.matches('L').count()).collect();
    assert_eq!(
        points.iter().filter(|points| **points > 5).count(),
        4,
        "{points:?}: two at the corner, two at the ends"
    );
    let page = Player::new(&Trace::new(1, Vec::new()), &backdrop).to_string();
    assert!(page.contains("\"kind\":\"lanes\"") && page.contains("\",\"width\":2}"));
}

#[test]
fn links_are_dashed_and_so_are_jumps() {
    let link = |grid: &Grid| Link::new(grid.node(0, 0).unwrap(), grid.node(2, 0).unwrap(), 2000, 2.0);
    let grid = Grid::from_ascii(".@.").unwrap();
    let portal = Linked::new(grid.clone(), vec![link(&grid).jumps()]).unwrap();
    let bridge = Linked::new(grid.clone(), vec![link(&grid)]).unwrap();
    let drawn = [&portal, &bridge].map(|space| picture(&Backdrop::graph(space)));
    assert_eq!([paths(&drawn[0], "links"), paths(&drawn[0], "edges")], [vec!["M0 0L2 0"], vec![]]);
    assert_eq!([paths(&drawn[1], "links"), paths(&drawn[1], "edges")], [vec![], vec!["M0 0L2 0"]]);
    let cells = Backdrop::cells(3, 1, |x, _| x != 1);
    let added = picture(&cells.with_links([[[0.0; 3], [2.0, 0.0, 3.0]]]));
    assert_eq!(paths(&added, "links"), ["M0 0L2 0"]);
    assert!(added.contains("stroke-dasharray="));
}

#[test]
fn walls_stand_from_one_tick_to_another() {
    let house = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]];
    let place = |x| TracedPlace::new(0, [x, 0.0, 0.0]);
    let agent = TracedAgent::new(place(0.0), vec![place(3.0)], vec![TracedMove::new(0, 16, place(3.0))]);
    let trace = Trace::new(1, vec![agent]);
    let backdrop = Backdrop::cells(4, 4, |_, _| true).with_walls_during(5..15, [house]);
    let still = PlanPicture::new(&trace, &backdrop).to_string();
    assert_eq!(paths(&still, "blocks"), ["M1 1L3 1L3 2L1 2z"]);
    assert!(still.contains("z\" opacity=\".5\"/>"));
    let moving = AnimatedPicture::new(&trace, &backdrop).to_string();
    elements(&moving);
    // Sixteen ticks, and a pause of four.
    assert!(moving.contains("z\" visibility=\"hidden\">"));
    assert!(moving.contains("values=\"hidden;visible;hidden\" keyTimes=\"0;0.25;0.75\""), "{moving}");
    let page = Player::new(&trace, &backdrop).to_string();
    assert!(page.contains("\"path\":\"M1 1L3 1L3 2L1 2z\",\"from\":5,\"until\":15}"));
    // Walls that always stand are no different from others.
    let drawn = picture(&Backdrop::cells(4, 4, |_, _| true).with_walls([house]));
    assert_eq!(paths(&drawn, "blocks"), ["M1 1L3 1L3 2L1 2z"]);
    assert!(!drawn.contains("opacity=\".5\"/>"));
}

#[test]
fn one_map_lies_over_another() {
    let cells = || Backdrop::cells(20, 20, |x, _| x != 19);
    let page = |backdrop: &Backdrop| Player::new(&Trace::new(1, Vec::new()), backdrop).to_string();
    let both = page(&cells().and(Backdrop::graph(&street())));
    // The street reaches half a unit beyond the cells, and its margin is not added.
    assert!(both.contains("\"extent\":[-0.5,-0.5,20,19.5],\"pitch\":1,\"cells\":true"));
    let kinds: Vec<&str> = both.split("\"kind\":\"").skip(1).map(|layer| layer.split_once('"').unwrap().0).collect();
    assert_eq!(kinds, ["walls", "links", "edges", "nodes"]);
    let rough = page(&Backdrop::graph(&street()).with_rough([[[-9.0, 0.0], [0.0, 0.0], [0.0, 9.0]]]));
    assert!(rough.contains("\"layers\":[{\"kind\":\"rough\",\"path\":\"M-9 0L0 0L0 9z\"}"), "{rough}");
}

#[test]
fn floors_lie_beside_each_other() {
    let plan = FloorPlan::new([0.0, -4.0]);
    let place = |z| TracedPlace { heading: 0.5, ..TracedPlace::new(7, [1.0, 2.0, z]) };
    let order = TracedOrder { tick: 9, goals: vec![place(6.0)] };
    let moves = vec![TracedMove { trajectory: Some(0), ..TracedMove::new(1, 4, place(3.0)) }];
    let agent = TracedAgent { orders: vec![order], ..TracedAgent::new(place(0.0), vec![place(3.0)], moves) };
    let trace = Trace { until: Some(12), ..Trace::new(2, vec![agent]) };
    let shown = plan.trace(&trace);
    let agent = &shown.agents[0];
    let at = |place: &TracedPlace| place.position;
    assert_eq!(
        [at(&agent.start), at(&agent.goals[0]), at(&agent.orders[0].goals[0]), at(&agent.moves[0].to)],
        [[1.0, 2.0, 0.0], [1.0, -10.0, 3.0], [1.0, -22.0, 6.0], [1.0, -10.0, 3.0]]
    );
    assert_eq!((shown.until, agent.moves[0].trajectory, agent.start.heading), (Some(12), Some(0), 0.5));
    assert_eq!(FloorPlan::new([0.0; 2]).trace(&trace), trace);
}

#[test]
fn shapes_that_make_no_sense_make_pictures_all_the_same() {
    let grid = Grid::open(3, 1).unwrap();
    for side in [f32::NAN, f32::INFINITY, f32::MAX, 0.0, 1e-30] {
        let shape = [[side, 0.0], [0.0, side], [side, side]];
        let backdrops = [
            Backdrop::tiles(&grid, |_| shape).with_walls_during(9..9, [shape]),
            Backdrop::tiles(&grid, |_| [[side; 2]; 0]).with_rough([shape]).with_rough([[[side; 2]; 0]]),
            Backdrop::roads(&grid, side).with_links([[[side; 3], [0.0; 3]]]).and(Backdrop::tiles(&grid, |_| shape)),
        ];
        for backdrop in backdrops {
            for drawn in [picture(&backdrop), AnimatedPicture::new(&Trace::new(1, vec![]), &backdrop).to_string()] {
                assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
                elements(&drawn);
            }
            let page = Player::new(&Trace::new(1, Vec::new()), &backdrop).to_string();
            assert!(!page.rsplit_once("id=\"trace\"").unwrap().1.contains("NaN"));
        }
    }
}
