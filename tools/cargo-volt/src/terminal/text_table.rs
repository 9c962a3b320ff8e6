//! Tables of text, with aligned columns.

use anstyle::Style;

use super::style::{HEADING, styled};

/// The side of a column at which its texts begin or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table whose columns are as wide as their longest text. The last column is not padded.
#[derive(Debug)]
pub(crate) struct TextTable {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<(Style, String)>>,
}

impl TextTable {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row of texts, each with its style.
    pub(crate) fn push(&mut self, row: Vec<(Style, String)>) {
        self.rows.push(row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the lines of the table, the heads first.
    pub(crate) fn page(&self) -> String {
        let heads = self.columns.iter();
        let heads = heads
            .map(|(head, _)| (HEADING, (*head).to_owned()))
            .collect();
        let rows = || std::iter::once(&heads).chain(&self.rows);
        let widths = (0..self.columns.len()).map(|column| {
            let texts = rows().filter_map(|row: &Vec<(Style, String)>| row.get(column));
            texts.map(|(_, text)| width(text)).max().unwrap_or(0)
        });
        let widths: Vec<_> = widths.collect();
        let mut page = String::new();
        for row in rows() {
            page.push_str(&self.line(row, &widths));
            page.push('\n');
        }
        page
    }

    fn line(&self, row: &[(Style, String)], widths: &[usize]) -> String {
        let cells = row.iter().enumerate().map(|(column, (style, text))| {
            let fill = " ".repeat(widths[column].saturating_sub(width(text)));
            let is_last = column + 1 == self.columns.len();
            match self.columns[column].1 {
                Align::Right => format!("{fill}{}", styled(*style, text)),
                Align::Left if is_last => styled(*style, text),
                Align::Left => format!("{}{fill}", styled(*style, text)),
            }
        });
        let cells: Vec<_> = cells.collect();
        cells.join("  ").trim_end().to_owned()
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use anstyle::Style;

    use super::{Align, TextTable};
    use crate::terminal::GOOD;

    #[test]
    fn columns_are_aligned_without_their_styles() {
        let mut table = TextTable::new(&[
            ("name", Align::Left),
            ("bytes", Align::Right),
            ("why", Align::Left),
        ]);
        let plain = |text: &str| (Style::new(), text.to_owned());
        table.push(vec![
            (GOOD, "a".to_owned()),
            plain("12345678"),
            plain("x y"),
        ]);
        table.push(vec![plain("längere"), plain("1"), plain("")]);
        let page = anstream::adapter::strip_str(&table.page()).to_string();
        let expected = "name        bytes  why\na        12345678  x y\nlängere         1\n";
        assert_eq!(page, expected);
        assert!(table.page().contains("\u{1b}[32ma\u{1b}[0m"));
    }
}
