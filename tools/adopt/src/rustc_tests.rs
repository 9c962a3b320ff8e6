//! The compiler's own tests, as they stand and with the attribute on each async function.
//!
//! `adopt rustc-tests --from FOLDER` takes the files below a folder that are to compile or run
//! (`//@ check-pass`, `build-pass`, `run-pass`) on stable Rust, each in those of its revisions that need nothing
//! unstable. Each is compiled as it stands, which leaves out what this compiler refuses; then with the
//! attribute. Those that run are run, and have to end and to write the same.
//!
//! A folder is `tests/ui/async-await` of the compiler's repository. Nothing of it is kept.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::command::{Ended, run, text_of};
use crate::outcome::{Doing, Outcome};
use crate::rewrite::{Mark, Position, Word, rewrite};
use crate::rustc_wanted::{Wanted, edition, wanted};
use crate::scan::scan;

/// How long a test may be compiled, and run.
const PATIENCE: Duration = Duration::from_secs(60);

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is not one of those that are asked for, for this reason.
    Out(&'static str),
    /// It has no function for the attribute.
    Without,
    Same,
    /// With the attribute it does not compile: the first error.
    Refused(String),
    /// It compiles, and does something else.
    Different(String),
}

/// Judges the files below a folder; the page that tells, and whether none is different.
///
/// # Errors
///
/// When the folder cannot be read, or volt not be built.
pub(crate) fn work(folder: &Path, volt: &Path, options: &str) -> Outcome<(String, bool)> {
    let mut files = Vec::new();
    files_below(folder, &mut files)?;
    files.sort();
    let room = std::env::temp_dir().join(format!("adopt-rustc-{}", std::process::id()));
    fs::create_dir_all(&room).doing(|| format!("making {}", room.display()))?;
    let bench = Bench {
        volt: built(volt)?,
        room: room.clone(),
        options,
    };
    let judged: Outcome<Vec<_>> = files
        .iter()
        .map(|file| bench.judge(file).map(|verdict| (file.clone(), verdict)))
        .collect();
    // There may be nothing to remove.
    let _ = fs::remove_dir_all(&room);
    let judged = judged?;
    let is_well = !judged
        .iter()
        .any(|(_, verdict)| matches!(verdict, Verdict::Different(_)));
    Ok((page(folder, &judged), is_well))
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) -> Outcome<()> {
    let doing = || format!("reading {}", folder.display());
    for entry in fs::read_dir(folder).doing(doing)? {
        let path = entry.doing(doing)?.path();
        if path.is_dir() {
            // Those are for other tests to use.
            if path.file_name().is_none_or(|name| name != "auxiliary") {
                files_below(&path, found)?;
            }
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The library of volt, which cargo builds.
fn built(volt: &Path) -> Outcome<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .args([
            "build",
            "--package",
            "volt-async",
            "--message-format",
            "json",
        ])
        .arg("--manifest-path")
        .arg(volt.join("Cargo.toml"));
    let told = text_of(&mut cargo, Duration::from_secs(1200))?;
    let of_volt = told
        .lines()
        .filter(|line| line.contains("\"name\":\"volt\""));
    let mut files = of_volt.flat_map(|line| line.split('"'));
    let library = files.rfind(|file| file.ends_with(".rlib"));
    library
        .map(PathBuf::from)
        .ok_or_else(|| "cargo made no library of volt".to_owned())
}

/// Where files are compiled.
struct Bench<'a> {
    volt: PathBuf,
    room: PathBuf,
    options: &'a str,
}

impl Bench<'_> {
    fn judge(&self, file: &Path) -> Outcome<Verdict> {
        let text = fs::read_to_string(file).doing(|| format!("reading {}", file.display()))?;
        let wanted = match wanted(&text) {
            Ok(wanted) => wanted,
            Err(why) => return Ok(Verdict::Out(why)),
        };
        let Ok(found) = scan(&text) else {
            return Ok(Verdict::Out("is not read by syn"));
        };
        let mark = Mark {
            word: Word::Plain,
            named: false,
            position: Position::Above,
        };
        let marks = vec![Some(mark); found.functions.len()];
        let with = rewrite(&text, &found, &marks, self.options).text;
        if with == text {
            return Ok(Verdict::Without);
        }
        let mut verdict = Verdict::Same;
        for wanted in &wanted {
            if verdict == Verdict::Same {
                verdict = self.revision(file, &text, &with, wanted)?;
            }
        }
        Ok(verdict)
    }

    /// A revision of a file, as it stands and with the attribute.
    fn revision(&self, file: &Path, text: &str, with: &str, wanted: &Wanted) -> Outcome<Verdict> {
        for name in &wanted.beside {
            let beside = file.with_file_name("auxiliary").join(name);
            if !self.beside(&beside)?.success() {
                return Ok(Verdict::Out("needs a file that this compiler refuses"));
            }
        }
        if !self.compiled("plain", text, wanted)?.success() {
            return Ok(Verdict::Out("is refused by this compiler as it stands"));
        }
        let marked = self.compiled("marked", with, wanted)?;
        if !marked.success() {
            return Ok(Verdict::Refused(first_error(&marked.stderr)));
        }
        match wanted.runs {
            true => self.compared(),
            false => Ok(Verdict::Same),
        }
    }

    /// Compiles a library that tests use, as it stands.
    fn beside(&self, file: &Path) -> Outcome<Ended> {
        let text = fs::read_to_string(file).doing(|| format!("reading {}", file.display()))?;
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--crate-type", "lib", "-Awarnings", "--edition"])
            .arg(edition(&text))
            .arg("--out-dir")
            .arg(&self.room)
            .arg(file);
        run(&mut rustc, PATIENCE)
    }

    fn compiled(&self, name: &str, text: &str, wanted: &Wanted) -> Outcome<Ended> {
        let source = self.room.join(format!("{name}.rs"));
        fs::write(&source, text).doing(|| format!("writing {}", source.display()))?;
        let dependencies = self.volt.parent().unwrap_or(Path::new("."));
        let mut rustc = Command::new("rustc");
        let has_edition = wanted
            .flags
            .iter()
            .any(|flag| flag.starts_with("--edition"));
        if !has_edition {
            rustc.args(["--edition", &wanted.edition]);
        }
        rustc
            .arg("-Awarnings")
            .args(&wanted.flags)
            .args(["--crate-name", name])
            .arg("-L")
            .arg(&self.room)
            .arg("-L")
            .arg(format!(
                "dependency={}",
                dependencies.join("deps").display()
            ))
            .arg("-L")
            .arg(format!("dependency={}", dependencies.display()))
            .arg("--extern")
            .arg(format!("volt={}", self.volt.display()));
        match wanted.runs {
            true => rustc.arg("-o").arg(self.room.join(name)),
            // As a test that is only checked; it may be a library or a program.
            false => rustc
                .args(["--emit", "metadata", "--out-dir"])
                .arg(&self.room),
        };
        run(rustc.arg(&source), PATIENCE)
    }

    /// Runs both programs.
    fn compared(&self) -> Outcome<Verdict> {
        let plain = run(&mut Command::new(self.room.join("plain")), PATIENCE)?;
        let marked = run(&mut Command::new(self.room.join("marked")), PATIENCE)?;
        let same = plain.success() == marked.success() && plain.stdout == marked.stdout;
        Ok(match same {
            true => Verdict::Same,
            false => Verdict::Different(marked.tail()),
        })
    }
}

