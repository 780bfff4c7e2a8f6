//! Whatever is wrong with arguments or files: exit code 2, nothing on standard output, nothing written, and an error
//! that says where and what was expected.

use crate::command_line::folder::Folder;

const SOLVE: &str = "solve --map small.map --scen small.scen --agents 3 --out new.txt --trace new.json --json";
const CHECK: &str = "check --map small.map --plan plan.txt";
const CHECK_TRACE: &str = "check --map small.map --trace trace.json";
const DRAW: &str = "draw --map small.map --plan plan.txt --html new.html --svg new.svg";
const CHECK_SCEN: &str = "check --map small.map --plan plan.txt --scen small.scen";

/// Valid, on the small map.
const PLAN: &str = "agents=1\nstarts=(0,0),\ngoals=(1,0),\nsolution=\n0:(0,0),\n1:(1,0),\n";

/// A point that stands on the small map.
const TRACE: &str = r#"{"format":"giveway-trace","version":1,"ticks_per_step":1,"agents":[
    {"start":{"node":0,"position":[0,0,0]},"goals":[],"moves":[]}]}"#;

/// Runs `arguments` in `folder`, where they must be refused for what `fragment` says.
fn refused(folder: &Folder, arguments: &str, fragment: &str) {
    let before = folder.names();
    let run = folder.run(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run:#?}");
    assert!(run.stderr.starts_with("error: "), "{arguments}: {run:#?}");
    assert!(run.stderr.contains(fragment), "{arguments}: no {fragment:?} in {run:#?}");
    assert_eq!(folder.names(), before, "{arguments}");
}

#[test]
fn bad_arguments() {
    let folder = Folder::small("bad_arguments").with("plan.txt", PLAN).with("trace.json", TRACE);
    let mesh = "mesh\n2\n3 1\n0 0 0\n9 0 0\n0 9 0\n3 0 1 2 -1 -1 -1\n";
    let folder = folder.with("small.mesh", mesh).with("torn.mesh", "mesh 2");
    let header = "start_x,start_y,goal_x,goal_y";
    let folder = folder.with("a.csv", format!("{header}\n2,2,3,4\n2,3,2,5\n").as_str()).with("empty.csv", header);
    let folder = folder.with("off.csv", format!("{header}\n1,1,2,2\n1,2,9,9\n").as_str());
    let small = "solve --map small.map --scen small.scen --agents 3";
    for (arguments, fragment) in [
        ("play", "unrecognized subcommand 'play'"),
        ("simulate", "--map <FILE>"),
        ("simulate --map small.map --scen small.scen", "small.map is a map of cells: expected --scen and --agents"),
        ("solve --map small.map --agents-file a.csv --agents 3", "a.csv:3: expected at least 3 agents, found 2"),
        ("solve --map small.map --scen small.scen --agents 3 --radius 2", "small.map: "),
        ("simulate --map small.map --scen small.scen --agents 3 --speed 2", "--speed is for discs on cells"),
        ("solve --map small.mesh", "small.mesh: expected --agents-file, or --agents with the number of agents to draw"),
        (
            "solve --map small.mesh --agents 500 --radius 0.5",
            "small.mesh: expected room for 500 agents, found room for ",
        ),
        ("solve --map small.mesh --scen small.scen --agents 3", "--scen is for maps of square cells"),
        ("solve --map small.mesh --agents-file a.csv --connectivity 8", "--connectivity is for maps of cells"),
        ("solve --map small.mesh --agents-file a.csv --scen small.scen", "cannot be used with"),
        (
            "solve --map small.mesh --agents-file a.csv --out p.txt",
            "--out is a plan of cells, and a mesh has none: --trace",
        ),
        ("solve --map small.mesh --agents-file a.csv --strategy dm", "direction maps are learned on cells"),
        ("simulate --map small.mesh --agents-file a.csv --nearest", "--nearest is for maps of cells"),
        ("solve --map small.mesh --agents-file a.csv --agents 3", "a.csv:3: expected at least 3 agents, found 2"),
        ("solve --map small.mesh --agents-file off.csv", "off.csv:3: expected a goal on the mesh, at most 1 from"),
        ("solve --map small.mesh --agents-file a.csv --radius 5", "a.csv:2: expected a start on the mesh, at most 10"),
        (
            "solve --map small.mesh --agents-file a.csv --radius 1",
            "a.csv:3: expected a start at least 2 from the start of line 2",
        ),
        ("solve --map small.mesh --agents-file none.csv", "none.csv"),
        (
            "solve --map small.mesh --agents-file small.scen",
            "small.scen: expected agents as CSV, found a Moving AI scenario",
        ),
        ("solve --map small.mesh --agents-file empty.csv", "expected at least one agent, found none"),
        ("solve --map torn.mesh --agents-file a.csv", "torn.mesh"),
        ("solve --map small.mesh --agents-file a.csv --radius 0", "expected a number of world units above 0"),
        ("solve --map small.mesh --agents-file a.csv --speed 0", "expected a number of world units from 0.001"),
        ("simulate --map small.map --scen small.scen --agents 4", "small.scen:4: expected at least 4 entries, found 3"),
        (
            "simulate --map small.map --scen small.scen --agents 3 --ticks 0",
            "expected a whole number from 1 to 4294967295",
        ),
        (
            "simulate --map small.map --scen small.scen --agents 3 --task rest",
            "possible values: once, patrol, lifelong",
        ),
        ("simulate --map small.map --scen small.scen --agents 3 --budget 1", "expected a whole number from 2 to"),
        (
            "simulate --map small.map --scen small.scen --agents 3 --csv small.map",
            "expected another file than the file of --map",
        ),
        (
            "simulate --map small.map --scen small.scen --agents 3 --csv a --html a",
            "another file than the file of --csv",
        ),
        ("simulate --map small.map --scen small.scen --agents 3 --trace none/a", "none/a: cannot be written"),
        ("draw --map small.map --plan plan.txt --trace trace.json --svg a.svg", "cannot be used with '--trace <FILE>'"),
        ("draw --map small.map --trace trace.json", "<--html <FILE>|--svg <FILE>>"),
        ("draw --map small.map --trace plan.txt --svg a.svg", "plan.txt: expected a trace as JSON, found a plan"),
        ("draw --map small.map --trace trace.json --svg trace.json", "another file than the file of --trace"),
        ("draw --map small.map --trace trace.json --radius 0 --svg a.svg", "expected a number of world units above 0"),
        ("draw --map small.map --radius 1 --svg a.svg", "--radius does nothing without --trace"),
        ("draw --map small.mesh --plan plan.txt --svg a.svg", "--plan is a plan of cells, and a mesh has none"),
        (
            "draw --map small.mesh --direction-map m.json --svg a.svg",
            "--direction-map is a map of cells, and a mesh has none",
        ),
        ("compare --map small.map --scen small.scen", "--agents <N,...>"),
        ("compare --map small.map --agents 2", "--scen <FILE>..."),
        ("compare --map small.map --scen small.scen --agents 2,x", "invalid value 'x'"),
        ("compare --map small.map --scen small.scen --agents 2,0", "expected a whole number from 1 to 4294967295"),
        (
            "compare --map small.map --scen small.scen --agents 2,4",
            "small.scen:4: expected at least 4 entries, found 3",
        ),
        ("compare --map small.map --scen small.scen none.scen --agents 2", "none.scen: cannot be read"),
        (
            "compare --map small.map --scen small.scen --agents 2 --strategies hca,cbs",
            "\"lra\", \"dm\" or \"independent\"",
        ),
        ("compare --map small.map --scen small.scen --agents 2 --strategies hca:8", "only \"whca\" has a window"),
        (
            "compare --map small.map --scen small.scen --agents 2 --strategies whca:0",
            "expected a window of 1 to 10000 ticks",
        ),
        (
            "compare --map small.map --scen small.scen --agents 2 --strategies whca:",
            "expected a window of 1 to 10000 ticks",
        ),
        ("compare --map small.map --scen small.scen --agents 2 --plot time", "--svg <FILE>"),
        (
            "compare --map small.map --scen small.scen --agents 2 --csv small.scen",
            "another file than the file of --scen",
        ),
        ("compare --map small.map --scen small.scen --agents 2 --csv a --svg a", "another file than the file of --csv"),
        ("check --map small.mesh --plan plan.txt", "small.mesh: expected a map of square cells with --plan"),
        ("check --map small.map --plan plan.txt --radius 1", "--radius does nothing with --plan"),
        ("check --map small.mesh --trace trace.json --radius 0", "expected a number of world units above 0, as 0.5"),
        ("check --map small.mesh --trace trace.json --radius inf", "expected a number of world units above 0, as 0.5"),
        ("check --map torn.mesh --trace trace.json", "torn.mesh:2: expected the number of vertices"),
        ("draw --map small.mesh --plan plan.txt --svg new.svg", "--plan is a plan of cells, and a mesh has none"),
        ("solve", "--map <FILE>"),
        (
            "solve --map small.map --scen small.scen --agents 4 --nearest",
            "small.scen:4: expected at least 4 entries, found 3",
        ),
        ("compare --map small.map --scen small.scen --agents 3 --nearest", "unexpected argument '--nearest'"),
        ("solve --map small.map --scen small.scen", "small.map is a map of cells: expected --scen and --agents"),
        ("solve --map small.map", "small.map is a map of cells: expected --scen and --agents, or --agents-file"),
        ("check --map small.map", "--plan <FILE>"),
        ("solve --map small.map --scen small.scen --agents 0", "expected a whole number from 1 to 4294967295"),
        (
            "solve --map small.map --scen small.scen --agents -1",
            "invalid value '-1' for '--agents <N>': expected a whole number from 1 to 4294967295",
        ),
        (
            "solve --map small.map --scen small.scen --agents 99999999999",
            "expected a whole number from 1 to 4294967295",
        ),
        ("solve --map small.map --scen small.scen --agents three", "expected a whole number from 1"),
        ("solve --map small.map --scen small.scen --agents 4", "small.scen:4: expected at least 4 entries, found 3"),
        ("solve --map small.map --scen small.scen --agents 3 --agents 3", "cannot be used multiple times"),
        ("solve --map none.map --scen small.scen --agents 3", "none.map: cannot be read: No such file"),
        ("solve --map small.map --scen none.scen --agents 3", "none.scen: cannot be read: No such file"),
        ("solve --map . --scen small.scen --agents 3", ".: cannot be read"),
        (
            "solve --map small.scen --scen small.scen --agents 3",
            "small.scen: expected a Moving AI map, found a Moving AI scenario",
        ),
        (
            "solve --map small.map --scen small.map --agents 3",
            "small.map: expected a Moving AI scenario, found a Moving AI map",
        ),
        ("check --map none.map --plan plan.txt", "none.map: cannot be read"),
        ("check --map small.map --plan none.txt", "none.txt: cannot be read"),
        ("check --map small.map --plan plan.txt --scen none.scen", "none.scen: cannot be read"),
        ("check --map small.map --plan small.map", "small.map: expected a plan as text, found a Moving AI map"),
        ("check --map small.map --plan plan.txt --connectivity 6", "invalid value '6'"),
        ("check", "--map <FILE>"),
        ("check --plan plan.txt", "--map <FILE>"),
        ("check --map small.map", "<--plan <FILE>|--trace <FILE>>"),
        ("check --map small.map --plan plan.txt --trace trace.json", "cannot be used with"),
        ("check --trace none.json", "none.json: cannot be read"),
        ("check --trace trace.json --map none.map", "none.map: cannot be read"),
        ("check --trace plan.txt", "plan.txt: expected a trace as JSON, found a plan as text"),
        ("check --trace trace.json --scen small.scen", "--scen does nothing with --trace"),
        ("check --trace trace.json --connectivity 4", "--connectivity does nothing with --trace"),
        ("check --map small.map --plan plan.txt --tolerance 0.1", "--tolerance does nothing with --plan"),
        ("check --map small.map --plan plan.txt --levels 0,1,2", "--levels does nothing with --plan"),
        ("check --trace trace.json --levels 0,1", "expected the lowest height, the height of a level and the number"),
        (
            "check --trace trace.json --levels 0,-1,2",
            "expected the lowest height, the height of a level and the number",
        ),
        ("check --trace trace.json --tolerance -1", "expected a number of world units from 0, as 0.001"),
        ("check --trace trace.json --tolerance=-1", "expected a number of world units from 0, as 0.001"),
        ("check --trace trace.json --tolerance NaN", "expected a number of world units from 0"),
        ("check --trace trace.json --tolerance inf", "expected a number of world units from 0"),
        ("check --trace trace.json --tolerance 1e39", "expected a number of world units from 0"),
        ("check --trace trace.json", "trace.json: expected an agent with a body, a --radius for all, or a --map"),
        ("demo --out none/demo.html", "none/demo.html: cannot be written: No such file"),
        ("demo --out .", ".: cannot be written: Is a directory"),
        ("demo --agents 0", "expected a whole number from 1 to 99"),
        ("demo --agents -1", "expected a whole number from 1 to 99"),
        ("demo --agents 100", "expected a whole number from 1 to 99"),
        ("demo --seed x", "expected a whole number from 0"),
        ("demo --map small.map", "unexpected argument '--map'"),
        ("draw --map small.map --plan plan.txt", "<--html <FILE>|--svg <FILE>>"),
        ("draw --map small.map --html a", "--html plays a --plan or a --trace; --svg draws a map alone"),
        ("draw --plan plan.txt --html a", "--map <FILE>"),
        ("draw --map none.map --plan plan.txt --html a", "none.map: cannot be read"),
        ("draw --map small.map --plan none.txt --html a", "none.txt: cannot be read"),
        ("draw --map small.map --plan plan.txt --html none/a", "none/a: cannot be written: No such file"),
        ("draw --map small.map --plan plan.txt --html a --svg none/b", "none/b: cannot be written: No such file"),
        ("draw --map small.map --plan plan.txt --html a --svg a", "a: expected another file than the file of --html"),
        (
            "draw --map small.map --plan plan.txt --svg plan.txt",
            "plan.txt: expected another file than the file of --plan",
        ),
        (
            "draw --map small.map --plan plan.txt --html small.map",
            "small.map: expected another file than the file of --map",
        ),
    ] {
        refused(&folder, arguments, fragment);
    }
    for (flags, fragment) in [
        ("--strategy HCA", "expected \"hca\", \"ca\", \"whca\", \"lra\", \"dm\" or \"independent\""),
        ("--window 8", "--window does nothing with --strategy hca"),
        ("--interval 8", "--interval does nothing with --strategy hca"),
        ("--at-once", "--at-once does nothing with --strategy hca"),
        ("--wait-penalty --strategy independent", "--wait-penalty does nothing with --strategy independent"),
        ("--strategy whca --window 0", "invalid value '0' for '--window <TICKS>'"),
        ("--strategy whca --restarts 3", "--restarts does nothing with --strategy whca"),
        (
            "--strategy dm --restarts 8",
            "--restarts does nothing with --strategy dm, where each agent plans again and again",
        ),
        ("--direction-map m.json", "--direction-map does nothing with --strategy hca: only dm and whca follow others"),
        (
            "--strategy lra --learned m.json",
            "--learned does nothing with --strategy lra: only dm and whca follow others",
        ),
        (
            "--strategy whca --learned m.json",
            "--learned does nothing with --strategy whca, unless it begins with a --direction-map",
        ),
        ("--strategy lra --window 8", "--window does nothing with --strategy lra"),
        ("--order rotating", "--order rotating does nothing with --strategy hca"),
        ("--connectivity 5", "invalid value '5' for '--connectivity <4|8>'"),
        ("--order longest", "possible values: as-given, nearest, farthest, rotating, random"),
        ("--strategy independent --order random", "--order does nothing with --strategy independent"),
        ("--strategy independent --restarts 3", "--restarts does nothing with --strategy independent"),
        ("--seed -1", "expected a whole number from 0 to 18446744073709551615"),
        ("--seed 1.5", "expected a whole number from 0"),
        ("--restarts many", "expected a whole number from 0"),
        ("--max-ticks 4294967296", "expected a whole number from 0 to 4294967295"),
        ("--time-limit 0", "expected a number of seconds above 0"),
        ("--time-limit=-1", "expected a number of seconds above 0"),
        ("--time-limit inf", "expected a number of seconds above 0"),
        ("--time-limit NaN", "expected a number of seconds above 0"),
        ("--time-limit soon", "expected a number of seconds above 0"),
        ("--html none/view.html", "none/view.html: cannot be written: No such file"),
        ("--svg .", ".: cannot be written: Is a directory"),
        ("--html small.map", "small.map: expected another file than the file of --map"),
        ("--svg small.scen", "small.scen: expected another file than the file of --scen"),
        ("--out a --html ./a", "./a: expected another file than the file of --out"),
        ("--trace a --svg a", "a: expected another file than the file of --trace"),
        ("--html a --svg a", "a: expected another file than the file of --html"),
        ("--html", "a value is required for '--html <FILE>'"),
        ("--out none/plan.txt", "none/plan.txt: cannot be written: No such file"),
        ("--out .", ".: cannot be written: Is a directory"),
        ("--out small.map", "small.map: expected another file than the file of --map"),
        ("--out ./small.map", "./small.map: expected another file than the file of --map"),
        ("--out small.scen", "small.scen: expected another file than the file of --scen"),
        ("--trace small.scen", "small.scen: expected another file than the file of --scen"),
        ("--out new.txt --trace ./new.txt", "./new.txt: expected another file than the file of --out"),
        ("--out new.txt --trace none/trace.json", "none/trace.json: cannot be written"),
    ] {
        refused(&folder, &format!("{small} {flags}"), fragment);
    }
}

#[test]
fn bad_worlds() {
    let folder = Folder::small("bad_worlds").with("wall.map", "type octile\nheight 1\nwidth 1\nmap\n@\n");
    let sides = "expected columns and rows, as 64x48, each a whole number from 1 to 4294967295";
    let share = "expected a share from 0 to below 1, as 0.2";
    for (flags, fragment) in [
        ("open --size 12", sides),
        ("open --size 12x", sides),
        ("open --size x12", sides),
        ("open --size axb", sides),
        ("open --size 0x5", sides),
        ("open --size 5x0", sides),
        ("open --size +5x5", sides),
        ("open --size 5x5x5", sides),
        ("open --size=-5x5", sides),
        ("open --size 4294967296x1", sides),
        ("open --size 10001x10000", "a map of 10001 x 10000 cells is too large: expected at most 100000000 cells"),
        ("open --size 4294967295x4294967295", "is too large: expected at most 100000000 cells"),
        ("open", "expected --size WxH with open"),
        ("random --size 9x9 --density 1", share),
        ("random --size 9x9 --density -0.1", share),
        ("random --size 9x9 --density NaN", share),
        ("random --size 9x9 --density 20%", share),
        ("open --size 9x9 --density 0.2", "--density does nothing with open: maps of the kind open have no walls"),
        (
            "warehouse --size 9x9 --density 0.2",
            "--density does nothing with warehouse: warehouses have shelves and aisles of fixed sizes",
        ),
        ("room --size 9x9 --map small.map", "--map does nothing with room, where the map is made"),
        ("cave --size 9x9", "possible values: open, random, room, maze, warehouse, caves, scen"),
        ("open --size 1x1", "2 agents are too many: the map has room for 1, one for each free cell"),
        ("random --size 2x2 --density 0.9", "2 agents are too many: the map has room for 1, one for each free cell"),
        ("--size 9x9", "<KIND>"),
    ] {
        refused(&folder, &format!("generate {flags} --agents 2 --map-out new.map --scen-out new.scen"), fragment);
    }
    let open = "generate open --size 9x9";
    let scen = "generate scen";
    for (form, flags, fragment) in [
        (open, "--agents 0 --map-out a --scen-out b", "expected a whole number from 1 to 4294967295"),
        (open, "--map-out a --scen-out b", "--agents <N>"),
        (open, "--agents 2 --scen-out b", "expected --map-out FILE with open"),
        (open, "--agents 2 --map-out a", "--scen-out <FILE>"),
        (open, "--agents 2 --map-out a --scen-out ./a", "./a: expected another file than the file of --map-out"),
        (open, "--agents 2 --map-out none/a --scen-out b", "none/a: cannot be written"),
        (open, "--agents 2 --map-out a --scen-out none/b", "none/b: cannot be written"),
        (
            open,
            "--agents 2 --map-out a --scen-out b --seed -1",
            "expected a whole number from 0 to 18446744073709551615",
        ),
        (scen, "--agents 2 --scen-out b", "expected --map FILE with scen"),
        (scen, "--agents 2 --map small.map", "--scen-out <FILE>"),
        (scen, "--agents 2 --map none.map --scen-out b", "none.map: cannot be read"),
        (
            scen,
            "--agents 2 --map small.scen --scen-out b",
            "small.scen: expected a Moving AI map, found a Moving AI scenario",
        ),
        (scen, "--agents 2 --map small.map --scen-out small.map", "another file than the file of --map"),
        (scen, "--agents 2 --map small.map --scen-out b --size 9x9", "--size does nothing with scen"),
        (scen, "--agents 2 --map small.map --scen-out b --density 0.1", "--density does nothing with scen"),
        (scen, "--agents 2 --map small.map --scen-out b --map-out c", "--map-out does nothing with scen"),
        (
            scen,
            "--agents 14 --map small.map --scen-out b",
            "small.map: 14 agents are too many: the map has room for 13",
        ),
        (scen, "--agents 1 --map wall.map --scen-out b", "wall.map: 1 agent is too many: the map has room for 0"),
    ] {
        refused(&folder, &format!("{form} {flags}"), fragment);
    }
}

#[test]
fn bad_files() {
    let rows: [(&str, &[u8], &str, &str); 44] = [
        // Maps.
        ("small.map", b"", SOLVE, "small.map:1: expected \"type octile\", found the end of the file"),
        ("small.map", b"\x00\xff\xfe", SOLVE, "small.map:1:2: expected UTF-8 text"),
        ("small.map", b"type hex\n", SOLVE, "small.map:1: expected \"type octile\", found \"type hex\""),
        ("small.map", b"type octile\nheight 3\nmap\n...\n", SOLVE, "small.map:3: expected \"width\" before"),
        ("small.map", b"type octile\nheight 0\nwidth 5\nmap\n", SOLVE, "small.map:2:8: expected a whole number"),
        ("small.map", b"type octile\nheight 99999999999\n", SOLVE, "small.map:2:8: expected a whole number"),
        (
            "small.map",
            b"type octile\nheight 65536\nwidth 65536\nmap\n",
            SOLVE,
            "small.map:5: expected row 1 of 65536, found the end of the file",
        ),
        (
            "small.map",
            b"type octile\nheight 4294967295\nwidth 1\nmap\n.\n",
            SOLVE,
            "small.map:6: expected row 2 of 4294967295",
        ),
        ("small.map", b"type octile\nheight 1\nwidth 5\nmap\n....\n", SOLVE, "small.map:5: expected 5 cells, found 4"),
        (
            "small.map",
            b"type octile\nheight 1\nwidth 5\nmap\n..x..\n",
            SOLVE,
            "small.map:5:3: expected one of .GSE@OTW",
        ),
        ("small.map", b"type octile\nheight 1\nwidth 1\nmap\n.\n.\n", CHECK, "small.map:6: expected the end"),
        // Scenarios.
        ("small.scen", b"", SOLVE, "small.scen:1: expected \"version 1\" or an entry"),
        ("small.scen", b"version 2\n", SOLVE, "small.scen:1: expected \"version 1\""),
        ("small.scen", b"version 1\n", SOLVE, "small.scen:1: expected at least 3 entries, found 0"),
        ("small.scen", b"version 1\n0 m 5 3 0 0 4 0\n", SOLVE, "small.scen:2: expected 9 fields"),
        ("small.scen", b"version 1\n0 m 5 3 0 -1 4 0 1\n", SOLVE, "small.scen:2:11: expected the start's y"),
        ("small.scen", b"version 1\n0 m 5 3 0 0 4 0 far\n", SOLVE, "small.scen:2:17: expected the optimal length"),
        (
            "small.scen",
            b"0 m 6 3 0 0 4 0 1\n0 m 5 3 1 0 3 0 1\n0 m 5 3 2 0 2 0 1\n",
            SOLVE,
            "small.scen:1: expected the size of the map, 5 x 3, found 6 x 3",
        ),
        (
            "small.scen",
            b"0 m 5 3 0 0 4 0 1\n0 m 5 3 1 0 5 0 1\n0 m 5 3 2 0 2 0 1\n",
            SOLVE,
            "small.scen:2: expected a goal on the 5 x 3 map, found (5, 0)",
        ),
        (
            "small.scen",
            b"0 m 5 3 0 0 4 0 1\n0 m 5 3 1 1 3 0 1\n0 m 5 3 2 0 2 0 1\n",
            SOLVE,
            "small.scen:2: expected a start on a passable cell, found the wall (1, 1)",
        ),
        (
            "small.scen",
            b"0 m 5 3 0 0 4 0 1\n0 m 5 3 1 0 4 0 1\n0 m 5 3 2 0 2 0 1\n",
            SOLVE,
            "small.scen:2: expected a goal that no other agent has, found (4, 0), the goal on line 1",
        ),
        ("small.scen", b"version 1\n", CHECK_SCEN, "small.scen:1: expected at least 1 entries, found 0"),
        // Plans.
        ("plan.txt", b"", CHECK, "plan.txt:1: expected \"solution=\", found the end of the file"),
        ("plan.txt", b"agents=0\nsolved=0\nsolution=\n", CHECK, "plan.txt: expected at least one agent, found none"),
        ("plan.txt", b"agents=1\nsolution=\n", CHECK, "plan.txt:3: expected \"0:\""),
        ("plan.txt", b"agents=many\nsolution=\n", CHECK, "plan.txt:1:8: expected the number of agents"),
        ("plan.txt", b"agents=2\nsolution=\n0:(0,0),\n", CHECK, "plan.txt:3: expected 2 agents as on line 1, found 1"),
        ("plan.txt", b"agents=4000000000\nsolved=0\nsolution=\n", CHECK, "expected the cells of 4000000000 agents"),
        ("plan.txt", b"solution=\n1:(0,0),\n", CHECK, "plan.txt:2: expected tick 0, found 1"),
        ("plan.txt", b"solution=\n0:(0;0),\n", CHECK, "plan.txt:2:3: expected a cell as (x,y)"),
        ("plan.txt", b"solution=\n0:(0,0),\n1:(0,9),\n", CHECK, "plan.txt:3: expected agent 0 on the 5 x 3 map"),
        ("plan.txt", b"starts=(1,0),\nsolution=\n0:(0,0),\n", CHECK, "plan.txt:3: expected agent 0 at its start (1,0)"),
        ("plan.txt", b"goals=(5,0),\nsolution=\n0:(0,0),\n", CHECK, "plan.txt:1: expected agent 0 on the 5 x 3 map"),
        ("plan.txt", b"", DRAW, "plan.txt:1: expected \"solution=\", found the end of the file"),
        ("plan.txt", b"agents=0\nsolved=0\nsolution=\n", DRAW, "plan.txt: expected at least one agent, found none"),
        ("plan.txt", b"agents=4000000000\nsolved=0\nsolution=\n", DRAW, "expected the cells of 4000000000 agents"),
        ("plan.txt", b"solution=\n0:(0,0),\n1:(0,9),\n", DRAW, "plan.txt:3: expected agent 0 on the 5 x 3 map"),
        ("plan.txt", b"goals=(5,0),\nsolution=\n0:(0,0),\n", DRAW, "plan.txt:1: expected agent 0 on the 5 x 3 map"),
        (
            "plan.txt",
            b"solution=\n0:(0,0),(0,1),(0,2),(1,0),\n",
            CHECK_SCEN,
            "small.scen:4: expected at least 4 entries, found 3",
        ),
        // Traces.
        ("trace.json", b"", CHECK_TRACE, "trace.json:1"),
        ("trace.json", b"{\n]", CHECK_TRACE, "trace.json:2:1"),
        (
            "trace.json",
            br#"{"format":"giveway-trace","version":2,"ticks_per_step":1,"agents":[]}"#,
            CHECK_TRACE,
            "trace.json:1:37: expected version 1, found 2",
        ),
        (
            "trace.json",
            br#"{"format":"giveway-trace","version":1,"ticks_per_step":1,"agents":[]}"#,
            CHECK_TRACE,
            "trace.json: expected at least one agent, found none",
        ),
        (
            "trace.json",
            b"{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":1,\"agents\":[\n\
                {\"start\":{\"node\":0,\"position\":[0,0,0]},\"goals\":[],\"moves\":[\n\
                {\"depart\":2,\"arrive\":1,\"to\":{\"node\":0,\"position\":[0,0,0]}}]}]}",
            CHECK_TRACE,
            "trace.json:3:22: agent 0: move 0: expected to arrive at a tick from 2 to",
        ),
    ];
    for (name, contents, arguments, fragment) in rows {
        let folder = Folder::small("bad_files").with("plan.txt", PLAN).with(name, contents);
        refused(&folder, arguments, fragment);
    }
}
