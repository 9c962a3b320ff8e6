//! The options of `try`, and of its variants for many projects.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};

use crate::bisect::NativePolicy;
use crate::build::cargo_args::{CargoArgs, seconds};
use crate::json_args::JsonArgs;
use crate::origin::Origin;

/// The last step that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LastStep {
    /// Find functions, rewrite and read again; build nothing
    Sources,
    /// Build and test the project as it is
    Unannotated,
    /// Everything
    All,
}

/// The project of `try`.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
struct OriginArgs {
    /// Folder with a Cargo.toml, or a git directory without a checkout
    path: Option<PathBuf>,
    /// Clone this repository
    #[arg(long, value_name = "ADDRESS")]
    git: Option<String>,
    /// Take the sources of a published crate: `NAME@1.2.3`
    #[arg(long = "crate", value_name = "NAME@VERSION", value_parser = published)]
    published: Option<Origin>,
}

/// The arguments of `try`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TryArgs {
    #[command(flatten)]
    origin: OriginArgs,
    #[command(flatten)]
    options: Options,
}

/// The arguments of `corpus`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CorpusArgs {
    /// File with a line for each project: OWNER/NAME COMMIT OPTIONS
    #[arg(long, value_name = "FILE")]
    pub(crate) list: PathBuf,
    /// Folder or address of the projects
    #[arg(long, value_name = "FOLDER-OR-ADDRESS")]
    pub(crate) from: String,
    /// Only the projects whose name contains this; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// The arguments of `rustc-tests`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RustcTestsArgs {
    /// Folder of the compiler's tests, such as its `tests/ui/async-await`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) from: PathBuf,
    /// Further options of each attribute
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    pub(crate) attribute: String,
    /// Repository of volt
    #[arg(long, value_name = "FOLDER", default_value_os_t = repository(), hide_default_value = true)]
    pub(crate) volt: PathBuf,
}

/// The options for one project.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    #[arg(skip = Origin::Folder(PathBuf::new()))]
    pub(crate) origin: Origin,
    /// Revision of a repository without a checkout
    #[arg(long = "rev", value_name = "REVISION", default_value = "HEAD")]
    pub(crate) revision: String,
    /// Folder in the copy that has the Cargo.toml
    #[arg(long = "in", value_name = "FOLDER")]
    pub(crate) inside: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
    /// Reduce denied lints of the project to warnings
    #[arg(long, help_heading = "Build")]
    pub(crate) cap_lints: bool,
    /// Folder of copies and builds [default: volt-try in the temporary folder]
    #[arg(long, value_name = "FOLDER", default_value_os_t = work_folder(), hide_default_value = true, help_heading = "Build")]
    pub(crate) work: PathBuf,
    /// Repository of volt [default: the one this tool was built from]
    #[arg(long, value_name = "FOLDER", default_value_os_t = repository(), hide_default_value = true, help_heading = "Build")]
    pub(crate) volt: PathBuf,
    /// Features of volt, separated by commas
    #[arg(
        long,
        value_name = "LIST",
        default_value = "std",
        value_delimiter = ',',
        help_heading = "Build"
    )]
    pub(crate) volt_features: Vec<String>,
    /// Toolchain of rustup [default: that of volt]
    #[arg(long, value_name = "NAME", help_heading = "Build")]
    pub(crate) toolchain: Option<String>,
    /// Time limit of each test program, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, help_heading = "Build")]
    pub(crate) test_limit: Duration,
    /// Remove the build folder at the end
    #[arg(long, help_heading = "Build")]
    pub(crate) clean: bool,
    /// Last step
    #[arg(long = "until", value_name = "STEP", value_enum, default_value_t = LastStep::All, help_heading = "Search")]
    pub(crate) last_step: LastStep,
    /// Check only: quicker, without tests, and without the errors that only a build reports
    #[arg(long, help_heading = "Search")]
    pub(crate) check: bool,
    /// Run no tests
    #[arg(long, help_heading = "Search")]
    pub(crate) no_tests: bool,
    /// Remove this attribute from every item of the copy first; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub(crate) without: Vec<String>,
    /// Condition for the option `native` of the attribute
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = NativePolicy::Suggested, help_heading = "Search")]
    pub(crate) native: NativePolicy,
    /// Further options of each attribute, such as `trace = false`
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        help_heading = "Search"
    )]
    pub(crate) attribute: String,
    /// Number of retries of a removed function, if another one may be at fault
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    pub(crate) retries: u32,
    /// Number of builds after which the rest of a group stays without the attribute
    #[arg(long, value_name = "N", default_value_t = 60, help_heading = "Search")]
    pub(crate) rounds: usize,
    /// Group the functions by reason, with one example each
    #[arg(long, help_heading = "Output")]
    pub(crate) reasons: bool,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    /// Name of the project, in the output and in the work folder
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) name: Option<String>,
}

