//! Plans and traces that are checked in a world.

use super::maps::dot_map;
use crate::command_line::folder::{Folder, Run};

/// Two discs on a row each, a wall that opens at tick 5, and a point for it on another row.
const DISCS: &str = "[[map]]\ncells = '''\n....#...\n........\n'''\n[[class]]\nname = 'a'\nshape = { disc = 0.4 }\n\
[[agents]]\nclass = 'a'\ncount = 1\n[[agents]]\nclass = 'a'\nname = 'one'\nstart = [0, 0]\ngoal = [3, 0]\n\
[[area]]\nrectangle = [[3.6, -0.4], [4.4, 0.4]]\nopens = [5]\n";

fn agent(body: &str, places: &[[f32; 2]], depart: u32) -> String {
    let place = |[x, y]: &[f32; 2]| format!("{{\"node\": 0, \"position\": [{x}, {y}, 0.0]}}");
    let step = |(tick, at): (u32, &[f32; 2])| {
        format!("{{\"depart\": {tick}, \"arrive\": {}, \"to\": {}}}", tick + 1, place(at))
    };
    let moves: Vec<String> = (depart..).zip(&places[1..]).map(step).collect();
    format!("{{\"start\": {}, {body}\"goals\": [], \"moves\": [{}]}}", place(&places[0]), moves.join(", "))
}

fn trace(agents: &[String]) -> String {
    let agents = agents.join(",\n");
    format!("{{\"format\": \"giveway-trace\", \"version\": 1, \"ticks_per_step\": 1, \"agents\": [\n{agents}]}}\n")
}

/// What the check says of a trace of the first agent, which has its start from the file, and of the drawn one.
fn told(agents: &[String]) -> (Option<i32>, String) {
    let folder = Folder::new("world_checks_discs").with("w.toml", DISCS).with("t.json", trace(agents).as_str());
    let run = folder.run("check --world w.toml --trace t.json");
    assert_eq!(run.stderr, "", "{run:#?}");
    (run.code, run.stdout)
}

const DISC: &str = "\"body\": {\"disc\": {\"center\": [0.0, 0.0], \"radius\": 0.4}}, ";

#[test]
fn bodies_and_places_are_those_of_the_classes() {
    let still = || agent(DISC, &[[0.0, 1.0]], 0);
    let valid = (Some(0), "valid: 2 agents, 3 moves, 3 ticks\n".to_owned());
    assert_eq!(told(&[agent(DISC, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]], 0), still()]), valid);
    for (way, depart, other, expected) in [
        // Into the wall before it opens, and after that.
        (
            vec![[3.0, 0.0], [4.0, 0.0]],
            2,
            still(),
            "agent 0 is 0.9 deep in a wall at (3.501,0) from tick 2.101 on\nnot valid, 1 violation: 2 agents, 1 move, 3 ticks\n",
        ),
        (vec![[3.0, 0.0], [4.0, 0.0], [5.0, 0.0]], 5, still(), "valid: 2 agents, 2 moves, 7 ticks\n"),
        (
            vec![[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]],
            0,
            still(),
            "agent 0 is at (0.5,0) at tick 1, where class \"a\" has no place\nnot valid, 1 violation: 2 agents, 2 moves, 2 ticks\n",
        ),
        // The class has a body, and the trace none.
        (
            vec![[0.0, 0.0], [0.0, 1.0]],
            0,
            agent("", &[[0.0, 1.0]], 0),
            "agent 0 and agent 1 overlap by 0.8 from tick 0.201 on\nnot valid, 1 violation: 2 agents, 1 move, 1 tick\n\
             note: agent 1 has another body in the trace than class \"a\": bodies are those of the world\n",
        ),
    ] {
        let (code, text) = told(&[agent(DISC, &way, depart), other]);
        assert_eq!((code, text.as_str()), (Some(i32::from(!expected.starts_with("valid"))), expected), "{way:?}");
    }
}

