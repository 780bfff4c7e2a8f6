//! The player in a headless browser: it loads without an error, plays, and what it shows at a tick is what the plan
//! says.
//!
//! The browser is `$CHROMIUM` or a chromium of the system. Tests that need one are run by `cargo test -p giveway-render
//! --test tests in_browser -- --ignored --skip frames`; `frames` only measures.

use crate::browser::{Page, measure_frames, open};
use giveway_core::{Point, Tick, Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_render::{Backdrop, Color, Player};
use giveway_scenario::{MapFile, Scenario};
use giveway_strategies::{Hca, Instance};

/// 60 agents that give way to each other, and their map.
fn benchmark() -> (Trace, Backdrop) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/movingai");
    let map = MapFile::read(format!("{folder}/maps/random-32-32-20.map")).unwrap();
    let grid = map.grid().unwrap();
    let scenario = Scenario::read(format!("{folder}/scens/random-32-32-20-random-1.scen")).unwrap();
    let agents = scenario.agents(60, &grid).unwrap();
    let points = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &points, agents).unwrap();
    let solution = Hca::hca_star().solve(&instance);
    let trace = Trace::from_plan(&grid, instance.agents(), &solution.plan, 1);
    (trace, Backdrop::cells(32, 32, |x, y| map.is_passable(x, y)))
}

/// Two agents on fine ticks, between cells; the second never arrives.
fn fine_ticks() -> Trace {
    let place = |node, x, y| TracedPlace::new(node, [x, y, 0.0]);
    let moved = |depart, arrive, to| TracedMove::new(depart, arrive, to);
    let agents = vec![
        TracedAgent::new(
            place(0, 0.0, 0.0),
            vec![place(2, 2.25, 0.125)],
            vec![moved(3, 20, place(1, 1.0, 0.5)), moved(20, 33, place(2, 2.25, 0.125))],
        ),
        TracedAgent::new(
            place(3, 3.0, 2.0),
            vec![place(0, 0.0, 0.0), place(1, 1.0, 0.5)],
            vec![moved(10, 42, place(4, 3.0, 1.0))],
        ),
    ];
    Trace::new(16, agents)
}

/// Where `agent` is at `time`, by the trace's own words: it rests between its moves.
fn position(agent: &TracedAgent, time: f64) -> [f64; 2] {
    let plane = |place: &TracedPlace| [f64::from(place.position[0]), f64::from(place.position[1])];
    let mut at = plane(&agent.start);
    for traced in &agent.moves {
        let (depart, arrive) = (f64::from(traced.depart), f64::from(traced.arrive));
        let part = ((time - depart) / (arrive - depart)).clamp(0.0, 1.0);
        let to = plane(&traced.to);
        at = [at[0] + (to[0] - at[0]) * part, at[1] + (to[1] - at[1]) * part];
    }
    at
}

fn last_tick(trace: &Trace) -> Tick {
    let moves = trace.agents.iter().flat_map(|agent| &agent.moves);
    moves.map(|traced| traced.arrive).max().unwrap()
}

/// Asserts that the page reports the trace's positions at `time`, and that it drew agents in their colours.
fn assert_shows(page: &Page, trace: &Trace, key: &str, time: f64) {
    let reported = page.numbers(key);
    let expected = trace.agents.iter().flat_map(|agent| position(agent, time));
    let expected: Vec<f64> = expected.collect();
    assert_eq!(reported.len(), expected.len());
    for (index, (found, expected)) in reported.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() < 1e-6, "agent {} at tick {time}: {found} instead of {expected}", index / 2);
    }
}

