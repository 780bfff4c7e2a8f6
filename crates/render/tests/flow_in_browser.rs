//! The player's layer that shows which way units go, in a headless browser: see `player_in_browser.rs`.

use crate::browser::{measure_frames, open};
use giveway_core::{Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_render::{Arrow, Backdrop, Flow, Player};

/// On 4 x 3 cells, one agent goes along the upper row until tick 42.
fn one_agent() -> Trace {
    let place = |node, x| TracedPlace::new(node, [x, 0.0, 0.0]);
    let agent = TracedAgent::new(place(0, 0.0), vec![place(3, 3.0)], vec![TracedMove::new(3, 42, place(3, 3.0))]);
    Trace::new(1, vec![agent])
}

/// From tick 10 on one place has a direction, from tick 20 on another one too, and from tick 30 on only that.
fn changing_flow() -> Flow {
    let (one, other) = ([0.0, 2.0, 0.0], [2.0, 2.0, 0.0]);
    let right = |length| Arrow::new(one, [length, 0.0, 0.0]);
    let up = Arrow::new(other, [0.0, -0.75, 0.0]);
    let blank = Arrow::new([0.0; 3], [0.0; 3]);
    Flow::new().at(20, [right(0.5), up]).at(10, [right(1.0), blank]).at(30, [up])
}

#[test]
#[ignore = "needs a browser"]
fn it_shows_the_flow_of_the_latest_snapshot() {
    let (trace, backdrop) = (one_agent(), Backdrop::cells(4, 3, |_, _| true));
    let times = [0.0, 9.5, 10.0, 19.0, 25.5, 30.0, 42.0, 12.0];
    let script = times.map(|time| format!("giveway.seek({time}); report('at {time}', giveway.flow().flat());"));
    // The colour near the upper left corner of a cell, and in its middle.
    let colors = "
        const canvas = document.getElementById('map');
        giveway.seek(0); const [originX, originY] = giveway.onScreen(0);
        giveway.seek(42); const scale = (giveway.onScreen(0)[0] - originX) / 3;
        const at = (x, y) => {
            const pixel = [originX + x * scale, originY + y * scale].map((side) => Math.round(side * devicePixelRatio));
            return '#' + Array.from(canvas.getContext('2d').getImageData(...pixel, 1, 1).data.slice(0, 3), (part) => part.toString(16).padStart(2, '0')).join('');
        };
        const look = (tick, flow) => {
            giveway.seek(tick);
            if (flow) document.getElementById('flow-' + flow).click();
            giveway.draw();
            return [[-0.3, 1.7], [0, 2], [1.7, 1.7], [2, 1.9]].map(([x, y]) => at(x, y)).join(' ');
        };
        report('none yet', look(5, 'lanes'));
        report('lanes', look(10));
        report('paler', look(20));
        report('arrows', look(20, 'arrows'));
        report('off', look(20, 'off'));
        report('pressed', document.querySelector('#flow [aria-pressed=true]').id);
        const key = () => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true })); return giveway.state().flow; };
        report('keys', [key(), key(), key()].join(' '));
        report('there', [document.getElementById('flow').hidden, document.getElementById('flow-hues').hidden]);";
    let player = Player::new(&trace, &backdrop).flow(changing_flow());
    let first = "report('first', giveway.state().flow);";
    let page = open(&player, "?theme=light", &(first.to_owned() + &script.concat() + colors));
    assert_eq!(page.text("first"), "lanes");
    for (time, expected) in [
        (0.0, &[][..]),
        (9.5, &[]),
        (10.0, &[0.0, 2.0, 1.0, 0.0]),
        (19.0, &[0.0, 2.0, 1.0, 0.0]),
        (25.5, &[0.0, 2.0, 0.5, 0.0, 2.0, 2.0, 0.0, -0.75]),
        (30.0, &[2.0, 2.0, 0.0, -0.75]),
        (42.0, &[2.0, 2.0, 0.0, -0.75]),
        (12.0, &[0.0, 2.0, 1.0, 0.0]),
    ] {
        let key = format!("at {time}");
        let found = if page.text(&key).is_empty() { Vec::new() } else { page.numbers(&key) };
        assert_eq!(found, expected, "{key}");
    }
    // Lanes fill their cells, arrows run through the middle and leave the corners. The hue of what goes to the right is
    // #337bd0, of what goes up #09be8a; the ground is white.
    assert_eq!(page.text("none yet"), "#ffffff #ffffff #ffffff #ffffff");
    assert_eq!(page.text("lanes"), "#81ade2 #81ade2 #ffffff #ffffff");
    let paler = page.text("paler");
    let [corner, middle, up, up_middle] = paler.split(' ').collect::<Vec<_>>()[..] else { panic!() };
    assert!(corner == middle && up == up_middle && corner != "#81ade2" && corner != "#ffffff", "{paler}");
    let arrows = page.text("arrows");
    let [corner, middle, up, up_middle] = arrows.split(' ').collect::<Vec<_>>()[..] else { panic!() };
    assert!(corner == "#ffffff" && up == "#ffffff" && middle != corner && up_middle != up, "{arrows}");
    assert_eq!(page.text("off"), "#ffffff #ffffff #ffffff #ffffff");
    assert_eq!(page.text("pressed"), "flow-off");
    assert_eq!(page.text("keys"), "lanes arrows off");
    assert_eq!(page.text("there"), "false,false");
}

