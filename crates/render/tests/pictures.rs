//! SVG pictures: what is on them, and that they are XML whatever they are given.

use giveway_core::{Span, Trace, TracedAgent, TracedBody, TracedChange, TracedMove, TracedPlace};
use giveway_render::{
    AnimatedPicture, Arrow, Backdrop, Color, ExpansionPicture, Flow, FlowPicture, PlanPicture, Player,
};
use giveway_spaces::{Connectivity, Grid};

use crate::support::markup::elements;

fn place(x: f32, y: f32) -> TracedPlace {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small cells of a map ten wide
    let node = (y * 10.0 + x) as u32;
    TracedPlace::new(node, [x, y, 0.0])
}

/// An agent that goes through `places`, a tick each; an equal place is a wait.
fn agent(places: &[(f32, f32)], goal: (f32, f32)) -> TracedAgent {
    let steps = (0..).zip(places.windows(2)).filter(|(_, step)| step[0] != step[1]);
    let moves = steps.map(|(tick, step)| TracedMove::new(tick, tick + 1, place(step[1].0, step[1].1)));
    TracedAgent::new(place(places[0].0, places[0].1), vec![place(goal.0, goal.1)], moves.collect())
}

fn trace(agents: Vec<TracedAgent>) -> Trace {
    Trace::new(1, agents)
}

/// A reader of files refuses such a trace; a program may make one.
#[test]
fn pauses_that_make_no_sense_make_some_picture() {
    let mut unit = agent(&[(0.0, 0.0), (1.0, 0.0)], (1.0, 0.0));
    unit.moves[0].arrive = 20;
    for pauses in [vec![(8, 6)], vec![(2, 19), (3, 18)], vec![(1, u32::MAX), (2, u32::MAX)], vec![(30, 40)]] {
        unit.pauses = pauses.into_iter().map(|(start, end)| Span { start, end }).collect();
        let (trace, backdrop) = (trace(vec![unit.clone()]), Backdrop::cells(3, 3, |_, _| true));
        assert!(!elements(&AnimatedPicture::new(&trace, &backdrop).to_string()).is_empty());
        assert!(Player::new(&trace, &backdrop).to_string().ends_with("</html>\n"));
    }
}

#[test]
fn a_plan_shows_ways_starts_goals_and_waits() {
    let there = agent(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0)], (2.0, 1.0));
    let stuck = agent(&[(0.0, 1.0), (0.0, 2.0)], (2.0, 2.0));
    let trace = trace(vec![there, stuck]);
    let backdrop = Backdrop::cells(3, 3, |x, y| (x, y) != (1, 1));
    let picture = PlanPicture::new(&trace, &backdrop).title("Two").to_string();

    let count = |name: &str| elements(&picture).iter().filter(|found| *found == name).count();
    assert_eq!(picture.matches("class=\"start\"").count(), 2);
    assert_eq!(picture.matches("class=\"goal\"").count(), 2);
    assert_eq!(picture.matches("class=\"way\"").count(), 2);
    // One bead on the way, and one in the legend.
    assert_eq!(picture.matches("class=\"wait").count(), 2);
    assert_eq!(count("title"), 3);
    assert!(picture.contains("<title>agent 0, arrives at tick 4, waits for 1 tick</title>"));
    assert!(picture.contains("<title>agent 1, does not arrive</title>"));
    assert!(picture.contains(&format!("<g stroke=\"{}\"", Color::from_agent(1))));
    // The wall in the middle, as one contour.
    assert!(picture.contains("d=\"M0.5 0.5h1v1h-1z\""));
    assert_eq!(picture, PlanPicture::new(&trace, &backdrop).title("Two").to_string());
}

#[test]
fn the_whole_of_a_small_picture() {
    let trace = trace(vec![agent(&[(0.0, 0.0), (1.0, 0.0)], (1.0, 0.0))]);
    let backdrop = Backdrop::cells(2, 1, |_, _| true);
    let picture = PlanPicture::new(&trace, &backdrop).to_string();
    let drawn: Vec<&str> = picture.lines().filter(|line| !line.starts_with("<style>")).collect();
    let expected = include_str!("pictures/small.svg");
    assert_eq!(drawn.join("\n"), expected.trim_end());
}

