//! What came of one project.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::reason::Reason;
use crate::report::{Layout, Report};
use crate::rewrite::{Mark, Word};
use crate::scan::Kind;
use crate::subjects::{Id, Subjects};
use crate::suites::Comparison;
use crate::trials::Trials;

/// What became of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    Explicit,
    Native,
    Boxed,
    Refused,
    /// The compiler does not see it: a file that is not built, or a `cfg` that is not set.
    Unseen,
    /// Nothing was compiled.
    Found,
}

impl Fate {
    /// The word for it in tables and data.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Fate::Explicit => "explicit",
            Fate::Native => "native",
            Fate::Boxed => "native boxed",
            Fate::Refused => "refused",
            Fate::Unseen => "not built",
            Fate::Found => "found",
        }
    }

    fn of(layout: Layout) -> Self {
        match layout {
            Layout::Explicit => Fate::Explicit,
            Layout::Native => Fate::Native,
            Layout::Boxed => Fate::Boxed,
            Layout::Refused => Fate::Refused,
        }
    }
}

/// A function, judged.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) generic: bool,
    pub(crate) fate: Fate,
    /// Whether it needed the word `native`.
    pub(crate) asked: bool,
    /// Whether its machine needed a name of its own.
    pub(crate) named: bool,
    /// Why it is not explicit.
    pub(crate) reason: Option<Reason>,
}

impl Judged {
    /// Whether it stands in a folder of tests, examples or benchmarks.
    pub(crate) fn is_aside(&self) -> bool {
        const ASIDE: [&str; 3] = ["tests", "examples", "benches"];
        let mut folders = self.file.split('/');
        folders.any(|folder| ASIDE.contains(&folder))
    }
}

/// A project, judged.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) name: String,
    pub(crate) commit: Option<String>,
    pub(crate) packages: Vec<String>,
    pub(crate) functions: Vec<Judged>,
    /// Methods of traits, which stay as they are.
    pub(crate) of_traits: usize,
    /// `async fn` in the tokens of macros, which stay as they are.
    pub(crate) in_macros: usize,
    /// Files that are no Rust, with the reason.
    pub(crate) unread: Vec<(String, String)>,
    /// Whether the macro told the layouts; otherwise what builds is counted as explicit.
    pub(crate) reported: bool,
    pub(crate) builds: usize,
    pub(crate) tests: Option<Comparison>,
    pub(crate) took: Duration,
}

impl Verdict {
    /// How many functions met this fate.
    pub(crate) fn count(&self, fate: Fate) -> usize {
        self.functions.iter().filter(|one| one.fate == fate).count()
    }

    /// How many functions were tried, and how many of these have a machine.
    pub(crate) fn tried(&self, wanted: impl Fn(&Judged) -> bool) -> (usize, usize) {
        let tried = self
            .functions
            .iter()
            .filter(|one| one.fate != Fate::Unseen && wanted(one));
        let all: Vec<_> = tried.collect();
        let refused = all.iter().filter(|one| one.fate == Fate::Refused).count();
        (all.len(), all.len() - refused)
    }

    /// Whether everything that passed before passes now.
    pub(crate) fn is_well(&self) -> bool {
        self.tests
            .as_ref()
            .is_none_or(|tests| tests.worse.is_empty())
    }

    /// The functions that are not explicit by what their reasons have in common, most first.
    pub(crate) fn by_reason(&self) -> Vec<(Fate, String, Vec<&Judged>)> {
        let mut groups: BTreeMap<(Fate, String), Vec<&Judged>> = BTreeMap::new();
        for one in &self.functions {
            if let Some(reason) = &one.reason {
                groups
                    .entry((one.fate, reason.group()))
                    .or_default()
                    .push(one);
            }
        }
        let groups = groups
            .into_iter()
            .map(|((fate, group), all)| (fate, group, all));
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by_key(|(_, _, all)| std::cmp::Reverse(all.len()));
        groups
    }
}

/// Judges each function by what the macro reported, and by what was tried.
pub(crate) fn judge(subjects: &Subjects<'_>, trials: &Trials, report: &Report) -> Vec<Judged> {
    let marks = trials.marks();
    let ids = 0..subjects.all.len();
    ids.map(|id| judge_one(subjects, id, marks[id], trials.reasons(id), report))
        .collect()
}

fn judge_one(
    subjects: &Subjects<'_>,
    id: Id,
    mark: Option<Mark>,
    reasons: &[Reason],
    report: &Report,
) -> Judged {
    let subject = &subjects.all[id];
    let told = report.get(&subjects.place(id));
    let (fate, reason) = match (mark, told) {
        _ if !subject.compiled => (Fate::Unseen, None),
        (None, _) if reasons.is_empty() => (Fate::Unseen, None),
        (None, _) => (Fate::Refused, reasons.first().cloned()),
        (Some(_), Some((layout, why))) => (Fate::of(*layout), Some(Reason::said(why))),
        (Some(_), None) if report.is_empty() => (Fate::Explicit, None),
        (Some(_), None) => (Fate::Unseen, None),
    };
    Judged {
        file: subjects.source(id).shown.clone(),
        line: subject.function.line,
        name: subject.function.full_name(),
        kind: subject.function.kind,
        generic: subject.function.generic,
        fate,
        asked: mark.is_some_and(|mark| mark.word == Word::Native),
        named: mark.is_some_and(|mark| mark.named),
        reason: reason.filter(|reason| fate != Fate::Explicit && !reason.text.is_empty()),
    }
}

/// The functions as they were found, where nothing is compiled.
pub(crate) fn found(subjects: &Subjects<'_>) -> Vec<Judged> {
    let all = subjects.all.iter().map(|subject| Judged {
        file: subjects.sources.files[subject.file].shown.clone(),
        line: subject.function.line,
        name: subject.function.full_name(),
        kind: subject.function.kind,
        generic: subject.function.generic,
        fate: Fate::Found,
        asked: false,
        named: false,
        reason: None,
    });
    all.collect()
}
