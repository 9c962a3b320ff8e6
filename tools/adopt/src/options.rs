//! The options of the command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lexopt::prelude::*;

use crate::bisect::NativePolicy;
use crate::origin::Origin;

/// The text of `--help`.
pub(crate) const HELP: &str = include_str!("help.txt");

/// How far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Sources are read and rewritten.
    Sources,
    /// The project is built and tested as it is.
    Unannotated,
    /// Everything.
    Whole,
}

/// The options for one project.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) origin: Origin,
    pub(crate) revision: String,
    pub(crate) inside: Option<PathBuf>,
    pub(crate) packages: Vec<String>,
    pub(crate) excluded: Vec<String>,
    pub(crate) features: Vec<String>,
    /// Attributes that are taken off first.
    pub(crate) without: Vec<String>,
    pub(crate) cap_lints: bool,
    pub(crate) depth: Depth,
    /// `true` to check only, without executables.
    pub(crate) check: bool,
    pub(crate) tests: bool,
    pub(crate) native: NativePolicy,
    /// Further options of each attribute.
    pub(crate) attribute: String,
    pub(crate) retries: u32,
    pub(crate) rounds: usize,
    pub(crate) reasons: bool,
    pub(crate) json: Option<PathBuf>,
    pub(crate) name: Option<String>,
    pub(crate) work: PathBuf,
    pub(crate) volt: PathBuf,
    pub(crate) volt_features: Vec<String>,
    pub(crate) toolchain: String,
    pub(crate) jobs: Option<u32>,
    pub(crate) offline: bool,
    pub(crate) build_limit: Duration,
    pub(crate) test_limit: Duration,
    pub(crate) clean: bool,
}

/// A list of projects and where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corpus {
    pub(crate) list: PathBuf,
    pub(crate) from: String,
    pub(crate) only: Vec<String>,
}

/// The command that the command line selects.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Help,
    One(Box<Options>),
    Corpus(Corpus, Box<Options>),
    /// The compiler's own tests below a folder.
    RustcTests(PathBuf, Box<Options>),
}

impl Default for Options {
    fn default() -> Self {
        let volt = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Self {
            origin: Origin::Folder(PathBuf::new()),
            revision: "HEAD".to_owned(),
            inside: None,
            packages: Vec::new(),
            excluded: Vec::new(),
            features: Vec::new(),
            without: Vec::new(),
            cap_lints: false,
            depth: Depth::Whole,
            check: false,
            tests: true,
            native: NativePolicy::Suggested,
            attribute: String::new(),
            retries: 1,
            rounds: 60,
            reasons: false,
            json: None,
            name: None,
            work: std::env::temp_dir().join("volt-adopt"),
            volt: volt.canonicalize().unwrap_or(volt),
            volt_features: vec!["std".to_owned()],
            toolchain: String::new(),
            jobs: None,
            offline: false,
            build_limit: Duration::from_secs(1800),
            test_limit: Duration::from_secs(300),
            clean: false,
        }
    }
}

/// Reads the command line.
pub(crate) fn parse(parser: lexopt::Parser) -> Result<Command, lexopt::Error> {
    let mut reading = Reading::default();
    reading.read(parser)?;
    if reading.help {
        return Ok(Command::Help);
    }
    let Reading {
        mut options,
        corpus,
        origins,
        rustc_tests,
        ..
    } = reading;
    if options.toolchain.is_empty() {
        options.toolchain = toolchain_of(&options.volt);
    }
    match (corpus, <[Origin; 1]>::try_from(origins)) {
        (Some(corpus), Err(none)) if none.is_empty() && rustc_tests => {
            Ok(Command::RustcTests(corpus.from.into(), Box::new(options)))
        }
        (Some(corpus), Err(none)) if none.is_empty() => {
            Ok(Command::Corpus(corpus, Box::new(options)))
        }
        (None, Ok([origin])) => {
            options.origin = origin;
            Ok(Command::One(Box::new(options)))
        }
        _ => Err(fault(
            "name one project: a PATH, --git or --crate, or `corpus`",
        )),
    }
}