/// The wall is none once it is open, also for the check of the run itself.
#[test]
fn what_opens_is_no_wall() {
    for shape in ["", "shape = { disc = 0.4 }"] {
        let text = DISCS.replace("shape = { disc = 0.4 }", shape).replace("count = 1", "start = [0, 1]");
        let text = text + "[[order]]\ntick = 8\nagent = 'one'\ngoal = [5, 0]\n";
        let folder = Folder::new("world_checks_opens").with("w.toml", text.as_str());
        let run = folder.run("simulate --world w.toml --ticks 40 --trace t.json");
        assert!(run.stdout.contains("the check finds no conflict"), "{run:#?}");
        let check = folder.run("check --world w.toml --trace t.json");
        assert_eq!(check.code, Some(0), "{check:#?}");
        assert!(folder.read("t.json").contains("\"position\":[4.0,0.0,0.0]"));
        // Without the area the wall stays.
        let closed = folder.with("v.toml", text.split("[[area]]").next().unwrap());
        let check = closed.run("check --world v.toml --trace t.json");
        assert_eq!(check.code, Some(1), "{check:#?}");
    }
}

const POINTS: &str = "[[map]]\nfile = \"a.map\"\n[[class]]\nname = 'a'\n[[agents]]\nclass = 'a'\ncount = 2\n\
[[agents]]\nclass = 'a'\nstart = [0, 0]\ngoal = [7, 4]\n[[agents]]\nclass = 'a'\nstart = [7, 4]\ntour = [[0, 0], [3, 0]]\n";

fn fails_with(run: &Run, error: &str) {
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), error), "{run:#?}");
}

#[test]
fn plans_begin_and_end_where_the_world_says() {
    let folder = Folder::new("world_checks_plan").with("a.map", dot_map()).with("w.toml", POINTS);
    let run = folder.run("solve --world w.toml --seed 3 --out p.txt --trace t.json");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let valid = folder.run("check --world w.toml --plan p.txt");
    assert!(valid.code == Some(0) && valid.stdout.starts_with("valid: 4 agents, "), "{valid:#?}");
    assert_eq!(folder.run("check --world w.toml --trace t.json").code, Some(0));
    let folder = folder.with("v.toml", POINTS.replace("goal = [7, 4]", "goal = [6, 4]").as_str());
    let other = folder.run("check --world v.toml --plan p.txt");
    let first = "agent 0 has the goal (7,4) in the plan and (6,4) in the world\n";
    assert!(other.code == Some(1) && other.stdout.starts_with(first), "{other:#?}");
    let folder = folder.with("v.toml", POINTS.replace("start = [0, 0]", "start = [1, 0]").as_str());
    let other = folder.run("check --world v.toml --plan p.txt");
    assert!(other.code == Some(1) && other.stdout.contains("(0,0)"), "{other:#?}");
    // Drawn goals are nowhere but in the plan.
    let plan: String =
        folder.read("p.txt").lines().filter(|line| !line.starts_with("goals=")).collect::<Vec<_>>().join("\n");
    let folder = folder.with("q.txt", plan.as_str());
    let check = folder.run("check --world w.toml --plan q.txt");
    let note = "note: goals are drawn, and there is no line goals=, so agents without a goal may end anywhere\n";
    assert!(check.code == Some(0) && check.stdout.ends_with(note), "{check:#?}");
    // A plan of another map is noted.
    let folder = folder.with("r.txt", plan.replace("map_file=a.map", "map_file=b.map").as_str());
    let check = folder.run("check --world w.toml --plan r.txt");
    assert!(check.stdout.contains("note: the plan was made for b.map, and this is a.map\n"), "{check:#?}");
}

#[test]
fn what_cannot_be_checked_is_said() {
    let folder = Folder::new("world_checks_errors").with("a.map", dot_map()).with("w.toml", POINTS);
    folder.run("solve --world w.toml --out p.txt --trace t.json");
    let folder = folder.with("d.toml", DISCS).with("v.toml", POINTS.replace("count = 2", "count = 3").as_str());
    for (command, error) in [
        ("--world v.toml --plan p.txt", "error: p.txt: expected 5 agents, as in v.toml, found 4\n"),
        ("--world v.toml --trace t.json", "error: t.json: expected 5 agents, as in v.toml, found 4\n"),
        (
            "--world d.toml --plan p.txt",
            "error: d.toml: expected a world of points on one map of square cells with --plan, or else --trace\n",
        ),
        (
            "--world w.toml --plan p.txt --tolerance 0.1",
            "error: --tolerance does nothing with --plan, whose agents are on cells\n",
        ),
    ] {
        fails_with(&folder.run(&format!("check {command}")), error);
    }
    for flags in ["--map a.map", "--radius 0.3", "--levels 0,1,2", "--scen a.scen", "--walls none"] {
        let run = folder.run(&format!("check --world w.toml --trace t.json {flags}"));
        assert!(run.code == Some(2) && run.stderr.contains("cannot be used with"), "{run:#?}");
    }
}
