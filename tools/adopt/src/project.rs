//! One project: copied, given the dependency, built, rewritten until it builds again, and tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use crate::bisect::Candidates;
use crate::blame::{Blame, Compiled};
use crate::cargo::{Built, Cargo, Executable};
use crate::context::{Context, Outcome};
use crate::diagnostic::SuggestedFix;
use crate::manifest::{dependency, with_dependency};
use crate::options::{Depth, Options};
use crate::origin::{Tree, copy};
use crate::reason::Reason;
use crate::report::Report;
use crate::rewrite::{Position, Rewritten};
use crate::scan::{Kind, scan};
use crate::strip::without;
use crate::subjects::{Id, Subjects};
use crate::suites::{Comparison, Endings, compare, run_all};
use crate::verdict::{ProjectReport, found, judge};
use crate::workspace::{Package, Sources, compiled, packages, sources};

/// A project at work.
struct Project<'a> {
    options: &'a Options,
    name: String,
    folder: PathBuf,
    tree: Tree,
    cargo: Cargo,
    /// Where the compiler runs, which its relative paths begin from.
    root: PathBuf,
    packages: Vec<Package>,
    begun: Instant,
    /// When nothing of it was built yet.
    copied: SystemTime,
    builds: usize,
}

/// The result of the search.
struct SearchResult {
    candidates: Candidates,
    report: Report,
    executables: Vec<Executable>,
}

/// Judges the project that `options` name.
pub(crate) fn work(options: &Options) -> Outcome<ProjectReport> {
    let mut project = Project::prepare(options)?;
    project.take_attributes_off()?;
    let sources = sources(&project.packages, &project.tree.root)?;
    if options.depth == Depth::Sources {
        return project.count(&sources);
    }
    project.add_volt()?;
    let built = project.build(None)?;
    if !built.success {
        return Err(project.failure("it does not build without the attribute", &built));
    }
    let files = compiled(&project.cargo.target, &project.root, project.copied);
    let subjects = Subjects::new(&sources, Some(&files));
    let before = project.test(&built.executables)?;
    if options.depth == Depth::Unannotated {
        return Ok(project.verdict(&sources, found(&subjects), before.map(unchanged), false));
    }
    let settled = project.search(&subjects)?;
    let tests = match before {
        Some(before) => Some(project.test_again(before, &settled.executables)?),
        None => None,
    };
    let functions = judge(&subjects, &settled.candidates, &settled.report);
    let reported = !settled.report.is_empty();
    let verdict = project.verdict(&sources, functions, tests, reported);
    if options.clean {
        let target = &project.cargo.target;
        fs::remove_dir_all(target).context(|| format!("removing {}", target.display()))?;
    }
    Ok(verdict)
}

fn unchanged(before: Endings) -> Comparison {
    Comparison {
        after: before.clone(),
        before,
        ..Comparison::default()
    }
}

impl<'a> Project<'a> {
    fn prepare(options: &'a Options) -> Outcome<Self> {
        let (begun, copied) = (Instant::now(), SystemTime::now());
        let name = options
            .name
            .clone()
            .unwrap_or_else(|| options.origin.name());
        let folder = options.work.join(name.replace(['/', '\\'], "+"));
        let inside = options.inside.as_deref();
        let tree = copy(
            &options.origin,
            &folder.join("tree"),
            &options.revision,
            inside,
        )?;
        let folder = folder
            .canonicalize()
            .context(|| format!("finding {}", folder.display()))?;
        let cargo = Cargo {
            toolchain: options.toolchain.clone(),
            start: tree.start.clone(),
            target: folder.join("target"),
            features: options.features.clone(),
            jobs: options.jobs,
            offline: options.offline,
            check: options.check,
            cap_lints: options.cap_lints,
            limit: options.build_limit,
        };
        let metadata = cargo.metadata()?;
        let (root, packages) =
            packages(&metadata, &tree.start, &options.packages, &options.excluded)?;
        Ok(Self {
            options,
            name,
            folder,
            tree,
            cargo,
            root,
            packages,
            begun,
            copied,
            builds: 0,
        })
    }

    fn say(&self, text: &str) {
        eprintln!(
            "{} [{:4} s] {text}",
            self.name,
            self.begun.elapsed().as_secs()
        );
    }

    /// Counts the functions, and reads the rewritten files again.
    fn count(&self, sources: &Sources) -> Outcome<ProjectReport> {
        let subjects = Subjects::new(sources, None);
        let edits = self.candidates(&subjects).edits();
        let rewritten = subjects.rewritten(&edits, &self.options.attribute);
        for (source, new) in sources.files.iter().zip(&rewritten) {
            let again =
                scan(&new.text).context(|| format!("{} with the attribute", source.shown))?;
            let lines = |found: &crate::scan::Found| {
                let lines = found.functions.iter().map(|function| function.line);
                lines.collect::<Vec<_>>()
            };
            if lines(&again) != lines(&source.found) {
                return Err(format!(
                    "{} has other functions with the attribute",
                    source.shown
                ));
            }
        }
        Ok(self.verdict(sources, found(&subjects), None, false))
    }

