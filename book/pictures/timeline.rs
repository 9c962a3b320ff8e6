//! Timelines: one bar for each future, and a line for each event.

use std::fmt::Write as _;

use crate::fields::text;
use crate::style;

/// The end of a future.
pub(crate) enum End {
    /// It is done, with this note about its output.
    Done(&'static str),
    /// It fails or panics, with this note.
    Failed(&'static str),
    /// It is dropped before it is done.
    Dropped(&'static str),
}

/// A future: its name, the number of the event at which it starts and of the one at which it ends.
pub(crate) struct Bar(
    pub(crate) &'static str,
    pub(crate) usize,
    pub(crate) usize,
    pub(crate) End,
);

/// A call, with its events and its futures.
pub(crate) struct Timeline {
    pub(crate) call: &'static str,
    pub(crate) events: &'static [&'static str],
    pub(crate) bars: &'static [Bar],
    /// The result of the call, after the last event.
    pub(crate) result: &'static str,
}

const WIDTH: u32 = 560;
const MARGIN: u32 = 12;
/// The place of the first event.
const FIRST: f64 = 60.0;
/// The room for the note of a bar that ends at the last event.
const LAST: f64 = 440.0;
const ROW: u32 = 20;
const HEAD: u32 = 40;
const GAP: u32 = 14;

/// Draws timelines one below the other as SVG.
pub(crate) fn draw(timelines: &[Timeline]) -> String {
    let height = timelines.iter().map(Timeline::height).sum::<u32>() + 2 * MARGIN - GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\">\n{}\n<rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
        style::SHEET
    );
    let mut top = MARGIN;
    for timeline in timelines {
        timeline.draw(&mut svg, top);
        top += timeline.height();
    }
    svg.push_str("</svg>\n");
    svg
}

impl Timeline {
    fn height(&self) -> u32 {
        HEAD + ROW * count(self.bars.len()) + GAP
    }

    fn x(&self, event: usize) -> f64 {
        let step = (LAST - FIRST) / f64::from(count(self.events.len() - 1).max(1));
        FIRST + step * f64::from(count(event))
    }

    fn draw(&self, svg: &mut String, top: u32) {
        let title = (f64::from(MARGIN), f64::from(top + 12));
        text(svg, title, "start", 12, self.call);
        let right = (f64::from(WIDTH - MARGIN), f64::from(top + 12));
        text(svg, right, "end", 11, self.result);
        let bottom = top + HEAD + ROW * count(self.bars.len());
        for (event, name) in self.events.iter().enumerate() {
            let x = self.x(event);
            text(svg, (x + 3.0, f64::from(top + 32)), "start", 10, name);
            _ = writeln!(
                svg,
                "<path class=\"line\" stroke-dasharray=\"2 3\" d=\"M{x:.1} {}V{bottom}\"/>",
                top + 24
            );
        }
        for (row, bar) in self.bars.iter().enumerate() {
            self.draw_bar(svg, bar, top + HEAD + ROW * count(row));
        }
    }

    fn draw_bar(&self, svg: &mut String, bar: &Bar, top: u32) {
        let Bar(name, from, to, end) = bar;
        let (left, right) = (self.x(*from), self.x(*to));
        let middle = f64::from(top + 13);
        text(svg, (f64::from(MARGIN), middle), "start", 11, name);
        let (class, mark, note) = match end {
            End::Done(note) => ("c", "", note),
            End::Failed(note) => ("e", "", note),
            End::Dropped(note) => ("f", "✕ ", note),
        };
        _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{}\" width=\"{:.1}\" height=\"12\" rx=\"2\"/>",
            top + 3,
            right - left
        );
        text(
            svg,
            (right + 5.0, middle),
            "start",
            10,
            &format!("{mark}{note}"),
        );
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).expect("a few")
}
