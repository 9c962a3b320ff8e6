//! The layouts that the macro reports for the functions that it expands.
//!
//! If the environment variable `VOLT_STATE_MACHINE_REPORT` names a file, the attribute appends one
//! line to it for each function or method. Each line is one write to a file opened for appending:
//!
//! ```text
//! FILE <tab> LINE <tab> NAME <tab> LAYOUT <tab> REASON <tab> OWN <newline>
//! ```
//!
//! | field | what it is |
//! | --- | --- |
//! | `FILE` | the source file as the compiler names it: absolute, or relative to the folder where it runs |
//! | `LINE` | the line of what the reason is about, from 1 on; that of the function where there is none |
//! | `NAME` | the function's name alone: `read` for `Conn::read`; or `__read_machine`, where the function runs under an attribute of its own |
//! | `LAYOUT` | `explicit`, `native` (bytes inside), `boxed` (native, one allocation) or `refused` |
//! | `REASON` | why it is not explicit, in one line without tabs; empty for `explicit` |
//! | `OWN` | the line of the function's name, or of an attribute in front of it, from 1 on |
//!
//! A function that is compiled twice, for a library and for its tests, is reported twice. Lines of
//! another form are ignored. The compiler does not run the macro for cached results, so the results
//! of earlier builds are kept.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::paths::cleaned;

/// The environment variable that names the file.
pub(crate) const VARIABLE: &str = "VOLT_STATE_MACHINE_REPORT";

/// The layout of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layout {
    Explicit,
    Native,
    Boxed,
    Refused,
}

impl Layout {
    /// The word for it in the report.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Layout::Explicit => "explicit",
            Layout::Native => "native",
            Layout::Boxed => "boxed",
            Layout::Refused => "refused",
        }
    }

    fn read(word: &str) -> Option<Self> {
        let all = [
            Layout::Explicit,
            Layout::Native,
            Layout::Boxed,
            Layout::Refused,
        ];
        all.into_iter().find(|layout| layout.word() == word)
    }
}

/// The place of a function: its file, the lines from its first attribute to its name, and its name.
pub(crate) type Place = (PathBuf, RangeInclusive<usize>, String);

/// One line of a report: the file, the line and the name.
type Line = (PathBuf, usize, String);

/// The reported layouts, by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    lines: HashMap<Line, ReportedLayout>,
}

/// The layout of a function, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportedLayout {
    pub(crate) layout: Layout,
    /// The reason for which the layout is not explicit.
    pub(crate) reason: String,
    /// The line of the reason.
    pub(crate) line: usize,
}

impl Report {
    /// Reads the lines that one build appended; relative files are those of `root`.
    ///
    /// Of several lines about one function, keeps the worst layout.
    pub(crate) fn read(text: &str, root: &Path) -> Self {
        let mut report = Self::default();
        for (place, reported) in text.lines().filter_map(|line| read_line(line, root)) {
            let entry = report.lines.entry(place);
            let kept = entry.or_insert_with(|| reported.clone());
            if reported.layout > kept.layout {
                *kept = reported;
            }
        }
        report
    }

    /// Adds the results of a later build.
    pub(crate) fn update(&mut self, later: Self) {
        self.lines.extend(later.lines);
    }

    /// Returns `true` if nothing was reported, for example by a macro that writes no reports.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the file, the line and the name of each function, in this order.
    pub(crate) fn functions(&self) -> Vec<(PathBuf, usize, String)> {
        let mut functions: Vec<_> = self.lines.keys().cloned().collect();
        functions.sort();
        functions
    }

    /// Returns the layout of the function at `place`, with its reason.
    pub(crate) fn get(&self, (file, lines, name): &Place) -> Option<&ReportedLayout> {
        // The name is on the last line, and a report for that line takes precedence.
        let mut lines = lines.clone().rev();
        lines.find_map(|line| self.lines.get(&(file.clone(), line, name.clone())))
    }
}

fn read_line(line: &str, root: &Path) -> Option<(Line, ReportedLayout)> {
    let mut fields = line.splitn(6, '\t');
    let file = cleaned(&root.join(fields.next()?));
    let of_reason = fields.next()?;
    let name = fields.next()?.to_owned();
    let layout = Layout::read(fields.next()?)?;
    let reason = fields.next().unwrap_or_default().trim().to_owned();
    let own = fields.next().unwrap_or(of_reason).trim();
    let place = (file, own.parse().ok()?, name);
    let line = of_reason.parse().ok()?;
    let reported = ReportedLayout {
        layout,
        reason,
        line,
    };
    Some((place, reported))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Layout, Report};

    const ROOT: &str = "/crate";

    fn read(text: &str) -> Report {
        Report::read(text, Path::new(ROOT))
    }

    fn layout(report: &Report, file: &str, line: usize, name: &str) -> Option<Layout> {
        let place = (PathBuf::from(file), line - 2..=line, name.to_owned());
        report.get(&place).map(|found| found.layout)
    }

    #[test]
    fn relative_and_absolute_files_are_the_same() {
        let report = read("src/a.rs\t3\tf\texplicit\t\n/crate/src/b.rs\t4\tg\tnative\twhy\n");
        assert_eq!(
            layout(&report, "/crate/src/a.rs", 3, "f"),
            Some(Layout::Explicit)
        );
        assert_eq!(
            layout(&report, "/crate/src/b.rs", 4, "g"),
            Some(Layout::Native)
        );
    }

    #[test]
    fn function_is_found_by_its_own_line() {
        let report = read("a.rs\t30\tf\tnative\twhy\t3\n");
        assert_eq!(layout(&report, "/crate/a.rs", 3, "f"), Some(Layout::Native));
        assert_eq!(layout(&report, "/crate/a.rs", 30, "f"), None);
        let place = (PathBuf::from("/crate/a.rs"), 3..=3, "f".to_owned());
        assert_eq!(report.get(&place).map(|found| found.line), Some(30));
    }

    #[test]
    fn line_without_reason_is_read() {
        let report = read("a.rs\t3\tf\texplicit\n");
        assert_eq!(
            layout(&report, "/crate/a.rs", 3, "f"),
            Some(Layout::Explicit)
        );
    }

    #[test]
    fn worst_of_two_lines_of_one_build_is_kept() {
        let report = read("a.rs\t3\tf\tboxed\tT\na.rs\t3\tf\texplicit\t\n");
        assert_eq!(layout(&report, "/crate/a.rs", 3, "f"), Some(Layout::Boxed));
    }

    #[test]
    fn later_build_replaces_an_earlier_one() {
        let mut report = read("a.rs\t3\tf\trefused\twhy\n");
        report.update(read("a.rs\t3\tf\tnative\twhy\n"));
        assert_eq!(layout(&report, "/crate/a.rs", 3, "f"), Some(Layout::Native));
    }

    #[test]
    fn broken_lines_are_skipped() {
        let report = read("a.rs\nf\t3\n\na.rs\tx\tf\texplicit\t\na.rs\t3\tf\tother\t\n");
        assert!(report.is_empty());
    }
}
