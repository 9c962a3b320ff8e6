//! Programs that hang or are slow, each with one fault, and the output of the runtime for each.
//!
//! The book's pages on hangs show their output. Most faults run beside tasks without a fault, as in
//! a service, so that the dump has to separate the two.

mod faults;
mod locks;
mod options;
mod report;
mod traffic;
mod waits;
mod wakers;
mod workers;

use std::io;
use std::process::ExitCode;

use examples::command;
use options::{HELP, Options};

fn main() -> ExitCode {
    let options = match command::read(HELP, options::parse) {
        Ok(options) => options,
        Err(code) => return code,
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hang: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<()> {
    match options.fault {
        Some(fault) => report::show_in_service(fault, options),
        None => faults::ALL
            .iter()
            .filter(|fault| fault.is_quick)
            .try_for_each(report::show_alone),
    }
}
