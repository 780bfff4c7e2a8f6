//! The player's maps of worlds that are not one grid, in a headless browser: see `player_in_browser.rs`.

use crate::browser::open;
use giveway_core::{Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_render::{Backdrop, Player};

/// The corners of a cell.
fn cell(x: f32, y: f32) -> [[f32; 2]; 4] {
    [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]]
}

#[test]
#[ignore = "needs a browser"]
fn layers_have_their_colors_and_walls_come_and_go() {
    // On 4 x 3 cells, one agent goes along the upper row until tick 42.
    let place = |node, x| TracedPlace::new(node, [x, 0.0, 0.0]);
    let agent = TracedAgent::new(place(0, 0.0), vec![place(3, 3.0)], vec![TracedMove::new(3, 42, place(3, 3.0))]);
    let trace = Trace::new(1, vec![agent]);
    let backdrop = Backdrop::cells(4, 3, |_, _| true)
        .with_rough([cell(0.0, 2.0)])
        .with_walls([cell(1.0, 2.0)])
        .with_walls_during(10..20, [cell(2.0, 2.0)]);
    let script = "
        const canvas = document.getElementById('map');
        giveway.seek(0); const [originX, originY] = giveway.onScreen(0);
        giveway.seek(42); const scale = (giveway.onScreen(0)[0] - originX) / 3;
        const at = (x, y) => {
            const pixel = [originX + x * scale, originY + y * scale].map((side) => Math.round(side * devicePixelRatio));
            return '#' + Array.from(canvas.getContext('2d').getImageData(...pixel, 1, 1).data.slice(0, 3), (part) => part.toString(16).padStart(2, '0')).join('');
        };
        const look = (tick) => {
            giveway.seek(tick);
            giveway.draw();
            return [0, 1, 2, 3].map((x) => at(x + 0.2, 2.1)).join(' ');
        };
        for (const tick of [0, 9.5, 10, 19.5, 20, 12]) report('at ' + tick, look(tick));";
    let page = open(&Player::new(&trace, &backdrop), "?theme=light", script);
    for (tick, stands) in [("0", false), ("9.5", false), ("10", true), ("19.5", true), ("20", false), ("12", true)] {
        let third = if stands { "#cdd3db" } else { "#ffffff" };
        assert_eq!(page.text(&format!("at {tick}")), format!("#efe7d3 #cdd3db {third} #ffffff"), "at tick {tick}");
    }
}
