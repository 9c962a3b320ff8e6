//! Charts of ratios: a mark for each contestant, with its interquartile range.

use std::fmt::Write as _;

use crate::fields::text;

/// The figure of a contestant, divided by the reference's median.
pub(crate) struct Dot {
    pub(crate) series: usize,
    pub(crate) value: f64,
    /// Half the interquartile range, in the unit of `value`.
    pub(crate) spread: f64,
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
pub(crate) struct Dots {
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) reference: &'static str,
    /// The first has squares, the second diamonds.
    pub(crate) series: [&'static str; 2],
    pub(crate) groups: Vec<Group>,
}

const WIDTH: f64 = 430.0;
const MARGIN: f64 = 12.0;
/// Room for the labels to the right of the scale.
const LABELS: f64 = 52.0;
const LEAST: f64 = 0.15;
const MOST: f64 = 20.0;
const TICKS: [f64; 6] = [0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
const LEGEND: f64 = 60.0;
const HEADING: f64 = 24.0;
const TITLE: f64 = 17.0;
const LANE: f64 = 13.0;
const GAP: f64 = 8.0;

/// Blue and vermilion of the palette of Okabe and Ito, which colour-blind readers can separate.
const SHEET: &str = "<style>text{fill:#1d2733;font-family:system-ui,sans-serif}\
.page{fill:#fbfbfa}.heading{font-weight:600}.grid{stroke:#dfe4ea}.one{stroke:#4a6785}\
.band{fill:#4a6785;opacity:.25}.s0{fill:#0072b2;stroke:#0072b2}.s1{fill:#d55e00;stroke:#d55e00}\
@media(prefers-color-scheme:dark){text{fill:#e3e8ee}.page{fill:#1b2027}.grid{stroke:#39434f}\
.one{stroke:#8fb0d1}.band{fill:#8fb0d1;opacity:.35}.s0{fill:#56b4e9;stroke:#56b4e9}\
.s1{fill:#e69f00;stroke:#e69f00}}</style>";

impl Dots {
    /// Draws the chart as SVG.
    pub(crate) fn draw(&self) -> String {
        let height = MARGIN + LEGEND + self.groups.iter().map(Group::height).sum::<f64>();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n{SHEET}\n\
             <rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
            self.title, self.description
        );
        self.draw_legend(&mut svg);
        let mut top = MARGIN + LEGEND;
        for group in &self.groups {
            group.draw(&mut svg, top);
            top += group.height();
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_legend(&self, svg: &mut String) {
        let middle = MARGIN + 6.0;
        let mut left = MARGIN + 5.0;
        for (series, name) in self.series.iter().enumerate() {
            line(
                svg,
                &format!("s{series}"),
                (left - 9.0, middle),
                (left + 9.0, middle),
            );
            mark(svg, series, (left, middle));
            text(svg, (left + 14.0, middle + 4.0), "start", 12, name);
            left += 44.0 + 7.0 * f64::from(u32::try_from(name.chars().count()).unwrap_or(0));
        }
        band(svg, (left - 6.0, left + 6.0), middle - 7.0, 14.0);
        line(svg, "one", (left, middle - 7.0), (left, middle + 7.0));
        text(
            svg,
            (left + 12.0, middle + 4.0),
            "start",
            12,
            self.reference,
        );
        let note = "mark: median, line and band: interquartile range";
        text(svg, (MARGIN, middle + 22.0), "start", 11, note);
        let note = "← less than volt · more than volt, in multiples of volt →";
        text(svg, (MARGIN, middle + 38.0), "start", 11, note);
    }
}

impl Group {
    fn height(&self) -> f64 {
        HEADING + 16.0 + self.rows.iter().map(Row::height).sum::<f64>()
    }

    fn draw(&self, svg: &mut String, top: f64) {
        _ = write!(svg, "<g class=\"heading\">");
        text(svg, (MARGIN, top + 14.0), "start", 12, self.heading);
        _ = writeln!(svg, "</g>");
        let mut top = top + HEADING;
        for tick in TICKS {
            text(svg, (x(tick), top + 4.0), "middle", 10, &tick.to_string());
        }
        top += 10.0;
        for row in &self.rows {
            row.draw(svg, top);
            top += row.height();
        }
    }
}

impl Row {
    fn height(&self) -> f64 {
        TITLE + self.lanes() + GAP
    }

    fn lanes(&self) -> f64 {
        self.dots.iter().map(|_| LANE).sum()
    }

    fn draw(&self, svg: &mut String, top: f64) {
        text(svg, (MARGIN, top + 12.0), "start", 12, &self.title);
        let top = top + TITLE;
        for tick in TICKS {
            line(svg, "grid", (x(tick), top), (x(tick), top + self.lanes()));
        }
        let sides = (x(1.0 - self.band), x(1.0 + self.band));
        band(svg, sides, top, self.lanes());
        line(svg, "one", (x(1.0), top), (x(1.0), top + self.lanes()));
        let mut middle = top + LANE / 2.0;
        for dot in &self.dots {
            dot.draw(svg, middle);
            middle += LANE;
        }
    }
}

impl Dot {
    fn draw(&self, svg: &mut String, middle: f64) {
        let ends = (x(self.value - self.spread), x(self.value + self.spread));
        let class = format!("s{}", self.series);
        if ends.1 - ends.0 > 1.0 {
            line(svg, &class, (ends.0, middle), (ends.1, middle));
            for end in [ends.0, ends.1] {
                line(svg, &class, (end, middle - 3.0), (end, middle + 3.0));
            }
        }
        mark(svg, self.series, (x(self.value), middle));
        let label = match self.value {
            value if value > MOST => format!("{value:.0} →"),
            value if value >= 10.0 => format!("{value:.1}"),
            value if value < LEAST => format!("← {value:.2}"),
            value => format!("{value:.2}"),
        };
        // To the right, the label would cross the line at one.
        if (0.5..0.97).contains(&self.value) {
            let right = ends.0.min(x(self.value) - 4.0) - 5.0;
            text(svg, (right, middle + 4.0), "end", 11, &label);
        } else {
            let left = ends.1.max(x(self.value) + 4.0) + 5.0;
            text(svg, (left, middle + 4.0), "start", 11, &label);
        }
    }
}

/// The place of a ratio. A ratio outside of the scale is at its end, and its label has an arrow.
fn x(ratio: f64) -> f64 {
    let ratio = ratio.clamp(LEAST, MOST);
    let place = (ratio / LEAST).ln() / (MOST / LEAST).ln();
    MARGIN + place * (WIDTH - 2.0 * MARGIN - LABELS)
}

/// A square or a diamond, so that colour is not the only difference.
fn mark(svg: &mut String, series: usize, at: (f64, f64)) {
    let (x, y) = at;
    let path = match series {
        0 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        _ => format!("M{x:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z", y - 4.5),
    };
    _ = writeln!(
        svg,
        "<path class=\"s{series}\" stroke=\"none\" d=\"{path}\"/>"
    );
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn band(svg: &mut String, sides: (f64, f64), top: f64, height: f64) {
    let width = sides.1 - sides.0;
    _ = writeln!(
        svg,
        "<rect class=\"band\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>",
        sides.0
    );
}
