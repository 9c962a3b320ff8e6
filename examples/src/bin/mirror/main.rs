//! Mirrors a site over loopback: so many fetches at a time, retries, a deadline, a clean stop.

mod fetch;
mod interrupt;
mod mirror;
mod options;
mod site;

use std::process::ExitCode;

use mirror::{Mirrored, Stop};
use options::{HELP, Options};

fn main() -> ExitCode {
    let options = match options::parse(lexopt::Parser::from_env()) {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("mirror: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
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
