//! The tests of the compiler, unchanged and with the attribute on each async function.
//!
//! `cargo volt rustc-tests --from FOLDER` takes the files below a folder that must compile or run
//! on stable Rust (`//@ check-pass`, `build-pass`, `run-pass`), in each revision without unstable
//! features. Each file is compiled unchanged, and skipped if this compiler rejects it. Then it is
//! compiled with the attribute. Both programs are run if required, and must exit and write the
//! same.
//!
//! A folder is `tests/ui/async-await` of the compiler's repository. Nothing of it is kept.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::rustc_wanted::{Wanted, edition, wanted};
use crate::command::{Ended, run, text_of};
use crate::context::{Context, Outcome};
use crate::rewrite::{AttributeEdit, LayoutOption, Position, rewrite};
use crate::scan::scan;

/// How long a test may be compiled, and run.
const PATIENCE: Duration = Duration::from_secs(60);

/// The result for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TestVerdict {
    /// The file is not selected, for this reason.
    Out(&'static str),
    /// It has no function for the attribute.
    Without,
    Same,
    /// With the attribute it does not compile: the first error.
    Refused(String),
    /// It compiles, and does something else.
    Different(String),
}

/// Evaluates the files below a folder. Returns the page, and `true` if no file differs.
///
/// # Errors
///
/// When the folder cannot be read, or volt not be built.
pub(crate) fn work(folder: &Path, volt: &Path, options: &str) -> Outcome<(String, bool)> {
    let mut files = Vec::new();
    files_below(folder, &mut files)?;
    files.sort();
    let room = std::env::temp_dir().join(format!("cargo-volt-rustc-{}", std::process::id()));
    fs::create_dir_all(&room).context(|| format!("making {}", room.display()))?;
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
    let is_no_worse = !judged
        .iter()
        .any(|(_, verdict)| matches!(verdict, TestVerdict::Different(_)));
    Ok((page(folder, &judged), is_no_worse))
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) -> Outcome<()> {
    let doing = || format!("reading {}", folder.display());
    for entry in fs::read_dir(folder).context(doing)? {
        let path = entry.context(doing)?.path();
        if path.is_dir() {
            // These files are used by other tests.
            if path.file_name().is_none_or(|name| name != "auxiliary") {
                files_below(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// Builds the library of volt, and returns its path.
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
    let messages = text_of(&mut cargo, Duration::from_secs(1200))?;
    let of_volt = messages
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
    fn judge(&self, file: &Path) -> Outcome<TestVerdict> {
        let text = fs::read_to_string(file).context(|| format!("reading {}", file.display()))?;
        let wanted = match wanted(&text) {
            Ok(wanted) => wanted,
            Err(why) => return Ok(TestVerdict::Out(why)),
        };
        let Ok(found) = scan(&text) else {
            return Ok(TestVerdict::Out("is not read by syn"));
        };
        let edit = AttributeEdit {
            option: LayoutOption::Default,
            named: false,
            position: Position::Above,
        };
        let edits = vec![Some(edit); found.functions.len()];
        let with = rewrite(&text, &found, &edits, self.options).text;
        if with == text {
            return Ok(TestVerdict::Without);
        }
        let mut verdict = TestVerdict::Same;
        for wanted in &wanted {
            if verdict == TestVerdict::Same {
                verdict = self.revision(file, &text, &with, wanted)?;
            }
        }
        Ok(verdict)
    }

    /// Evaluates a revision of a file, unchanged and with the attribute.
    fn revision(
        &self,
        file: &Path,
        text: &str,
        with: &str,
        wanted: &Wanted,
    ) -> Outcome<TestVerdict> {
        for name in &wanted.beside {
            let beside = file.with_file_name("auxiliary").join(name);
            if !self.beside(&beside)?.success() {
                return Ok(TestVerdict::Out("needs a file that this compiler refuses"));
            }
        }
        if !self.compiled("plain", text, wanted)?.success() {
            return Ok(TestVerdict::Out("is refused by this compiler as it stands"));
        }
        let marked = self.compiled("marked", with, wanted)?;
        if !marked.success() {
            return Ok(TestVerdict::Refused(first_error(&marked.stderr)));
        }
        if wanted.runs {
            return self.compared();
        }
        Ok(TestVerdict::Same)
    }

    /// Compiles an auxiliary library, unchanged.
    fn beside(&self, file: &Path) -> Outcome<Ended> {
        let text = fs::read_to_string(file).context(|| format!("reading {}", file.display()))?;
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
        fs::write(&source, text).context(|| format!("writing {}", source.display()))?;
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
        if wanted.runs {
            rustc.arg("-o").arg(self.room.join(name));
        } else {
            // The file is only checked; it may be a library or a program.
            rustc.args(["--emit", "metadata", "--out-dir"]);
            rustc.arg(&self.room);
        }
        run(rustc.arg(&source), PATIENCE)
    }

    /// Runs both programs.
    fn compared(&self) -> Outcome<TestVerdict> {
        let plain = run(&mut Command::new(self.room.join("plain")), PATIENCE)?;
        let marked = run(&mut Command::new(self.room.join("marked")), PATIENCE)?;
        let same = plain.success() == marked.success() && plain.stdout == marked.stdout;
        if same {
            return Ok(TestVerdict::Same);
        }
        Ok(TestVerdict::Different(marked.tail()))
    }
}

/// Returns the first error of the compiler, in one line.
fn first_error(stderr: &str) -> String {
    let line = stderr.lines().find(|line| line.starts_with("error"));
    line.unwrap_or("the compiler failed").to_owned()
}

/// The figures, and what there is to look at.
fn page(folder: &Path, judged: &[(PathBuf, TestVerdict)]) -> String {
    let count = |is: &dyn Fn(&TestVerdict) -> bool| {
        let chosen = judged.iter().filter(|(_, verdict)| is(verdict));
        chosen.count()
    };
    let mut page = String::new();
    for (file, verdict) in judged {
        let name = file.strip_prefix(folder).unwrap_or(file).display();
        let written = match verdict {
            TestVerdict::Refused(why) => writeln!(page, "refused    {name}: {why}"),
            TestVerdict::Different(how) => writeln!(page, "different  {name}: {how}"),
            TestVerdict::Out(_) | TestVerdict::Without | TestVerdict::Same => Ok(()),
        };
        written.expect("a write to a string does not fail");
    }
    let (same, refused) = (
        count(&|verdict| *verdict == TestVerdict::Same),
        count(&|verdict| matches!(verdict, TestVerdict::Refused(_))),
    );
    let different = count(&|verdict| matches!(verdict, TestVerdict::Different(_)));
    let (out, without) = (
        count(&|verdict| matches!(verdict, TestVerdict::Out(_))),
        count(&|verdict| *verdict == TestVerdict::Without),
    );
    page += &format!(
        "{} files: {same} same, {refused} refused, {different} different; {without} have no function \
         for it, {out} are not selected\n",
        judged.len()
    );
    page
}