#[test]
#[ignore = "needs a browser"]
fn it_shows_what_the_plan_says() {
    let (trace, backdrop) = benchmark();
    let times = [0.0, 0.25, 1.0, 7.5, 12.5, 31.0, f64::from(last_tick(&trace))];
    let script: String = times
        .iter()
        .map(|time| {
            format!(
                "giveway.seek({time}); report('at {time}', giveway.positions().flat()); report('pixels {time}', pixels());"
            )
        })
        .collect();
    // The colour in the middle of every agent that has not arrived; arrived agents are rings.
    let pixels = "
        function pixels() {
            const canvas = document.getElementById('map'), context = canvas.getContext('2d');
            return giveway.positions().map((_, a) => {
                const [x, y] = giveway.onScreen(a).map((side) => Math.floor(side * devicePixelRatio));
                const [red, green, blue] = context.getImageData(x, y, 1, 1).data;
                return (red << 16) + (green << 8) + blue;
            });
        }";
    let player = Player::new(&trace, &backdrop);
    let page = open(&player, "?t=12.5", &format!("{pixels} {script}"));
    assert_eq!(page.attribute("data-ready").as_deref(), Some("1"));
    assert_eq!(page.attribute("data-tick").as_deref(), Some("12.5"));
    for time in times {
        assert_shows(&page, &trace, &format!("at {time}"), time);
        let drawn = page.numbers(&format!("pixels {time}"));
        for ((id, agent), drawn) in (0..).zip(&trace.agents).zip(drawn) {
            if agent.moves.last().is_some_and(|last| f64::from(last.arrive) > time) {
                let [red, green, blue] = Color::from_agent(id).rgb.map(u32::from);
                let expected = f64::from((red << 16) + (green << 8) + blue);
                assert_eq!(drawn, expected, "the colour of agent {id} at tick {time}");
            }
        }
    }
}

#[test]
#[ignore = "needs a browser"]
fn it_shows_fine_ticks_and_places_between_cells() {
    let trace = fine_ticks();
    let backdrop = Backdrop::cells(4, 3, |_, _| true);
    let times = [0.0, 2.9, 3.0, 11.5, 20.0, 26.5, 42.0];
    let script = times.map(|time| format!("giveway.seek({time}); report('at {time}', giveway.positions().flat());"));
    let end = "report('end', [giveway.state().arrived, giveway.state().waiting, giveway.state().costs]);";
    let page = open(&Player::new(&trace, &backdrop), "", &(script.concat() + end));
    for time in times {
        assert_shows(&page, &trace, &format!("at {time}"), time);
    }
    assert_eq!(page.numbers("end"), [1.0, 1.0, 33.0 + 42.0]);
}

#[test]
#[ignore = "needs a browser"]
fn it_plays_and_obeys() {
    let (trace, backdrop) = benchmark();
    let script = "
        const time = () => giveway.state().time, playing = () => Number(giveway.state().playing);
        const key = (key, more) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
        const click = (id) => document.getElementById(id).click();
        report('at once', [playing()]);
        giveway.pause(); giveway.seek(0); giveway.play();
        const ticks = [];
        for (let i = 0; i < 5; i++) { giveway.advance(0.1); ticks.push(time()); }
        report('ticks', ticks);
        giveway.advance(1e6);
        report('end', [time(), playing()]);
        key(' '); report('again', [time(), playing()]);
        key(' '); giveway.seek(3.5);
        key('ArrowRight'); const on = time();
        key('ArrowLeft'); const back = time();
        giveway.seek(3.5); key('ArrowLeft'); const half = time();
        key('ArrowRight', { shiftKey: true }); const ten = time();
        click('forward'); const clicked = time();
        key('End'); const last = time();
        key('Home');
        report('steps', [on, back, half, ten, clicked, last, time()]);
        key('>'); key('>'); report('speed', [giveway.state().speed]);
        const before = getComputedStyle(document.documentElement).colorScheme;
        key('d'); report('theme', [Number(before !== getComputedStyle(document.documentElement).colorScheme)]);
        key('?'); report('help', [Number(document.getElementById('keys').open)]);
        document.getElementById('keys').close();
        key(']'); key(']'); key('['); report('selected', [giveway.state().selected]);
        key('Escape'); report('unselected', [giveway.state().selected]);
    ";
    let page = open(&Player::new(&trace, &backdrop), "", script);
    let last = f64::from(last_tick(&trace));
    assert_eq!(page.numbers("at once"), [1.0]);
    let ticks = page.numbers("ticks");
    assert!(ticks.is_sorted_by(|a, b| a < b), "{ticks:?}");
    assert!((ticks[4] - 2.0).abs() < 1e-9, "4 steps per second: {ticks:?}");
    assert_eq!(page.numbers("end"), [last, 0.0]);
    assert_eq!(page.numbers("again"), [0.0, 1.0]);
    assert_eq!(page.numbers("steps"), [4.0, 3.0, 3.0, 13.0, 14.0, last, 0.0]);
    assert_eq!(page.numbers("speed"), [4.0]);
    assert_eq!(page.numbers("theme"), [1.0]);
    assert_eq!(page.numbers("help"), [1.0]);
    assert_eq!(page.numbers("selected"), [0.0]);
    assert_eq!(page.numbers("unselected"), [-1.0]);
}

