//! A chat server: rooms, limits of time, and a clean end at ctrl-c, with nothing but volt.

mod options;
mod rooms;
mod server;
mod session;

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
            eprintln!("chat: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(unix)]
fn run(options: &Options) -> std::io::Result<()> {
    let report = volt::block_on(server::serve(options, volt::signal::ctrl_c()))?;
    println!("chat: {report}");
    Ok(())
}

#[cfg(not(unix))]
fn run(options: &Options) -> std::io::Result<()> {
    // Ctrl-c ends it there as it ends any program.
    let report = volt::block_on(server::serve(options, std::future::pending()))?;
    println!("chat: {report}");
    Ok(())
}