/// Reads the options of a line in a list, based on `base`.
pub(crate) fn over(base: &Options, words: &[&str]) -> Result<Options, lexopt::Error> {
    let mut reading = Reading {
        options: base.clone(),
        ..Reading::default()
    };
    reading.read(lexopt::Parser::from_args(words))?;
    if reading.help || reading.corpus.is_some() || !reading.origins.is_empty() {
        return Err(fault("only options can stand behind a project"));
    }
    Ok(reading.options)
}

/// The toolchain that the repository at `volt` names, or the usual one.
fn toolchain_of(volt: &Path) -> String {
    let text = std::fs::read_to_string(volt.join("rust-toolchain.toml")).unwrap_or_default();
    let channel = text
        .lines()
        .find_map(|line| line.strip_prefix("channel = \""));
    let channel = channel.and_then(|rest| rest.split('"').next());
    channel.unwrap_or("stable").to_owned()
}

fn fault(text: &str) -> lexopt::Error {
    lexopt::Error::Custom(text.to_owned().into())
}

/// The command line, as far as it is read.
#[derive(Default)]
struct Reading {
    options: Options,
    corpus: Option<Corpus>,
    origins: Vec<Origin>,
    help: bool,
    /// `true` if the path is a folder of the compiler's tests.
    rustc_tests: bool,
}