#[test]
#[ignore = "needs a browser"]
fn pointing_names_an_agent_clicking_keeps_it_and_the_wheel_zooms_where_it_points() {
    let (trace, backdrop) = benchmark();
    let script = "
        const map = document.getElementById('map'), box = map.getBoundingClientRect();
        const point = (type, [x, y], more) => map.dispatchEvent(new PointerEvent(type, {
            clientX: box.left + x, clientY: box.top + y, pointerId: 1, button: 0, bubbles: true, ...more }));
        const at = giveway.onScreen(7);
        point('pointermove', at);
        report('tip', document.getElementById('tip').textContent);
        point('pointerdown', at); point('pointerup', at);
        report('selected', [giveway.state().selected]);
        report('arrives', document.getElementById('card-arrival').textContent);
        // A wheel turns at whole pixels only.
        const turn = [Math.round(box.left + at[0] + 40) - box.left, Math.round(box.top + at[1] - 25) - box.top];
        const wheel = new WheelEvent('wheel', { clientX: box.left + turn[0], clientY: box.top + turn[1], deltaY: -240, cancelable: true });
        const from = [at[0] - turn[0], at[1] - turn[1]];
        map.dispatchEvent(wheel);
        const zoomed = giveway.onScreen(7);
        report('zoomed', [(zoomed[0] - turn[0]) / from[0], (zoomed[1] - turn[1]) / from[1], Number(wheel.defaultPrevented)]);
        point('pointerdown', at); point('pointermove', [at[0] + 30, at[1] - 20]); point('pointerup', [at[0] + 30, at[1] - 20]);
        const [movedX, movedY] = giveway.onScreen(7);
        report('dragged', [movedX - zoomed[0], movedY - zoomed[1], giveway.state().selected]);
    ";
    let page = open(&Player::new(&trace, &backdrop), "?t=5", script);
    let arrives = trace.agents[7].moves.last().unwrap().arrive;
    assert_eq!(page.text("tip"), format!("Agent 7arrives at tick {arrives}"));
    assert_eq!(page.numbers("selected"), [7.0]);
    assert_eq!(page.text("arrives"), format!("tick {arrives}"));
    let [across, down, prevented] = page.numbers("zoomed")[..] else { panic!() };
    assert!(across > 1.2 && (across - down).abs() < 1e-6, "{across} {down}");
    assert_eq!(prevented, 1.0);
    let dragged = page.numbers("dragged");
    assert!((dragged[0] - 30.0).abs() < 1e-6 && (dragged[1] + 20.0).abs() < 1e-6, "{dragged:?}");
    assert_eq!(dragged[2], 7.0, "a drag is no click");
}

/// `count` agents in rows of 12 from (0, 0) on, each with its goal in the row below, where it goes at tick 5.
fn rows(count: u16) -> (Trace, Backdrop) {
    let place = |x: u16, y: u16| TracedPlace::new(u32::from(y * 12 + x), [x.into(), y.into(), 0.0]);
    let agent = |id: u16| {
        let (x, y) = (id % 12, id / 12);
        let goal = place(x, y + 1);
        TracedAgent::new(place(x, y), vec![goal], vec![TracedMove::new(5, 6, goal)])
    };
    (Trace::new(1, (0..count).map(agent).collect()), Backdrop::cells(12, u32::from(count / 12) + 2, |_, _| true))
}

