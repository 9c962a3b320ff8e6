//! Charts of figures: a mark for each contestant, with its range.

use std::fmt::Write as _;

use super::marks::{SHAPES, SHEET, band, line, mark};
use super::scale::{MARGIN, Scale, WIDTH, tick_label};
use crate::fields::text;

/// The figure of a contestant, and its range. Without a range, all three are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dot {
    pub(crate) series: usize,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A workload, with the reference's own spread around one.
pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) band: f64,
    pub(crate) dots: Vec<Dot>,
}

/// Rows below a heading.
pub(crate) struct Group {
    pub(crate) heading: &'static str,
    pub(crate) rows: Vec<Row>,
}

/// A chart on a logarithmic scale.
pub(crate) struct Dots<'a> {
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// The contestant whose figures are one. Without it, the scale has absolute figures.
    pub(crate) reference: Option<&'static str>,
    pub(crate) series: &'a [&'static str],
    pub(crate) scale: Scale,
    /// The lines below the legend.
    pub(crate) notes: &'a [&'static str],
    pub(crate) groups: Vec<Group>,
}

const NOTE: f64 = 16.0;
const HEADING: f64 = 24.0;
const TITLE: f64 = 17.0;
const LANE: f64 = 13.0;
const GAP: f64 = 8.0;
const ENTRIES: f64 = 18.0;

impl Dots<'_> {
    /// Draws the chart as SVG.
    pub(crate) fn draw(&self) -> String {
        assert!(self.series.len() <= SHAPES, "each series needs a shape");
        let mut marks = String::new();
        let mut top = self.draw_legend(&mut marks);
        for group in &self.groups {
            self.draw_group(&mut marks, group, top);
            top += group.height();
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{top}\" \
             viewBox=\"0 0 {WIDTH} {top}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n{SHEET}\n\
             <rect class=\"page\" width=\"{WIDTH}\" height=\"{top}\"/>\n{marks}</svg>\n",
            self.title, self.description
        )
    }

    /// Draws the names and the notes; returns the place below them.
    fn draw_legend(&self, svg: &mut String) -> f64 {
        let mut at = (MARGIN + 5.0, MARGIN + 6.0);
        for (series, name) in self.series.iter().enumerate() {
            at = place(at, name);
            let (left, middle) = at;
            let class = format!("s{series}");
            line(svg, &class, (left - 9.0, middle), (left + 9.0, middle));
            mark(svg, series, at);
            text(svg, (left + 14.0, middle + 4.0), "start", 12, name);
            at.0 += entry_width(name);
        }
        if let Some(name) = self.reference {
            at = place(at, name);
            let (left, middle) = at;
            band(svg, (left - 6.0, left + 6.0), middle - 7.0, 14.0);
            line(svg, "one", (left, middle - 7.0), (left, middle + 7.0));
            text(svg, (left + 12.0, middle + 4.0), "start", 12, name);
        }
        let mut top = at.1 + 6.0;
        for note in self.notes {
            top += NOTE;
            text(svg, (MARGIN, top), "start", 11, note);
        }
        top + NOTE
    }

    fn draw_group(&self, svg: &mut String, group: &Group, top: f64) {
        _ = write!(svg, "<g class=\"heading\">");
        text(svg, (MARGIN, top + 14.0), "start", 12, group.heading);
        _ = writeln!(svg, "</g>");
        let mut top = top + HEADING;
        for &tick in self.scale.ticks {
            let at = (self.scale.x(tick), top + 4.0);
            text(svg, at, "middle", 10, &tick_label(tick));
        }
        top += 10.0;
        for row in &group.rows {
            self.draw_row(svg, row, top);
            top += row.height();
        }
    }

    fn draw_row(&self, svg: &mut String, row: &Row, top: f64) {
        text(svg, (MARGIN, top + 12.0), "start", 12, &row.title);
        let (top, bottom) = (top + TITLE, top + TITLE + row.lanes());
        let x = |value| self.scale.x(value);
        for &tick in self.scale.ticks {
            line(svg, "grid", (x(tick), top), (x(tick), bottom));
        }
        if self.reference.is_some() {
            let sides = (x(1.0 - row.band), x(1.0 + row.band));
            band(svg, sides, top, row.lanes());
            line(svg, "one", (x(1.0), top), (x(1.0), bottom));
        }
        let mut middle = top + LANE / 2.0;
        for dot in &row.dots {
            self.draw_dot(svg, dot, middle);
            middle += LANE;
        }
    }

    fn draw_dot(&self, svg: &mut String, dot: &Dot, middle: f64) {
        let &Dot { series, value, .. } = dot;
        let scale = &self.scale;
        let ends = (scale.x(dot.low), scale.x(dot.high));
        let class = format!("s{series}");
        if ends.1 - ends.0 > 1.0 {
            line(svg, &class, (ends.0, middle), (ends.1, middle));
            for end in [ends.0, ends.1] {
                line(svg, &class, (end, middle - 3.0), (end, middle + 3.0));
            }
        }
        mark(svg, series, (scale.x(value), middle));
        let label = scale.label(value);
        // To the right, the label would cross the line at one.
        if self.reference.is_some() && (0.5..0.97).contains(&value) {
            let right = ends.0.min(scale.x(value) - 4.0) - 5.0;
            text(svg, (right, middle + 4.0), "end", 11, &label);
        } else {
            let left = ends.1.max(scale.x(value) + 4.0) + 5.0;
            text(svg, (left, middle + 4.0), "start", 11, &label);
        }
    }
}

impl Group {
    fn height(&self) -> f64 {
        HEADING + 16.0 + self.rows.iter().map(Row::height).sum::<f64>()
    }
}

impl Row {
    fn height(&self) -> f64 {
        TITLE + self.lanes() + GAP
    }

    fn lanes(&self) -> f64 {
        self.dots.iter().map(|_| LANE).sum()
    }
}

/// The place of the next entry of the legend: here, or in the next row if it does not fit.
fn place(at: (f64, f64), name: &str) -> (f64, f64) {
    let is_first = at.0 <= MARGIN + 5.0;
    if is_first || at.0 + entry_width(name) <= WIDTH {
        at
    } else {
        (MARGIN + 5.0, at.1 + ENTRIES)
    }
}

fn entry_width(name: &str) -> f64 {
    44.0 + 7.0 * f64::from(u32::try_from(name.chars().count()).unwrap_or(0))
}
