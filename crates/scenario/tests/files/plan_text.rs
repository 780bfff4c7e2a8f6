//! Plans as text.

use giveway_core::{Agent, AtEnd, Goals, Motion, Move, NodeId, Path, Plan, SpaceGraph, Step};
use giveway_scenario::{PlanHeader, PlanText};
use giveway_spaces::{Connectivity, Direction, Grid};

use crate::files::{grid, rejects};

fn parse(contents: &str) -> PlanText {
    PlanText::parse(contents, "plan.txt").unwrap()
}

fn header() -> PlanHeader {
    PlanHeader { map_file: "open.map".into(), solver: "hand".into(), solved: true }
}

fn open() -> Grid {
    grid(&["...", "..."])
}

const TWO_SWAP_SIDES: &str = "\
agents=2
map_file=open.map
solver=hand
solved=1
soc=7
makespan=4
starts=(0,0),(2,0),
goals=(2,0),(0,0),
solution=
0:(0,0),(2,0),
1:(0,1),(2,0),
2:(0,1),(1,0),
3:(1,1),(0,0),
4:(2,1),(0,0),
";

#[test]
fn a_plan_is_written_as_it_was_read() {
    let text = parse(TWO_SWAP_SIDES);
    assert_eq!(text.to_string(), TWO_SWAP_SIDES);
    assert_eq!(text.agents, 2);
    assert_eq!(text.map_file.as_deref(), Some("open.map"));
    assert_eq!(text.solver.as_deref(), Some("hand"));
    assert_eq!((text.solved, text.soc, text.makespan), (Some(true), Some(7), Some(4)));
    assert_eq!(text.starts, Some(vec![(0, 0), (2, 0)]));
    assert_eq!(text.goals, Some(vec![(2, 0), (0, 0)]));
    assert_eq!(text.solution[3], [(1, 1), (0, 0)]);
}

#[test]
fn text_becomes_paths_and_paths_become_text() {
    let grid = open();
    let text = parse(TWO_SWAP_SIDES);
    let plan = text.to_plan(&grid).unwrap();
    assert_eq!((plan.makespan(), plan.sum_of_costs()), (4, 7));
    // Down, wait, east, east; the other waits once, goes west twice, and what follows is no part of its path.
    let steps = |path: &Path<Direction, u32>| -> Vec<(u32, u32, bool)> {
        let steps = path.steps.iter();
        steps.map(|step| (step.depart, step.arrive, matches!(step.motion, Motion::Move(_)))).collect()
    };
    assert_eq!(steps(&plan.paths[0]), [(0, 1, true), (1, 2, false), (2, 3, true), (3, 4, true)]);
    assert_eq!(steps(&plan.paths[1]), [(0, 1, false), (1, 2, true), (2, 3, true)]);
    assert_eq!((plan.paths[0].cost, plan.paths[1].cost), (4000, 3000));
    let agents = text.to_agents(&grid).unwrap();
    assert_eq!(agents, [Agent::new(NodeId(0), NodeId(2)), Agent::new(NodeId(2), NodeId(0))]);
    let again = PlanText::from_plan(&grid, &agents, &plan, header());
    assert_eq!(again.to_string(), TWO_SWAP_SIDES);
    assert_eq!(again.to_plan(&grid).unwrap(), plan);
}

#[test]
fn every_way_to_write_a_plan_is_read() {
    for contents in [
        "agents=1\nsolution=\n0:(0,0),\n1:(1,0),\n",
        "solution=\n0:(0,0)\n1:(1,0)",
        "solution=\r\n0:(0,0),\r\n1:(1,0),\r\n\r\n",
        "solution=\r\n0:(0,0),\r\n1:(1,0),\r",
        "\u{feff}agents = 1\n\nsolution= \n 0 : ( 0 , 0 ) , \n1:\t(1,0)\n\n \n",
        "instance=a.txt\nagents=1\nlb_soc=3\nlb_makespan=2\ncomp_time=0.5\nseed=-1\nparam=a=b\nseed=2\nsolution=\n0:(0,0),\n1:(1,0),\n",
        "solved=true\nsoc=1\nmakespan=1\nstarts=(0,0)\ngoals=(1,0)\nsolution=\n000:(00,0),\n01:(1,0),\n",
    ] {
        let text = parse(contents);
        assert_eq!(text.agents, 1, "{contents}");
        assert_eq!(text.solution, [[(0, 0)], [(1, 0)]], "{contents}");
        let grid = open();
        assert_eq!(text.to_plan(&grid).unwrap().makespan(), 1);
        assert_eq!(text.to_agents(&grid).unwrap(), [Agent::new(NodeId(0), NodeId(1))]);
    }
}

