//! Mirrors a site over loopback: so many fetches at a time, retries, a deadline, a clean stop.

mod fetch;
mod interrupt;
mod mirror;
mod options;
mod site;

use std::process::ExitCode;

use examples::command;
use mirror::{Mirrored, Stop};
use options::{HELP, Options};

fn main() -> ExitCode {
    let options = match command::read(HELP, options::parse) {
        Ok(options) => options,
        Err(code) => return code,
    };
    match volt::block_on(run(&options)) {
        Ok((mirrored, None)) => {
            println!("mirror: all {mirrored}");
            ExitCode::SUCCESS
        }
        Ok((mirrored, Some(stop))) => {
            println!("mirror: {stop} after {mirrored}");
            ExitCode::from(stop.code())
        }
        Err(error) => {
            eprintln!("mirror: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves the site and mirrors it, both in this process.
async fn run(options: &Options) -> std::io::Result<(Mirrored, Option<Stop>)> {
    let server = site::serve(options.site)?;
    let interrupt = interrupt::ctrl_c()?;
    println!("mirror: a site of {} pages at {server}", options.site.pages);
    Ok(mirror::mirror(server, options.limits, interrupt).await)
}