#[test]
#[ignore = "needs a browser"]
fn numbers_are_read_on_every_color() {
    // The contrast of one colour to another: WCAG 2.2, "contrast ratio".
    let luminance = |rgb: [u8; 3]| {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        let [red, green, blue] = rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (trace, backdrop) = rows(48);
    let script = "
        const inks = [], write = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
            inks[text] = parseInt(this.fillStyle.slice(1), 16);
            return write.call(this, text, ...more);
        };
        giveway.seek(1);
        report('inks', inks);";
    let page = open(&Player::new(&trace, &backdrop), "", script);
    let inks = page.numbers("inks");
    assert_eq!(inks.len(), 48);
    for (id, ink) in (0..).zip(inks) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // of 24 bits
        let [_, ink @ ..] = (ink as u32).to_be_bytes();
        let (color, ink) = (luminance(Color::from_agent(id).rgb) + 0.05, luminance(ink) + 0.05);
        let contrast = color.max(ink) / color.min(ink);
        assert!(contrast >= 4.5, "the number of agent {id}: {contrast:.2}");
    }
}

#[test]
#[ignore = "needs a browser"]
fn goals_do_not_drown_many_agents() {
    let script = "
        const sides = [], canvas = CanvasRenderingContext2D.prototype;
        for (const name of ['rect', 'roundRect']) {
            const draw = canvas[name];
            canvas[name] = function (x, y, width, ...more) {
                sides.push(width);
                return draw.call(this, x, y, width, ...more);
            };
        }
        document.getElementById('paths').click(); giveway.draw();
        const cell = giveway.onScreen(1)[0] - giveway.onScreen(0)[0];
        report('goals', sides.map((side) => side / cell).filter((side) => side < 2));";
    for (count, expected) in [(20, 0.7..0.8), (300, 0.3..0.4)] {
        let (trace, backdrop) = rows(count);
        let page = open(&Player::new(&trace, &backdrop), "?t=1", script);
        let goals = page.numbers("goals");
        assert_eq!(goals.len(), usize::from(count));
        assert!(goals.iter().all(|side| expected.contains(side)), "{count} agents: {goals:?}");
    }
}

#[test]
#[ignore = "needs a browser"]
fn no_title_breaks_out() {
    let (trace, backdrop) = (fine_ticks(), Backdrop::cells(4, 3, |_, _| true));
    for title in [
        "</script><script>document.documentElement.dataset.hacked = 1</script>",
        "</title><img src=x onerror=\"document.documentElement.dataset.hacked = 1\">{{data}} \"'&amp; <!--",
    ] {
        let script = "report('shown', document.querySelector('h1').textContent + document.title);
            report('hacked', [Number('hacked' in document.documentElement.dataset)]);";
        let player = Player::new(&trace, &backdrop).title(title).caption(title);
        let page = open(&player, "?t=1", script);
        assert_eq!(page.text("shown"), format!("{title}{title}"));
        assert_eq!(page.numbers("hacked"), [0.0]);
    }
}

#[test]
#[ignore = "needs a browser"]
fn the_least_of_plans_are_shown_too() {
    let standing = TracedPlace::new(0, [0.0; 3]);
    let one = TracedAgent::new(standing, vec![standing], Vec::new());
    for (agents, backdrop) in [
        (Vec::new(), Backdrop::cells(1, 1, |_, _| true)),
        (Vec::new(), Backdrop::cells(0, 0, |_, _| true)),
        (vec![one], Backdrop::cells(1, 1, |_, _| true)),
    ] {
        let trace = Trace::new(1, agents);
        let script = "giveway.play(); giveway.advance(1); giveway.zoom(5, 5, 2);
            report('state', [giveway.state().arrived, giveway.state().time]);";
        let page = open(&Player::new(&trace, &backdrop), "", script);
        #[allow(clippy::cast_precision_loss)] // none or one
        let arrived = trace.agents.len() as f64;
        assert_eq!(page.numbers("state"), [arrived, 0.0]);
    }
}

