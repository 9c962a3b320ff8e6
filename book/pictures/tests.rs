//! The charts match the tables, and the marks match the figures.

use std::path::Path;

use crate::charts::dots::{Dot, Dots, Group, Row};
use crate::charts::marks::SHEET;
use crate::charts::scale::MULTIPLES;
use crate::table;

fn sample() -> Dots<'static> {
    let dot = |series, value, spread| Dot {
        series,
        value,
        low: value - spread,
        high: value + spread,
    };
    let row = Row {
        title: "a row".to_owned(),
        band: 0.1,
        dots: vec![dot(0, 2.0, 0.5), dot(1, 50.0, 1.0)],
    };
    Dots {
        title: "title",
        description: "description",
        reference: Some("reference"),
        series: &["one", "other"],
        scale: MULTIPLES,
        notes: &[],
        groups: vec![Group {
            heading: "heading",
            rows: vec![row],
        }],
    }
}

#[test]
fn pictures_match_their_tables() {
    crate::check(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("all charts are up to date");
}

#[test]
fn marks_and_lines_are_at_their_figures() {
    let svg = sample().draw();
    let x = |value| MULTIPLES.x(value);
    let square = format!("class=\"s0\" stroke=\"none\" d=\"M{:.1} ", x(2.0) - 3.5);
    assert!(svg.contains(&square), "{square} in {svg}");
    let line = |from: f64, to: f64| {
        let lines = svg.lines().filter(|line| line.contains("d=\"M"));
        let mut ends = lines.filter_map(|line| {
            let (from, to) = line.split_once("d=\"M")?.1.split_once('L')?;
            Some((from.split(' ').next()?, to.split(' ').next()?))
        });
        ends.any(|ends| ends == (&*format!("{from:.1}"), &*format!("{to:.1}")))
    };
    assert!(line(x(1.5), x(2.5)), "the range of the first mark: {svg}");
    let band = format!("class=\"band\" x=\"{:.1}\"", x(0.9));
    assert!(svg.contains(&band), "{band} in {svg}");
}

#[test]
fn figure_outside_of_the_scale_has_an_arrow() {
    let svg = sample().draw();
    assert!(svg.contains(">50.0 →</text>"), "{svg}");
    assert!(svg.contains(">2.00</text>"), "{svg}");
}

#[test]
fn series_have_contrast_with_the_page() {
    let (light, dark) = SHEET.split_once("@media").expect("a dark variant");
    for sheet in [light, dark] {
        let page = luminance(colour(sheet, ".page"));
        for class in [".s0", ".s1", ".s2", ".s3", "text"] {
            let mark = luminance(colour(sheet, class));
            let contrast = (page.max(mark) + 0.05) / (page.min(mark) + 0.05);
            assert!(contrast >= 3.0, "{class}: {contrast:.1}");
        }
    }
}

#[test]
fn cells_are_read_with_their_units() {
    let read = |cell| table::figure(cell).map(|figure| (figure.value, figure.spread));
    assert_eq!(read("1.5 ms ±7 %"), Some((0.0015, 0.07)));
    assert_eq!(read("0.35 ±2 % (1.0×)"), Some((0.35, 0.02)));
    assert_eq!(read("1255"), Some((1255.0, 0.0)));
    assert_eq!(read("–"), None);
}

/// The fill of a class, as `#rrggbb`.
fn colour<'a>(sheet: &'a str, class: &str) -> &'a str {
    let (_, rule) = sheet
        .split_once(&format!("{class}{{fill:"))
        .expect("a rule of the class");
    &rule[..7]
}

/// The relative luminance of a colour, as the guidelines for accessible web content define it.
fn luminance(colour: &str) -> f64 {
    let channel = |from: usize| {
        let value = u8::from_str_radix(&colour[from..from + 2], 16).expect("two digits");
        let value = f64::from(value) / 255.0;
        if value <= 0.03928 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}