impl Reading {
    fn read(&mut self, mut parser: lexopt::Parser) -> Result<(), lexopt::Error> {
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => self.help = true,
                Value(word) => self.word(word),
                Short('p') => {
                    let name = parser.value()?.string()?;
                    self.options.packages.push(name);
                }
                Long(name) => {
                    let name = name.to_owned();
                    if !self.flag(&name) && !self.setting(&name, &mut parser)? {
                        return Err(lexopt::Error::UnexpectedOption(format!("--{name}")));
                    }
                }
                other @ Short(_) => return Err(other.unexpected()),
            }
        }
        Ok(())
    }

    fn word(&mut self, word: OsString) {
        if word == "corpus" && self.corpus.is_none() {
            self.corpus = Some(Corpus::default());
        } else if word == "rustc-tests" && self.corpus.is_none() {
            (self.corpus, self.rustc_tests) = (Some(Corpus::default()), true);
        } else {
            self.origins.push(Origin::Folder(word.into()));
        }
    }

    /// Options without a value.
    fn flag(&mut self, name: &str) -> bool {
        let options = &mut self.options;
        match name {
            "all-features" | "no-default-features" => options.features.push(format!("--{name}")),
            "cap-lints" => options.cap_lints = true,
            "sources" => options.depth = Depth::Sources,
            "unannotated" => options.depth = Depth::Unannotated,
            "check" => (options.check, options.tests) = (true, false),
            "no-tests" => options.tests = false,
            "reasons" => options.reasons = true,
            "offline" => options.offline = true,
            "clean" => options.clean = true,
            _ => return false,
        }
        true
    }

    /// Options with a value.
    fn setting(&mut self, name: &str, parser: &mut lexopt::Parser) -> Result<bool, lexopt::Error> {
        let options = &mut self.options;
        match name {
            "git" => self.origins.push(Origin::Git(parser.value()?.string()?)),
            "crate" => self.origins.push(of_registry(&parser.value()?.string()?)?),
            "rev" => options.revision = parser.value()?.string()?,
            "in" => options.inside = Some(parser.value()?.into()),
            "package" => options.packages.push(parser.value()?.string()?),
            "exclude" => options.excluded.push(parser.value()?.string()?),
            "features" => {
                options.features.push("--features".to_owned());
                options.features.push(parser.value()?.string()?);
            }
            "without" => options.without.push(parser.value()?.string()?),
            "native" => options.native = native(&parser.value()?.string()?)?,
            "attribute" => options.attribute = parser.value()?.string()?,
            "retries" => options.retries = parser.value()?.parse()?,
            "rounds" => options.rounds = parser.value()?.parse()?,
            "json" => options.json = Some(parser.value()?.into()),
            "name" => options.name = Some(parser.value()?.string()?),
            "work" => options.work = parser.value()?.into(),
            "volt" => options.volt = absolute(parser.value()?.into())?,
            "volt-features" => options.volt_features = list(&parser.value()?.string()?),
            "toolchain" => options.toolchain = parser.value()?.string()?,
            "jobs" => options.jobs = Some(parser.value()?.parse()?),
            "build-limit" => options.build_limit = seconds(parser)?,
            "test-limit" => options.test_limit = seconds(parser)?,
            _ => return self.of_corpus(name, parser),
        }
        Ok(true)
    }

    fn of_corpus(
        &mut self,
        name: &str,
        parser: &mut lexopt::Parser,
    ) -> Result<bool, lexopt::Error> {
        let Some(corpus) = &mut self.corpus else {
            return Ok(false);
        };
        match name {
            "list" => corpus.list = parser.value()?.into(),
            "from" => corpus.from = parser.value()?.string()?,
            "only" => corpus.only.push(parser.value()?.string()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn of_registry(text: &str) -> Result<Origin, lexopt::Error> {
    match text.split_once('@') {
        Some((name, version)) => Ok(Origin::Registry(name.to_owned(), version.to_owned())),
        None => Err(fault("--crate takes a name and a version, as NAME@1.2.3")),
    }
}

fn native(text: &str) -> Result<NativePolicy, lexopt::Error> {
    match text {
        "never" => Ok(NativePolicy::Never),
        "suggested" => Ok(NativePolicy::Suggested),
        "always" => Ok(NativePolicy::Always),
        _ => Err(fault("--native takes `never`, `suggested` or `always`")),
    }
}

fn absolute(path: PathBuf) -> Result<PathBuf, lexopt::Error> {
    let found = path.canonicalize();
    found.map_err(|error| fault(&format!("--volt {}: {error}", path.display())))
}

fn list(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn seconds(parser: &mut lexopt::Parser) -> Result<Duration, lexopt::Error> {
    parser.value()?.parse().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::{Command, Depth, HELP, Options, over, parse};
    use crate::origin::Origin;

    fn parsed(arguments: &[&str]) -> Result<Command, lexopt::Error> {
        parse(lexopt::Parser::from_args(arguments))
    }

    #[test]
    fn every_option_of_the_help_is_known() {
        let words = HELP.split([' ', ',', '\n', '[', ']']);
        let mut seen = 0;
        for name in words.filter(|word| word.starts_with("--")) {
            seen += 1;
            let of_corpus = ["--list", "--from", "--only"].contains(&name);
            let start = if of_corpus { "corpus" } else { "-h" };
            for value in ["1", "suggested", "a@1", "."] {
                let known = match parsed(&[start, name, value]) {
                    Err(lexopt::Error::UnexpectedOption(_)) => false,
                    Ok(_) | Err(_) => true,
                };
                assert!(known, "{name}");
            }
        }
        assert!(seen > 25, "{seen}");
    }

    #[test]
    fn exactly_one_project_is_named() {
        assert!(parsed(&[]).is_err());
        assert!(parsed(&["a", "b"]).is_err());
        assert!(parsed(&["corpus", "--git", "b"]).is_err());
        let one = |arguments: &[&str]| match parsed(arguments) {
            Ok(Command::One(options)) => options.origin,
            other => panic!("{other:?}"),
        };
        assert_eq!(one(&["a"]), Origin::Folder("a".into()));
        let crate_ = Origin::Registry("a".to_owned(), "1.0.0".to_owned());
        assert_eq!(one(&["--crate", "a@1.0.0"]), crate_);
    }

    #[test]
    fn options_of_a_line_override_common_options() {
        let base = Options {
            tests: false,
            ..Options::default()
        };
        let options = over(&base, &["--sources", "--package", "a"]).expect("options");
        assert_eq!((options.depth, options.tests), (Depth::Sources, false));
        assert_eq!(options.packages, ["a"]);
        assert!(over(&base, &["b"]).is_err());
    }
}
