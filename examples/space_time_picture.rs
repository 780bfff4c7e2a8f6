//! The reservation table as a stack of layers, one per tick: which unit holds what, and how the second unit passes the
//! first in time.

use std::fmt::Write;

use giveway::render::Color;
use giveway::spaces::Grid;
use giveway::store::IntervalTable;
use giveway::strategies::Hca;
use giveway::time::Span;
use giveway::{Agent, Footprint, Instance, Point};

const MAP: &str = "
    .....
    .@@.@
    .....
";

/// Other colours for pages that are dark.
const DARK: &str = "<style>@media(prefers-color-scheme:dark){.page{fill:#14161a}text{fill:#9aa2ae}.free{fill:#262a31}\
    .wall{fill:#4d5562}polygon{stroke:#3b414b}}</style>\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let at = |x, y| grid.node(x, y).expect("on the grid");
    let agents = vec![Agent::new(at(0, 0), at(4, 0)), Agent::new(at(4, 0), at(0, 2)), Agent::new(at(0, 2), at(4, 2))];
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents)?;
    let cells = point.cells(&grid);
    let mut table = IntervalTable::new(cells);
    let plan = Hca::hca_star().solve_on(&instance, &mut table).plan;

    let mut svg = String::from(
        "<svg xmlns='http://www.w3.org/2000/svg' width='430' height='640' viewBox='0 0 430 640' font-family='sans-serif'>\n",
    );
    svg += DARK;
    svg += "<rect class='page' width='430' height='640' fill='#fff'/>\n";
    // From the bottom of the picture up, so that later layers lie above earlier ones.
    for tick in 0..=plan.makespan() {
        let base = 590.0 - 76.0 * f64::from(tick);
        let tile = |x: f64, y: f64| (70.0 + 52.0 * x + 20.0 * y, base - 20.0 * (2.0 - y));
        writeln!(svg, "<text x='12' y='{:.0}' font-size='15' fill='#555'>tick {tick}</text>", base - 12.0)?;
        for node in (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y))) {
            let holder = table.holders(cells.place(at(node.0, node.1).0), Span::tick(tick)).into_iter().next();
            let (class, fill) = match holder {
                Some((_, holding)) => ("held", Color::from_agent(holding.agent.0).to_string()),
                None if grid.is_passable(node.0, node.1) => ("free", "#f4f5f7".to_owned()),
                None => ("wall", "#b9c0ca".to_owned()),
            };
            let (x, y) = (f64::from(node.0), f64::from(node.1));
            let corners = [tile(x, y), tile(x + 1.0, y), tile(x + 1.0, y + 1.0), tile(x, y + 1.0)];
            let points = corners.map(|(x, y)| format!("{x:.0},{y:.0}")).join(" ");
            writeln!(
                svg,
                "<polygon class='{class}' points='{points}' fill='{fill}' fill-opacity='.92' stroke='#d5dae1'/>"
            )?;
        }
    }
    svg += "</svg>\n";
    let file = std::env::temp_dir().join("space_time_picture.svg");
    std::fs::write(&file, svg)?;
    println!("{} ticks of {} units: {}", plan.makespan() + 1, plan.paths.len(), file.display());
    Ok(())
}
