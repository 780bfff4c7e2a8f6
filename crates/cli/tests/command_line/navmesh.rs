//! Agents on a navigation mesh: planned, run, checked and drawn from files.

use serde_json::Value;

use crate::command_line::folder::Folder;

/// Discs that pass each other among the obstacles of the mesh `arena`, and what they are called in the folder.
fn arena(name: &str) -> Folder {
    let mesh =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/navmesh/arena.mesh")).unwrap();
    let agents = "start_x,start_y,goal_x,goal_y\n5,5,30,30\n30,30,5,5\n5.5,7,34,8\n34,8,5.5,7\n9,40,40,40\n";
    Folder::small(name).with("arena.mesh", mesh.as_str()).with("agents.csv", agents)
}

#[test]
fn discs_and_points_arrive_and_the_check_agrees() {
    let folder = arena("navmesh_solve");
    for strategy in ["hca", "ca", "whca", "lra"] {
        for body in ["--radius 0.3", "--radius 0.6 --speed 0.5", ""] {
            let files = "--map arena.mesh --agents-file agents.csv";
            let run = folder.run(&format!("solve {files} {body} --strategy {strategy} --trace t.json --json"));
            assert_eq!(run.code, Some(0), "{strategy} {body}: {run:#?}");
            let json: Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!((&json["agents"], &json["conflicts"]), (&5.into(), &0.into()));
            let [costs, bound] = ["sum_of_costs", "sum_of_costs_lower_bound"].map(|key| json[key].as_u64().unwrap());
            assert!(bound <= costs && costs < 3 * bound, "{json}");
            let radius = body.split(" --speed").next().unwrap_or_default();
            let check = folder.run(&format!("check --map arena.mesh --trace t.json {radius}"));
            assert_eq!(check.code, Some(0), "{strategy} {body}: {check:#?}");
        }
    }
}

#[test]
fn drawn_agents_have_room_and_the_check_agrees() {
    let folder = arena("navmesh_drawn");
    for body in ["--radius 0.3", "--radius 0.8 --speed 0.5", ""] {
        for command in ["solve", "simulate --ticks 1500 --task lifelong"] {
            let run = |seed: u32| {
                let run = folder.run(&format!(
                    "{command} --map arena.mesh --agents 20 --seed {seed} {body} --strategy whca --trace t.json --json"
                ));
                assert_eq!(run.code, Some(0), "{command} {body}: {run:#?}");
                let json: Value = serde_json::from_str(&run.stdout).unwrap();
                assert_eq!(json["conflicts"], 0);
                let trace = folder.read("t.json");
                assert_eq!(serde_json::from_str::<Value>(&trace).unwrap()["agents"].as_array().unwrap().len(), 20);
                trace
            };
            let trace = run(1);
            let radius = body.split(" --speed").next().unwrap_or_default();
            let check = folder.run(&format!("check --map arena.mesh --trace t.json {radius}"));
            assert_eq!(check.code, Some(0), "{command} {body}: {check:#?}");
            // The seed decides, and nothing else does.
            assert!(run(2) != trace && run(1) == trace, "{command} {body}");
        }
    }
}

#[test]
fn the_first_agents_start_and_end_where_the_file_says() {
    let folder = arena("navmesh_places");
    let run = folder.run("solve --map arena.mesh --agents-file agents.csv --agents 2 --radius 0.5 --trace t.json");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
    let agents = trace["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 2);
    assert_eq!(agents[0]["start"]["position"], serde_json::json!([5.0, 5.0, 0.0]));
    let last = agents[0]["moves"].as_array().unwrap().last().unwrap();
    assert_eq!(last["to"]["position"], serde_json::json!([30.0, 30.0, 0.0]));
}

#[test]
fn crowds_run_and_pictures_show_the_mesh() {
    let folder = arena("navmesh_simulate");
    for task in ["once", "patrol", "lifelong"] {
        let files = "--map arena.mesh --agents-file agents.csv --radius 0.3";
        let run = folder.run(&format!("simulate {files} --task {task} --ticks 2000 --trace t.json --json"));
        assert_eq!(run.code, Some(0), "{task}: {run:#?}");
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(json["arrivals"].as_u64().unwrap() >= 5, "{json}");
        let check = folder.run("check --map arena.mesh --trace t.json");
        assert_eq!(check.code, Some(0), "{check:#?}");
    }
    let run = folder.run("draw --map arena.mesh --trace t.json --svg t.svg --html t.html");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(folder.read("t.svg").contains("class=\"floor\""));
}
