//! The report of one project.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::bisect::Candidates;
use crate::layouts::{Layout, Report, ReportedLayout};
use crate::reason::Reason;
use crate::rewrite::{AttributeEdit, LayoutOption};
use crate::scan::Kind;
use crate::subjects::{Id, Subjects};
use crate::suites::Comparison;

/// The outcome of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FunctionOutcome {
    Explicit,
    Native,
    Boxed,
    Refused,
    /// The compiler does not see it: a file that is not built, or a `cfg` that is not set.
    Unseen,
    /// Nothing was compiled.
    Found,
}

impl FunctionOutcome {
    /// The word for it in tables and data.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FunctionOutcome::Explicit => "explicit",
            FunctionOutcome::Native => "native",
            FunctionOutcome::Boxed => "native boxed",
            FunctionOutcome::Refused => "refused",
            FunctionOutcome::Unseen => "not built",
            FunctionOutcome::Found => "found",
        }
    }

    fn of(layout: Layout) -> Self {
        match layout {
            Layout::Explicit => FunctionOutcome::Explicit,
            Layout::Native => FunctionOutcome::Native,
            Layout::Boxed => FunctionOutcome::Boxed,
            Layout::Refused => FunctionOutcome::Refused,
        }
    }
}

/// The report of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionReport {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) generic: bool,
    pub(crate) outcome: FunctionOutcome,
    /// `true` if it needed the option `native`.
    pub(crate) native_option: bool,
    /// `true` if its machine needed an explicit name.
    pub(crate) named: bool,
    /// The reason why it is not explicit.
    pub(crate) reason: Option<Reason>,
}

impl FunctionReport {
    /// Returns `true` if it is in a folder of tests, examples or benchmarks.
    pub(crate) fn is_aside(&self) -> bool {
        const ASIDE: [&str; 3] = ["tests", "examples", "benches"];
        let mut folders = self.file.split('/');
        folders.any(|folder| ASIDE.contains(&folder))
    }
}

/// The report of a project.
#[derive(Clone, Debug)]
pub(crate) struct ProjectReport {
    pub(crate) name: String,
    pub(crate) commit: Option<String>,
    pub(crate) packages: Vec<String>,
    pub(crate) functions: Vec<FunctionReport>,
    /// Methods of traits, which stay as they are.
    pub(crate) of_traits: usize,
    /// `async fn` in the tokens of macros, which stay as they are.
    pub(crate) in_macros: usize,
    /// Files that are no Rust, with the reason.
    pub(crate) unread: Vec<(String, String)>,
    /// `true` if the macro reported the layouts. Otherwise functions that build are counted as
    /// explicit.
    pub(crate) reported: bool,
    pub(crate) builds: usize,
    pub(crate) tests: Option<Comparison>,
    pub(crate) took: Duration,
}

impl ProjectReport {
    /// Returns the number of functions with this outcome.
    pub(crate) fn count(&self, outcome: FunctionOutcome) -> usize {
        self.functions
            .iter()
            .filter(|one| one.outcome == outcome)
            .count()
    }

    /// Returns the number of functions that were tried, and of those with a machine.
    pub(crate) fn tried(&self, wanted: impl Fn(&FunctionReport) -> bool) -> (usize, usize) {
        let tried = self
            .functions
            .iter()
            .filter(|one| one.outcome != FunctionOutcome::Unseen && wanted(one));
        let all: Vec<_> = tried.collect();
        let refused = all
            .iter()
            .filter(|one| one.outcome == FunctionOutcome::Refused)
            .count();
        (all.len(), all.len() - refused)
    }

    /// Returns `true` if all tests that passed before pass now.
    pub(crate) fn is_no_worse(&self) -> bool {
        self.tests
            .as_ref()
            .is_none_or(|tests| tests.worse.is_empty())
    }

    /// Returns the functions that are not explicit, grouped by reason, largest group first.
    pub(crate) fn by_reason(&self) -> Vec<(FunctionOutcome, String, Vec<&FunctionReport>)> {
        let mut groups: BTreeMap<(FunctionOutcome, String), Vec<&FunctionReport>> = BTreeMap::new();
        for one in &self.functions {
            if let Some(reason) = &one.reason {
                groups
                    .entry((one.outcome, reason.group()))
                    .or_default()
                    .push(one);
            }
        }
        let groups = groups
            .into_iter()
            .map(|((outcome, group), all)| (outcome, group, all));
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by_key(|(_, _, all)| std::cmp::Reverse(all.len()));
        groups
    }
}

/// Reports each function from the layouts of the macro and from the search.
pub(crate) fn judge(
    subjects: &Subjects<'_>,
    candidates: &Candidates,
    report: &Report,
) -> Vec<FunctionReport> {
    let edits = candidates.edits();
    let ids = 0..subjects.all.len();
    ids.map(|id| judge_one(subjects, id, edits[id], candidates.reasons(id), report))
        .collect()
}

fn judge_one(
    subjects: &Subjects<'_>,
    id: Id,
    edit: Option<AttributeEdit>,
    reasons: &[Reason],
    report: &Report,
) -> FunctionReport {
    let subject = &subjects.all[id];
    let reported = report.get(&subjects.place(id));
    let file = &subjects.source(id).shown;
    let (outcome, reason) = match (edit, reported) {
        _ if !subject.compiled => (FunctionOutcome::Unseen, None),
        (None, _) if reasons.is_empty() => (FunctionOutcome::Unseen, None),
        (None, _) => (FunctionOutcome::Refused, reasons.first().cloned()),
        (
            Some(_),
            Some(ReportedLayout {
                layout,
                reason,
                line,
            }),
        ) => (
            FunctionOutcome::of(*layout),
            Some(Reason {
                place: Some((file.clone(), *line)),
                ..Reason::without_place(reason)
            }),
        ),
        (Some(_), None) if report.is_empty() => (FunctionOutcome::Explicit, None),
        (Some(_), None) => (FunctionOutcome::Unseen, None),
    };
    FunctionReport {
        file: file.clone(),
        line: subject.function.line,
        name: subject.function.full_name(),
        kind: subject.function.kind,
        generic: subject.function.generic,
        outcome,
        native_option: edit.is_some_and(|edit| edit.option == LayoutOption::Native),
        named: edit.is_some_and(|edit| edit.named),
        reason: reason
            .filter(|reason| outcome != FunctionOutcome::Explicit && !reason.text.is_empty()),
    }
}

/// Reports the functions that were found, if nothing is compiled.
pub(crate) fn found(subjects: &Subjects<'_>) -> Vec<FunctionReport> {
    let all = subjects.all.iter().map(|subject| FunctionReport {
        file: subjects.sources.files[subject.file].shown.clone(),
        line: subject.function.line,
        name: subject.function.full_name(),
        kind: subject.function.kind,
        generic: subject.function.generic,
        outcome: FunctionOutcome::Found,
        native_option: false,
        named: false,
        reason: None,
    });
    all.collect()
}
