//! The rounds of the search: builds, and the blames of the functions that their errors are about.

use std::collections::BTreeMap;
use std::fs;

use super::project::Project;
use crate::bisect::Candidates;
use crate::blame::{Blame, Compiled};
use crate::cargo::{Built, Executable};
use crate::context::{Context, Outcome};
use crate::diagnostic::{Diagnostic, SuggestedFix};
use crate::layouts::Report;
use crate::reason::Reason;
use crate::rewrite::Rewritten;
use crate::subjects::{Id, Subjects};

/// The result of the search.
pub(super) struct SearchResult {
    pub(super) candidates: Candidates,
    pub(super) report: Report,
    pub(super) executables: Vec<Executable>,
}

impl Project<'_> {
    /// Builds until no function is blamed and no candidate is left to try.
    pub(super) fn search(&mut self, subjects: &Subjects<'_>) -> Outcome<SearchResult> {
        let mut candidates = self.candidates(subjects);
        let mut report = Report::default();
        // After `stop_early`, each build either succeeds or removes a function for good.
        let mut round = 0;
        loop {
            round += 1;
            if round == self.options.rounds {
                self.cargo
                    .progress
                    .note("too many builds: what is not found out is left out");
                candidates.stop_early();
            }
            let edits = candidates.edits();
            let rewritten = subjects.rewritten(&edits, &self.options.attribute);
            write_changed(subjects, &rewritten)?;
            let report_file = self.folder.join(format!("report-{round}.tsv"));
            fs::write(&report_file, "").context(|| format!("writing {}", report_file.display()))?;
            let built = self.build(Some(&report_file))?;
            let text = fs::read_to_string(&report_file)
                .context(|| format!("reading {}", report_file.display()))?;
            report.update(Report::read(&text, &self.root));
            if !built.success {
                let marked = edits.iter().map(Option::is_some).collect();
                let compiled = Compiled::new(subjects, &rewritten, marked, &self.root);
                self.learn(&mut candidates, subjects, &compiled, &built)?;
            } else if !candidates.advance() {
                let executables = built.executables;
                return Ok(SearchResult {
                    candidates,
                    report,
                    executables,
                });
            }
        }
    }

    /// Blames the functions that the errors are about.
    fn learn(
        &self,
        candidates: &mut Candidates,
        subjects: &Subjects<'_>,
        compiled: &Compiled<'_>,
        built: &Built,
    ) -> Outcome<()> {
        let marked: Vec<Id> = compiled.marked().collect();
        if marked.is_empty() || built.errors.is_empty() {
            return Err(self.failure("it does not build, and no function is to blame", built));
        }
        candidates.fail();
        let mut guilty: BTreeMap<Id, (Reason, SuggestedFix)> = BTreeMap::new();
        let mut groups: BTreeMap<String, (Vec<Id>, Reason)> = BTreeMap::new();
        for error in built.errors.iter().filter(|error| counts(error, built)) {
            if let Some(id) = compiled.hiding(error)
                && candidates.can_be_named(id)
            {
                guilty.insert(id, (Reason::of(error), SuggestedFix::Name));
                continue;
            }
            match compiled.blame(error) {
                Blame::Function(id) if candidates.is_recent(id) => {
                    let first = || (Reason::of(error), SuggestedFix::None);
                    let suggested_fix = &mut guilty.entry(id).or_insert_with(first).1;
                    *suggested_fix = error.suggested_fix().max(*suggested_fix);
                }
                group => {
                    let members = || self.members(&group, subjects, &marked);
                    let group = groups.entry(format!("{group:?}"));
                    group.or_insert_with(|| (members(), Reason::of(error)));
                }
            }
        }
        if guilty.is_empty() {
            for (name, (members, reason)) in &groups {
                candidates.suspect(name, members, reason);
            }
        }
        self.cargo.progress.note(&format!(
            "{} functions to blame, {} groups to search",
            guilty.len(),
            groups.len()
        ));
        for (_, reason) in groups.values() {
            self.cargo
                .progress
                .note(&format!("one of a group: {}", reason.text));
        }
        for (id, (reason, suggested_fix)) in guilty {
            candidates.blame(id, reason, suggested_fix);
        }
        Ok(())
    }

    /// The functions with an attribute in a group.
    fn members(&self, group: &Blame, subjects: &Subjects<'_>, marked: &[Id]) -> Vec<Id> {
        let is_in = |id: &Id| {
            let subject = &subjects.all[*id];
            match group {
                Blame::Function(one) => id == one,
                Blame::Among(several) => several.contains(id),
                Blame::Block(block) => subject.block == Some(*block),
                Blame::Package(package) => self.packages[subject.package].id == *package,
            }
        };
        marked.iter().copied().filter(is_in).collect()
    }
}

/// While the macro itself has errors in a package, what else is wrong there may follow from them.
fn counts(error: &Diagnostic, built: &Built) -> bool {
    let mut own = built.errors.iter().filter(|one| one.is_of_macro());
    error.is_of_macro() || !own.any(|one| one.package == error.package)
}

/// Writes the files that are not as they should be; cargo builds again what was written.
fn write_changed(subjects: &Subjects<'_>, rewritten: &[Rewritten]) -> Outcome<()> {
    for (source, new) in subjects.sources.files.iter().zip(rewritten) {
        let doing = || format!("writing {}", source.shown);
        if fs::read_to_string(&source.path).context(doing)? != new.text {
            fs::write(&source.path, &new.text).context(doing)?;
        }
    }
    Ok(())
}
