//! Keys, values that expire, and messages to subscribers, in the protocol of Redis. The only
//! dependency is volt.

mod channels;
mod command;
mod options;
mod request;
mod reply;
mod server;
mod session;
mod store;

use std::process::ExitCode;

use options::{HELP, Options};

fn main() -> ExitCode {
    let options = match examples::command::read(HELP, options::parse) {
        Ok(options) => options,
        Err(code) => return code,
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("redis: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(unix)]
fn run(options: &Options) -> std::io::Result<()> {
    let served = volt::block_on(server::serve(options, volt::signal::ctrl_c()))?;
    println!("redis: {served} clients");
    Ok(())
}

#[cfg(not(unix))]
fn run(options: &Options) -> std::io::Result<()> {
    // Ctrl-c ends it there as it ends any program.
    let served = volt::block_on(server::serve(options, std::future::pending()))?;
    println!("redis: {served} clients");
    Ok(())
}