#[test]
#[ignore = "needs a browser"]
fn a_running_world_is_shown_as_it_was() {
    let script: String = [0.0, 2.5, 3.0, 4.0, 4.5, 5.0, 6.5, 7.0, 8.5, 9.0, 12.0]
        .iter()
        .map(|time| {
            format!(
                "giveway.seek({time}); report('doing {time}', giveway.doing().map((state) => state[0] + state.at(-1)).join(' '));
                 report('numbers {time}', [giveway.arrivals(), giveway.state().moving, giveway.state().waiting, giveway.state().standingBy]);"
            )
        })
        .collect();
    let card = "giveway.select(0); giveway.seek(7);
        report('card', ['now', 'goal', 'arrival'].map((name) => document.getElementById('card-' + name).textContent).join('; '));
        report('names', ['arrived-name', 'costs-name'].map((id) => document.getElementById(id).textContent).join('; '));
        giveway.select(1); giveway.seek(10); report('gone', document.getElementById('card-now').textContent);
        giveway.seek(4.5); report('leapt', giveway.positions()[2]);
        report('last', [Number(document.getElementById('scrub').max)]);
        report('legend', [Number(document.getElementById('standing-by').hidden)]);";
    let backdrop = Backdrop::cells(4, 3, |_, _| true);
    let page = open(&Player::new(&crate::support::running_world(), &backdrop), "", &(script + card));
    // Of each state the first letter and the last: moving, waiting, arrived, standing by, not there.
    for (time, doing, numbers) in [
        ("0", "mg ne sy sy", [0.0, 1.0, 0.0, 2.0]),
        ("2.5", "mg ne sy mg", [0.0, 2.0, 0.0, 1.0]),
        // At its goal at tick 3, and sent on at once.
        ("3", "mg ne sy sy", [1.0, 1.0, 0.0, 2.0]),
        ("4", "mg ne sy mg", [1.0, 2.0, 0.0, 1.0]),
        ("4.5", "mg ne sy mg", [1.0, 2.0, 0.0, 1.0]),
        ("5", "mg wg sy sy", [1.0, 1.0, 1.0, 2.0]),
        ("6.5", "wg mg sy sy", [2.0, 1.0, 1.0, 2.0]),
        ("7", "mg ad sy sy", [3.0, 1.0, 0.0, 2.0]),
        ("8.5", "mg ad sy sy", [3.0, 1.0, 0.0, 2.0]),
        ("9", "mg ne sy sy", [3.0, 1.0, 0.0, 2.0]),
        ("12", "sy ne sy sy", [4.0, 0.0, 0.0, 3.0]),
    ] {
        assert_eq!(page.text(&format!("doing {time}")), doing, "at {time}");
        assert_eq!(page.numbers(&format!("numbers {time}")), numbers, "at {time}");
    }
    assert_eq!(page.text("card"), "moving at 0, 0; 3, 0; 2 of 3 orders");
    assert_eq!(page.text("names"), "Arrivals so far; At rest");
    assert_eq!(page.text("gone"), "not there");
    assert_eq!(page.numbers("leapt"), [0.0, 1.0]);
    assert_eq!((page.numbers("last"), page.numbers("legend")), (vec![13.0], vec![0.0]));
}

