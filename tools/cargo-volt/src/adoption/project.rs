//! One project: copied, given the dependency, built, rewritten until it builds again, and tested.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use super::options::{LastStep, Options};
use crate::bisect::Candidates;
use crate::cargo::{Built, Cargo, Executable};
use crate::context::{Context, Outcome};
use crate::layouts;
use crate::manifest::{dependency, with_dependency};
use crate::origin::{Tree, copy};
use crate::reason::Reason;
use crate::rewrite::Position;
use crate::scan::{Kind, scan};
use crate::strip::without;
use crate::subjects::Subjects;
use crate::suites::{Comparison, Endings, compare, run_all};
use crate::terminal::Progress;
use crate::verdict::{ProjectReport, found, judge};
use crate::workspace::{Package, Sources, compiled, packages, sources};

/// A project at work.
pub(super) struct Project<'a> {
    pub(super) options: &'a Options,
    pub(super) name: String,
    pub(super) folder: PathBuf,
    tree: Tree,
    pub(super) cargo: Cargo,
    /// Where the compiler runs, which its relative paths begin from.
    pub(super) root: PathBuf,
    pub(super) packages: Vec<Package>,
    begun: Instant,
    /// When nothing of it was built yet.
    copied: SystemTime,
    pub(super) builds: usize,
}

/// Judges the project that `options` name.
pub(crate) fn work(options: &Options) -> Outcome<ProjectReport> {
    let mut project = Project::prepare(options)?;
    project.take_attributes_off()?;
    let sources = sources(&project.packages, &project.tree.root)?;
    if options.last_step == LastStep::Sources {
        return project.count(&sources);
    }
    project.add_volt()?;
    let built = project.build(None)?;
    if !built.success {
        return Err(project.failure("it does not build without the attribute", &built));
    }
    let files = compiled(&project.target(), &project.root, project.copied);
    let subjects = Subjects::new(&sources, Some(&files));
    let before = project.test(&built.executables)?;
    if options.last_step == LastStep::Unannotated {
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
    project.cargo.progress.finish();
    if options.clean {
        let target = project.target();
        fs::remove_dir_all(&target).context(|| format!("removing {}", target.display()))?;
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
        let progress = Progress::new(&name);
        progress.begin("copying");
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
            toolchain: Some(options.toolchain()),
            start: tree.start.clone(),
            target: Some(folder.join("target/cargo-volt")),
            features: options.cargo.features(),
            jobs: options.cargo.jobs,
            offline: options.cargo.offline,
            check: options.check,
            cap_lints: options.cap_lints,
            limit: options.cargo.build_limit,
            progress,
        };
        let metadata = cargo.metadata()?;
        let (root, packages) = packages(
            &metadata,
            &tree.start,
            &options.cargo.packages,
            &options.cargo.excluded,
        )?;
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

    pub(super) fn build(&mut self, report: Option<&Path>) -> Outcome<Built> {
        self.builds += 1;
        let kind = match report {
            None => "without the attribute",
            Some(_) => "with the attribute",
        };
        let operation = format!("build {}, {kind}", self.builds);
        self.cargo.progress.begin(&operation);
        let built = self.build_targets(report)?;
        let took = built.took.as_secs();
        let errors = built.errors.len();
        self.cargo
            .progress
            .note(&format!("build {}: {errors} errors, {took} s", self.builds));
        if built.timed_out {
            return Err(format!("{}: a build took more than {took} s", self.name));
        }
        Ok(built)
    }

    /// Builds libraries, programs, tests and examples; the macro reports to `report`.
    fn build_targets(&self, report: Option<&Path>) -> Outcome<Built> {
        let mut targets = vec!["--bins", "--tests", "--examples"];
        if self.packages.iter().any(|package| package.has_library) {
            targets.push("--lib");
        }
        let variable = report.map(|report| (layouts::VARIABLE, report.as_os_str()));
        let variables: Vec<_> = variable.into_iter().collect();
        self.cargo.build(&self.packages, &targets, &variables)
    }

    fn target(&self) -> PathBuf {
        self.folder.join("target/cargo-volt")
    }

    pub(super) fn failure(&self, what: &str, built: &Built) -> String {
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
        if !self.options.runs_tests() {
            return Ok(None);
        }
        self.cargo
            .progress
            .note(&format!("running {} programs of tests", programs.len()));
        run_all(programs, self.options.test_limit, &self.cargo.progress).map(Some)
    }

    fn test_again(&self, before: Endings, programs: &[Executable]) -> Outcome<Comparison> {
        let after = self.test(programs)?.unwrap_or_default();
        compare(before, after, programs, self.options.test_limit)
    }

    pub(super) fn candidates(&self, subjects: &Subjects<'_>) -> Candidates {
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
