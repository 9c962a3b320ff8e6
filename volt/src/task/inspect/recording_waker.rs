//! The inspection poll of a future that is not a task.

use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use crate::task::reference::{CloneTrace, record, record_clones};

/// The vtable of a waker that borrows another one. The data is the address of that one.
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake_by_ref, wake_by_ref, |_| ());

/// Polls `future` with a waker that wakes `waker` and records its clones, which are clones of
/// `waker`. Returns the traces of the clones, and their number.
pub(crate) fn poll_recorded_by<F: Future>(
    waker: &Waker,
    future: Pin<&mut F>,
) -> (Poll<F::Output>, Vec<CloneTrace>, usize) {
    let data = std::ptr::from_ref(waker).cast();
    // SAFETY: The functions uphold the contract of `RawWaker` for the address of a waker, which is
    // valid until the end of this function. Only a reference to the new waker is passed on, and its
    // clones do not contain the address.
    let recording = ManuallyDrop::new(unsafe { Waker::new(data, &VTABLE) });
    record_clones(|| poll_future(future, &mut Context::from_waker(&recording)))
}

/// Polls `future`. The functions that this one calls are those of the future.
#[inline(never)]
fn poll_future<F: Future>(future: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<F::Output> {
    future.poll(cx)
}

/// # Safety
///
/// - `data` is the address of a valid waker.
unsafe fn clone(data: *const ()) -> RawWaker {
    record();
    // SAFETY: The caller upholds it.
    let waker = unsafe { &*data.cast::<Waker>() };
    let clone = ManuallyDrop::new(waker.clone());
    RawWaker::new(clone.data(), clone.vtable())
}

/// # Safety
///
/// - `data` is the address of a valid waker.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: The caller upholds it.
    let waker = unsafe { &*data.cast::<Waker>() };
    waker.wake_by_ref();
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::poll_recorded_by;
    use std::future::poll_fn;
    use std::pin::pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Poll, Wake, Waker};

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn clones_wake_the_inner_waker() {
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&count));
        let mut stored = None;
        let future = pin!(poll_fn(|cx| {
            cx.waker().wake_by_ref();
            assert!(!cx.waker().will_wake(&waker));
            stored = Some(cx.waker().clone());
            Poll::<()>::Pending
        }));
        let (polled, traces, clones) = poll_recorded_by(&waker, future);
        assert!(polled.is_pending());
        assert_eq!((traces.len(), clones), (1, 1));
        let stored = stored.expect("the poll has stored a clone");
        assert_eq!(Arc::strong_count(&count), 3);
        stored.wake();
        assert_eq!(count.0.load(Ordering::Relaxed), 2);
        drop(waker);
        assert_eq!(Arc::strong_count(&count), 1);
    }
}
