//! Backtraces of other threads, which this build does not take.

/// Does nothing.
///
/// # Errors
///
/// Never returns an error.
#[cfg(feature = "inspect")]
#[expect(clippy::unnecessary_wraps, reason = "it is an error on other systems")]
pub(crate) fn install_backtrace_handler() -> std::io::Result<()> {
    Ok(())
}

/// Returns no addresses.
pub(in crate::scheduler) fn thread_backtrace(_thread: u32) -> Vec<usize> {
    Vec::new()
}