#[test]
#[ignore = "needs a browser"]
fn the_address_says_how_the_flow_is_shown() {
    let (trace, backdrop) = (one_agent(), Backdrop::cells(4, 3, |_, _| true));
    let script =
        "report('shown', String(giveway.state().flow)); report('hidden', document.getElementById('flow').hidden);";
    let with = Player::new(&trace, &backdrop).flow(changing_flow());
    let without = Player::new(&trace, &backdrop);
    for (player, address, shown, hidden) in [
        (&with, "?flow=arrows", "arrows", "false"),
        (&with, "?flow=off&t=3", "off", "false"),
        (&with, "?flow=nonsense", "lanes", "false"),
        (&without, "?flow=arrows", "null", "true"),
    ] {
        let page = open(player, address, script);
        assert_eq!((page.text("shown").as_str(), page.text("hidden").as_str()), (shown, hidden), "{address}");
    }
}

/// Not a test of what is right but of how fast: `cargo test -p giveway-render -- --ignored --nocapture frames`.
#[test]
#[ignore = "measures"]
#[allow(clippy::print_stderr)]
fn frames_of_a_flow_that_changes() {
    let backdrop = Backdrop::cells(64, 64, |_, _| true);
    let arrows = |tick: u16| -> Vec<Arrow> {
        let cells = (0..64_u16).flat_map(|y| (0..64_u16).map(move |x| (f32::from(x), f32::from(y))));
        let arrow = |(x, y): (f32, f32)| {
            let (sin, cos) = (x * 0.1 + (y * 0.13).sin() + f32::from(tick) * 0.02).sin_cos();
            Arrow::new([x, y, 0.0], [cos * 0.8, sin * 0.8, 0.0])
        };
        cells.map(arrow).collect()
    };
    let flow = (0..100).fold(Flow::new(), |flow, tick| flow.at(tick.into(), arrows(tick)));
    let trace = Trace { until: Some(100), ..Trace::new(1, Vec::new()) };
    let player = Player::new(&trace, &backdrop).flow(flow);
    eprintln!("{} kB", player.to_string().len() / 1000);
    for address in ["?flow=off", "?flow=lanes", "?flow=arrows"] {
        for (what, each) in [
            ("playing", "if (giveway.state().time === 100) giveway.seek(0); giveway.play(); giveway.advance(1 / 60)"),
            ("a snapshot per frame", "giveway.seek(i % 100)"),
            ("zooming", "giveway.zoom(200, 200, i % 100 < 50 ? 1.02 : 1 / 1.02)"),
        ] {
            measure_frames(&player, address, &format!("{address} {what}"), each);
        }
    }
}
