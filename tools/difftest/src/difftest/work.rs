//! A whole run: batches that workers draw, judge and count until there are no more.
//!
//! Findings are printed to stdout immediately. Each batch ends with a line on stderr that reports
//! the progress, also without a terminal. So the log of an interrupted run shows its position, and
//! stdout has only findings.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::batch::{Compiler, Member, STORED, Verdict, is_explicit, judge, members};
use crate::command_line::{Edition, Layout, Options};
use crate::generate::{self, FAMILY, Function, Switches};
use crate::shrink::shrink;
use crate::tally::Tally;
use crate::templates;

/// Compares the selected functions. Returns `true` if both versions agree everywhere.
///
/// # Errors
///
/// When a program can be neither written nor compiled nor run.
pub(crate) fn work(options: &Options) -> io::Result<bool> {
    let folder = folder(options);
    let compiler = Compiler::build(options.volt.as_deref(), &folder)?;
    let families = options.count.div_ceil(FAMILY as u64);
    let work = Work {
        options,
        compiler,
        folder,
        families,
        next: AtomicU64::new(0),
        tally: Mutex::new(Tally::default()),
    };
    println!("seed {}, {} functions", options.seed, work.functions());
    work.progress(&Tally::default());
    let done = work.share();
    if options.keep.is_none() {
        // There is none if nothing was compiled.
        let _ = fs::remove_dir_all(&work.folder);
    }
    done?;
    let tally = work.tally.into_inner().map_err(poisoned)?;
    println!("{tally}");
    Ok(tally.is_clean(options.refusals))
}

/// Returns the functions of a family: of the dialect, or, if no layout is selected, from templates
/// in three of four families.
pub(crate) fn family(seed: u64, index: u64, layout: Layout, edition: Edition) -> Vec<Function> {
    let switches = Switches {
        let_chains: edition == Edition::E2024,
        ..Switches::default()
    };
    if layout == Layout::Stored {
        return generate::stored_family(seed, index, |one| is_explicit(STORED, one));
    }
    if layout != Layout::Explicit && index % 4 != 3 {
        let family = templates::family(seed, index);
        if switches.let_chains || !family.iter().any(chains) {
            return family;
        }
    }
    generate::sure_family(seed, index, &switches, |one| is_explicit("", one))
}

/// Returns `true` if a `let` may be part of a condition chain.
fn chains(function: &Function) -> bool {
    let mut lines = function.source.lines();
    lines.any(|line| line.contains("let ") && line.contains("&& "))
}

fn folder(options: &Options) -> PathBuf {
    let temporary = || std::env::temp_dir().join(format!("difftest-{}", std::process::id()));
    options.keep.clone().unwrap_or_else(temporary)
}

fn poisoned<T>(_: T) -> io::Error {
    io::Error::other("a worker panicked")
}

/// The state that the workers share.
struct Work<'a> {
    options: &'a Options,
    compiler: Compiler,
    /// Where the programs are written.
    folder: PathBuf,
    families: u64,
    /// The first family that no worker has drawn.
    next: AtomicU64,
    tally: Mutex<Tally>,
}

impl Work<'_> {
    fn functions(&self) -> u64 {
        self.families * FAMILY as u64
    }

    fn progress(&self, tally: &Tally) {
        eprintln!("difftest: {}", tally.progress(self.functions()));
    }

    /// Starts the workers and waits for them.
    fn share(&self) -> io::Result<()> {
        std::thread::scope(|scope| {
            let start = |number| {
                let folder = self.folder.join(format!("worker-{number}"));
                scope.spawn(move || self.worker(&folder))
            };
            let workers: Vec<_> = (0..self.options.jobs).map(start).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().map_err(poisoned)?)
        })
    }

    fn worker(&self, folder: &Path) -> io::Result<()> {
        while let Some(families) = self.draw() {
            let compiler = self.compiler.in_edition(self.edition(&families));
            let members = self.members(families);
            let verdicts = judge(&compiler, folder, &members)?;
            for (member, name, verdict) in &verdicts {
                self.tell(&compiler, folder, &members[*member], name, verdict)?;
            }
            let mut tally = self.tally.lock().map_err(poisoned)?;
            for (member, name, verdict) in verdicts {
                tally.add(verdict, members[member].is_explicit(&name));
            }
            self.progress(&tally);
        }
        Ok(())
    }

    /// Returns the number of families in a batch.
    fn batch(&self) -> u64 {
        self.options.batch.div_ceil(FAMILY as u64)
    }

    /// The edition of a batch.
    fn edition(&self, families: &Range<u64>) -> Edition {
        let turn = match (families.start / self.batch()) % 2 {
            0 => Edition::E2024,
            _ => Edition::E2021,
        };
        self.options.edition.unwrap_or(turn)
    }

    /// The families of the next batch.
    fn draw(&self) -> Option<Range<u64>> {
        let batch = self.batch();
        let from = self.next.fetch_add(batch, Ordering::Relaxed);
        (from < self.families).then(|| from..self.families.min(from + batch))
    }

    fn members(&self, families: Range<u64>) -> Vec<Member> {
        let (seed, layout) = (self.options.seed, self.options.layout);
        let edition = self.edition(&families);
        let one = |index| {
            let name = format!("{seed}/{index}");
            (name, family(seed, index, layout, edition))
        };
        members(families.map(one).collect(), layout)
    }

    /// Prints what a person has to look at.
    fn tell(
        &self,
        compiler: &Compiler,
        folder: &Path,
        member: &Member,
        name: &str,
        verdict: &Verdict,
    ) -> io::Result<()> {
        let (at, edition) = (format!("{}.{name}", member.name), compiler.edition.name());
        match verdict {
            Verdict::Differs(difference) => {
                let (member, difference) = if self.options.whole {
                    let mut member = member.clone();
                    member.keep_only(name);
                    (member, difference.clone())
                } else {
                    eprintln!("difftest: {at} differs, and is made smaller");
                    shrink(compiler, folder, member, name, difference)?
                };
                let shown = Function::to_string;
                let functions: String = member.functions.iter().map(shown).collect();
                println!("\n=== {at} ({edition}) differs: {difference}\n\n{functions}");
            }
            Verdict::Faulty(message) => println!("faulty {at} ({edition}): {message}"),
            Verdict::Refused(message) => println!("refused {at} ({edition}): {message}"),
            Verdict::Equal(_) | Verdict::Dropped => {}
        }
        Ok(())
    }
}
