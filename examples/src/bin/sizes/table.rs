//! The table: a line a function, and what they come to.

use std::fmt;

/// One function, twice.
pub(crate) struct Row {
    pub(crate) function: &'static str,
    pub(crate) native: usize,
    pub(crate) machine: usize,
}

impl Row {
    /// How many times the machine would fit into the compiler's future.
    fn ratio(&self) -> f64 {
        self.native as f64 / self.machine as f64
    }
}

/// All rows by theme, shown as Markdown.
pub(crate) struct Table {
    themes: Vec<(&'static str, Vec<Row>)>,
}

impl Table {
    pub(crate) fn new(themes: Vec<(&'static str, Vec<Row>)>) -> Self {
        Self { themes }
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.themes.iter().flat_map(|(_, rows)| rows)
    }

    /// The functions whose machine is larger than the compiler's future.
    pub(crate) fn larger(&self) -> Vec<&'static str> {
        let larger = self.rows().filter(|row| row.machine > row.native);
        larger.map(|row| row.function).collect()
    }

    fn count(&self, which: impl Fn(&Row) -> bool) -> usize {
        self.rows().filter(|row| which(row)).count()
    }

    fn mean_ratio(&self) -> f64 {
        let logs: f64 = self.rows().map(|row| row.ratio().ln()).sum();
        (logs / self.rows().count() as f64).exp()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let smaller = self.count(|row| row.machine < row.native);
        let equal = self.count(|row| row.machine == row.native);
        let larger = self.larger().len();
        let (count, mean) = (self.rows().count(), self.mean_ratio());
        writeln!(
            f,
            "Of {count} functions the machine is smaller in {smaller}, equal in {equal}, larger \
             in {larger}.\nBy the geometric mean it is {mean:.2} times smaller.\n"
        )?;
        writeln!(f, "| function | compiler | machine |")?;
        writeln!(f, "| --- | ---: | ---: |")?;
        for (theme, rows) in &self.themes {
            writeln!(f, "| **{theme}** | | |")?;
            for row in rows {
                let (function, native, machine) = (row.function, row.native, row.machine);
                writeln!(f, "| `{function}` | {native} | {machine} |")?;
            }
        }
        Ok(())
    }
}
