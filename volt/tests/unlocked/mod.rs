//! An action that takes the locks of inspections. Under one of them it would not return.

use std::cell::Cell;
use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread::{self, ThreadId};
use std::time::Duration;

use volt::runtime::{LibraryPage, LibraryRequest, add_inspect_page};
use volt::task::{inspected, yield_now};
use volt::{Handle, LocalRuntime};
use volt_inspect::{Inspect, Inspector, Node, is_inspection_poll, register, registrable};

/// A signal that is ignored by default.
pub(crate) const SIGNAL: i32 = libc::SIGURG;

thread_local! {
    static IS_ACTING: Cell<bool> = const { Cell::new(false) };
}

/// Takes the locks of inspections, on this thread and on another one.
#[derive(Clone)]
pub(crate) struct Action {
    handle: Handle,
    calls: Arc<AtomicUsize>,
    last_thread: Arc<Mutex<Option<ThreadId>>>,
}

impl Action {
    pub(crate) fn new(handle: &Handle) -> Self {
        Self {
            handle: handle.clone(),
            calls: Arc::default(),
            last_thread: Arc::default(),
        }
    }

    /// Takes the locks, unless this call is inside of another one.
    pub(crate) fn run(&self) {
        if IS_ACTING.replace(true) {
            return;
        }
        take_locks(&self.handle);
        thread::scope(|scope| {
            scope.spawn(|| {
                IS_ACTING.set(true);
                take_locks(&self.handle);
                take_locks_outside_of_workers(&self.handle);
            });
        });
        IS_ACTING.set(false);
        *self.last_thread.lock().unwrap() = Some(thread::current().id());
        self.calls.fetch_add(1, SeqCst);
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Returns the number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(SeqCst)
    }

    /// Waits until the action was called.
    pub(crate) fn wait(&self) {
        while self.calls() == 0 {
            thread::yield_now();
        }
    }

    /// Returns `true` if this thread has called the action last.
    pub(crate) fn was_called_here(&self) -> bool {
        *self.last_thread.lock().unwrap() == Some(thread::current().id())
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.run();
        f.write_str("Action")
    }
}

/// Takes the locks of the registry, of the pool, of the lists of threads and futures, and of the
/// tables of the process.
fn take_locks(handle: &Handle) {
    let task = handle.spawn(inspected(yield_now()));
    assert!(!handle.dump().to_string().is_empty());
    drop(handle.dump_task_with_values(task.id()));
    task.detach();
    handle.spawn_blocking(|| ()).detach();
    drop(handle.inspect_endpoint());
    add_inspect_page("empty", EmptyPage);
}

/// A worker must not block.
fn take_locks_outside_of_workers(handle: &Handle) {
    handle.block_on(inspected(yield_now()));
    // The polls inside of joins are published for the first one of each thread.
    let own = LocalRuntime::new().unwrap();
    own.block_on(async { volt::spawn(async {}).join() })
        .unwrap();
    handle.dump_on_signal(SIGNAL, drop).unwrap().stop();
}

/// Runs a case on a thread of its own, with a time limit.
#[track_caller]
pub(crate) fn within_limit(case: impl FnOnce() + Send + 'static) {
    let (send, ended) = mpsc::channel();
    let running = thread::spawn(move || {
        case();
        send.send(()).unwrap();
    });
    match ended.recv_timeout(Duration::from_secs(60)) {
        Ok(()) => running.join().unwrap(),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("the case has panicked"),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("code of the program ran under a lock"),
    }
}

pub(crate) struct EmptyPage;

impl LibraryPage for EmptyPage {
    fn html(&self) -> &'static str {
        ""
    }

    fn data(&self, _: &LibraryRequest) -> Option<String> {
        None
    }

    fn act(&self, _: &LibraryRequest) -> Option<String> {
        None
    }
}

/// A future that never completes. Its inspection calls a function and shows the action, its
/// inspection poll and its drop call the action.
pub(crate) struct Watched {
    inspect: Box<dyn Fn() + Send>,
    action: Action,
    acts: Acts,
    waker: Door,
}

/// The time at which a [`Watched`] calls its action by itself.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Acts {
    Never,
    InDebug,
    InInspectionPoll,
    InDrop,
}

/// The place of the waker of a future.
pub(crate) type Door = Arc<Mutex<Option<Waker>>>;

impl Watched {
    pub(crate) fn new(action: &Action, acts: Acts, inspect: impl Fn() + Send + 'static) -> Self {
        Self {
            inspect: Box::new(inspect),
            action: action.clone(),
            acts,
            waker: Door::default(),
        }
    }

    /// Sets the place in which the future stores its waker.
    pub(crate) fn with_door(mut self, waker: Door) -> Self {
        self.waker = waker;
        self
    }
}

impl Future for Watched {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        register::<Self>();
        let waker = cx.waker().clone();
        let before = self.waker.lock().unwrap().replace(waker);
        drop(before);
        if self.acts == Acts::InInspectionPoll && is_inspection_poll() {
            self.action.run();
        }
        Poll::Pending
    }
}

impl Inspect for Watched {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        (self.inspect)();
        inspector.node(&Node::new("Watched"), |inspector| {
            if self.acts == Acts::InDebug {
                inspector.value("action", &self.action);
            }
        });
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.acts == Acts::InDrop {
            self.action.run();
        }
    }
}

registrable!(Watched);
