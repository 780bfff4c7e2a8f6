//! `giveway draw`: pictures of plans, whatever program made them.

use crate::command_line::folder::{Folder, assert_asks_nothing_of_the_network};

const DRAW: &str = "draw --map small.map --plan plan.txt";

/// Two agents that exchange their cells; one that leaps over a wall.
const ILLEGAL: &str = "agents=3\nsolver=<b>\nstarts=(0,0),(1,0),(1,1),\ngoals=(1,0),(0,0),(4,2),\n\
    solution=\n0:(0,0),(1,0),(1,1),\n1:(1,0),(0,0),(4,2),\n";

#[test]
fn what_solve_made_is_drawn_as_solve_draws_it() {
    let folder = Folder::bay("draw");
    let solve = "solve --map bay.map --scen bay.scen --agents 2 --out plan.txt --svg solved.svg --html solved.html";
    assert_eq!(folder.run(solve).code, Some(0));
    let run = folder.run("draw --map bay.map --plan plan.txt --svg drawn.svg --html drawn.html");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @"
    Drawn, not checked: 2 agents, sum of costs 6 ticks, makespan 3 ticks
    Written: drawn.html
    Written: drawn.svg
    ");
    assert_eq!(folder.read("drawn.svg"), folder.read("solved.svg"));
    let data = |name: &str| folder.read(name).split_once("\"version\"").unwrap().1.to_owned();
    assert_eq!(data("drawn.html"), data("solved.html"));
    assert!(folder.read("drawn.html").contains(">Planned by hca: sum of costs 6, makespan 3; not checked<"));
}

#[test]
fn one_picture_is_enough() {
    let folder = Folder::small("draw_one").with("plan.txt", ILLEGAL);
    assert_eq!(folder.run(&format!("{DRAW} --svg a.svg")).code, Some(0));
    assert_eq!(folder.names(), ["a.svg", "plan.txt", "small.map", "small.scen"]);
    assert_eq!(folder.run(&format!("{DRAW} --html a.html --connectivity 8")).code, Some(0));
    assert_eq!(folder.names(), ["a.html", "a.svg", "plan.txt", "small.map", "small.scen"]);
}

#[test]
fn illegal_plans_are_drawn_as_they_are() {
    let folder = Folder::small("draw_illegal").with("plan.txt", ILLEGAL);
    let run = folder.run(&format!("{DRAW} --html a.html --svg a.svg"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let html = folder.read("a.html");
    assert_asks_nothing_of_the_network(&html);
    // From (1,1), a wall, by (3,1) at once.
    assert!(html.contains("\"start\":[1,1,6],\"goals\":[[4,2,14]],\"arrival\":1,\"moves\":[0,1,3,1,1]"));
    assert!(html.contains("Planned by &lt;b&gt;: "));
    assert_eq!(folder.run("check --map small.map --plan plan.txt").code, Some(1));
}

/// A plan that found nothing, and a plan without goals.
#[test]
fn little_is_drawn_as_well() {
    let folder = Folder::small("draw_little");
    for plan in ["agents=1\nsolved=0\nstarts=(0,0),\ngoals=(4,0),\nsolution=\n", "solution=\n0:(0,0),\n1:(0,1),\n"] {
        let folder = Folder::small("draw_little").with("plan.txt", plan);
        let run = folder.run(&format!("{DRAW} --html a.html --svg a.svg"));
        assert_eq!(run.code, Some(0), "{run:#?}");
    }
    assert_eq!(folder.names().len(), 5);
}

#[test]
fn a_trace_is_drawn_with_its_bodies_or_as_discs() {
    let folder = Folder::bay("draw_trace");
    let solve = "solve --map bay.map --scen bay.scen --agents 2 --trace trace.json --svg solved.svg";
    assert_eq!(folder.run(solve).code, Some(0));
    let run = folder.run("draw --map bay.map --trace trace.json --svg points.svg");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @"
    Drawn, not checked: 2 agents, 4 moves, 3 ticks
    Written: points.svg
    ");
    let untitled = |name: &str| folder.read(name).replace(" by hca", "");
    assert_eq!(untitled("points.svg"), untitled("solved.svg"));
    let run = folder.run("draw --map bay.map --trace trace.json --radius 0.3 --html discs.html --svg discs.svg");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(folder.read("discs.html").matches("\"disc\":[0,0,0.3]").count(), 2);
    assert_eq!(folder.read("discs.svg").matches("<path class=\"body\"").count(), 2);
}

#[test]
fn a_map_is_drawn_alone() {
    let folder = Folder::small("draw_map");
    let run = folder.run("draw --map small.map --svg map.svg");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "Drawn: the map small\nWritten: map.svg\n"));
    let svg = folder.read("map.svg");
    assert!(svg.contains("class=\"walls\"") && !svg.contains("class=\"legend\""), "{svg}");
}
