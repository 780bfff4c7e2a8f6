//! Charts: figures of experiments as lines over one quantity.

use std::fmt;
use std::ops::Range;

use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::markup::{Escaped, Number};
use crate::palette::Color;

/// A chart as SVG: one line with marks for each series, and a whisker at a mark for the spread of what it is the mean of.
///
/// Series differ in colour and in the shape of their marks. Values that are not finite, or beyond 10^12 either way, are left
/// out. The picture follows the
/// viewer's light or dark theme, and is light where a viewer knows of none.
///
/// ```
/// use giveway_render::{Chart, Mark};
///
/// let chart = Chart::new("agents", "sum of costs / lower bound")
///     .title("random-32-32-20")
///     .series("hca", [Mark::at(50.0, 1.05), Mark::at(100.0, 1.11)])
///     .series("whca", [Mark { x: 50.0, y: 1.07, low: 1.05, high: 1.09 }, Mark::at(100.0, 1.14)]);
/// assert!(chart.to_string().starts_with("<svg"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    title: String,
    labels: [String; 2],
    series: Vec<(String, Vec<Mark>)>,
}

/// A point of a series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    /// Where it is on the horizontal axis.
    pub x: f64,
    /// How high it is.
    pub y: f64,
    /// The lower end of its whisker.
    pub low: f64,
    /// The upper end of its whisker.
    pub high: f64,
}

impl Mark {
    /// A mark without a whisker.
    pub const fn at(x: f64, y: f64) -> Self {
        Self { x, y, low: y, high: y }
    }
}

impl Chart {
    /// A chart without series, and what its axes show.
    pub fn new(x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: String::new(), labels: [x.into(), y.into()].map(|label| printable(&label)), series: Vec::new() }
    }

    /// The same under a title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// The same with one more series, whose marks are joined in the order in which they come.
    #[must_use]
    pub fn series(mut self, name: impl Into<String>, marks: impl IntoIterator<Item = Mark>) -> Self {
        let shown = |value: &f64| value.abs() <= LARGEST;
        let whole = |mark: &Mark| [mark.x, mark.y, mark.low, mark.high].iter().all(shown);
        self.series.push((printable(&name.into()), marks.into_iter().filter(whole).collect()));
        self
    }

    /// The range of what `of` gives for all marks, and a little more.
    fn range(&self, of: fn(&Mark) -> [f64; 2]) -> Range<f64> {
        let values = || self.series.iter().flat_map(|(_, marks)| marks).flat_map(of);
        let (Some(least), Some(most)) = (values().reduce(f64::min), values().reduce(f64::max)) else {
            return 0.0..1.0;
        };
        // All one value: something around it.
        let least_room = most.abs().max(least.abs()).max(1.0) * 1e-6;
        let room = if most - least > least_room { (most - least) * 0.06 } else { most.abs().max(1.0) * 0.5 };
        // No room below 0 for what is never negative.
        let begin = if least >= 0.0 { (least - room).max(0.0) } else { least - room };
        begin..most + room
    }

    /// Draws the plot and its key.
    fn draw(&self, backend: SVGBackend<'_>) -> Drawn {
        let root = backend.into_drawing_area();
        let (plot, key) = root.split_horizontally(SIZE.0 - self.key_width());
        let (x, y) = (self.range(|mark| [mark.x; 2]), self.range(|mark| [mark.low.min(mark.y), mark.high.max(mark.y)]));
        let decimals = [&x, &y].map(|range| decimals(range.end - range.start));
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(14)
            .margin_top(if self.title.is_empty() { 24 } else { TOP })
            .margin_right(16)
            .margin_bottom(12)
            .x_label_area_size(46)
            .y_label_area_size(68)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .bold_line_style(RIM)
            .light_line_style(TRANSPARENT)
            .axis_style(RIM)
            .x_labels(8)
            .y_labels(8)
            .x_label_formatter(&|value| Grouped(*value, decimals[0]).to_string())
            .y_label_formatter(&|value| Grouped(*value, decimals[1]).to_string())
            .x_desc(&self.labels[0])
            .y_desc(&self.labels[1])
            .label_style(TEXT)
            .axis_desc_style(TEXT)
            .draw()?;
        for (index, (_, marks)) in self.series.iter().enumerate() {
            let color = color(index);
            chart.draw_series(LineSeries::new(marks.iter().map(|mark| (mark.x, mark.y)), color.stroke_width(2)))?;
            let spread = marks.iter().filter(|mark| mark.low < mark.high);
            let whisker = |mark: &Mark| ErrorBar::new_vertical(mark.x, mark.low, mark.y, mark.high, color.filled(), 8);
            chart.draw_series(spread.map(whisker))?;
            let mark = |mark: &Mark| EmptyElement::at((mark.x, mark.y)) + Polygon::new(shape(index), color.filled());
            chart.draw_series(marks.iter().map(mark))?;
        }
        for ((index, (name, _)), y) in self.series.iter().enumerate().zip((TOP + 8..).step_by(24)) {
            let y = i32::try_from(y).unwrap_or(i32::MAX);
            key.draw(&PathElement::new([(0, y), (28, y)], color(index).stroke_width(2)))?;
            key.draw(&(EmptyElement::at((14, y)) + Polygon::new(shape(index), color(index).filled())))?;
            let style = TextStyle::from(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
            key.draw(&Text::new(shortened(name), (38, y), style))?;
        }
        root.present()
    }

    fn key_width(&self) -> u32 {
        let longest = self.series.iter().map(|(name, _)| shortened(name).chars().count()).max().unwrap_or(0);
        56 + 7 * u32::try_from(longest).unwrap_or(0)
    }
}

