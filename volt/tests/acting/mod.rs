//! Wakers that use the object that stores them, and what has an object handle them.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};
use std::thread;
use std::time::Duration;

/// How often one waker acts at most: an act may have it called again.
const ACTS: usize = 100;

struct Acting {
    act: Box<dyn Fn(&mut Context<'_>) + Send + Sync>,
    left: AtomicUsize,
}

thread_local! {
    static IS_ACTING: Cell<bool> = const { Cell::new(false) };
}

impl Acting {
    /// Acts, unless this thread is in the middle of it.
    fn act(&self) {
        let take = |left: usize| left.checked_sub(1);
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if left.is_err() || IS_ACTING.replace(true) {
            return;
        }
        (self.act)(&mut Context::from_waker(Waker::noop()));
        IS_ACTING.set(false);
    }
}

const VTABLE: RawWakerVTable = RawWakerVTable::new(
    |data| {
        // SAFETY: `data` is from `Arc::into_raw`, and the waker that is cloned owns a count of it.
        unsafe { &*data.cast::<Acting>() }.act();
        // SAFETY: As above.
        unsafe { Arc::increment_strong_count(data.cast::<Acting>()) };
        RawWaker::new(data, &VTABLE)
    },
    |data| {
        // SAFETY: The waker is consumed, and its count goes into the `Arc`.
        unsafe { Arc::from_raw(data.cast::<Acting>()) }.act();
    },
    |data| {
        // SAFETY: The waker owns a count while it is called.
        unsafe { &*data.cast::<Acting>() }.act();
    },
    |data| {
        // SAFETY: The waker is dropped, and its count goes into the `Arc`.
        unsafe { Arc::from_raw(data.cast::<Acting>()) }.act();
    },
);

pub(crate) fn acting(act: impl Fn(&mut Context<'_>) + Send + Sync + 'static) -> Waker {
    let acting = Arc::new(Acting {
        act: Box::new(act),
        left: AtomicUsize::new(ACTS),
    });
    // SAFETY: The table does with the count of an `Arc` what each function has to do.
    unsafe { Waker::from_raw(RawWaker::new(Arc::into_raw(acting).cast(), &VTABLE)) }
}

/// Runs a case on a thread of its own, in a runtime.
#[track_caller]
pub(crate) fn within_limit(case: impl FnOnce() + Send + 'static) {
    let (send, ended) = mpsc::channel();
    let running = thread::spawn(move || {
        let runtime = volt::Runtime::new().expect("a runtime");
        let _entered = runtime.enter();
        case();
        send.send(()).expect("the test waits");
    });
    match ended.recv_timeout(Duration::from_secs(10)) {
        Ok(()) => running.join().expect("no panic"),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("the case has panicked"),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("a waker was used under a lock"),
    }
}

/// Has the object store, replace, call and drop wakers that act.
pub(crate) fn exercise<P>(
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<P>,
    act: impl Fn(&mut Context<'_>) + Clone + Send + Sync + 'static,
    event: impl FnOnce(),
) {
    for _ in 0..2 {
        // Stored and replaced, by others and by itself.
        for waker in [acting(act.clone()), acting(act.clone())] {
            for _ in 0..2 {
                let _ = poll(&mut Context::from_waker(&waker));
            }
        }
        let _ = poll(&mut Context::from_waker(Waker::noop()));
    }
    let called = acting(act.clone());
    let _ = poll(&mut Context::from_waker(&called));
    event();
    thread::sleep(Duration::from_millis(20));
    // And dropped with the object.
    let dropped = acting(act);
    let _ = poll(&mut Context::from_waker(&dropped));
    drop(dropped);
    drop(poll);
}

/// An object that a waker uses unless it is being used.
pub(crate) struct Beside<T>(Arc<Mutex<T>>);

impl<T> Clone for Beside<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Beside<T> {
    pub(crate) fn new(object: T) -> Self {
        Self(Arc::new(Mutex::new(object)))
    }

    pub(crate) fn with(&self, access: impl FnOnce(&mut T)) {
        if let Ok(mut object) = self.0.try_lock() {
            access(&mut object);
        }
    }
}

pub(crate) fn poll_once<P>(poll: impl FnOnce(&mut Context<'_>) -> Poll<P>) -> Poll<P> {
    poll(&mut Context::from_waker(Waker::noop()))
}