#[test]
#[ignore = "needs a browser"]
fn it_shows_curves_and_headings() {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, PI};
    let trace = crate::support::cars();
    let backdrop = Backdrop::cells(12, 8, |_, _| true);
    // Agent, tick, and its pose then: straight on, in the middle of each part of its trajectories, and at rest.
    let (near, far) = (2.0 - 2.0 * FRAC_1_SQRT_2, 2.0 * FRAC_1_SQRT_2);
    let table = [
        (0, 4.0, [3.0, 2.0, 0.0]),
        (0, 12.0, [4.0 + far, 2.0 + near, FRAC_PI_4]),
        (0, 18.0, [6.0, 4.0, FRAC_PI_2]),
        (0, 22.0, [6.0, 3.5, FRAC_PI_2]),
        (0, 30.0, [6.0 + near, 3.0 - far, FRAC_PI_2 + FRAC_PI_4]),
        (0, 40.0, [8.0, 1.0, PI]),
        (1, 8.0, [2.0, 5.0, 0.0]),
        (1, 12.0, [2.0, 5.0, 1.5 * PI]),
        (1, 16.0, [2.0, 5.0, PI]),
        (2, 20.0, [9.0 + far, 5.0 + near, FRAC_PI_4]),
        (3, 20.0, [5.0, 6.0, 0.0]),
    ];
    // From one end of the time to the other, so that nothing is told from what was shown before.
    let ways = table.iter().rev().chain(&table).enumerate().map(|(index, (agent, tick, _))| {
        format!("giveway.seek({tick}); report('pose {}', giveway.poses()[{agent}]);", index)
    });
    let script = "
        giveway.seek(12); giveway.select(0);
        report('card', ['now', 'start', 'goal'].map((name) => document.getElementById('card-' + name).textContent).join('; '));
        giveway.select(-1);
        // Whose colour is at a place of the world, seen from agent 3, which stands at (5, 6).
        const canvas = document.getElementById('map'), [left, top] = giveway.onScreen(3);
        giveway.seek(0);
        const scale = (giveway.onScreen(0)[0] - left) / (2 - 5);
        const screen = (x, y) => [left + (x - 5) * scale, top + (y - 6) * scale];
        const at = (x, y) => {
            const pixel = screen(x, y).map((side) => Math.round(side * devicePixelRatio));
            const [red, green, blue] = canvas.getContext('2d').getImageData(...pixel, 1, 1).data;
            return (red << 16) + (green << 8) + blue;
        };
        giveway.seek(18);
        // It faces down: it is there before and behind, and not beside. The mark of its front is in another colour.
        report('colors', [at(6, 3.2), at(6.3, 4.4), at(6, 4.75), at(6.7, 4), at(5.3, 4)]);
        const box = canvas.getBoundingClientRect();
        const tips = [[6, 3.2], [6.7, 4], [6.4, 4.8]].map(([x, y]) => {
            const [clientX, clientY] = screen(x, y);
            canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + clientX, clientY: box.top + clientY, bubbles: true }));
            const tip = document.getElementById('tip');
            return tip.hidden ? 'nobody' : tip.textContent;
        });
        report('tips', tips.join('; '));
        document.getElementById('paths').click(); giveway.draw();
        giveway.seek(40);
        report('path', [at(4 + Math.SQRT2, 4 - Math.SQRT2), at(5, 3)]);
        giveway.select(0); giveway.seek(12);
        report('ahead', [at(8 - Math.SQRT2, 3 - Math.SQRT2)]);";
    let page = open(&Player::new(&trace, &backdrop), "", &(ways.collect::<String>() + script));
    for (index, (agent, tick, expected)) in table.iter().rev().chain(&table).enumerate() {
        let found = page.numbers(&format!("pose {index}"));
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "agent {agent} at tick {tick}: {found} instead of {expected}");
        }
    }
    assert_eq!(page.text("card"), "moving at 5.41, 2.59 facing 45\u{b0}; 2, 2 facing 0\u{b0}; 8, 1 facing 180\u{b0}");
    let color = Color::from_agent(0).rgb.map(u32::from);
    let color = f64::from((color[0] << 16) + (color[1] << 8) + color[2]);
    let [behind, before, front, right, left] = page.numbers("colors")[..] else { panic!() };
    assert_eq!((behind, before), (color, color));
    assert!([front, right, left].iter().all(|other| *other != color));
    assert_eq!(page.text("tips"), "Agent 0arrives at tick 36; nobody; Agent 0arrives at tick 36");
    let [on_the_arc, beside] = page.numbers("path")[..] else { panic!() };
    assert_ne!(on_the_arc, beside);
    assert_eq!(page.numbers("ahead"), [color]);
}

#[test]
#[ignore = "needs a browser"]
fn the_player_shows_what_every_course_says() {
    let trace = crate::support::cars();
    let times: Vec<f64> = (0..=80).map(|half| f64::from(half) / 2.0).collect();
    let script: String = times
        .iter()
        .map(|time| format!("giveway.seek({time}); report('at {time}', giveway.poses().flat());"))
        .collect();
    let page = open(&Player::new(&trace, &Backdrop::cells(12, 8, |_, _| true)), "", &script);
    for time in times {
        let found = page.numbers(&format!("at {time}"));
        for (agent, found) in trace.agents.iter().zip(found.chunks(3)) {
            let (at, heading) = pose(&trace, agent, time);
            let expected = [at[0], at[1], heading].map(f64::from);
            let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
            assert!(near, "at {time}: {found:?} instead of {expected:?}");
        }
    }
}

