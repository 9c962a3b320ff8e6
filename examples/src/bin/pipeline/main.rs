//! The most frequent words of a text, by a pipeline of programs: `tr | sort | uniq | sort | head`.

#[cfg(unix)]
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use examples::command;
use lexopt::prelude::*;

const HELP: &str = "\
The most frequent words of a text, by a pipeline of programs: `tr | sort | uniq | sort | head`.

Usage: pipeline [OPTIONS] [FILE]

Arguments:
  FILE               the text [default: the source of this program]

Options:
  --top N            how many words [default: 10]
  --limit MS         the programs are ended after so many milliseconds [default: 10000]
  -h, --help         this
";

#[cfg_attr(not(unix), expect(dead_code, reason = "there are no such programs"))]
struct Options {
    file: Option<PathBuf>,
    top: u32,
    limit: std::time::Duration,
}

fn parse(mut parser: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    let mut options = Options {
        file: None,
        top: 10,
        limit: std::time::Duration::from_secs(10),
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("top") => options.top = parser.value()?.parse()?,
            Long("limit") => {
                options.limit = std::time::Duration::from_millis(parser.value()?.parse()?);
            }
            Value(file) if options.file.is_none() => options.file = Some(file.into()),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    let options = match command::read(HELP, parse) {
        Ok(options) => options,
        Err(code) => return code,
    };
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pipeline: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(unix)]
fn run(options: Options) -> std::io::Result<()> {
    volt::block_on(async {
        let text = match options.file {
            Some(file) => volt::fs::read(file).await?,
            None => include_bytes!("main.rs").to_vec(),
        };
        let words = words::most_frequent(text, options.top);
        for line in volt::time::timeout(options.limit, words).await?? {
            println!("{line}");
        }
        Ok(())
    })
}

#[cfg(not(unix))]
fn run(_: Options) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
