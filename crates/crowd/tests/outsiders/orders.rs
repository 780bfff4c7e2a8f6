//! What orders and edits do to outsiders, and outsiders to them.

use giveway_core::{Agent, AgentId, Area, ConflictRule, NodeId, Point, Tick};
use giveway_crowd::{
    Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings, Margin, News, Region, Round, SoftRests, Stages,
};
use giveway_spaces::Grid;

use crate::crowd::run::Run;

const CLASS: ClassId = ClassId(0);

/// A crowd of points on `grid`, of two classes that can be edited, with an agent of the first on `at`.
fn crowd_at(grid: &Grid, at: NodeId, settings: CrowdSettings) -> (Crowd<'static>, AgentId) {
    let mut crowd = Crowd::new(settings);
    for _ in 0..2 {
        crowd.add_class(Class::new(grid.clone(), Point::swap_rule(grid)).editable()).unwrap();
    }
    let agent = crowd.add(CLASS, Agent::bystander(at)).unwrap();
    (crowd, agent)
}

#[test]
fn an_outsider_of_another_class_is_still_an_outsider() {
    let grid = Grid::open(9, 5).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let (mut crowd, agent) = crowd_at(&grid, at(4, 2), CrowdSettings::new());
    crowd.predict(agent, &[(0, at(5, 2)), (1, at(6, 2))], Margin::new(1)).unwrap();
    crowd.change_class(agent, ClassId(1)).unwrap();
    let held =
        |crowd: &Crowd<'_>, node: NodeId| crowd.reservations(Region::All, 8).iter().any(|held| held.cell.0 == node.0);
    for tick in 0..3 {
        assert_eq!((crowd.is_outsider(agent), crowd.class_of(agent)), (Some(true), Some(ClassId(1))), "tick {tick}");
        // The margin is kept, and the path is not.
        assert_eq!([(4, 2), (3, 2), (4, 1), (6, 2)].map(|(x, y)| held(&crowd, at(x, y))), [true, true, true, false]);
        crowd.tick(Budget::work(2000));
        assert_eq!(crowd.node(agent), Some(at(4, 2)));
    }
    crowd.walk(agent, at(4, 1)).unwrap();
    crowd.tick(Budget::work(2000));
    assert_eq!(crowd.node(agent), Some(at(4, 1)));
}

#[test]
fn an_outsider_in_a_doorway_that_is_vacated_is_still_moved_by_the_game() {
    let grid = Grid::from_ascii("...@...\n.......\n...@...").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let door = Area::cells(3, 1, 1, 1).unwrap();
    let (mut crowd, player) = crowd_at(&grid, at(3, 1), CrowdSettings::new());
    crowd.predict(player, &[], Margin::new(1)).unwrap();
    assert_eq!(crowd.vacate(&door).unwrap(), [player]);
    for _ in 0..4 {
        crowd.tick(Budget::work(2000));
        assert_eq!((crowd.is_outsider(player), crowd.node(player)), (Some(true), Some(at(3, 1))));
    }
    // What is expected may be told again there, also of one who was none.
    crowd.predict(player, &[], Margin::new(1)).unwrap();
    crowd.predict(player, &[(crowd.now() + 2, at(4, 1))], Margin::new(1)).unwrap();
    crowd.walk(player, at(4, 1)).unwrap();
    crowd.tick(Budget::work(2000));
    assert_eq!((crowd.node(player), crowd.inside(&door).len()), (Some(at(4, 1)), 0));
    crowd.tick(Budget::work(2000));
    assert!(matches!(crowd.walk(player, at(3, 1)), Err(CrowdError::NoSuchMove { .. })), "the door is closed");

    let (mut crowd, player) = crowd_at(&grid, at(3, 1), CrowdSettings::new());
    crowd.vacate(&door).unwrap();
    crowd.predict(player, &[], Margin::new(1)).unwrap();
    crowd.tick(Budget::work(2000));
    assert_eq!((crowd.is_outsider(player), crowd.node(player)), (Some(true), Some(at(3, 1))));
}

/// All places west of the wall are goals of units in the east, so no stage can be had until these are gone.
#[test]
fn a_queue_whose_first_stage_is_taken_makes_an_outsider_wait_for_it() {
    let grid = Grid::from_ascii("...@...").unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    for is_patrol in [false, true] {
        let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
        let agent = run.crowd.add(run.class, Agent::bystander(at(0))).unwrap();
        run.crowd.predict(agent, &[], Margin::new(0)).unwrap();
        let others = [0, 1, 2].map(|x| run.crowd.add(run.class, Agent::new(at(x + 4), at(x))).unwrap());
        if is_patrol {
            run.crowd.patrol(agent, Stages::from([at(2), at(1)]).waiting(), Round::Around).unwrap();
        } else {
            run.crowd.queue(agent, Stages::from([at(2)]).waiting()).unwrap();
        }
        assert_eq!(run.crowd.is_outsider(agent), Some(false));
        others.into_iter().for_each(|other| run.crowd.remove(other).unwrap());
        let news: Vec<(AgentId, News)> = (0..40).flat_map(|_| run.tick().news).collect();
        assert!(news.contains(&(agent, News::Reached { stage: 0 })), "{news:?}");
    }
}

#[test]
fn a_path_out_of_the_cells_of_the_footprint_is_refused() {
    let (small, large) = (Grid::open(3, 3).unwrap(), Grid::open(6, 6).unwrap());
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&large, Point::swap_rule(&small))).unwrap();
    let agent = crowd.add(class, Agent::bystander(NodeId(0))).unwrap();
    let path: Vec<(Tick, NodeId)> = (1..6).map(|row| (row - 1, NodeId(6 * row))).collect();
    assert_eq!(crowd.predict(agent, &path, Margin::new(1)), Err(CrowdError::OutOfCells(NodeId(30))));
    assert_eq!(crowd.is_outsider(agent), Some(false));
    // Of the places around it only these are held that are cells.
    crowd.predict(agent, &[], Margin::new(5)).unwrap();
    for _ in 0..20 {
        crowd.tick(Budget::work(2000));
    }
    assert_eq!(crowd.node(agent), Some(NodeId(0)));
}

#[test]
fn a_held_outsider_may_be_predicted_where_others_walk_through_it() {
    let grid = Grid::open(9, 3).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    // Steps take a tick.
    let mut crowd = Crowd::new(CrowdSettings::new().soft_rests(SoftRests::default()));
    crowd.add_class(Class::new(&grid, Point::timed(&grid, 1).unwrap())).unwrap();
    let agent = crowd.add(CLASS, Agent::bystander(at(4, 1))).unwrap();
    for y in 0..3 {
        crowd.add(CLASS, Agent::new(at(2, y), at(8, y))).unwrap();
    }
    for tick in 0..12 {
        crowd.hold(agent, 3).unwrap();
        crowd.predict(agent, &[], Margin::new(1)).unwrap();
        if tick == 2 {
            // The store is made anew.
            crowd.add_class(Class::new(&grid, Point::timed(&grid, 3).unwrap())).unwrap();
        }
        crowd.tick(Budget::work(2000));
        assert_eq!(crowd.node(agent), Some(at(4, 1)));
    }
}