/// The pose of `agent` at `time`, by the trajectories' own words.
fn pose(trace: &Trace, agent: &TracedAgent, time: f64) -> ([f32; 2], f32) {
    let plane = |place: &TracedPlace| [place.position[0], place.position[1]];
    let mut place = &agent.start;
    for traced in &agent.moves {
        let part = (time - f64::from(traced.depart)) / f64::from(traced.arrive - traced.depart);
        #[allow(clippy::cast_possible_truncation)] // a share
        let part = part as f32;
        if part > 0.0 && part < 1.0 {
            let ([x, y], [to_x, to_y]) = (plane(place), plane(&traced.to));
            return match traced.trajectory {
                Some(number) => trace.trajectories[number as usize].pose([x, y], place.heading, part),
                None => ([x + (to_x - x) * part, y + (to_y - y) * part], place.heading),
            };
        }
        if part >= 1.0 {
            place = &traced.to;
        }
    }
    (plane(place), place.heading)
}

#[test]
#[ignore = "needs a browser"]
fn senseless_trajectories_are_played_all_the_same() {
    for trace in crate::support::hostile_cars().into_iter().step_by(4).skip(1) {
        let script = "const odd = [];
            for (let time = 0; time <= 40; time += 3.5) { giveway.seek(time); giveway.select(time % 4 | 0); odd.push(...giveway.poses().flat()); }
            document.getElementById('paths').click(); giveway.draw();
            report('odd', [odd.filter((number) => !Number.isFinite(number)).length]);";
        let page = open(&Player::new(&trace, &Backdrop::cells(12, 8, |_, _| true)), "?t=5", script);
        assert_eq!(page.numbers("odd"), [0.0]);
    }
}

/// Not a test of what is right but of how fast: `cargo test -p giveway-render -- --ignored --nocapture frames`.
#[test]
#[ignore = "measures"]
#[allow(clippy::print_stderr)]
fn frames_of_a_thousand_agents_on_a_large_map() {
    let mut state = 1_u32;
    let mut lot = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let walls: Vec<bool> = (0..256 * 256).map(|_| lot(5) == 0).collect();
    let backdrop = Backdrop::cells(256, 256, |x, y| !walls[(y * 256 + x) as usize]);
    #[allow(clippy::cast_precision_loss)] // small
    let place = |x: u32, y: u32| TracedPlace::new(y * 256 + x, [x as f32, y as f32, 0.0]);
    let mut walk = || {
        let (mut x, mut y) = (lot(256), lot(256));
        let start = place(x, y);
        let mut moves = Vec::new();
        for tick in 0..400 {
            let side = if lot(2) == 0 { &mut x } else { &mut y };
            *side = if lot(3) == 0 { side.saturating_sub(1) } else { (*side + 1).min(255) };
            if lot(8) > 0 {
                moves.push(TracedMove::new(tick, tick + 1, place(x, y)));
            }
        }
        let goals = vec![moves[moves.len() - 1].to];
        TracedAgent::new(start, goals, moves)
    };
    let trace = Trace::new(1, (0..1000).map(|_| walk()).collect());
    let player = Player::new(&trace, &backdrop);
    eprintln!("{} kB", player.to_string().len() / 1000);
    for (what, each) in [
        ("playing", "giveway.advance(1 / 60)"),
        ("one agent selected", "giveway.select(3); giveway.advance(1 / 60)"),
        ("zooming", "giveway.zoom(200, 200, i % 100 < 50 ? 1.02 : 1 / 1.02)"),
    ] {
        measure_frames(&player, "", what, each);
    }
}

