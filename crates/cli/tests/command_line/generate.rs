//! `giveway generate`: what it writes is what the other commands read.

use crate::command_line::folder::Folder;

#[test]
fn a_room_and_agents_in_it() {
    let folder = Folder::new("generate");
    let run = folder.run("generate room --size 32x24 --agents 20 --seed 3 --map-out r.map --scen-out r.scen");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @"
    Generated: a map of the kind room, and a scenario of 20 agents on it.

      size                       32x24  768 cells
      free cells                   652  84.9 % of all
      largest part                 652  cells; 100.0 % of the free ones, of 1 connected part
      agents                        20  all in the largest part

    Written: r.map
    Written: r.scen
    ");
    assert_eq!(folder.names(), ["r.map", "r.scen"]);
    assert_eq!(folder.read("r.scen").lines().filter(|line| line.starts_with("0\tr.map\t32\t24\t")).count(), 20);
    let run = folder.run("solve --map r.map --scen r.scen --agents 20 --out plan.txt");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(folder.run("check --map r.map --scen r.scen --plan plan.txt").code, Some(0));
}

#[test]
fn every_kind_is_solved() {
    let folder = Folder::new("generate_kinds");
    for kind in ["open", "random", "room", "maze", "warehouse", "caves"] {
        let run =
            folder.run(&format!("generate {kind} --size 33x25 --agents 10 --seed 1 --map-out w.map --scen-out w.scen"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{kind}");
        let first = format!("Generated: a map of the kind {kind}, and a scenario of 10 agents on it.\n");
        assert!(run.stdout.starts_with(&first), "{run:#?}");
        for connectivity in [4, 8] {
            let arguments = format!("solve --map w.map --scen w.scen --agents 10 --connectivity {connectivity}");
            let run = folder.run(&arguments);
            assert_eq!(run.code, Some(0), "{kind}: {run:#?}");
        }
    }
}

#[test]
fn the_same_command_writes_the_same_files() {
    let folder = Folder::new("generate_again").with("b.map", "of before");
    let caves = "generate caves --size 40x30 --agents 9";
    for (flags, out) in [("--seed 4", "a"), ("--seed 4 --density 0.45", "b"), ("--seed 5", "c"), ("--density 0.3", "d")]
    {
        let run = folder.run(&format!("{caves} {flags} --map-out {out}.map --scen-out {out}.scen"));
        assert_eq!(run.code, Some(0), "{run:#?}");
    }
    assert_eq!(folder.names(), ["a.map", "a.scen", "b.map", "b.scen", "c.map", "c.scen", "d.map", "d.scen"]);
    assert_eq!(folder.read("a.map"), folder.read("b.map"));
    assert_eq!(folder.read("a.scen").replace("a.map", "b.map"), folder.read("b.scen"));
    assert_ne!(folder.read("a.map"), folder.read("c.map"));
    assert_ne!(folder.read("a.map"), folder.read("d.map"));
}

#[test]
fn more_scenarios_on_a_map_that_is_there() {
    let folder = Folder::new("generate_scen").with_benchmark("random-32-32-20");
    let generate = "generate scen --map random-32-32-20.map --agents 50";
    let run = folder.run(&format!("{generate} --seed 9 --scen-out more.scen"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @"
    Generated: a scenario of 50 agents on random-32-32-20.map.

      size                       32x32  1024 cells
      free cells                   819  80.0 % of all
      largest part                 819  cells; 100.0 % of the free ones, of 1 connected part
      agents                        50  all in the largest part

    Written: more.scen
    ");
    let run = folder.run("solve --map random-32-32-20.map --scen more.scen --agents 50");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(folder.run(&format!("{generate} --scen-out other.scen")).code, Some(0));
    assert_ne!(folder.read("more.scen"), folder.read("other.scen"));
    assert_eq!(folder.names(), ["more.scen", "other.scen", "random-32-32-20.map", "random-32-32-20.scen"]);
}

/// The map of a generated world and its seed give its scenario again, wherever the map is by then.
#[test]
fn a_scenario_is_made_again_from_its_map() {
    let folder = Folder::new("generate_from_map");
    let world = "generate maze --size 31x21 --agents 12 --seed 6";
    assert_eq!(folder.run(&format!("{world} --map-out maze.map --scen-out maze.scen")).code, Some(0));
    let map = folder.path("maze.map");
    let run = folder.run_with("generate scen --agents 12 --seed 6 --scen-out again.scen --map", &map);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(folder.read("maze.scen"), folder.read("again.scen"));
}

#[test]
fn who_does_not_fit_into_the_largest_part_is_counted() {
    let map = "type octile\nheight 2\nwidth 5\nmap\n..@.@\n..@@.\n";
    let folder = Folder::new("generate_parts").with("p.map", map);
    let run = folder.run("generate scen --map p.map --agents 6 --scen-out p.scen");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @"
    Generated: a scenario of 6 agents on p.map.

      size                         5x2  10 cells
      free cells                     6  60.0 % of all
      largest part                   4  cells; 66.7 % of the free ones, of 3 connected parts
      agents                         6  2 of them outside the largest part, which is full; 2 that cannot move

    Written: p.scen
    ");
    let run = folder.run("generate scen --map p.map --agents 7 --scen-out p.scen");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(run.stderr, "error: p.map: 7 agents are too many: the map has room for 6, one for each free cell\n");
}
