//! Children whose every step a test decides, and a parent that counts its wakes.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

/// The state of a child that a test reads and changes.
#[derive(Debug, Default)]
pub(crate) struct Remote {
    polls: AtomicUsize,
    ready: AtomicBool,
    drops: AtomicUsize,
    waker: Mutex<Option<Waker>>,
}

impl Remote {
    pub(crate) fn polls(&self) -> usize {
        self.polls.load(SeqCst)
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.drops.load(SeqCst) == 1
    }

    /// Wakes without being ready.
    pub(crate) fn wake(&self) {
        let waker = self.waker.lock().unwrap().clone();
        waker.expect("polled before").wake();
    }

    pub(crate) fn waker(&self) -> Waker {
        self.waker.lock().unwrap().clone().expect("polled before")
    }

    /// Completes, and wakes who polled.
    pub(crate) fn finish(&self) {
        self.ready.store(true, SeqCst);
        let waker = self.waker.lock().unwrap().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// A child that completes with its number when its remote is set.
pub(crate) struct Scripted {
    number: usize,
    remote: Arc<Remote>,
}

impl Future for Scripted {
    type Output = usize;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<usize> {
        self.remote.polls.fetch_add(1, SeqCst);
        let mut waker = self.remote.waker.lock().unwrap();
        if self.remote.ready.load(SeqCst) {
            return Poll::Ready(self.number);
        }
        match &mut *waker {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.remote.drops.fetch_add(1, SeqCst);
    }
}

pub(crate) fn scripted(number: usize) -> (Arc<Remote>, Scripted) {
    let remote = Arc::new(Remote::default());
    let child = Scripted {
        number,
        remote: remote.clone(),
    };
    (remote, child)
}

pub(crate) fn scripted_row(len: usize) -> (Vec<Arc<Remote>>, Vec<Scripted>) {
    (0..len).map(scripted).unzip()
}

pub(crate) fn scripted_array<const N: usize>() -> ([Arc<Remote>; N], [Scripted; N]) {
    let (remotes, children) = scripted_row(N);
    let Ok(children) = children.try_into() else {
        unreachable!()
    };
    (remotes.try_into().unwrap(), children)
}

/// A parent's waker that counts.
#[derive(Default)]
pub(crate) struct Parent(AtomicUsize);

impl Parent {
    pub(crate) fn new() -> (Arc<Self>, Waker) {
        let parent = Arc::new(Self::default());
        (parent.clone(), parent.into())
    }

    pub(crate) fn wakes(&self) -> usize {
        self.0.load(SeqCst)
    }
}

impl Wake for Parent {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// Polls once.
pub(crate) fn poll<F: Future + ?Sized>(future: Pin<&mut F>, waker: &Waker) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(waker))
}

/// The numbers below `len` in a fixed random order.
pub(crate) fn shuffled(len: usize) -> Vec<usize> {
    let mut order: Vec<_> = (0..len).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for n in (1..len).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(n, (state % (n as u64 + 1)) as usize);
    }
    order
}

/// Returns the message of a panic.
pub(crate) fn panic_text(payload: Box<dyn std::any::Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => String::from(*payload.downcast_ref::<&str>().expect("a text")),
    }
}

/// Runs a function that must panic; returns the message.
pub(crate) fn panics<T>(run: impl FnOnce() -> T) -> String {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    panic_text(result.err().expect("no panic"))
}

/// Wakes itself so many times, then gives what it was given.
pub(crate) async fn after<T>(mut times: u32, output: T) -> T {
    std::future::poll_fn(|cx| {
        if times == 0 {
            return Poll::Ready(());
        }
        times -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
    output
}

/// A runtime of a thread for each child.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub(crate) struct Threads;

#[cfg(feature = "std")]
impl volt_combinators::Spawn for Threads {
    fn spawn<F>(&self, child: volt_combinators::Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        std::thread::spawn(|| futures::executor::block_on(child));
    }
}

/// A runtime that keeps its tasks until a test takes and polls them.
#[cfg(feature = "std")]
#[derive(Clone, Default)]
pub(crate) struct Shelf(Arc<Mutex<Vec<Task>>>);

#[cfg(feature = "std")]
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

#[cfg(feature = "std")]
impl volt_combinators::Spawn for Shelf {
    fn spawn<F>(&self, child: volt_combinators::Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.lock().unwrap().push(Box::pin(child));
    }
}

#[cfg(feature = "std")]
impl Shelf {
    /// The oldest task.
    pub(crate) fn take(&self) -> Task {
        self.0.lock().unwrap().remove(0)
    }
}
