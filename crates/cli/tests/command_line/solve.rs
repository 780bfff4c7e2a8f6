//! `giveway solve`: what it says, its exit codes, and that its plans pass `giveway check`.

use serde_json::Value;

use crate::command_line::folder::Folder;

const SMALL: &str = "solve --map small.map --scen small.scen --agents 3";
const BAY: &str = "solve --map bay.map --scen bay.scen --agents 2";

#[test]
fn a_summary_says_what_the_numbers_mean() {
    let run = Folder::bay("summary").run(&format!("{BAY} --out plan.txt --trace trace.json"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.redacted(), @"
    Solved: all agents arrive, and the check finds no conflict.

      agents                         2  planned by hca, in 2 rounds; in the first an agent found no path
      sum of costs                   6  ticks; 1.500 times the lower bound, 4
      makespan                       3  ticks; 1.000 times the lower bound, 3
      expansions [..]  states, each a cell and a tick
      reverse expansions [..]  cells, for true distances
      planning [..]  ms, without reading files, lower bounds and the check

    An agent's cost is the tick at which it arrives for good; the makespan is the tick at which the last agent
    arrives. The lower bounds are the ticks that each agent would take alone on the map.
    Written: plan.txt
    Written: trace.json
    ");
}

#[test]
fn json_is_one_object_with_the_keys_in_order() {
    let run = Folder::bay("json").run(&format!("{BAY} --json"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.redacted(), @r#"{"solved":true,"strategy":"hca","agents":2,"sum_of_costs":6,"sum_of_costs_lower_bound":4,"makespan":3,"makespan_lower_bound":3,"expansions":[..],"reverse_expansions":[..],"planning_ms":[..],"conflicts":0,"served":null}"#);

    let json = run.json();
    assert_eq!(json.len(), 12);
    assert!(json["planning_ms"].is_number());
    let (_, planning) = run.stdout.split_once("\"planning_ms\":").unwrap();
    let (_, decimals) = planning.split_once(',').unwrap().0.split_once('.').unwrap();
    assert_eq!(decimals.len(), 3, "{planning}");
}

#[test]
fn independent_plans_collide() {
    let folder = Folder::small("independent");
    let arguments = format!("{SMALL} --strategy independent");
    let run = folder.run(&format!("{arguments} --out plan.txt"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(run.redacted(), @"
    Not solved: every agent has a path to its goal, and the check finds 1 conflict.

      agents                         3  planned by independent
      sum of costs                   -  ticks; at least 10, were it solved
      makespan                       -  ticks; at least 4, were it solved
      expansions [..]  states, each a cell and a tick
      reverse expansions [..]  cells, for true distances
      planning [..]  ms, without reading files, lower bounds and the check

    Conflicts (for all of them, --out the plan and `giveway check` it):
      agent 0 and agent 1 are both on (2,0) at tick 2

    An agent's cost is the tick at which it arrives for good; the makespan is the tick at which the last agent
    arrives. The lower bounds are the ticks that each agent would take alone on the map.
    Written: plan.txt
    ");
    insta::assert_snapshot!(folder.run(&format!("{arguments} --json")).redacted(), @r#"{"solved":false,"strategy":"independent","agents":3,"sum_of_costs":null,"sum_of_costs_lower_bound":10,"makespan":null,"makespan_lower_bound":4,"expansions":[..],"reverse_expansions":[..],"planning_ms":[..],"conflicts":1,"served":null}"#);
    insta::assert_snapshot!(folder.run("check --map small.map --scen small.scen --plan plan.txt").stdout, @"
    agent 0 and agent 1 are both on (2,0) at tick 2
    not valid, 1 violation: 3 agents, sum of costs 10 ticks, makespan 4 ticks
    ");
}

/// An agent whose goal is walled off, and one that can arrive.
#[test]
fn who_cannot_arrive_is_named() {
    let map = "type octile\nheight 2\nwidth 4\nmap\n..@.\n..@.\n";
    let scen = "version 1\n0\tw.map\t4\t2\t0\t0\t1\t1\t2\n0\tw.map\t4\t2\t0\t1\t3\t1\t0\n";
    let folder = Folder::new("walled_off").with("w.map", map).with("w.scen", scen);
    let arguments = "solve --map w.map --scen w.scen --agents 2";
    let run = folder.run(&format!("{arguments} --out plan.txt"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(run.redacted(), @"
    Not solved: 1 of 2 agents has no path to its goal, since its goal cannot be reached.
    The check finds no conflict between the others.

      agents                         2  planned by hca
      sum of costs                   -  ticks
      makespan                       -  ticks
      expansions [..]  states, each a cell and a tick
      reverse expansions [..]  cells, for true distances
      planning [..]  ms, without reading files, lower bounds and the check

    Without a path:
      agent 1, from (0,1) to (3,1): its goal cannot be reached

    An agent's cost is the tick at which it arrives for good; the makespan is the tick at which the last agent
    arrives. The lower bounds are the ticks that each agent would take alone on the map.
    Written: plan.txt
    ");
    insta::assert_snapshot!(folder.run(&format!("{arguments} --json")).redacted(), @r#"{"solved":false,"strategy":"hca","agents":2,"sum_of_costs":null,"sum_of_costs_lower_bound":null,"makespan":null,"makespan_lower_bound":null,"expansions":[..],"reverse_expansions":[..],"planning_ms":[..],"conflicts":1,"served":null}"#);
    // As far as it goes, it is written.
    insta::assert_snapshot!(folder.read("plan.txt"), @"
    agents=2
    map_file=w.map
    solver=hca
    solved=0
    starts=(0,0),(0,1),
    goals=(1,1),(3,1),
    solution=
    0:(0,0),(0,1),
    1:(1,0),(0,1),
    2:(1,1),(0,1),
    ");
    assert_eq!(folder.run("check --map w.map --plan plan.txt").code, Some(1));
}

/// Agents without a path stand in the plan; agents that go through them collide with no agent that moves.
#[test]
fn who_passes_through_those_without_a_path_has_no_conflict() {
    let map = "type octile\nheight 1\nwidth 4\nmap\n....\n";
    let scen = "version 1\n0\tw.map\t4\t1\t0\t0\t3\t0\t3\n0\tw.map\t4\t1\t3\t0\t0\t0\t3\n";
    let folder = Folder::new("passed").with("w.map", map).with("w.scen", scen);
    let arguments = "solve --map w.map --scen w.scen --agents 2";
    let run = folder.run(&format!("{arguments} --html view.html"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    let text = run.redacted();
    let (head, rest) = text.split_once("\n\n  agents").unwrap();
    let (_, list) = rest.split_once("and the check\n\n").unwrap();
    insta::assert_snapshot!(head, @"
    Not solved: 1 of 2 agents has no path to its goal, since the agents planned before it left it none.
    The check finds no conflict between the others.
    ");
    insta::assert_snapshot!(list.split("\n\n").next().unwrap(), @"
    Without a path (in the plan they stand at their starts, and others pass through them 1 time):
      agent 1, from (3,0) to (0,0): the agents planned before it left it none
    ");
    assert!(folder.read("view.html").contains(">Planned by hca: not solved, 1 of 2 agents without a path<"));
    // Other programs go on counting them.
    assert_eq!(folder.run(&format!("{arguments} --json")).json()["conflicts"], 2);
    let compared = folder.run("compare --map w.map --scen w.scen --agents 2 --strategies hca,whca,independent");
    assert!(compared.stdout.ends_with("\nPlans with conflicts, which do not count as solved: 1.\n"), "{compared:#?}");
}

/// The most frequent reason goes first.
#[test]
fn several_reasons_are_counted() {
    let map = "type octile\nheight 4\nwidth 4\nmap\n....\n@@@@\n....\n@@@@\n";
    let scen: String = [(0, 0, 3, 0), (3, 0, 0, 0), (0, 2, 1, 0), (1, 2, 2, 0), (2, 2, 3, 2)]
        .map(|(x, y, to_x, to_y)| format!("0 w.map 4 4 {x} {y} {to_x} {to_y} 1\n"))
        .concat();
    let folder = Folder::new("reasons").with("w.map", map).with("w.scen", scen);
    let head = |flags: &str| {
        let run = folder.run(&format!("solve --map w.map --scen w.scen --agents 5 {flags}"));
        assert_eq!(run.code, Some(1), "{run:#?}");
        run.stdout.split("\n\n").next().unwrap().to_owned()
    };
    insta::assert_snapshot!(head(""), @"
    Not solved: 3 of 5 agents have no path to their goals: 2 since their goals cannot be reached, 1 since the agents planned before it left it none.
    The check finds no conflict between the others.
    ");
    insta::assert_snapshot!(head("--strategy whca"), @"
    Not solved: 4 of 5 agents do not arrive: 2 since no agent came nearer to a goal any more, 2 since their goals cannot be reached.
    The check finds no conflict between the others.
    ");
    insta::assert_snapshot!(head("--strategy whca --max-ticks 9"), @"
    Not solved: 4 of 5 agents do not arrive: 2 since they were not on their goals at tick 9, 2 since their goals cannot be reached.
    The check finds no conflict between the others.
    ");
}

#[test]
fn of_many_that_fail_ten_are_named() {
    let folder = Folder::new("ten_named").with_benchmark("empty-8-8");
    let run = folder.run("solve --map empty-8-8.map --scen empty-8-8.scen --agents 32 --max-ticks 0");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.starts_with(
            "Not solved: 32 of 32 agents have no path to their goals, since no path arrives by tick 0.\n\n"
        )
    );
    assert_eq!(run.stdout.matches(": no path arrives by tick 0").count(), 10, "{}", run.stdout);
    assert!(run.stdout.contains("\n  and 22 more\n"), "{}", run.stdout);
}

#[test]
fn what_is_solved_passes_the_check() {
    let folder = Folder::new("round_trip").with_benchmark("random-32-32-20").with_benchmark("den312d");
    for map in ["random-32-32-20", "den312d"] {
        let files = format!("--map {map}.map --scen {map}.scen");
        let mut bounds = Vec::new();
        for flags in ["4 --strategy hca", "4 --strategy ca", "8 --strategy hca", "8 --strategy ca"] {
            let arguments = format!("solve {files} --agents 40 --connectivity {flags} --out plan.txt --json");
            let run = folder.run(&arguments);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments}");
            let json = run.json();
            assert_eq!((&json["solved"], &json["conflicts"]), (&Value::Bool(true), &0.into()), "{arguments}");
            assert!(json["sum_of_costs"].as_u64() >= json["sum_of_costs_lower_bound"].as_u64(), "{arguments}");
            assert!(json["makespan"].as_u64() >= json["makespan_lower_bound"].as_u64(), "{arguments}");
            bounds.push(json["sum_of_costs_lower_bound"].as_u64());

            let connectivity = &flags[..1];
            for scen in ["", &format!("--scen {map}.scen")] {
                let check = format!("check --map {map}.map --plan plan.txt {scen} --connectivity {connectivity}");
                let run = folder.run(&check);
                let (sum, makespan) = (&json["sum_of_costs"], &json["makespan"]);
                let expected = format!("valid: 40 agents, sum of costs {sum} ticks, makespan {makespan} ticks\n");
                assert_eq!((run.code, run.stdout.as_str()), (Some(0), expected.as_str()), "{arguments}, {check}");
            }
        }
        // Bounds are the instance's, not the strategy's; diagonals save ticks.
        assert_eq!((bounds[0], bounds[2]), (bounds[1], bounds[3]));
        assert!(bounds[2] < bounds[0]);
        // Diagonal steps are no steps where there are four neighbours.
        assert_eq!(folder.run(&format!("check --map {map}.map --plan plan.txt")).code, Some(1));
    }
}

/// A diagonal is one tick; none cuts a corner, so that both walls cost a detour.
#[test]
fn diagonal_steps_take_a_tick_and_cut_no_corners() {
    let scen = "version 1\n0\tsmall.map\t5\t3\t0\t0\t2\t2\t2\n";
    let open = "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n.....\n";
    for (map, ticks) in [(open, 2), (crate::command_line::folder::SMALL_MAP, 4)] {
        let folder = Folder::new("diagonal").with("small.map", map).with("small.scen", scen);
        let run = folder.run("solve --map small.map --scen small.scen --agents 1 --connectivity 8 --json");
        assert_eq!(run.json()["makespan"], ticks, "{map}");
    }
}

#[test]
fn the_same_command_gives_the_same_plan() {
    let folder = Folder::new("determinism").with_benchmark("random-32-32-20");
    let solve = |flags: &str, out: &str| {
        let files = "--map random-32-32-20.map --scen random-32-32-20.scen";
        let run = folder.run(&format!("solve {files} --agents 60 {flags} --json --out {out} --trace {out}.json"));
        assert_eq!(run.code, Some(0), "{flags}: {run:#?}");
        let mut json = run.json();
        json.remove("planning_ms");
        (json, folder.read(out), folder.read(&format!("{out}.json")))
    };
    for flags in [
        "",
        "--seed 5",
        "--order as-given",
        "--order farthest",
        "--order random",
        "--order random --seed 1",
        "--connectivity 8 --order random --seed 1",
        "--strategy ca",
    ] {
        assert_eq!(solve(flags, "a.txt"), solve(flags, "b.txt"), "{flags}");
    }
    let plan = |flags| solve(flags, "a.txt").1;
    assert_eq!(plan(""), plan("--order nearest"));
    assert_eq!(plan(""), plan("--seed 5"), "the seed is for random orders only");
    assert_eq!(plan("--order random"), plan("--order random --seed 0"));
    assert_ne!(plan("--order random"), plan("--order random --seed 1"));
    assert_ne!(plan("--order nearest"), plan("--order farthest"));
    assert_ne!(plan("--order nearest"), plan("--order as-given"));
}

#[test]
fn restarts_let_those_go_first_who_found_no_path() {
    let folder = Folder::bay("restarts");
    let solve = |flags: &str| folder.run(&format!("{BAY} {flags}")).code;
    assert_eq!(solve("--restarts 0"), Some(1));
    assert_eq!(solve("--restarts 1"), Some(0));
    assert_eq!(solve("--restarts 0 --order farthest"), Some(0));
    assert_eq!(solve("--restarts 30 --order random"), Some(0));
}

#[test]
fn farthest_first_has_its_turn_unless_an_order_is_named() {
    // Two of the three pass where the third stands, which is there already and plans first.
    let scen = "version 1\n0\tm\t5\t2\t2\t1\t4\t0\t3\n0\tm\t5\t2\t4\t1\t3\t1\t1\n0\tm\t5\t2\t3\t0\t3\t0\t0\n";
    let folder =
        Folder::new("turns").with("m.map", "type octile\nheight 2\nwidth 5\nmap\n.....\n@....\n").with("m.scen", scen);
    let solve = |flags: &str| folder.run(&format!("solve --map m.map --scen m.scen --agents 3 {flags}")).code;
    assert_eq!(solve(""), Some(0));
    assert_eq!(solve("--strategy ca"), Some(0));
    assert_eq!(solve("--restarts 31"), Some(1));
    assert_eq!(solve("--order nearest"), Some(1));
    assert_eq!(solve("--order farthest"), Some(0));
}

#[test]
fn a_time_limit_leaves_a_partial_plan() {
    let folder = Folder::new("time_limit").with_benchmark("random-32-32-20");
    let files = "--map random-32-32-20.map --scen random-32-32-20.scen";
    for strategy in ["hca", "ca", "independent"] {
        let arguments = format!("solve {files} --agents 100 --strategy {strategy} --time-limit 1e-9 --out plan.txt");
        let run = folder.run(&arguments);
        assert_eq!(run.code, Some(1), "{strategy}");
        assert!(run.stdout.contains(": the time limit came first\n"), "{strategy}: {}", run.stdout);
        assert!(run.stdout.contains("Written: plan.txt\n"), "{strategy}: {}", run.stdout);
        assert!(folder.read("plan.txt").contains("\nsolved=0\n"), "{strategy}");
        let json = folder.run(&format!("{arguments} --json")).json();
        assert_eq!((&json["sum_of_costs"], &json["makespan"]), (&Value::Null, &Value::Null), "{strategy}");
        assert_eq!(folder.run("check --map random-32-32-20.map --plan plan.txt").code, Some(1), "{strategy}");
        // More time than a clock can show is no limit.
        let plenty = format!("solve {files} --agents 20 --strategy {strategy} --time-limit 1e300 --json");
        assert!(!folder.run(&plenty).json()["sum_of_costs_lower_bound"].is_null(), "{strategy}");
    }
}

#[test]
fn everyone_arrives_by_the_last_tick_or_fails() {
    let folder = Folder::small("max_ticks");
    let solve = |flags: &str| folder.run(&format!("{SMALL} {flags} --json"));
    let makespan = solve("").json()["makespan"].as_u64().unwrap();
    assert_eq!(solve(&format!("--max-ticks {makespan}")).code, Some(0));
    assert_eq!(solve("--max-ticks 3").code, Some(1));

    // Alone, the third agent is in time: one of three has a path.
    let run = folder.run(&format!("{SMALL} --strategy independent --max-ticks 3"));
    assert!(run.stdout.starts_with("Not solved: 2 of 3 agents have no path"), "{}", run.stdout);
    assert_eq!(run.stdout.matches(": no path arrives by tick 3").count(), 2, "{}", run.stdout);
    assert_eq!(solve("--strategy independent --max-ticks 4294967295").code, Some(1));
}

#[test]
fn one_agent_that_has_arrived_is_a_plan_of_no_ticks() {
    let scen = "version 1\n0\tsmall.map\t5\t3\t2\t2\t2\t2\t0\n";
    let folder = Folder::small("arrived").with("small.scen", scen);
    let run = folder.run("solve --map small.map --scen small.scen --agents 1 --out plan.txt");
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.redacted(), @"
    Solved: the agent arrives, and the check finds no conflict.

      agents                         1  planned by hca
      sum of costs                   0  ticks
      makespan                       0  ticks
      expansions [..]  states, each a cell and a tick
      reverse expansions [..]  cells, for true distances
      planning [..]  ms, without reading files, lower bounds and the check

    An agent's cost is the tick at which it arrives for good; the makespan is the tick at which the last agent
    arrives. The lower bounds are the ticks that each agent would take alone on the map.
    Written: plan.txt
    ");
    insta::assert_snapshot!(folder.read("plan.txt"), @"
    agents=1
    map_file=small.map
    solver=hca
    solved=1
    soc=0
    makespan=0
    starts=(2,2),
    goals=(2,2),
    solution=
    0:(2,2),
    ");
    assert_eq!(folder.run("check --map small.map --plan plan.txt").code, Some(0));
}

#[test]
fn local_repair_tells_whose_plans_were_carried_out() {
    let folder = Folder::new("lra").with_benchmark("empty-8-8");
    let solve = "solve --map empty-8-8.map --scen empty-8-8.scen --agents 6 --strategy lra --out plan.txt";
    let run = folder.run(solve);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
    assert!(
        run.stdout.contains("planned by lra") && run.stdout.contains("  by local repair            100.0  %"),
        "{run:#?}"
    );
    assert!(!run.stdout.contains("by windows"), "{run:#?}");
    let plan = folder.read("plan.txt");
    assert_eq!(folder.run("check --map empty-8-8.map --plan plan.txt").code, Some(0));
    let of = |more: &str| folder.run(&format!("{} {more} --json", solve.replace("--agents 6", "--agents 24"))).json();
    let again = folder.run(solve);
    assert!(again.code == Some(0) && folder.read("plan.txt") == plan);
    assert_eq!(of("--seed 1")["served"], of("--seed 1")["served"]);
    assert_ne!(of("--seed 1")["expansions"], of("--seed 2")["expansions"]);
}

#[test]
fn a_crowd_solves_what_planning_once_solves() {
    let folder = Folder::bay("whca").with_benchmark("random-32-32-20").with_benchmark("empty-8-8");
    insta::assert_snapshot!(folder.run(&format!("{BAY} --strategy whca --json")).redacted(), @r#"{"solved":true,"strategy":"whca","agents":2,"sum_of_costs":6,"sum_of_costs_lower_bound":4,"makespan":3,"makespan_lower_bound":3,"expansions":[..],"reverse_expansions":[..],"planning_ms":[..],"conflicts":0,"served":{"windowed":6,"local_repair":0,"pushed":0,"step":0,"jointly":0,"standing":0}}"#);
    for (map, agents, more) in
        [("random-32-32-20", 40, ""), ("random-32-32-20", 40, " --connectivity 8"), ("empty-8-8", 20, " --window 8")]
    {
        let files = format!("--map {map}.map --scen {map}.scen");
        let run = folder.run(&format!("solve {files} --agents {agents} --strategy whca --out plan.txt --json{more}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
        let eight = if more.contains('8') && more.contains("conn") { " --connectivity 8" } else { "" };
        let check = folder.run(&format!("check {files} --plan plan.txt{eight}"));
        assert_eq!(check.code, Some(0), "{}", check.stdout);
    }
}

#[test]
fn a_crowd_that_comes_nowhere_is_given_up() {
    let map = "type octile\nheight 1\nwidth 4\nmap\n....\n";
    let scen = "version 1\n0\tw.map\t4\t1\t0\t0\t3\t0\t3\n0\tw.map\t4\t1\t3\t0\t0\t0\t3\n";
    let folder = Folder::new("given_up").with("w.map", map).with("w.scen", scen);
    let solve = "solve --map w.map --scen w.scen --agents 2 --strategy whca";
    let run = folder.run(&format!("{solve} --out plan.txt"));
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("no agent came nearer to a goal any more"), "{}", run.stdout);
    // 500 ticks and twice three after they came nearest: that is in the turn of the steps at the latest, which ends after
    // 72 ticks.
    let last: u32 = folder.read("plan.txt").lines().last().unwrap().split(':').next().unwrap().parse().unwrap();
    assert!(last <= 578, "{last}");
    let run = folder.run(&format!("{solve} --max-ticks 20 --json"));
    assert_eq!(run.code, Some(1));
    assert_eq!(run.json()["sum_of_costs"], Value::Null);
    assert!(folder.run(&format!("{solve} --max-ticks 20")).stdout.contains("it was not on its goal at tick 20"));
}

/// An island whose shore is two cells away.
const ISLAND: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n..@@@.\n..@.@.\n..@@@.\n";

/// Agents from each first cell to the second, in a folder with [`ISLAND`].
fn island(name: &str, ends: &[[u32; 4]]) -> Folder {
    let line = |[x, y, to_x, to_y]: &[u32; 4]| format!("0\tisland.map\t6\t4\t{x}\t{y}\t{to_x}\t{to_y}\t0\n");
    let lines: String = ends.iter().map(line).collect();
    Folder::new(name).with("island.map", ISLAND).with("island.scen", format!("version 1\n{lines}"))
}

const NEAREST: &str = "solve --map island.map --scen island.scen";

#[test]
fn goals_that_will_not_do_are_moved_and_named() {
    let folder = island("moved_goals", &[[0, 2, 3, 2], [5, 0, 2, 2], [5, 1, 0, 3], [0, 0, 0, 3]]);
    let run = folder.run(&format!("{NEAREST} --agents 4 --nearest --out plan.txt"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.redacted(), @"
    Solved: all agents arrive, and the check finds no conflict.

      agents                         4  planned by hca, in 5 rounds; in the first 4 an agent found no path
      sum of costs                  32  ticks; 1.882 times the lower bound, 17
      makespan                       9  ticks; 1.000 times the lower bound, 9
      expansions [..]  states, each a cell and a tick
      reverse expansions [..]  cells, for true distances
      planning [..]  ms, without reading files, lower bounds and the check

    Goals that were moved:
      agent 0: goal (3,2) cannot be reached; it goes to (1,2) instead
      agent 1: goal (2,2) is a wall; it goes to (1,1) instead
      agent 3: goal (0,3) is the goal of agent 2; it goes to (0,2) instead

    An agent's cost is the tick at which it arrives for good; the makespan is the tick at which the last agent
    arrives. The lower bounds are the ticks that each agent would take alone on the map.
    Written: plan.txt
    ");
    let plan = folder.read("plan.txt");
    insta::assert_snapshot!(plan.lines().find(|line| line.starts_with("goals=")).unwrap(), @"goals=(1,2),(1,1),(0,3),(0,2),");
    assert_eq!(folder.run("check --map island.map --plan plan.txt").code, Some(0));

    let json = folder.run(&format!("{NEAREST} --agents 4 --nearest --json"));
    assert_eq!((json.json().len(), &json.json()["moved_goals"]), (13, &Value::from(3)));
    assert!(json.stdout.trim_end().ends_with(",\"moved_goals\":3}"), "{}", json.stdout);
    let help = folder.run("solve --help").stdout;
    let (_, after) = help.split_once("served  ").unwrap();
    assert!(after.contains("\n  moved_goals  "), "it is the last key in the help, too");
}

#[test]
fn goals_that_will_do_stay_and_nothing_is_said() {
    let folder = Folder::small("nearest_of_nothing");
    let (with, without) = (folder.run(&format!("{SMALL} --nearest")), folder.run(SMALL));
    assert_eq!(with.redacted(), without.redacted());
    let json = folder.run(&format!("{SMALL} --nearest --json")).json();
    assert_eq!(json["moved_goals"], Value::from(0));
}

#[test]
fn of_many_moved_goals_the_first_are_named() {
    let ends: Vec<[u32; 4]> =
        (0..6).map(|x| [x, 0, 3, 2]).chain((1..4).flat_map(|y| [[0, y, 3, 2], [5, y, 3, 2]])).collect();
    let folder = island("many_moved_goals", &ends);
    let run = folder.run(&format!("{NEAREST} --agents 12 --nearest --strategy independent"));
    let (_, moved) = run.stdout.split_once("Goals that were moved:\n").unwrap();
    let lines: Vec<&str> = moved.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!((lines.len(), *lines.last().unwrap()), (11, "  and 2 more"), "{}", run.stdout);
}
