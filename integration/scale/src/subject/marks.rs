//! Marks that the tracer sees.

use std::hint::black_box;
use std::io::Write;

use nix::sys::signal::{Signal, raise};

/// Prints the address of [`operation`], after the tracer has attached itself.
pub(super) fn await_tracer() {
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .expect("the tracer writes a line");
    let mut output = std::io::stdout();
    writeln!(output, "{}", operation as fn() as usize).expect("the tracer reads a line");
    output.flush().expect("the tracer reads a line");
}

/// Begins the simulation. Within it, waits until all other threads sleep.
pub(super) fn await_sleep() {
    raise(Signal::SIGUSR1).expect("the tracer handles it");
}

/// Begins the measured region, or ends it.
pub(super) fn region() {
    raise(Signal::SIGUSR2).expect("the tracer handles it");
}

/// Ends one operation of this thread.
#[inline(never)]
pub(super) fn operation() {
    black_box(0x5CA1E);
}
