//! Programs that hang or are slow, each with one fault, and the output of the runtime for each.
//!
//! The book's pages on hangs show their output. Most faults run beside tasks without a fault, as in
//! a service, so that the dump has to separate the two.

mod book;
mod faults;
mod locks;
mod options;
mod report;
mod traffic;
mod waits;
mod wakers;
mod workers;

use std::error::Error;
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

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    if options.writes_book {
        return book::write();
    }
    match options.fault {
        Some(fault) if fault.is_quick => report::show_alone(fault)?,
        Some(fault) => report::show_in_service(fault, options)?,
        None => report::show_quick_faults()?,
    }
    Ok(())
}
