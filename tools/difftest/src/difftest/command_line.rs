//! The options of the command line.

use std::num::NonZeroU64;
use std::path::PathBuf;

use lexopt::prelude::*;

/// The text of `--help`.
pub(crate) const HELP: &str = "\
Generates random functions, and compares the compiler's futures with the machines of the macro.

Usage: difftest [OPTIONS]

Options:
  --layout NAME  explicit: functions of the dialect, explicit machines where supported
                 native: any functions, as native machines
                 auto: any functions, in the layout that the macro chooses              [explicit]
  --serde        functions of serializable machines, which are written and read before each poll
  --edition NAME 2021 or 2024; without it the batches alternate
  --seed N       seed of the random functions: the same seed, the same functions        [1]
  --count N      functions, in families of four that call one another                   [200]
  --batch N      functions in one program: more are quicker, and use more memory        [100]
  --jobs N       programs compiled and run at a time                                    [2]
  --refusals N   functions that may be rejected, or call a rejected one                 [0]
  --whole        print a differing function without reducing it, which takes long
  --keep FOLDER  write the programs there and keep them; without it they are removed
  --volt FOLDER  use volt and its macro of the checkout there, such as an older commit
  --show N       only print the family of this number
  --expand FILE  only print the expansion of the functions in a file
  -h, --help     print this

A function is named SEED/FAMILY.NAME: `--seed SEED --edition NAME --show FAMILY` prints it again. On stdout:
  differs   the versions behave differently, or the machine is larger than the compiler's future
            (a native one without `trace`: by more than 8 bytes);
            the difference, and the function, reduced while it still differs
  refused   the macro rejects it
  faulty    the compiler rejects it without the macro too: an error of the generator
and at the end the number of comparisons. Each batch prints its progress to stderr.

Exit codes:
  0  all agree
  1  a function differs or is faulty, too many are rejected, or the run failed
  2  the command line is wrong
";

/// The layout of the machines, and the kind of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Explicit,
    Native,
    Auto,
    /// Explicit machines that are stored at each await.
    Stored,
}

impl std::str::FromStr for Layout {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "explicit" => Ok(Self::Explicit),
            "native" => Ok(Self::Native),
            "auto" => Ok(Self::Auto),
            _ => Err(format!("there is no layout {name}: explicit, native, auto")),
        }
    }
}

/// The edition of the language that a program is compiled by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edition {
    E2021,
    E2024,
}

impl Edition {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::E2021 => "2021",
            Self::E2024 => "2024",
        }
    }
}

impl std::str::FromStr for Edition {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "2021" => Ok(Self::E2021),
            "2024" => Ok(Self::E2024),
            _ => Err(format!("there is no edition {name} here: 2021, 2024")),
        }
    }
}

/// The options.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    pub(crate) layout: Layout,
    /// `None`: the editions alternate, batch by batch.
    pub(crate) edition: Option<Edition>,
    /// The number of functions.
    pub(crate) count: u64,
    /// The number of functions in one program.
    pub(crate) batch: u64,
    /// The number of functions that may be rejected.
    pub(crate) refusals: usize,
    /// `true` if differing functions are printed without being reduced.
    pub(crate) whole: bool,
    /// How many programs are compiled and run at once.
    pub(crate) jobs: u64,
    /// Where the programs are written and left.
    pub(crate) keep: Option<PathBuf>,
    /// The checkout whose volt the programs use, if it is not this one.
    pub(crate) volt: Option<PathBuf>,
}

/// The command that the command line selects.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Help,
    /// Only prints the family of that seed and index.
    Show(u64, u64, Layout, Edition),
    /// Only prints what the macro makes of a file.
    Expand(PathBuf),
    Run(Options),
}

/// Reads the command line.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Command, lexopt::Error> {
    let mut options = Options {
        seed: 1,
        layout: Layout::Explicit,
        edition: None,
        count: 200,
        batch: 100,
        refusals: 0,
        whole: false,
        jobs: 2,
        keep: None,
        volt: None,
    };
    let (mut show, mut expand) = (None, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("layout") => options.layout = parser.value()?.parse()?,
            Long("serde") => options.layout = Layout::Stored,
            Long("seed") => options.seed = parser.value()?.parse()?,
            Long("edition") => options.edition = Some(parser.value()?.parse()?),
            Long("count") => options.count = from_one(&mut parser, "--count")?,
            Long("batch") => options.batch = from_one(&mut parser, "--batch")?,
            Long("jobs") => options.jobs = from_one(&mut parser, "--jobs")?,
            Long("refusals") => options.refusals = parser.value()?.parse()?,
            Long("whole") => options.whole = true,
            Long("keep") => options.keep = Some(parser.value()?.into()),
            Long("volt") => options.volt = Some(parser.value()?.into()),
            Long("show") => show = Some(parser.value()?.parse()?),
            Long("expand") => expand = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(match (show, expand) {
        (Some(family), _) => {
            let edition = options.edition.unwrap_or(Edition::E2024);
            Command::Show(options.seed, family, options.layout, edition)
        }
        (None, Some(file)) => Command::Expand(file),
        (None, None) => Command::Run(options),
    })
}

/// Reads the value of an option of which there must be one: no jobs would never end, or find
/// nothing.
fn from_one(parser: &mut lexopt::Parser, option: &str) -> Result<u64, lexopt::Error> {
    let value = parser.value()?;
    let number = value
        .to_str()
        .and_then(|text| text.parse::<NonZeroU64>().ok());
    number.map(NonZeroU64::get).ok_or_else(|| {
        let text = format!("{option} takes a number from 1 on, not {value:?}");
        lexopt::Error::Custom(text.into())
    })
}

#[cfg(test)]
mod tests {
    use super::{Command, HELP, parse};

    fn parsed(arguments: &[&str]) -> Result<Command, lexopt::Error> {
        parse(lexopt::Parser::from_args(arguments))
    }

    #[test]
    fn every_option_of_the_help_is_known() {
        let lines = HELP.lines().map(str::trim_start);
        let mut found = 0;
        for line in lines.filter(|line| line.starts_with("--")) {
            let option = line.split(' ').next().unwrap_or_default();
            let given: &[&str] = match option {
                "--layout" => &[option, "auto"],
                "--edition" => &[option, "2021"],
                "--whole" | "--serde" => &[option],
                _ => &[option, "7"],
            };
            assert!(parsed(given).is_ok(), "{option}");
            found += 1;
        }
        assert_eq!(found, 13);
    }

    #[test]
    fn defaults_match_help_text() {
        let Ok(Command::Run(options)) = parsed(&[]) else {
            panic!("a run is what there is to do");
        };
        let numbers = [
            ("--seed", options.seed),
            ("--count", options.count),
            ("--batch", options.batch),
            ("--jobs", options.jobs),
            ("--refusals", options.refusals as u64),
        ];
        for (option, number) in numbers {
            let line = HELP.lines().find(|line| line.contains(option));
            let said = line.unwrap_or_default();
            assert!(said.ends_with(&format!("[{number}]")), "{said}");
        }
    }

    #[test]
    fn none_at_all_is_refused_by_name() {
        for option in ["--count", "--batch", "--jobs"] {
            let error = parsed(&[option, "0"]).expect_err(option).to_string();
            assert!(
                error.contains(option) && error.contains("from 1 on"),
                "{error}"
            );
        }
    }
}
