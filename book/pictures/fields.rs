//! Strips of fields: bits of a word, or bytes of a state.

use std::fmt::Write as _;

use crate::style;

/// A named part of a strip, from one unit to another.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// An index into the colours; fields of one name have one colour.
    pub(crate) colour: usize,
}

/// A row of fields with a title.
pub(crate) struct Strip {
    pub(crate) title: String,
    pub(crate) fields: Vec<Field>,
}

/// Strips one below the other, on one scale.
pub(crate) struct Strips {
    pub(crate) units: u32,
    /// The distance between two marks of the scale.
    pub(crate) mark: u32,
    /// The unit of the scale.
    pub(crate) unit: &'static str,
    pub(crate) strips: Vec<Strip>,
    /// Numbers from right to left, as bits have.
    pub(crate) is_reversed: bool,
}

const WIDTH: u32 = 560;
const MARGIN: u32 = 12;
const HEIGHT: u32 = 30;
const TITLE: u32 = 20;
const LINE: u32 = 18;

/// A name in the legend, and its place.
struct Entry<'a> {
    name: &'a str,
    colour: usize,
    row: u32,
    left: u32,
}

impl Strips {
    /// Draws the strips as SVG.
    pub(crate) fn draw(&self) -> String {
        let count = u32::try_from(self.strips.len()).expect("few strips");
        let legend = self.legend();
        let rows = legend.iter().map(|entry| entry.row + 1).max().unwrap_or(0);
        let height = 2 * MARGIN + count * (HEIGHT + TITLE + 6) + 18 + rows * LINE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\">\n{}\n<rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
            style::SHEET
        );
        let mut top = MARGIN;
        for strip in &self.strips {
            text(
                &mut svg,
                (f64::from(MARGIN), f64::from(top + 14)),
                "start",
                12,
                &strip.title,
            );
            top += TITLE;
            self.draw_strip(&mut svg, strip, top);
            top += HEIGHT + 6;
        }
        self.draw_scale(&mut svg, top + 6);
        for entry in legend {
            let top = top + 20 + entry.row * LINE;
            let colour = style::SERIES_CLASSES[entry.colour % style::SERIES_CLASSES.len()];
            _ = writeln!(
                svg,
                "<rect class=\"{colour}\" x=\"{}\" y=\"{top}\" width=\"11\" height=\"11\"/>",
                entry.left
            );
            let at = (f64::from(entry.left + 16), f64::from(top + 10));
            text(&mut svg, at, "start", 11, entry.name);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Each name once, with its colour, in rows.
    fn legend(&self) -> Vec<Entry<'_>> {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let (mut row, mut left) = (0, MARGIN);
        for field in self.strips.iter().flat_map(|strip| &strip.fields) {
            if field.name.is_empty() || entries.iter().any(|entry| entry.name == field.name) {
                continue;
            }
            let width = 34 + 7 * u32::try_from(field.name.chars().count()).unwrap_or(0);
            if left + width > WIDTH {
                (row, left) = (row + 1, MARGIN);
            }
            let Field { name, colour, .. } = field;
            entries.push(Entry {
                name,
                colour: *colour,
                row,
                left,
            });
            left += width;
        }
        entries
    }

    fn x(&self, unit: u32) -> f64 {
        let place = f64::from(unit) / f64::from(self.units);
        let place = if self.is_reversed { 1.0 - place } else { place };
        f64::from(MARGIN) + place * f64::from(WIDTH - 2 * MARGIN)
    }

    fn draw_strip(&self, svg: &mut String, strip: &Strip, top: u32) {
        let whole = WIDTH - 2 * MARGIN;
        _ = writeln!(
            svg,
            "<rect class=\"box\" x=\"{MARGIN}\" y=\"{top}\" width=\"{whole}\" height=\"{HEIGHT}\"/>"
        );
        for field in &strip.fields {
            let (one, other) = (self.x(field.from), self.x(field.to));
            let (left, right) = (one.min(other), one.max(other));
            let colour = style::SERIES_CLASSES[field.colour % style::SERIES_CLASSES.len()];
            _ = writeln!(
                svg,
                "<rect class=\"{colour}\" x=\"{left:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{HEIGHT}\"/>",
                right - left
            );
            let fits = f64::from(u32::try_from(field.name.chars().count()).unwrap_or(0)) * 6.2;
            if fits < right - left {
                let middle = (f64::midpoint(left, right), f64::from(top + 19));
                text(svg, middle, "middle", 11, &field.name);
            }
        }
    }

    fn draw_scale(&self, svg: &mut String, top: u32) {
        let mut at = 0;
        while at <= self.units {
            let label = if at == 0 {
                format!("0 {}", self.unit)
            } else {
                at.to_string()
            };
            let anchor = match (at == 0, at + self.mark > self.units, self.is_reversed) {
                (true, _, false) | (_, true, true) => "start",
                (true, _, true) | (_, true, false) => "end",
                _ => "middle",
            };
            text(svg, (self.x(at), f64::from(top + 8)), anchor, 10, &label);
            at += self.mark;
        }
    }
}

/// Draws a line of text.
pub(crate) fn text(svg: &mut String, at: (f64, f64), anchor: &str, size: u32, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let (x, y) = at;
    _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>"
    );
}
