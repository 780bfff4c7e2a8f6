//! `giveway simulate`: its counts, and equal results for equal commands.

use crate::command_line::folder::{Folder, assert_asks_nothing_of_the_network};

const PATROL: &str = "simulate --map small.map --scen small.scen --agents 3 --task patrol --ticks 40";

#[test]
fn a_summary_says_what_the_numbers_mean() {
    let folder = Folder::small("simulate_summary");
    let run = folder.run(&format!("{PATROL} --csv ticks.csv --trace run.json --html run.html --svg run.svg"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.redacted(), @"
    3 agents, 40 ticks: each agent goes to its goal and back, again and again, and the check finds no conflict.

      arrivals                      37  orders fulfilled, 0.925 per tick
      flow time                    3.1  ticks from an order to its fulfilment, in the mean
      path length                  119  moves
      waits                          1  ticks in which an agent was under way and did not move
      revisits                       1  cells in which an agent was again before it arrived
      replans                        8  plans after the first one for an order
      overridden                     5  rests that had to make way; 0 could not
      failed searches                0  in which other agents left no way
      guard stops                    0  moves that were no longer safe
      expansions [..]  states, each a cell and a tick
      reverse expansions [..]  cells, for true distances
      worst tick [..]  expansions, at tick 0
      time [..]  ms
      longest tick [..]  ms

    Written: ticks.csv
    Written: run.json
    Written: run.html
    Written: run.svg
    ");
    assert_eq!(folder.names(), ["run.html", "run.json", "run.svg", "small.map", "small.scen", "ticks.csv"]);
    let csv = folder.read("ticks.csv");
    assert_eq!(csv.lines().count(), 1 + 40);
    insta::assert_snapshot!(csv.lines().next().unwrap(), @"tick,moves,waiting,arrivals,planned,failed,postponed,stopped,overridden,rolled_back,searches,expansions,reverse_expansions,work");
    assert_asks_nothing_of_the_network(&folder.read("run.html"));
    assert!(folder.read("run.json").contains("\"orders\":[{\"tick\":"));
}

#[test]
fn json_is_one_object_with_the_keys_in_order() {
    let folder = Folder::small("simulate_json");
    let run = folder.run("simulate --map small.map --scen small.scen --agents 3 --task once --json");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.redacted(), @r#"{"ticks":8,"agent_ticks":24,"arrivals":3,"flow_time":14,"path_length":16,"waits":0,"replans":1,"revisits":2,"unreachable":0,"searches":3,"failed":0,"postponed":0,"stopped":0,"overridden":0,"rolled_back":0,"expansions":[..],"reverse_expansions":[..],"work":[..],"worst_tick_expansions":[..],"worst_tick":0,"overlaps":0,"served":{"windowed":24,"local_repair":0,"pushed":0,"step":0,"jointly":0,"standing":0},"out_of_memory":0,"sum_of_costs":17,"sum_of_costs_lower_bound":10,"milliseconds":[..],"worst_milliseconds":[..],"tick_ms_median":[..],"tick_ms_p99":[..],"tick_ms_first":[..],"distance_bytes":[..],"bytes_per_agent":[..],"throughput":0.375,"conflicts":0,"coherence":null}"#);
    // Every key is in the help, in this order.
    let help = folder.run("simulate --help").stdout;
    let (_, keys) = help.split_once("Keys of --json").unwrap();
    let mut from = 0;
    for key in run.stdout.split(',').map(|part| part.split('"').nth(1).unwrap()) {
        let at = keys[from..].find(key).unwrap_or_else(|| panic!("{key} is not in the help, or too early"));
        from += at;
    }
}

#[test]
fn json_says_what_the_crowd_takes() {
    let folder = Folder::new("simulate_takes").with_benchmark("random-32-32-20");
    let run =
        folder.run("simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 50 --ticks 60 --json");
    let json = run.json();
    let number = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key} is no number: {}", run.stdout));
    let times = ["tick_ms_median", "tick_ms_p99", "worst_milliseconds", "milliseconds"].map(number);
    assert!(times[0] > 0.0 && times.is_sorted(), "{times:?}");
    assert!(number("tick_ms_first") <= times[2]);
    // A crowd holds more than its distances, and agents share these; 50 agents do not hold a megabyte each.
    let (distances, per_agent) = (number("distance_bytes"), number("bytes_per_agent"));
    assert!(distances > 1000.0 && 50.0 * (per_agent + 1.0) > distances && per_agent < 1e6, "{distances}, {per_agent}");
    assert!((number("throughput") - number("arrivals") / 60.0).abs() < 1e-9);
}

/// By a table for each goal the distances of a disc would take 28 bytes for each cell here, more than 2 MB.
#[test]
fn many_discs_on_a_large_map_need_no_table_each() {
    let folder = Folder::new("simulate_many_discs");
    let made = folder.run("generate random --size 280x280 --density 0.1 --seed 3 --agents 60 --map-out m --scen-out s");
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let json = folder.run("simulate --map m --scen s --agents 60 --radius 0.3 --ticks 12 --json").json();
    assert_eq!((json["out_of_memory"].as_u64(), json["conflicts"].as_u64()), (Some(0), Some(0)));
    let (moves, bytes) = (json["path_length"].as_u64().unwrap(), json["distance_bytes"].as_u64().unwrap());
    assert!(moves > 600 && (1000..3_000_000).contains(&bytes), "{moves} moves, {bytes} bytes");
}

/// Without a file that needs it, the recording is checked and forgotten piece by piece.
#[test]
fn a_run_is_the_same_whether_its_recording_is_kept_or_not() {
    let folder = Folder::small("simulate_pieces");
    let command = "simulate --map small.map --scen small.scen --agents 3 --ticks 2300 --json";
    let counts = |command: &str| {
        let run = folder.run(command);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let json = run.json();
        assert_eq!((json["ticks"].as_u64(), json["conflicts"].as_u64()), (Some(2300), Some(0)));
        ["arrivals", "path_length", "waits", "throughput"].map(|key| json[key].to_string())
    };
    assert_eq!(counts(command), counts(&format!("{command} --trace run.json")));
    let moves = folder.read("run.json").matches("\"depart\":").count();
    assert_eq!(moves.to_string(), counts(command)[1], "the trace has every move");
}

#[test]
fn columns_add_up_to_the_summary() {
    let folder = Folder::new("simulate_columns").with_benchmark("random-32-32-20");
    let run = folder.run(
        "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 60 --ticks 150 --budget 300 \
         --csv ticks.csv --json",
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let json = run.json();
    let csv = folder.read("ticks.csv");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let rows: Vec<Vec<u64>> = lines.map(|row| row.iter().map(|cell| cell.parse().unwrap()).collect()).collect();
    let sum = |name: &str| -> u64 {
        let column = names.iter().position(|found| *found == name).unwrap();
        rows.iter().map(|row| row[column]).sum()
    };
    for (column, key) in [
        ("moves", "path_length"),
        ("arrivals", "arrivals"),
        ("failed", "failed"),
        ("postponed", "postponed"),
        ("stopped", "stopped"),
        ("overridden", "overridden"),
        ("rolled_back", "rolled_back"),
        ("searches", "searches"),
        ("expansions", "expansions"),
        ("reverse_expansions", "reverse_expansions"),
        ("work", "work"),
    ] {
        assert_eq!(json[key].as_u64(), Some(sum(column)), "{key}");
    }
    assert!(json["arrivals"].as_u64() > Some(100) && json["postponed"].as_u64() > Some(0), "{json:?}");
    // A unit of work pays for 64 cells of a table of distances.
    assert!(json["worst_tick_expansions"].as_u64() <= Some(300 * 64 + 63 * 60), "{json:?}");
    assert_eq!((json["ticks"].as_u64(), json["agent_ticks"].as_u64()), (Some(150), Some(9000)));
}

#[test]
fn local_repair_is_a_strategy_and_its_shares_are_shown() {
    let folder = Folder::new("simulate_lra").with_benchmark("random-32-32-20");
    let command =
        "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 30 --ticks 100 --strategy lra";
    let run = folder.run(command);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("by local repair") && !run.stdout.contains("by windows"), "{run:#?}");
    let served = folder.run(&format!("{command} --json")).json()["served"].clone();
    let of = |planner: &str| served[planner].as_u64().unwrap();
    assert_eq!(of("local_repair") + of("standing"), 3000, "{served:?}");
    assert!(of("local_repair") > 2000, "{served:?}");
    let idle = folder.run(&format!("{command} --at-once"));
    assert_eq!((idle.code, idle.stderr.contains("--at-once does nothing with --strategy lra")), (Some(2), true));
    let other = folder.run(&command.replace("lra", "hca"));
    assert!(other.stderr.contains("expected \"whca\", \"lra\" or \"dm\""), "{other:#?}");
}

#[test]
fn the_same_command_does_the_same_and_another_seed_does_not() {
    let folder = Folder::new("simulate_seed").with_benchmark("random-32-32-20");
    let run = |seed: u32, out: &str| {
        let run = folder.run(&format!(
            "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 30 --ticks 60 --seed {seed} \
             --trace {out} --json"
        ));
        assert_eq!(run.code, Some(0), "{run:#?}");
        folder.read(out)
    };
    let one = run(1, "a");
    assert!(one == run(1, "b"), "another trace");
    assert!(one != run(2, "c"), "the seed decides nothing");
}

#[test]
fn settings_reach_the_crowd() {
    let folder = Folder::new("simulate_parameters").with_benchmark("random-32-32-20");
    let command = "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 80 --ticks 80 --json";
    let plain = folder.run(command).json();
    for flag in ["--window 8", "--interval 3", "--at-once", "--order farthest", "--connectivity 8"] {
        let run = folder.run(&format!("{command} {flag}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{flag}");
        assert_ne!(run.json()["expansions"], plain["expansions"], "{flag}");
    }
    // This one concerns agents that have arrived.
    let once = "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 150 --task once --json";
    let penalty = folder.run(&format!("{once} --wait-penalty")).json();
    assert!(penalty["waits"].as_u64() > folder.run(once).json()["waits"].as_u64(), "{penalty:?}");
}

#[test]
fn a_time_limit_ends_the_run_and_is_told() {
    let folder = Folder::new("simulate_time").with_benchmark("random-32-32-20");
    let run = folder.run(
        "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 100 --ticks 4000000 --time-limit 0.05 \
         --csv ticks.csv",
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert!(run.stdout.contains(", when the time limit came: "), "{run:#?}");
    assert!(folder.names().contains(&"ticks.csv".to_owned()));
}

/// A pocket on the right that agents on the left cannot reach.
#[test]
fn with_nearest_nobody_is_sent_where_it_cannot_go() {
    let map = "type octile\nheight 2\nwidth 6\nmap\n...@..\n...@..\n";
    let scen =
        "version 1\n0\ta.map\t6\t2\t0\t0\t5\t0\t0\n0\ta.map\t6\t2\t0\t1\t3\t1\t0\n0\ta.map\t6\t2\t4\t0\t1\t1\t0\n";
    let folder = Folder::new("simulate_nearest").with("a.map", map).with("a.scen", scen);
    for (task, arrivals_at_least) in [("once", 3), ("patrol", 20), ("lifelong", 20)] {
        let command = format!("simulate --map a.map --scen a.scen --agents 3 --ticks 60 --task {task} --nearest");
        let run = folder.run(&format!("{command} --json"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{task}");
        let json = run.json();
        assert_eq!((&json["unreachable"], &json["moved_goals"]), (&0.into(), &3.into()), "{task}");
        assert!(json["arrivals"].as_u64().unwrap() >= arrivals_at_least, "{task}: {}", run.stdout);
        assert!(run.stdout.trim_end().ends_with(",\"moved_goals\":3}"), "{}", run.stdout);
        let lines = folder.run(&command).stdout;
        let named: Vec<&str> =
            lines.lines().skip_while(|line| *line != "Goals that were moved:").skip(1).take(3).collect();
        assert_eq!(
            named,
            [
                "  agent 0: goal (5,0) cannot be reached; it goes to (2,0) instead",
                "  agent 1: goal (3,1) is a wall; it goes to (2,1) instead",
                "  agent 2: goal (1,1) cannot be reached; it goes to (4,1) instead",
            ],
            "{lines}"
        );
    }
    assert!(folder.run("simulate --help").stdout.contains("\n  moved_goals  "));
}

#[test]
fn late_moves_are_counted_and_nobody_collides() {
    let folder = Folder::new("simulate_late").with_benchmark("random-32-32-20");
    let command = "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 60 --ticks 150 --json";
    let run = |late: &str| {
        let run = folder.run(&format!("{command} {late}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{late}");
        let json = run.json();
        assert_eq!(json["conflicts"], 0, "{late}");
        (
            json.get("late_moves").and_then(|late| late.as_u64()),
            json["arrivals"].as_u64().unwrap(),
            json["path_length"].as_u64().unwrap(),
        )
    };
    let (none, undisturbed, _) = run("");
    assert_eq!(none, None);
    assert_eq!(run("--late 0").1, undisturbed);
    let mut arrivals = vec![undisturbed];
    for percent in [5, 20] {
        let (late, arrived, moves) = run(&format!("--late {percent}"));
        let share = late.unwrap() * 100 / moves;
        assert!((percent - 2..=percent + 3).contains(&share), "{percent} %: {share} %");
        arrivals.push(arrived);
    }
    assert!(arrivals.is_sorted_by(|before, after| before > after), "{arrivals:?}");
    // Equal seeds make equal moves late, and others others.
    assert_eq!(run("--late 5"), run("--late 5"));
    assert_ne!(run("--late 5 --seed 1"), run("--late 5 --seed 2"));
    for wrong in ["101", "-1", "few", "NaN"] {
        let refused = folder.run(&format!("{command} --late={wrong}"));
        assert_eq!(refused.code, Some(2));
        assert!(refused.stderr.contains("expected a number of percent from 0 to 100"), "{}", refused.stderr);
    }
}