#[test]
fn names_may_be_anything_on_a_line() {
    let text = parse("map_file= a = b.map\nsolver=\nsolution=\n0:\n");
    assert_eq!(text.map_file.as_deref(), Some(" a = b.map"));
    assert_eq!(text.solver.as_deref(), Some(""));
    assert_eq!((text.agents, text.solution.len()), (0, 1));

    let named = PlanHeader { solver: "two\nlines".into(), ..header() };
    let text = PlanText::from_plan(&open(), &[], &Plan { paths: Vec::new() }, named);
    assert_eq!(parse(&text.to_string()).solver.as_deref(), Some("two lines"));
}

#[test]
fn a_single_tick_is_a_plan() {
    let grid = open();
    let plan = parse("agents=1\nstarts=(1,1),\ngoals=(1,1),\nsolution=\n0:(1,1),\n").to_plan(&grid).unwrap();
    assert_eq!(plan.paths, [Path::standing(grid.node(1, 1).unwrap(), 0, AtEnd::Stay)]);
}

#[test]
fn where_nothing_was_found_agents_stand_at_their_starts() {
    let grid = open();
    let text = parse("agents=1\nsolved=0\nstarts=(1,1),\ngoals=(0,0),\nsolution=\n");
    assert_eq!(text.to_plan(&grid).unwrap().paths[0].end(), NodeId(4));
    assert_eq!(text.to_agents(&grid).unwrap()[0].goals, Goals::one(NodeId(0)));

    let silent = parse("agents=4294967295\nsolved=0\nsolution=\n");
    assert_eq!(
        silent.to_plan(&grid).unwrap_err().to_string(),
        "plan.txt: expected the cells of 4294967295 agents, found 0"
    );
    assert_eq!(
        silent.to_agents(&grid).unwrap_err().to_string(),
        "plan.txt: expected the cells of 4294967295 agents, found 0"
    );
    assert_eq!(parse("solved=0\nsolution=\n").to_plan(&grid).unwrap().paths.len(), 0);
}

#[test]
fn an_unsolved_plan_claims_no_costs() {
    let grid = open();
    let agents = [Agent::new(NodeId(0), [2, 5].map(NodeId).into_iter().collect::<Goals>())];
    let plan = Plan { paths: vec![Path::standing(NodeId(0), 0, AtEnd::Stay)] };
    let unsolved = PlanHeader { solved: false, ..header() };
    assert_eq!(
        PlanText::from_plan(&grid, &agents, &plan, unsolved).to_string(),
        "agents=1\nmap_file=open.map\nsolver=hand\nsolved=0\nstarts=(0,0),\ngoals=(2,0),\nsolution=\n0:(0,0),\n"
    );
}

#[test]
fn of_several_goals_the_one_reached_is_written() {
    let grid = open();
    let plan = parse("solution=\n0:(1,1),\n1:(2,1),\n").to_plan(&grid).unwrap();
    let agents = [Agent::new(NodeId(4), [2, 5].map(NodeId).into_iter().collect::<Goals>())];
    let text = PlanText::from_plan(&grid, &agents, &plan, header());
    assert_eq!(text.goals, Some(vec![(2, 1)]));
}

#[test]
fn jumps_become_moves_that_the_grid_does_not_have() {
    let grid = grid(&["...@", "...."]);
    for (from, to, action) in [
        ((0, 0), (2, 0), Direction::East),
        ((2, 1), (0, 0), Direction::West),
        ((0, 0), (1, 1), Direction::East),
        ((2, 0), (3, 0), Direction::East),
        ((3, 0), (2, 0), Direction::West),
        ((3, 1), (3, 0), Direction::North),
        ((3, 0), (3, 1), Direction::South),
    ] {
        let text = format!("solution=\n0:({},{})\n1:({},{})\n2:({},{})", from.0, from.1, to.0, to.1, to.0, to.1);
        let plan = parse(&text).to_plan(&grid).unwrap();
        let (from, to) = (grid.node(from.0, from.1).unwrap(), grid.node(to.0, to.1).unwrap());
        let forged = Move { from, to, action, cost: 1000, length: 1.0 };
        assert!(grid.moves(from).all(|m| m != forged));
        // Whoever asks the grid about it gets an answer all the same.
        assert!(grid.crossing(&forged).is_none_or(|crossing| (crossing as usize) < grid.facts().crossing_bound));
        assert_eq!(plan.paths[0].steps, [Step { motion: Motion::Move(forged), depart: 0, arrive: 1 }]);
    }
}

