//! Wakers that use the object that stores them, and a function that exercises an object with them.

#![allow(dead_code, reason = "no test uses all of it")]

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};
use std::thread;
use std::time::Duration;

/// The largest number of calls of one waker, because its action may call it again.
const ACTS: usize = 100;

struct Acting {
    act: Box<dyn Fn(&mut Context<'_>) + Send + Sync>,
    left: AtomicUsize,
}

thread_local! {
    static IS_ACTING: Cell<bool> = const { Cell::new(false) };
}

impl Acting {
    /// Calls the action, unless this thread is already inside of one.
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
        // SAFETY: `data` is from `Arc::into_raw`, and the cloned waker owns a reference.
        unsafe { &*data.cast::<Acting>() }.act();
        // SAFETY: The cloned waker owns a reference, so the `Arc` is alive.
        unsafe { Arc::increment_strong_count(data.cast::<Acting>()) };
        RawWaker::new(data, &VTABLE)
    },
    |data| {
        // SAFETY: The waker is consumed, and its reference moves into the `Arc`.
        unsafe { Arc::from_raw(data.cast::<Acting>()) }.act();
    },
    |data| {
        // SAFETY: The waker owns a reference during the call.
        unsafe { &*data.cast::<Acting>() }.act();
    },
    |data| {
        // SAFETY: The waker is dropped, and its reference moves into the `Arc`.
        unsafe { Arc::from_raw(data.cast::<Acting>()) }.act();
    },
);

pub(crate) fn acting(act: impl Fn(&mut Context<'_>) + Send + Sync + 'static) -> Waker {
    let acting = Arc::new(Acting {
        act: Box::new(act),
        left: AtomicUsize::new(ACTS),
    });
    // SAFETY: The functions of the table manage the reference count of the `Arc` as
    // `RawWakerVTable` requires.
    unsafe { Waker::from_raw(RawWaker::new(Arc::into_raw(acting).cast(), &VTABLE)) }
}

/// Runs a case on a separate thread in a runtime, with a time limit.
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

/// Polls the object so that it stores, replaces, calls and drops wakers with an action.
pub(crate) fn exercise<P>(
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<P>,
    act: impl Fn(&mut Context<'_>) + Clone + Send + Sync + 'static,
    event: impl FnOnce(),
) {
    for _ in 0..2 {
        // The waker is stored, and replaced by itself and by others.
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
    // The waker is dropped with the object.
    let dropped = acting(act);
    let _ = poll(&mut Context::from_waker(&dropped));
    drop(dropped);
    drop(poll);
}

/// An object that a waker uses, unless it is already in use.
pub(crate) struct SharedObject<T>(Arc<Mutex<T>>);

impl<T> Clone for SharedObject<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> SharedObject<T> {
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