/// The first error of the compiler, in one line.
fn first_error(told: &str) -> String {
    let line = told.lines().find(|line| line.starts_with("error"));
    line.unwrap_or("the compiler failed").to_owned()
}

/// The figures, and what there is to look at.
fn page(folder: &Path, judged: &[(PathBuf, Verdict)]) -> String {
    let count = |is: &dyn Fn(&Verdict) -> bool| judged.iter().filter(|(_, it)| is(it)).count();
    let mut page = String::new();
    for (file, verdict) in judged {
        let name = file.strip_prefix(folder).unwrap_or(file).display();
        let told = match verdict {
            Verdict::Refused(why) => writeln!(page, "refused    {name}: {why}"),
            Verdict::Different(how) => writeln!(page, "different  {name}: {how}"),
            Verdict::Out(_) | Verdict::Without | Verdict::Same => Ok(()),
        };
        told.expect("a string takes everything");
    }
    let (same, refused) = (
        count(&|it| *it == Verdict::Same),
        count(&|it| matches!(it, Verdict::Refused(_))),
    );
    let different = count(&|it| matches!(it, Verdict::Different(_)));
    let (out, without) = (
        count(&|it| matches!(it, Verdict::Out(_))),
        count(&|it| *it == Verdict::Without),
    );
    page += &format!(
        "{} files: {same} same, {refused} refused, {different} different; {without} have no function \
         for it, {out} are not asked for\n",
        judged.len()
    );
    page
}