#[test]
fn diagonals_are_moves_where_the_grid_has_them() {
    let text = parse("solution=\n0:(0,0)\n1:(1,1)\n");
    let cost = |grid: &Grid| text.to_plan(grid).unwrap().paths[0].cost;
    assert_eq!(cost(&open()), 1000);
    assert_eq!(cost(&open().with_connectivity(Connectivity::Eight)), 1414);
}

#[test]
fn cells_that_are_not_on_the_map_are_rejected_with_their_line() {
    let grid = open();
    for (contents, to_plan, to_agents) in [
        (
            "solution=\n0:(0,0),(1,0),\n1:(0,0),(1,0),\n2:(0,0),(3,0),\n3:(0,0),(1,0),\n",
            Some("plan.txt:4: expected agent 1 on the 3 x 2 map, found (3,0)"),
            None,
        ),
        (
            "\nsolution=\n0:(0,4294967295),(1,0),\n1:(0,0),(1,0)",
            Some("plan.txt:3: expected agent 0 on the 3 x 2 map, found (0,4294967295)"),
            Some("plan.txt:3: expected agent 0 on the 3 x 2 map, found (0,4294967295)"),
        ),
        (
            "solution=\n0:(0,0)\n1:(0,2)",
            Some("plan.txt:3: expected agent 0 on the 3 x 2 map, found (0,2)"),
            Some("plan.txt:3: expected agent 0 on the 3 x 2 map, found (0,2)"),
        ),
        (
            "agents=1\ngoals=(9,9)\nsolution=\n0:(0,0)\n",
            None,
            Some("plan.txt:2: expected agent 0 on the 3 x 2 map, found (9,9)"),
        ),
        (
            "starts=(9,9)\nsolved=0\nsolution=\n",
            Some("plan.txt:1: expected agent 0 on the 3 x 2 map, found (9,9)"),
            Some("plan.txt:1: expected agent 0 on the 3 x 2 map, found (9,9)"),
        ),
    ] {
        let text = parse(contents);
        let message = |error: giveway_scenario::FileError| error.to_string();
        assert_eq!(text.to_plan(&grid).err().map(message).as_deref(), to_plan);
        assert_eq!(text.to_agents(&grid).err().map(message).as_deref(), to_agents);
    }
}

#[test]
fn changed_fields_that_disagree_are_rejected() {
    let mut text = parse("solution=\n0:(0,0),(1,0),\n1:(0,0),(1,0),\n");
    text.solution[1].pop();
    assert_eq!(text.to_plan(&open()).unwrap_err().to_string(), "plan.txt:3: expected the cells of 2 agents, found 1");
}

