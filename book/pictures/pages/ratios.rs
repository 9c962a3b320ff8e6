//! Rows of figures as multiples of a reference.

use crate::charts::dots::{Dot, Group, Row};
use crate::table::{self, Figure};

/// Divides the figures of each series by the median of the reference. `None` if no series has one.
pub(crate) fn row(title: &str, reference: &Figure, series: &[Option<Figure>]) -> Option<Row> {
    let dots = series.iter().enumerate().filter_map(|(series, figure)| {
        let figure = figure.as_ref()?;
        Some(dot(series, figure, reference.value))
    });
    let dots: Vec<Dot> = dots.collect();
    (!dots.is_empty()).then(|| Row {
        title: title.replace('`', ""),
        band: reference.spread,
        dots,
    })
}

/// The figure of a series, divided by `unit`.
pub(crate) fn dot(series: usize, figure: &Figure, unit: f64) -> Dot {
    let (value, spread) = (figure.value / unit, figure.spread);
    Dot {
        series,
        value,
        low: value * (1.0 - spread),
        high: value * (1.0 + spread),
    }
}

/// The figures of some cells of a row.
pub(crate) fn figures(cells: &[&str], columns: &[usize]) -> Vec<Option<Figure>> {
    let figures = columns.iter().map(|&column| table::figure(cells[column]));
    figures.collect()
}

/// Two groups, the rows in which the reference or the subject is behind first.
pub(crate) fn groups(
    headings: [&'static str; 2],
    rows: impl Iterator<Item = (bool, Row)>,
) -> Vec<Group> {
    let (behind, ahead): (Vec<_>, Vec<_>) = rows.partition(|(is_behind, _)| *is_behind);
    let groups = [behind, ahead].into_iter().zip(headings);
    let groups = groups.filter(|(rows, _)| !rows.is_empty());
    groups
        .map(|(rows, heading)| Group {
            heading,
            rows: rows.into_iter().map(|(_, row)| row).collect(),
        })
        .collect()
}
