//! Serves real files to many clients over TCP, and shows what its state machines are doing.

mod client;
mod http;
mod options;
mod report;
mod rude;
mod server;
mod session;
mod site;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use examples::command;
use options::{HELP, Options};
use site::Site;

fn main() -> ExitCode {
    let options = match command::read(HELP, options::parse) {
        Ok(options) => options,
        Err(code) => return code,
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("serve: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let site = Site::open(&paths(options))?;
    if site.is_empty() {
        return Err("there is no file to serve in what was named".into());
    }
    let mut builder = volt::Runtime::builder();
    if let Some(workers) = options.workers {
        builder = builder.worker_threads(workers.get());
    }
    let runtime = builder
        .build()
        .map_err(|error| format!("cannot start the runtime: {error}"))?;
    if options.stay {
        runtime.block_on(session::stay(options, site))
    } else {
        runtime.block_on(session::load(options, site))
    }
}

/// Returns the paths to serve: the named ones, or the book.
fn paths(options: &Options) -> Vec<PathBuf> {
    if options.paths.is_empty() {
        vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src")]
    } else {
        options.paths.clone()
    }
}
