//! Panics of polls of machines that have ended.

/// Panics because a machine was polled after it had returned its output.
#[cold]
#[track_caller]
pub(crate) fn resumed_after_completion() -> ! {
    panic!("`async fn` resumed after completion")
}

/// Panics because a machine was polled after one of its polls had panicked.
#[cold]
#[track_caller]
pub(crate) fn resumed_after_panicking() -> ! {
    panic!("`async fn` resumed after panicking")
}
