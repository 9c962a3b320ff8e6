//! What `#[volt::main]` and `#[volt::test]` call.

use super::builder::Builder;

/// Runs `future` in a runtime with workers that is made for it.
///
/// # Panics
///
/// When the runtime cannot be started.
#[track_caller]
pub fn block_on<F: Future>(builder: Builder, future: F) -> F::Output {
    match builder.build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("cannot start a runtime: {error}"),
    }
}

/// Runs `future` in a runtime on this thread that is made for it.
///
/// # Panics
///
/// When the runtime cannot be started.
#[track_caller]
pub fn block_on_local<F: Future>(builder: Builder, future: F) -> F::Output {
    match builder.build_local() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("cannot start a runtime: {error}"),
    }
}