impl TryArgs {
    /// Returns the options, with the origin of the project.
    pub(crate) fn into_options(self) -> Options {
        let OriginArgs {
            path,
            git,
            published,
        } = self.origin;
        let named = published.or(git.map(Origin::Git));
        Options {
            origin: named.unwrap_or_else(|| Origin::Folder(path.unwrap_or_default())),
            ..self.options
        }
    }
}

impl Options {
    /// Returns `true` if the tests run.
    pub(crate) fn runs_tests(&self) -> bool {
        !self.no_tests && !self.check
    }

    /// Returns the toolchain: the named one, or that of the repository of volt.
    pub(crate) fn toolchain(&self) -> String {
        let named = self.toolchain.clone();
        named.unwrap_or_else(|| toolchain_of(&self.volt))
    }
}

/// The command line of `corpus`, with the options of one line after its own.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, args_override_self = true)]
struct CorpusLine {
    #[command(flatten)]
    corpus: CorpusArgs,
}

/// Returns the options of a project: those of the command line, then those of its line in the list.
pub(crate) fn options_of_line(
    command_line: &[OsString],
    words: &[&str],
) -> Result<Options, clap::Error> {
    let words = words.iter().map(OsString::from);
    let line = CorpusLine::try_parse_from(command_line.iter().cloned().chain(words))?;
    Ok(line.corpus.options)
}

/// Returns the repository from which this tool was built.
fn repository() -> PathBuf {
    let volt = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    volt.canonicalize().unwrap_or(volt)
}

fn work_folder() -> PathBuf {
    std::env::temp_dir().join("volt-try")
}

/// Returns the toolchain that the repository at `volt` names, or the usual one.
fn toolchain_of(volt: &Path) -> String {
    let text = std::fs::read_to_string(volt.join("rust-toolchain.toml")).unwrap_or_default();
    let mut lines = text.lines();
    let channel = lines.find_map(|line| line.strip_prefix("channel = \""));
    let channel = channel.and_then(|rest| rest.split('"').next());
    channel.unwrap_or("stable").to_owned()
}

fn published(text: &str) -> Result<Origin, String> {
    let (name, version) = text
        .split_once('@')
        .ok_or("write the name and the version: NAME@1.2.3")?;
    Ok(Origin::Registry(name.to_owned(), version.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{CorpusLine, LastStep, Options, TryArgs, options_of_line};
    use crate::origin::Origin;
    use clap::Parser;

    #[derive(Debug, Parser)]
    #[command(no_binary_name = true)]
    struct TryLine {
        #[command(flatten)]
        arguments: TryArgs,
    }

    fn parsed(arguments: &[&str]) -> Result<Options, clap::Error> {
        let line = TryLine::try_parse_from(arguments)?;
        Ok(line.arguments.into_options())
    }

    #[test]
    fn exactly_one_project_is_named() {
        assert!(parsed(&[]).is_err());
        assert!(parsed(&["a", "--git", "b"]).is_err());
        let origin = |arguments: &[&str]| parsed(arguments).expect("options").origin;
        assert_eq!(origin(&["a"]), Origin::Folder("a".into()));
        assert_eq!(origin(&["--git", "b"]), Origin::Git("b".to_owned()));
        let published = Origin::Registry("a".to_owned(), "1.0.0".to_owned());
        assert_eq!(origin(&["--crate", "a@1.0.0"]), published);
        assert!(parsed(&["--crate", "a"]).is_err());
    }

    #[test]
    fn json_goes_to_the_output_or_to_a_file() {
        let json = |arguments: &[&str]| parsed(arguments).expect("options").json;
        assert!(!json(&["a"]).is_printed());
        assert!(json(&["--json", "a"]).is_printed());
        let file = json(&["--json=b.json", "a"]);
        assert!(!file.is_printed());
        assert!(file.has_file());
    }

    #[test]
    fn options_of_a_line_override_common_options() {
        let common = ["--list", "l", "--from", "f", "--no-tests", "--rounds", "9"];
        let common = common.map(std::ffi::OsString::from);
        assert!(CorpusLine::try_parse_from(&common).is_ok());
        let words = ["--until", "sources", "--package", "a", "--rounds", "3"];
        let options = options_of_line(&common, &words).expect("options");
        assert_eq!(options.last_step, LastStep::Sources);
        assert_eq!((options.runs_tests(), options.rounds), (false, 3));
        assert_eq!(options.cargo.packages, ["a"]);
        assert!(options_of_line(&common, &["b"]).is_err());
    }
}