#[test]
#[ignore = "needs a browser"]
fn who_is_selected_and_waits_says_for_whom() {
    let place = |x: u8, y: u8| TracedPlace::new(u32::from(y * 4 + x), [x.into(), y.into(), 0.0]);
    let step = |depart, x, y| TracedMove::new(depart, depart + 1, place(x, y));
    let agent = |at, moves: Vec<TracedMove>| {
        let goal = moves.last().unwrap().to;
        TracedAgent::new(at, vec![goal], moves)
    };
    let trace = Trace::new(
        1,
        vec![
            agent(place(0, 0), vec![step(5, 1, 0), step(8, 2, 0)]),
            agent(place(1, 0), vec![step(4, 2, 0), step(7, 3, 0)]),
            agent(place(2, 0), vec![step(3, 2, 1)]),
            agent(place(0, 2), vec![step(7, 1, 2)]),
            // It comes through before the first agent goes on.
            agent(place(2, 2), vec![step(1, 3, 2)]),
        ],
    );
    let script = "
        const now = (a, tick) => { giveway.select(a); giveway.seek(tick);
            const [said, by] = ['now', 'for'].map((name) => document.getElementById('card-' + name));
            return said.textContent + (by.parentElement.hidden ? '' : ': ' + by.textContent); };
        report('said', [now(0, 0), now(0, 4), now(0, 5), now(0, 6), now(1, 0), now(3, 0), now(3, 8)].join('; '));
    ";
    let backdrop = Backdrop::cells(4, 3, |_, _| true);
    let page = open(&Player::new(&trace, &backdrop), "", script);
    assert_eq!(
        page.text("said").split("; ").collect::<Vec<_>>(),
        [
            "waiting at 0, 0 until 5: 1 until 4 › 2 until 3",
            "waiting at 0, 0 until 5: nobody, as planned",
            "moving at 0, 0",
            "waiting at 1, 0 until 8: 1 until 7",
            "waiting at 1, 0 until 4: 2 until 3",
            "waiting at 0, 2 until 7: nobody, as planned",
            "arrived at 1, 2",
        ]
    );
}

#[test]
#[ignore = "needs a browser"]
fn what_the_selected_agent_holds_rises_from_the_map() {
    let place = |node, x, y| TracedPlace::new(node, [x, y, 0.0]);
    // To the right, a wait of three ticks, and down.
    let moves = vec![
        TracedMove::new(0, 1, place(1, 1.0, 2.0)),
        TracedMove::new(4, 5, place(2, 1.0, 3.0)),
        TracedMove::new(5, 6, place(3, 2.0, 3.0)),
    ];
    let trace = Trace::new(1, vec![TracedAgent::new(place(0, 0.0, 2.0), vec![place(3, 2.0, 3.0)], moves)]);
    let script = "
        const key = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        giveway.seek(0); giveway.select(0);
        const boxes = giveway.boxes(0).map(({ x, y, from, until, waits }) => [x, y, from, until, waits ?? -1]);
        report('boxes', boxes.flat());
        giveway.seek(2);
        report('later', giveway.boxes(0).map(({ from, until }) => [from, until]).flat());
        giveway.seek(0);
        key('b'); giveway.draw();
        report('pressed', document.getElementById('boxes').getAttribute('aria-pressed'));
        const pixels = () => { let sum = 0; const map = document.getElementById('map'); for (const value of map.getContext('2d').getImageData(0, 0, map.width, map.height).data) sum += value; return sum; };
        const raised = pixels(); key('b'); giveway.draw(); const without = pixels();
        report('drawn', [Number(raised !== without)]);
    ";
    let page = open(&Player::new(&trace, &Backdrop::cells(4, 5, |_, _| true)), "", script);
    let rows = [
        // Where it is, until its first move has ended.
        [0.0, 2.0, 0.0, 1.0, -1.0],
        [1.0, 2.0, 1.0, 5.0, 4.0],
        [1.0, 3.0, 5.0, 6.0, -1.0],
    ];
    assert_eq!(page.numbers("boxes")[..15], rows.concat());
    assert_eq!(page.numbers("later")[..4], [0.0, 3.0, 3.0, 4.0]);
    assert_eq!(page.text("pressed"), "true");
    assert_eq!(page.numbers("drawn"), [1.0]);
}
