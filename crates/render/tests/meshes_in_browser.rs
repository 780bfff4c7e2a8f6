//! Navigation meshes in the player, in a headless browser: see `player_in_browser.rs`.

#![allow(clippy::print_stderr)]

use crate::browser::{measure_frames, open, script_time};
use crate::support::meshes::{mesh, walkers};
use giveway_core::{Trace, TracedAgent, TracedPlace};
use giveway_render::{Backdrop, Player};
use giveway_spaces::NavMesh;

#[test]
#[ignore = "needs a browser"]
fn floors_and_walls_have_their_colors_and_stay_sharp() {
    let vertices = vec![[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0], [2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0]];
    let mesh = NavMesh::new(vertices, [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]).unwrap();
    let agents = [[1.0, 1.0, 0.0], [5.0, 5.0, 0.0]].map(|at| TracedAgent::new(TracedPlace::new(0, at), vec![], vec![]));
    let trace = Trace::new(1, agents.to_vec());
    let backdrop = Backdrop::mesh(mesh.walls(), 1.0);
    let script = "
        const canvas = document.getElementById('map'), context = canvas.getContext('2d');
        const style = getComputedStyle(document.documentElement);
        const number = (color) => parseInt(color.slice(1), 16);
        const look = () => {
            giveway.draw();
            const [[left, top], [right]] = [giveway.onScreen(0), giveway.onScreen(1)], scale = (right - left) / 4;
            const at = (x, y) => {
                const pixel = [left + (x - 1) * scale, top + (y - 1) * scale].map((side) => Math.round(side * devicePixelRatio));
                const [red, green, blue] = context.getImageData(...pixel, 1, 1).data;
                return (red << 16) + (green << 8) + blue;
            };
            // On the floor, on the edge between two polygons, in the pillar.
            return [at(3, 1), at(1.5, 1.5), at(3, 3)];
        };
        report('expected', ['--ground', '--ground', '--wall'].map((name) => number(style.getPropertyValue(name).trim())));
        report('seen', look());
        giveway.zoom(...giveway.onScreen(0), 1.4);
        report('zoomed', look());";
    for theme in ["light", "dark"] {
        let page = open(&Player::new(&trace, &backdrop), &format!("?t=0&theme={theme}"), script);
        let expected = page.numbers("expected");
        assert_eq!([page.numbers("seen"), page.numbers("zoomed")], [expected.clone(), expected], "{theme}");
    }
}

/// Measures; see `player_in_browser.rs`. Needs the folder `GIVEWAY_DATA`, and skips without.
#[test]
#[ignore = "needs a browser"]
fn frames_of_1000_discs_on_a_mesh() {
    let Some(mesh) = mesh("aurora.mesh") else { return };
    let trace = walkers(&mesh, 1000, 1.5, 200);
    let backdrop = Backdrop::mesh(mesh.walls(), 3.0);
    let player = Player::new(&trace, &backdrop);
    eprintln!("{} polygons, {} kB", mesh.polygons().len(), player.to_string().len() / 1000);
    for (what, each) in [
        ("playing", "giveway.advance(1 / 60)"),
        ("one agent selected", "giveway.select(3); giveway.advance(1 / 60)"),
        ("zooming", "giveway.zoom(200, 200, i % 100 < 50 ? 1.02 : 1 / 1.02)"),
    ] {
        measure_frames(&player, "", what, each);
        eprintln!("{what}: {:.2} ms of script", script_time(&player, each));
    }
}