    fn take_attributes_off(&self) -> Outcome<()> {
        if self.options.without.is_empty() {
            return Ok(());
        }
        for source in &sources(&self.packages, &self.tree.root)?.files {
            let doing = || format!("taking attributes off {}", source.shown);
            let text = without(&source.text, &self.options.without).context(doing)?;
            fs::write(&source.path, text).context(doing)?;
        }
        Ok(())
    }

    fn add_volt(&self) -> Outcome<()> {
        let line = dependency(&self.options.volt, &self.options.volt_features);
        for package in &self.packages {
            let doing = || format!("adding volt to {}", package.manifest.display());
            let text = fs::read_to_string(&package.manifest).context(doing)?;
            fs::write(&package.manifest, with_dependency(&text, &line)).context(doing)?;
        }
        Ok(())
    }

    fn build(&mut self, report: Option<&Path>) -> Outcome<Built> {
        self.builds += 1;
        let built = self.cargo.build(&self.packages, report)?;
        let took = built.took.as_secs();
        let errors = built.errors.len();
        self.say(&format!("build {}: {errors} errors, {took} s", self.builds));
        if built.timed_out {
            return Err(format!("{}: a build took more than {took} s", self.name));
        }
        Ok(built)
    }

    fn failure(&self, what: &str, built: &Built) -> String {
        let errors = built.errors.iter().take(5).map(|error| {
            let reason = Reason::of(error);
            let (file, line) = reason.place.unwrap_or_default();
            format!("  {file}:{line}: {}", reason.text)
        });
        let errors: Vec<_> = errors.collect();
        let said = if errors.is_empty() {
            &built.tail
        } else {
            &errors.join("\n")
        };
        format!("{}: {what}:\n{said}", self.name)
    }

    fn test(&self, programs: &[Executable]) -> Outcome<Option<Endings>> {
        if !self.options.tests {
            return Ok(None);
        }
        self.say(&format!("running {} programs of tests", programs.len()));
        run_all(programs, self.options.test_limit).map(Some)
    }

    fn test_again(&self, before: Endings, programs: &[Executable]) -> Outcome<Comparison> {
        let after = self.test(programs)?.unwrap_or_default();
        compare(before, after, programs, self.options.test_limit)
    }

    fn candidates(&self, subjects: &Subjects<'_>) -> Candidates {
        let functions = subjects.all.iter().map(|subject| {
            let first = match subject.function.kind {
                Kind::Entry => Position::Above,
                Kind::Free | Kind::Method | Kind::OfTrait => Position::Below,
            };
            let is_method = subject.block.is_some();
            (subject.function.above.is_some() && !is_method, first)
        });
        let functions: Vec<_> = functions.collect();
        let mut candidates = Candidates::new(&functions, self.options.native, self.options.retries);
        let unseen = (0..subjects.all.len()).filter(|&id| !subjects.all[id].compiled);
        unseen.for_each(|id| candidates.exclude(id));
        candidates
    }

    /// Builds until no function is blamed and no candidate is left to try.
    fn search(&mut self, subjects: &Subjects<'_>) -> Outcome<SearchResult> {
        let mut candidates = self.candidates(subjects);
        let mut report = Report::default();
        // After `stop_early`, each build either succeeds or removes a function for good.
        let mut round = 0;
        loop {
            round += 1;
            if round == self.options.rounds {
                self.say("too many builds: what is not found out is left out");
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
        self.say(&format!(
            "{} functions to blame, {} groups to search",
            guilty.len(),
            groups.len()
        ));
        for (_, reason) in groups.values() {
            self.say(&format!("one of a group: {}", reason.text));
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

    fn verdict(
        &self,
        sources: &Sources,
        functions: Vec<crate::verdict::FunctionReport>,
        tests: Option<Comparison>,
        reported: bool,
    ) -> ProjectReport {
        let files = sources.files.iter();
        let all = || files.clone().flat_map(|source| &source.found.functions);
        let packages = self.packages.iter();
        ProjectReport {
            name: self.name.clone(),
            commit: self.tree.commit.clone(),
            packages: packages
                .map(|one| format!("{} {}", one.name, one.version))
                .collect(),
            functions,
            of_traits: all()
                .filter(|function| function.kind == Kind::OfTrait)
                .count(),
            in_macros: files.map(|source| source.found.in_macros).sum(),
            unread: sources.unread.clone(),
            reported,
            builds: self.builds,
            tests,
            took: self.begun.elapsed(),
        }
    }
}

/// While the macro itself has errors in a package, what else is wrong there may follow from them.
fn counts(error: &crate::diagnostic::Diagnostic, built: &Built) -> bool {
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
