//! The arguments of the program.

use std::process::ExitCode;

use crate::one_run::run;
use crate::places;
use crate::processors::{Counts, count};
use crate::subject::{self, ROWS};
use crate::table::{Figures, medians, print_head, print_line};

/// The settings of a run.
#[derive(Debug)]
struct Settings {
    workers: Vec<usize>,
    rounds: usize,
    operations: usize,
    rows: Vec<String>,
}

/// Runs the program.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    if let Some((name, rest)) = arguments.split_first() {
        match name.as_str() {
            "subject" => {
                subject::main(rest);
                return ExitCode::SUCCESS;
            }
            "count" => {
                println!("{}", count(rest).0.to_line());
                return ExitCode::SUCCESS;
            }
            "places" => {
                places::print(&count(rest).1);
                return ExitCode::SUCCESS;
            }
            _ => {}
        }
    }
    match Settings::parse(arguments) {
        Ok(settings) => {
            settings.run();
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("scale: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Self {
            workers: vec![1, 2, 4, 8, 16],
            rounds: 3,
            operations: 20,
            rows: Vec::new(),
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--workers" => {
                    settings.workers = value()?.split(',').map(number).collect::<Result<_, _>>()?;
                }
                "--rounds" => settings.rounds = number(value()?)?,
                "--operations" => settings.operations = number(value()?)?,
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}"));
                }
                row => settings.rows.push(row.to_owned()),
            }
        }
        Ok(settings)
    }

    fn run(&self) {
        println!(
            "Each cell: volt / tokio, an operation; medians of {} runs.",
            self.rounds
        );
        for &(row, operation) in ROWS {
            if self.rows.is_empty() || self.rows.iter().any(|name| row.contains(name.as_str())) {
                print_head(row, operation);
                for &workers in &self.workers {
                    let figures = |runtime| self.figures(runtime, row, workers);
                    print_line(workers, &figures("volt"), &figures("tokio"));
                }
            }
        }
    }

    /// Returns the medians of one runtime. The number of operations grows with the workers.
    fn figures(&self, runtime: &str, row: &str, workers: usize) -> Figures {
        let operations = self.operations * workers.max(4);
        let arguments = [runtime, row, &workers.to_string(), &operations.to_string()];
        let arguments = arguments.map(str::to_owned);
        let rounds: Vec<Counts> = (0..self.rounds).map(|_| run(&arguments)).collect();
        medians(&rounds, operations)
    }
}

fn number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{text} is not a number above zero")),
    }
}