#[test]
fn from_no_agent_to_four_hundred() {
    let backdrop = Backdrop::cells(20, 20, |x, y| x % 4 != 3 || y % 4 != 3);
    for count in [0_u8, 1, 2, 12, 13, 40, 41, 120, 121, 250] {
        let agents = (0..count).map(|id| {
            let (x, y) = (f32::from(id % 20), f32::from(id / 20));
            agent(&[(x, y), (x, y + 1.0), (x + 1.0, y + 1.0)], (x + 1.0, y + 1.0))
        });
        let picture = PlanPicture::new(&trace(agents.collect()), &backdrop).to_string();
        elements(&picture);
        assert_eq!(picture.matches("class=\"start\"").count(), usize::from(count));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}

#[test]
fn no_title_and_no_position_makes_a_picture_that_is_none() {
    let backdrops =
        [Backdrop::cells(0, 0, |_, _| true), Backdrop::cells(1, 1, |_, _| false), Backdrop::cells(0, 7, |_, _| true)];
    let sides = [0.0, -3.5, 1e30, f32::MAX, f32::MIN_POSITIVE, f32::NAN, f32::NEG_INFINITY];
    for backdrop in &backdrops {
        for side in sides {
            let trace = trace(vec![agent(&[(0.0, 0.0), (side, 0.0), (0.0, side)], (side, side))]);
            for title in ["", "</svg><script>alert(1)</script>", "\"'&<!--]]>\u{0}\u{7}\u{fffe}\u{1f600}"] {
                elements(&PlanPicture::new(&trace, backdrop).title(title).to_string());
                elements(&ExpansionPicture::new(&[1, u32::MAX, 7], backdrop).title(title).to_string());
                let odd = [[side, 0.0, 0.0], [0.0, side, side], [1.0, 0.0, 0.0]];
                let arrows = odd.map(|at| odd.map(|vector| Arrow::new(at, vector))).concat();
                let picture = FlowPicture::new(&arrows, backdrop).title(title).to_string();
                elements(&picture);
                assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
                let player = Player::new(&trace, backdrop).flow(Flow::still(arrows)).to_string();
                assert!(!player.rsplit_once("id=\"trace\"").unwrap().1.contains(",NaN"));
                assert!(Player::new(&trace, backdrop).title(title).to_string().ends_with("</html>\n"));
            }
        }
    }
}

#[test]
fn a_graph_is_dots_and_lines() {
    let grid = Grid::from_ascii("..#\n...").unwrap().with_connectivity(Connectivity::Four);
    let picture = PlanPicture::new(&trace(Vec::new()), &Backdrop::graph(&grid)).to_string();
    elements(&picture);
    let path_of = |class: &str| {
        let (_, path) = picture.split_once(&format!("<path class=\"{class}\"")).unwrap();
        path.split_once(" d=\"").unwrap().1.split_once('"').unwrap().0.to_owned()
    };
    assert_eq!(path_of("edges"), "M0 0L1 0M0 0L0 1M1 0L1 1M0 1L1 1M1 1L2 1");
    assert_eq!(path_of("nodes").matches('M').count(), 5);
}

#[test]
fn expansions_are_one_path_per_colour_and_a_legend() {
    let backdrop = Backdrop::cells(3, 1, |_, _| true);
    let picture = |counts: &[u32]| ExpansionPicture::new(counts, &backdrop).to_string();
    let linear = picture(&[5, 1, 0]);
    elements(&linear);
    assert_eq!(linear.matches("class=\"heat ").count(), 2);
    assert!(linear.contains("class=\"heat h23\"") && linear.contains("class=\"heat h0\""));
    assert!(linear.contains("5 per place  \u{b7}  6 expansions"));
    // Nothing was expanded, or only nodes that the map lacks.
    for counts in [&[][..], &[0, 0, 0, 9]] {
        assert_eq!(picture(counts).matches("class=\"heat ").count(), 0);
    }
}

#[test]
fn a_running_world_is_told_in_words_and_drawn_without_leaps() {
    let (trace, backdrop) = (crate::support::running_world(), Backdrop::cells(4, 3, |_, _| true));
    let picture = PlanPicture::new(&trace, &backdrop).to_string();
    elements(&picture);
    for story in [
        "agent 0, sent 3 times, arrives 3 times, rests for 1 tick",
        "agent 1, appears at tick 5, sent once, arrives once, rests for 1 tick, leaves at tick 9",
        "agent 2, stands by, rests for 4 ticks",
        "agent 3, stands by, rests for 3 ticks",
    ] {
        assert!(picture.contains(&format!("<title>{story}</title>")), "no {story:?} in {picture}");
    }
    // The patrol goes to two places, one of them twice, and the guest to one. The one that leaps goes no way.
    assert_eq!(picture.matches("class=\"goal\"").count(), 3);
    assert_eq!(picture.matches("class=\"way\"").count(), 3);

    let animated = AnimatedPicture::new(&trace, &backdrop).to_string();
    elements(&animated);
    // Thirteen ticks and a pause of four; agent 1 is there from 5 to 9, and two of its three goals are agent 0's, in
    // turn.
    let there = "values=\"hidden;visible;hidden\" keyTimes=\"0;";
    let spans: Vec<&str> = animated.split(there).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
    let share = |tick: f64| format!("{:.5}", tick / 17.0).trim_end_matches('0').to_owned();
    let expected = [(0.0, 3.0), (3.0, 6.0), (6.0, 10.0), (5.0, 9.0), (5.0, 9.0)];
    let expected =
        expected.map(|(from, to)| format!("{};{}", if from > 0.0 { share(from) } else { "0".into() }, share(to)));
    assert_eq!(spans, expected);
    // A leap takes no time: both of its ends are at one share of it.
    let leap = share(4.0);
    assert!(animated.contains(&format!("{leap};{leap};")), "{animated}");
}

#[test]
fn bodies_are_drawn_as_large_as_they_are() {
    let mut large = agent(&[(1.0, 1.0), (2.0, 1.0)], (2.0, 1.0));
    large.body = Some(TracedBody::Polygon { corners: vec![[-0.5, -0.5], [1.5, -0.5], [1.5, 1.5], [-0.5, 1.5]] });
    let mut round = agent(&[(0.0, 2.0)], (0.0, 2.0));
    round.body = Some(TracedBody::Disc { center: [0.0, 0.0], radius: 0.75 });
    let trace = trace(vec![large, round]);
    let backdrop = Backdrop::cells(5, 3, |_, _| true);
    for picture in
        [PlanPicture::new(&trace, &backdrop).to_string(), AnimatedPicture::new(&trace, &backdrop).to_string()]
    {
        elements(&picture);
        // At 40 pixels to a cell.
        assert!(picture.contains("d=\"M-20 -20L60 -20L60 60L-20 60z\""), "{picture}");
        assert!(picture.contains("d=\"M-30 0a30 30 0 1 0 60 0a30 30 0 1 0 -60 0z\""), "{picture}");
    }
    let page = Player::new(&trace, &backdrop).to_string();
    assert!(page.contains("\"polygon\":[-0.5,-0.5,1.5,-0.5,1.5,1.5,-0.5,1.5],\"start\""), "{page}");
    assert!(page.contains("\"disc\":[0,0,0.75],\"start\""), "{page}");
    // The disc reaches a quarter of a cell beyond the map on two sides.
    assert!(page.contains("\"extent\":[-0.75,-0.5,4.5,2.75]"), "{page}");
}

#[test]
fn bodies_that_change_are_drawn_one_after_the_other() {
    let disc = |radius| Some(TracedBody::Disc { center: [0.0; 2], radius });
    let mut grows = agent(&[(1.0, 1.0), (2.0, 1.0)], (2.0, 1.0));
    grows.body = disc(0.25);
    grows.changes = vec![TracedChange { tick: 1, body: disc(1.5) }];
    let trace = trace(vec![grows]);
    let backdrop = Backdrop::cells(5, 3, |_, _| true);
    let animated = AnimatedPicture::new(&trace, &backdrop).to_string();
    elements(&animated);
    let outlines =
        ["d=\"M-10 0a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z\"", "d=\"M-60 0a60 60 0 1 0 120 0a60 60 0 1 0 -120 0z\""];
    let at = outlines.map(|outline| animated.find(outline).unwrap_or_else(|| panic!("{outline} in {animated}")));
    let shown = |text: &str| text.split_once("hidden;visible;hidden").map(|(_, rest)| rest[..24].to_string());
    assert!(at[0] < at[1] && shown(&animated[at[0]..]) != shown(&animated[at[1]..]), "{animated}");
    let page = Player::new(&trace, &backdrop).to_string();
    assert!(page.contains("\"disc\":[0,0,0.25],\"changes\":[{\"disc\":[0,0,1.5],\"tick\":1}],\"start\""), "{page}");
    assert!(page.contains("\"extent\":[-0.5,-0.5,4.5,2.5]"), "{page}");
}

/// The numbers of the attribute `name` of the first element in `text` that has it.
fn numbers_of(text: &str, name: &str) -> Vec<f64> {
    let (_, value) = text.split_once(&format!(" {name}=\"")).unwrap();
    let (value, _) = value.split_once('"').unwrap();
    value.split([';', ' ', 'M', 'L', 'z']).filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect()
}

#[test]
fn curves_are_drawn_as_they_are_driven() {
    let mut trace = crate::support::cars();
    trace.agents.truncate(1);
    let picture = PlanPicture::new(&trace, &Backdrop::cells(12, 8, |_, _| true)).to_string();
    elements(&picture);
    let (_, way) = picture.split_once("class=\"way\"").unwrap();
    // At 40 pixels to a cell, in a frame of 24.
    let points = numbers_of(way, "d");
    let points: Vec<[f64; 2]> = points.chunks(2).map(|at| [0, 1].map(|axis| (at[axis] - 24.0) / 40.0 - 0.5)).collect();
    assert_eq!((points[0], points[points.len() - 1]), ([2.0, 2.0], [8.0, 1.0]));
    let corner = points.iter().position(|at| *at == [6.0, 4.0]).unwrap();
    let (there, back) = points.split_at(corner + 1);
    // Between them it goes straight back for a unit.
    for (arc, middle, end) in [(there, [4.0, 4.0], [4.0, 2.0]), (back, [8.0, 3.0], [6.0, 3.0])] {
        let begin = arc.iter().position(|at| *at == end).unwrap();
        assert!(arc[begin..].len() > 10, "{points:?}");
        let distances = arc[begin..].iter().map(|at| f64::hypot(at[0] - middle[0], at[1] - middle[1]));
        assert!({ distances }.all(|distance| (distance - 2.0).abs() < 0.01), "{arc:?}");
    }
}

#[test]
fn bodies_turn_and_show_their_front() {
    let (trace, backdrop) = (crate::support::cars(), Backdrop::cells(12, 8, |_, _| true));
    let picture = PlanPicture::new(&trace, &backdrop).to_string();
    elements(&picture);
    assert!(picture.contains("class=\"body\" transform=\"translate(124 244) rotate(90)\" d=\"M-20"), "{picture}");
    assert!(picture.contains("class=\"body\" transform=\"translate(124 124)\" d=\"M-36"), "{picture}");
    // The one that stands by could turn as well.
    assert_eq!(picture.matches("<path class=\"front\" d=").count(), 3);

    let animated = AnimatedPicture::new(&trace, &backdrop).to_string();
    elements(&animated);
    let turning: Vec<&str> = animated.split("type=\"rotate\"").skip(1).collect();
    assert_eq!(turning.len(), 3);
    let headings: Vec<Vec<f64>> = turning.iter().map(|rest| numbers_of(rest, "values")).collect();
    let times: Vec<Vec<f64>> = turning.iter().map(|rest| numbers_of(rest, "keyTimes")).collect();
    for (headings, times) in headings.iter().zip(&times) {
        assert_eq!(headings.len(), times.len());
        assert!(times.is_sorted(), "{times:?}");
    }
    assert_eq!(headings[0].last().copied(), Some(180.0));
    // It never spins the long way round.
    assert!(headings[0].windows(2).all(|two| (0.0..8.0).contains(&(two[1] - two[0]))), "{headings:?}");
    // Once round on the spot goes below where it began, and takes no more instants than its ends.
    assert_eq!(headings[1], [90.0, 90.0, -270.0, -270.0]);
    // The map is large enough for all of them.
    assert!(animated.contains("viewBox=\"0 0 528 368\""), "{animated}");
    let page = Player::new(&trace, &backdrop).to_string();
    assert!(page.contains("\"extent\":[-0.5,-0.5,11.5,7.5]"), "{page}");
}

#[test]
fn viewers_that_know_little_see_all_there_is() {
    let cars = crate::support::cars();
    let world = crate::support::running_world();
    let backdrop = Backdrop::cells(12, 8, |_, _| true);
    let arrows = [Arrow::new([1.0, 1.0, 0.0], [1.0, 0.0, 0.0])];
    let pictures = [
        PlanPicture::new(&cars, &backdrop).to_string(),
        AnimatedPicture::new(&cars, &backdrop).to_string(),
        AnimatedPicture::new(&world, &backdrop).to_string(),
        ExpansionPicture::new(&[1, 2], &backdrop).to_string(),
        FlowPicture::new(&arrows, &backdrop).to_string(),
    ];
    for picture in &pictures {
        // No variables, and an opaque page beneath everything.
        assert!(!picture.contains("var(") && !picture.contains("--"), "{picture}");
        let first = picture.split_once("</style>\n").unwrap().1;
        assert!(first.starts_with("<rect class=\"page\"") && first.contains(" fill=\"#fff\"/>"), "{picture}");
    }
    // Before anything is animated, agents stand at their starts, turned, and agents that come later are not seen.
    assert!(pictures[1].contains("<g transform=\"translate(124 244)\">"), "{}", pictures[1]);
    assert!(pictures[1].contains("<g transform=\"rotate(90)\">"), "{}", pictures[1]);
    let appear_later = world.agents.iter().filter(|agent| agent.appears > 0).count();
    let agents: Vec<&str> = pictures[2].lines().filter(|line| line.contains("class=\"agent\"")).collect();
    let hidden = agents.iter().filter(|line| line.contains(" visibility=\"hidden\">")).count();
    assert!(hidden == appear_later && hidden > 0, "{hidden}: {}", pictures[2]);
}

#[test]
fn what_turns_reaches_as_far_as_it_turns() {
    let mut trace = crate::support::cars();
    trace.agents.swap(0, 1);
    trace.agents.truncate(1);
    // On the spot at (2, 5), with corners as far away as the square root of 2.5.
    let page = Player::new(&trace, &Backdrop::cells(3, 1, |_, _| true)).to_string();
    let (_, extent) = page.split_once("\"extent\":[").unwrap();
    let extent: Vec<f64> = extent.split_once(']').unwrap().0.split(',').map(|side| side.parse().unwrap()).collect();
    let reach = 2.5_f64.sqrt();
    for (found, expected) in extent.iter().zip([-0.5, -0.5, 2.0 + reach, 5.0 + reach]) {
        assert!((found - expected).abs() < 0.01, "{extent:?}");
    }
}

#[test]
fn senseless_trajectories_and_headings_make_pictures_all_the_same() {
    let backdrop = Backdrop::cells(12, 8, |_, _| true);
    for trace in crate::support::hostile_cars() {
        let still = PlanPicture::new(&trace, &backdrop).to_string();
        let animated = AnimatedPicture::new(&trace, &backdrop).to_string();
        let page = Player::new(&trace, &backdrop).to_string();
        let (_, data) = page.split_once("id=\"trace\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        elements(&still);
        elements(&animated);
        for text in [still.as_str(), &animated, data] {
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}

/// An arrow at cell (x, y).
fn arrow(x: u8, y: u8, vector: [f32; 2]) -> Arrow {
    Arrow::new([x.into(), y.into(), 0.0], [vector[0], vector[1], 0.0])
}

/// The classes and path data of the arrows in `picture`, without the legend's.
fn flows(picture: &str) -> Vec<(&str, &str)> {
    let (arrows, _) = picture.split_once("<g class=\"legend\">").unwrap();
    let quoted = |text: &'static str, line| -> Option<&str> {
        let (_, rest): (&str, &str) = str::split_once(line, text)?;
        Some(rest.split_once('"')?.0)
    };
    arrows.lines().filter_map(|line| Some((quoted("<path class=\"flow ", line)?, quoted(" d=\"", line)?))).collect()
}

#[test]
fn an_arrow_lies_in_its_place_along_its_vector() {
    let backdrop = Backdrop::cells(3, 3, |_, _| true);
    let arrows = [arrow(0, 0, [1.0, 0.0]), arrow(1, 0, [0.99, 0.0]), arrow(2, 2, [0.0, -0.5]), arrow(1, 1, [0.0, 0.0])];
    let picture = FlowPicture::new(&arrows, &backdrop).title("Lanes").to_string();
    elements(&picture);
    assert_eq!(picture, FlowPicture::new(&arrows, &backdrop).title("Lanes").to_string());
    // Cells of 40 pixels from (110, 68) on. Of an arrow of 31.2 pixels the head is 9.6; of one of 21.6 too.
    let expected = [
        ("d0 l5", "M114.4 88l21.6 0m0 6l9.6 -6l-9.6 -6zM154.5 88l21.4 0m0 6l9.6 -6l-9.6 -6z"),
        ("d18 l3", "M210 178.8l0 -12m6 0l-6 -9.6l-6 9.6z"),
    ];
    assert_eq!(flows(&picture), expected);
    assert!(picture.contains(">3 arrows</text>") && picture.contains("<title>Lanes</title>"));
    // 24 hues around the ring.
    assert_eq!(picture.matches("class=\"hue ").count(), 24);
}

#[test]
fn a_map_full_of_arrows_is_small_enough_for_a_page() {
    let backdrop = Backdrop::cells(64, 64, |_, _| true);
    let arrows = (0..64 * 64).map(|cell: u16| {
        let (sin, cos) = (f32::from(cell) * 0.37).sin_cos();
        let length = 0.1 + f32::from(cell % 10) / 10.0;
        Arrow::new([f32::from(cell % 64), f32::from(cell / 64), 0.0], [cos * length, sin * length, 0.0])
    });
    let arrows: Vec<Arrow> = arrows.collect();
    let picture = FlowPicture::new(&arrows, &backdrop).to_string();
    assert!(picture.contains(">4096 arrows</text>"));
    assert!(picture.len() < 300_000, "{} bytes", picture.len());
    let trace = trace(Vec::new());
    let player = |flow| Player::new(&trace, &backdrop).flow(flow).to_string().len();
    let ten = (0..10).fold(Flow::new(), |flow, tick| flow.at(tick, arrows.clone()));
    let (none, one, ten) = (player(Flow::new()), player(Flow::still(arrows)), player(ten));
    // Ten snapshots that are the same take no more than one.
    assert!(one - none < 70_000 && ten - one < 100, "{none}, {one} and {ten} bytes");
}
