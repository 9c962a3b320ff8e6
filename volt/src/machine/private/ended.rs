//! Polls of machines that have ended.

/// What a poll after completion does.
#[cold]
#[track_caller]
pub(super) fn resumed_after_completion() -> ! {
    panic!("`async fn` resumed after completion")
}

/// What a poll after a panic does.
#[cold]
#[track_caller]
pub(super) fn resumed_after_panicking() -> ! {
    panic!("`async fn` resumed after panicking")
}