type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// Beyond, axes have no labels that can be read.
const LARGEST: f64 = 1e12;
/// Pixels.
const SIZE: (u32, u32) = (820, 460);
/// Where the plot begins, below the title.
const TOP: u32 = 60;
/// Its size is in units of which 1.24 are a pixel.
const TEXT: (&str, i32) = ("sans-serif", 16);
/// The colour of lines that the theme decides on.
const RIM: RGBColor = RGBColor(0xd9, 0xdc, 0xe2);

fn color(series: usize) -> RGBColor {
    let [red, green, blue] = Color::from_agent(u32::try_from(series).unwrap_or(0)).rgb;
    RGBColor(red, green, blue)
}

/// The corners of a series' marks: nearly a disc, a triangle, a square, a diamond.
fn shape(series: usize) -> Vec<(i32, i32)> {
    match series % 4 {
        0 => vec![(-2, -5), (2, -5), (5, -2), (5, 2), (2, 5), (-2, 5), (-5, 2), (-5, -2)],
        1 => vec![(0, -7), (6, 5), (-6, 5)],
        2 => vec![(-5, -5), (5, -5), (5, 5), (-5, 5)],
        _ => vec![(0, -7), (7, 0), (0, 7), (-7, 0)],
    }
}

/// `text` without characters that XML does not know.
fn printable(text: &str) -> String {
    let known = |char: char| !char.is_control() && !matches!(char, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|char| if known(char) { char } else { '\u{fffd}' }).collect()
}

/// As much of a name as a key has room for.
fn shortened(name: &str) -> String {
    const MOST: usize = 24;
    if name.chars().count() <= MOST { name.to_owned() } else { name.chars().take(MOST - 1).chain(['…']).collect() }
}

/// How many decimals labels need on an axis of such a length.
fn decimals(length: f64) -> usize {
    let mut decimals = 0;
    while decimals < 9 && length < 5.0 * 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0)) {
        decimals += 1;
    }
    decimals
}

/// A number with so many decimals, and narrow spaces between its thousands.
struct Grouped(f64, usize);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Number(self.0, self.1).to_string();
        let (whole, part) = text.split_once('.').map_or((text.as_str(), None), |(whole, part)| (whole, Some(part)));
        let digits = whole.trim_start_matches('-').len();
        for (index, char) in whole.chars().enumerate() {
            let left = whole.len() - index;
            if char != '-' && left < digits && left.is_multiple_of(3) {
                f.write_str("\u{202f}")?;
            }
            write!(f, "{char}")?;
        }
        part.map_or(Ok(()), |part| write!(f, ".{part}"))
    }
}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut drawn = String::new();
        self.draw(SVGBackend::with_string(&mut drawn, SIZE)).map_err(|_| fmt::Error)?;
        // Its own first and last lines make room for ours, which bring the theme.
        let inner = drawn.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>")).ok_or(fmt::Error)?.0;
        let (width, height) = SIZE;
        let shown = if self.title.is_empty() { "A chart" } else { &self.title };
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" class=\"giveway\">"
        )?;
        writeln!(f, "<title>{}</title>\n<style>{STYLE}</style>", Escaped(shown))?;
        writeln!(f, "<rect class=\"page\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
        if !self.title.is_empty() {
            writeln!(f, "<text class=\"title\" x=\"24\" y=\"38\">{}</text>", Escaped(&self.title))?;
        }
        writeln!(f, "{}\n</svg>", inner.trim())
    }
}

/// Colours are written out for light pages, as not all viewers know variables, and again in a media query for dark ones.
const STYLE: &str = "\
.giveway .page{fill:#fff}\
.giveway text{fill:#565e6b;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\
.giveway .title{font-size:18px;font-weight:600;fill:#20242c;letter-spacing:-.01em}\
@media screen{.giveway{max-width:100%;height:auto}}\
@media(prefers-color-scheme:dark){.giveway .page{fill:#14161a}.giveway text{fill:#a3abb7}.giveway .title{fill:#e8eaed}\
.giveway [stroke=\"#D9DCE2\"]{stroke:#353a43}}";
