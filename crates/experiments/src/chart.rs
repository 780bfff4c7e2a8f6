//! Charts: figures of experiments as lines over one quantity.

use std::fmt;
use std::ops::Range;

use giveway_render::Color;
use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A chart as SVG: one line with marks for each series. A mark may be the mean of several values; a whisker then shows
/// how far the values spread.
///
/// Series differ in colour and in the shape of their marks. A mark is left out if one of its values is not finite,
/// above 10^12 or below -10^12. The picture follows the viewer's light or dark theme, and is light in viewers that have
/// no themes.
///
/// ```
/// use giveway_experiments::{Chart, Mark};
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
    /// The position on the horizontal axis.
    pub x: f64,
    /// The position on the vertical axis.
    pub y: f64,
    /// The lower end of the whisker. If it is not below the upper end, the mark has no whisker.
    pub low: f64,
    /// The upper end of the whisker.
    pub high: f64,
}

impl Mark {
    /// A mark without a whisker.
    pub const fn at(x: f64, y: f64) -> Self {
        Self { x, y, low: y, high: y }
    }
}

impl Chart {
    /// A chart without series, with the labels of its axes.
    pub fn new(x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: String::new(), labels: [x.into(), y.into()].map(|label| printable(&label)), series: Vec::new() }
    }

    /// Sets the title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Adds a series; its marks are joined in the given order.
    #[must_use]
    pub fn series(mut self, name: impl Into<String>, marks: impl IntoIterator<Item = Mark>) -> Self {
        let shown = |value: &f64| value.abs() <= LARGEST;
        let whole = |mark: &Mark| [mark.x, mark.y, mark.low, mark.high].iter().all(shown);
        self.series.push((printable(&name.into()), marks.into_iter().filter(whole).collect()));
        self
    }

    /// The range of `of` over all marks, and a little more.
    fn range(&self, of: fn(&Mark) -> [f64; 2]) -> Range<f64> {
        let values = || self.series.iter().flat_map(|(_, marks)| marks).flat_map(of);
        let (Some(least), Some(most)) = (values().reduce(f64::min), values().reduce(f64::max)) else {
            return 0.0..1.0;
        };
        // All values are equal: some range around them.
        let least_room = most.abs().max(least.abs()).max(1.0) * 1e-6;
        let room = if most - least > least_room { (most - least) * 0.06 } else { most.abs().max(1.0) * 0.5 };
        // No range below 0 for values that are never negative.
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

/// Beyond this, labels of axes cannot be read.
const LARGEST: f64 = 1e12;
/// In pixels.
const SIZE: (u32, u32) = (820, 460);
/// The top of the plot, below the title.
const TOP: u32 = 60;
/// The size is in units of 1 / 1.24 pixels.
const TEXT: (&str, i32) = ("sans-serif", 16);
/// A placeholder colour for lines whose colour the theme sets.
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

/// `text` without characters that XML does not permit.
fn printable(text: &str) -> String {
    let known = |char: char| !char.is_control() && !matches!(char, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|char| if known(char) { char } else { '\u{fffd}' }).collect()
}

/// `text` as it stands in XML.
fn escaped(text: &str) -> String {
    let marks = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#39;")];
    marks.into_iter().fold(printable(text), |text, (mark, reference)| text.replace(mark, reference))
}

/// A name, shortened to the room in the key.
fn shortened(name: &str) -> String {
    const MOST: usize = 24;
    if name.chars().count() <= MOST { name.to_owned() } else { name.chars().take(MOST - 1).chain(['…']).collect() }
}

/// The decimals that labels need on an axis of length `length`.
fn decimals(length: f64) -> usize {
    let mut decimals = 0;
    while decimals < 9 && length < 5.0 * 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0)) {
        decimals += 1;
    }
    decimals
}

/// A number with at most the given number of decimals, no needless characters, and narrow spaces between its thousands.
struct Grouped(f64, usize);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, decimals) = *self;
        let text = format!("{value:.decimals$}");
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let part = part.trim_end_matches('0');
        // A number that rounds to 0 has no sign.
        let whole = if whole == "-0" && part.is_empty() { "0" } else { whole };
        let digits = whole.trim_start_matches('-').len();
        for (index, char) in whole.chars().enumerate() {
            let left = whole.len() - index;
            if char != '-' && left < digits && left.is_multiple_of(3) {
                f.write_str("\u{202f}")?;
            }
            write!(f, "{char}")?;
        }
        if part.is_empty() { Ok(()) } else { write!(f, ".{part}") }
    }
}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut drawn = String::new();
        self.draw(SVGBackend::with_string(&mut drawn, SIZE)).map_err(|_| fmt::Error)?;
        // The first and last lines of the library's SVG are replaced by ours, which bring the theme.
        let inner = drawn.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>")).ok_or(fmt::Error)?.0;
        let (width, height) = SIZE;
        let shown = if self.title.is_empty() { "A chart" } else { &self.title };
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" class=\"giveway\">"
        )?;
        writeln!(f, "<title>{}</title>\n<style>{STYLE}</style>", escaped(shown))?;
        writeln!(f, "<rect class=\"page\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
        if !self.title.is_empty() {
            writeln!(f, "<text class=\"title\" x=\"24\" y=\"38\">{}</text>", escaped(&self.title))?;
        }
        writeln!(f, "{}\n</svg>", inner.trim())
    }
}

/// Colours are written out for light pages, as not all viewers know variables, and again in a media query for dark
/// ones.
const STYLE: &str = "\
.giveway .page{fill:#fff}\
.giveway text{fill:#565e6b;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\
.giveway .title{font-size:18px;font-weight:600;fill:#20242c;letter-spacing:-.01em}\
@media screen{.giveway{max-width:100%;height:auto}}\
@media(prefers-color-scheme:dark){.giveway .page{fill:#14161a}.giveway text{fill:#a3abb7}.giveway .title{fill:#e8eaed}\
.giveway [stroke=\"#D9DCE2\"]{stroke:#353a43}}";
