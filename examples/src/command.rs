//! Command lines: the text of `--help`, and errors.

use std::io::{self, Write};
use std::process::ExitCode;

/// Reads the command line of this program. `parse` returns `None` if help is requested.
///
/// # Errors
///
/// Returns the exit code, once `help` is printed, or the error and the line of `help` that begins
/// with `Usage:`.
pub fn read<T>(
    help: &str,
    parse: impl FnOnce(lexopt::Parser) -> Result<Option<T>, lexopt::Error>,
) -> Result<T, ExitCode> {
    match parse(lexopt::Parser::from_env()) {
        Ok(Some(options)) => Ok(options),
        Ok(None) => {
            // A reader that has ended needs no more text.
            let _ = io::stdout().write_all(help.as_bytes());
            Err(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("{}", wrong(help, &error));
            Err(ExitCode::from(2))
        }
    }
}

fn wrong(help: &str, error: &lexopt::Error) -> String {
    let usage = help.lines().find(|line| line.starts_with("Usage:"));
    let usage = usage.unwrap_or_default();
    let name = usage.split(' ').nth(1).unwrap_or_default();
    format!("{name}: {error}\n\n{usage}\nsee `{name} --help`")
}

/// The command line of a program that only knows `--help`.
///
/// # Errors
///
/// When there is anything else on it.
pub fn nothing(mut parser: lexopt::Parser) -> Result<Option<()>, lexopt::Error> {
    use lexopt::prelude::*;
    match parser.next()? {
        None => Ok(Some(())),
        Some(Short('h') | Long("help")) => Ok(None),
        Some(other) => Err(other.unexpected()),
    }
}

#[cfg(test)]
mod tests {
    use super::{nothing, wrong};

    #[test]
    fn error_is_printed_with_usage_only() {
        let help = "Does it.\n\nUsage: doer [OPTIONS]\n\nOptions:\n  --fast\n";
        let said = wrong(help, &lexopt::Error::Custom("no such speed".into()));
        let expected = "doer: no such speed\n\nUsage: doer [OPTIONS]\n\
                        see `doer --help`";
        assert_eq!(said, expected);
    }

    #[test]
    fn program_without_options_knows_help_alone() {
        let parsed = |arguments: &[&str]| nothing(lexopt::Parser::from_args(arguments));
        assert_eq!(parsed(&[]).unwrap(), Some(()));
        assert_eq!(parsed(&["-h"]).unwrap(), None);
        assert_eq!(parsed(&["--help"]).unwrap(), None);
        assert!(parsed(&["--fast"]).is_err());
        assert!(parsed(&["fast"]).is_err());
    }
}
