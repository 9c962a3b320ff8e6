//! The table: a line a function, and what they come to.

use std::fmt;

/// One function, as the compiler has it, as a native machine, and as the machine that is chosen.
pub(crate) struct Row {
    pub(crate) function: &'static str,
    pub(crate) compiler: usize,
    pub(crate) native: usize,
    pub(crate) chosen: usize,
}

impl Row {
    /// How many times the machine would fit into the compiler's future.
    fn ratio(&self) -> f64 {
        self.compiler as f64 / self.chosen as f64
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

    /// The functions whose explicit machine is larger than the compiler's future.
    pub(crate) fn larger(&self) -> Vec<&'static str> {
        let larger = self
            .rows()
            .filter(|row| row.chosen > row.compiler && row.chosen != row.native);
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
        let smaller = self.count(|row| row.chosen < row.compiler);
        let equal = self.count(|row| row.chosen == row.compiler);
        let larger = self.count(|row| row.chosen > row.compiler);
        let (count, mean) = (self.rows().count(), self.mean_ratio());
        let more = self
            .rows()
            .map(|row| row.native.saturating_sub(row.compiler));
        let most = more.max().unwrap_or(0);
        let fewer = self.count(|row| row.native < row.compiler);
        let largest = match most {
            0 => "No native machine is larger".to_owned(),
            _ => format!("A native machine is at most {most} bytes larger"),
        };
        writeln!(
            f,
            "Of {count} functions the machine is smaller in {smaller}, equal in {equal}, larger in {larger}.\nBy the geometric mean it is {mean:.2} times smaller.\n{largest} \
             than the compiler's future; in {fewer} functions it is smaller.\n"
        )?;
        writeln!(f, "| function | compiler | native | chosen |")?;
        writeln!(f, "| --- | ---: | ---: | ---: |")?;
        for (theme, rows) in &self.themes {
            writeln!(f, "| **{theme}** | | | |")?;
            for row in rows {
                let (function, compiler) = (row.function, row.compiler);
                let (native, chosen) = (row.native, row.chosen);
                writeln!(f, "| `{function}` | {compiler} | {native} | {chosen} |")?;
            }
        }
        Ok(())
    }
}
