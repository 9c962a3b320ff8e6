//! Panics of user code, caught without a leak.
//!
//! The panic hook of the process reports a panic before it is caught, so the callers here only
//! continue. A payload is a value of the user: its destructor may panic too, and that second
//! payload is the only one that is leaked.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The payload of a panic.
pub(crate) type Payload = Box<dyn Any + Send>;

/// Calls user code. Returns the payload if it panics.
#[inline]
pub(crate) fn catch<R>(call: impl FnOnce() -> R) -> Result<R, Payload> {
    catch_unwind(AssertUnwindSafe(call))
}

/// Calls user code, and discards its panic.
#[inline]
pub(crate) fn catch_and_discard(call: impl FnOnce()) {
    if let Err(payload) = catch(call) {
        discard(payload);
    }
}

/// Calls user code. Returns `None` if it panics.
pub(crate) fn catch_as_none<R>(call: impl FnOnce() -> R) -> Option<R> {
    catch(call).map_err(discard).ok()
}

/// Drops a payload. If its destructor panics, the second payload is leaked.
#[cold]
pub(crate) fn discard(payload: Payload) {
    if let Err(second) = catch(|| drop(payload)) {
        std::mem::forget(second);
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{catch_and_discard, catch_as_none};
    use std::panic::resume_unwind;
    use std::sync::Arc;

    #[test]
    fn payloads_are_dropped() {
        let payload = Arc::new(());
        let shared = Arc::clone(&payload);
        catch_and_discard(move || resume_unwind(Box::new(shared)));
        let shared = Arc::clone(&payload);
        assert_eq!(
            catch_as_none(move || resume_unwind(Box::new(shared))),
            None::<u8>
        );
        assert_eq!(Arc::strong_count(&payload), 1);
    }

    #[test]
    fn outputs_are_returned() {
        assert_eq!(catch_as_none(|| 7), Some(7));
    }
}
