//! [`tokio_budget`](super::tokio_budget) without tokio.

#[inline]
pub(in crate::task) fn in_poll<R>(poll: impl FnOnce() -> R) -> R {
    poll()
}

#[cfg(not(loom))]
#[inline]
pub(super) fn in_limited_poll<R>(poll: impl FnOnce() -> R) -> R {
    poll()
}

#[inline]
pub(super) fn without_limit<R>(call: impl FnOnce() -> R) -> R {
    call()
}