#[test]
fn bad_plans_are_rejected_with_their_place() {
    const CELL: &str = "a cell as (x,y)";
    const COORDINATE: &str = "a coordinate from 0 to 4294967295";
    let table: Vec<(&[u8], String)> = vec![
        // The header.
        (b"", "1: expected \"solution=\", found the end of the file".into()),
        (b"agents=1\n", "2: expected \"solution=\", found the end of the file".into()),
        (b"0:(0,0),\n", "1: expected key=value or \"solution=\", found \"0:(0,0),\"".into()),
        (b"agents=1\n0:(0,0),\n1:(1,0),\n", "2: expected key=value or \"solution=\", found \"0:(0,0),\"".into()),
        (b"solution\n", "1: expected key=value or \"solution=\", found \"solution\"".into()),
        (b"solution=0:(0,0),\n", "1:10: expected nothing after \"solution=\", found \"0:(0,0),\"".into()),
        (b"agents=-1\n", "1:8: expected the number of agents, found \"-1\"".into()),
        (b"agents=\n", "1:8: expected the number of agents, found nothing".into()),
        (b"agents=99999999999999999999\n", "1:8: expected the number of agents, found \"99999999999999999999\"".into()),
        (b"agents=2\nagents=3\n", "2: expected 2 agents as on line 1, found 3".into()),
        (b"solved=maybe\n", "1:8: expected 1 or 0, found \"maybe\"".into()),
        (b"soc=-1\n", "1:5: expected a whole number of ticks, found \"-1\"".into()),
        (b"makespan=4294967296\n", "1:10: expected a whole number of ticks, found \"4294967296\"".into()),
        (b"solver=a\nsolver=b\n", "2: expected each key once, found \"solver=b\"".into()),
        (b"starts=(0,0)\nstarts=(0,0)\n", "2: expected each key once, found \"starts=(0,0)\"".into()),
        (b"agents=2\nstarts=(0,0),\nsolution=\n", "2: expected 2 agents as on line 1, found 1".into()),
        (b"starts=(0,0),\ngoals=(0,0),(1,0),\n", "2: expected 1 agent as on line 1, found 2".into()),
        (b"starts=(0,0),\nagents=4294967295\n", "2: expected 1 agent as on line 1, found 4294967295".into()),
        // The ticks.
        (
            b"solution=\n",
            "2: expected \"0:\" and the cells of all agents, or \"solved=0\", found the end of the file".into(),
        ),
        (
            b"solved=1\nsolution=\n\n",
            "4: expected \"0:\" and the cells of all agents, or \"solved=0\", found the end of the file".into(),
        ),
        (b"solution=\n1:(0,0)\n", "2: expected tick 0, found 1".into()),
        (b"solution=\n0:(0,0)\n2:(0,0)\n", "3: expected tick 1, found 2".into()),
        (b"solution=\n0:(0,0)\n0:(0,0)\n", "3: expected tick 1, found 0".into()),
        (b"solution=\n-1:(0,0)\n", "2:1: expected tick 0, found \"-1\"".into()),
        (b"solution=\n4294967296:(0,0)\n", "2:1: expected tick 0, found \"4294967296\"".into()),
        (b"solution=\n:(0,0)\n", "2:1: expected tick 0, found nothing".into()),
        (b"solution=\n(0,0),\n", "2: expected \"0:\" and the cells of all agents, found \"(0,0),\"".into()),
        (
            b"solution=\n0:(0,0)\n\n1:(0,0)\n",
            "4: expected the end of the file after the solution, found \"1:(0,0)\"".into(),
        ),
        (
            b"solution=\n0:(0,0)\ncomp_time=3\n",
            "3: expected \"1:\" and the cells of all agents, found \"comp_time=3\"".into(),
        ),
        (b"agents=2\nsolution=\n0:(0,0),\n", "3: expected 2 agents as on line 1, found 1".into()),
        (b"solution=\n0:(0,0),(1,0),\n1:(0,0),\n", "3: expected 2 agents as on line 2, found 1".into()),
        (b"solution=\n0:(0,0),\n1:(0,0),(1,0),\n", "3: expected 1 agent as on line 2, found 2".into()),
        (
            b"starts=(0,0),(1,0),\nsolution=\n0:(0,0),(1,1),\n",
            "3: expected agent 1 at its start (1,0), found (1,1)".into(),
        ),
        // Cells.
        (b"solution=\n0:(0,0),(-1,0),\n", format!("2:10: expected {COORDINATE}, found \"-1\"")),
        (b"solution=\n0:(0,4294967296),\n", format!("2:6: expected {COORDINATE}, found \"4294967296\"")),
        (b"solution=\n0:(0,0,X_PLUS),\n", format!("2:6: expected {COORDINATE}, found \"0,X_PLUS\"")),
        (b"solution=\n0:(,0),\n", format!("2:4: expected {COORDINATE}, found nothing")),
        (b"solution=\n0:(0.5,0),\n", format!("2:4: expected {COORDINATE}, found \"0.5\"")),
        (b"solution=\n0:(0),\n", format!("2:3: expected {CELL}, found \"(0),\"")),
        (b"solution=\n0:(0,0),(1,\n", format!("2:9: expected {CELL}, found \"(1,\"")),
        (b"solution=\n0:0,0\n", format!("2:3: expected {CELL}, found \"0,0\"")),
        (b"solution=\n0:(0,0),,\n", format!("2:9: expected {CELL}, found \",\"")),
        (b"solution=\n0:(0,0)(1,0)\n", "2:8: expected a comma, found \"(1,0)\"".into()),
        (b"solution=\n0:(0,0);\n", "2:8: expected a comma, found \";\"".into()),
        (b"goals=(0,0\n", format!("1:7: expected {CELL}, found \"(0,0\"")),
        (b"solution=\n0:(0,\x000),\n", format!("2:6: expected {COORDINATE}, found \"\\00\"")),
        (b"solution=\n0:(0,\xff),\n", "2:6: expected UTF-8 text, found the byte 0xFF".into()),
    ];
    let table: Vec<(&[u8], String)> =
        table.into_iter().map(|(contents, message)| (contents, format!("plan.txt:{message}"))).collect();
    let table: Vec<(&[u8], &str)> = table.iter().map(|(c, m)| (*c, m.as_str())).collect();
    rejects(&table, |contents| PlanText::parse(contents, "plan.txt"));
}
