//! The functions that `#[volt::main]` and `#[volt::test]` call.

use super::builder::Builder;

/// Runs `future` in a new multi-threaded runtime.
///
/// # Panics
///
/// Panics if the runtime cannot be started.
#[track_caller]
pub fn block_on<F: Future>(builder: Builder, future: F) -> F::Output {
    match builder.build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("cannot start a runtime: {error}"),
    }
}

/// Runs `future` in a new runtime on this thread.
///
/// # Panics
///
/// Panics if the runtime cannot be started.
#[track_caller]
pub fn block_on_local<F: Future>(builder: Builder, future: F) -> F::Output {
    match builder.build_local() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("cannot start a runtime: {error}"),
    }
}
