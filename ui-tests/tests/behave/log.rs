//! The parts of the cases, and their runner: each event is logged.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Once;
use std::task::{Context, Poll, Waker};

pub(crate) type Case = fn() -> Pin<Box<dyn Future<Output = String>>>;

/// A case whose output is logged, without a future between the machine and its caller.
pub(crate) fn shown<F>(future: F) -> Pin<Box<dyn Future<Output = String>>>
where
    F: Future<Output: Debug> + 'static,
{
    struct Shown<F>(Pin<Box<F>>);
    impl<F: Future<Output: Debug>> Future for Shown<F> {
        type Output = String;

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
            self.0.as_mut().poll(cx).map(|output| format!("{output:?}"))
        }
    }
    Box::pin(Shown(Box::pin(future)))
}

/// How far a case is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    /// To its end, and polled once more.
    Complete,
    /// Dropped after that many polls.
    CancelAfter(usize),
    /// With a panic at that event, and polled once more.
    PanicAt(usize),
}

thread_local! {
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static PANIC_AT: Cell<usize> = const { Cell::new(usize::MAX) };
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics of the cases from being printed; those of the tests still are.
fn quieten() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let text = panic.payload_as_str().unwrap_or_default();
            match panic.location() {
                _ if !IS_QUIET.get() => loud(panic),
                // A poll behind the end panics where that is written.
                Some(at) if !text.starts_with("`async fn`") => quiet(at.to_string()),
                _ => {}
            }
        }));
    });
}

/// Notes an event, and panics if it is the one to panic at.
pub(crate) fn note(event: impl Into<String>) {
    let index = LOG.with_borrow_mut(|log| {
        log.push(event.into());
        log.len() - 1
    });
    if PANIC_AT.get() == index {
        PANIC_AT.set(usize::MAX);
        panic!("struck");
    }
}

/// Runs a case and gives its log.
pub(crate) fn run(case: Case, run: Run) -> Vec<String> {
    quieten();
    IS_QUIET.set(true);
    LOG.take();
    if let Run::PanicAt(event) = run {
        PANIC_AT.set(event);
    }
    let made = catch_unwind(AssertUnwindSafe(case));
    if let Ok(mut future) = made {
        drive(&mut future, run);
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(future)));
        quiet(if dropped.is_ok() {
            "dropped"
        } else {
            "drop panicked"
        });
    }
    PANIC_AT.set(usize::MAX);
    IS_QUIET.set(false);
    LOG.take()
}

fn quiet(event: impl Into<String>) {
    LOG.with_borrow_mut(|log| log.push(event.into()));
}

fn drive(future: &mut Pin<Box<dyn Future<Output = String>>>, run: Run) {
    let mut polls = 0;
    loop {
        if matches!(run, Run::CancelAfter(limit) if limit == polls) {
            return;
        }
        match poll(future) {
            Ok(Poll::Pending) => quiet("pending"),
            Ok(Poll::Ready(output)) => {
                quiet(format!("ready:{output}"));
                break;
            }
            Err(()) => break,
        }
        polls += 1;
    }
    if !matches!(run, Run::CancelAfter(_)) {
        poll(future).expect_err("a poll after the end panics");
    }
}

fn poll(future: &mut Pin<Box<dyn Future<Output = String>>>) -> Result<Poll<String>, ()> {
    let mut cx = Context::from_waker(Waker::noop());
    catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx))).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        quiet(format!("panic:{}", text.unwrap_or_default()));
    })
}

/// Logs its drop.
#[derive(Debug)]
pub(crate) struct D(pub(crate) &'static str);

impl Drop for D {
    fn drop(&mut self) {
        note(format!("~{}", self.0));
    }
}

/// Takes a `D` to its end.
pub(crate) fn consume(_: D) {
    note("consume");
}

/// Looks at a `D`.
pub(crate) fn look(d: &D) {
    note(format!("look-{}", d.0));
}

/// Adds up what is in a buffer.
pub(crate) fn total(numbers: &[u32]) -> u32 {
    note("total");
    numbers.iter().sum()
}

/// Pending `pending` times, then gives the value.
pub(crate) fn step<T: Unpin>(name: &'static str, pending: u32, value: T) -> Step<T> {
    note(format!("make-{name}"));
    Step {
        name,
        pending,
        value: Some(value),
    }
}

/// Logs its polls and its drop.
#[derive(Debug)]
pub(crate) struct Step<T> {
    name: &'static str,
    pending: u32,
    value: Option<T>,
}

impl<T: Unpin> Future for Step<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        note(format!("poll-{}", self.name));
        if self.pending > 0 {
            self.pending -= 1;
            return Poll::Pending;
        }
        Poll::Ready(self.value.take().expect("polled once after ready"))
    }
}

impl<T> Drop for Step<T> {
    fn drop(&mut self) {
        note(format!("~fut-{}", self.name));
    }
}

/// Waits once.
pub(crate) fn tick(name: &'static str) -> Tick {
    step(name, 1, ())
}

/// The future of [`tick`](fn@tick).
pub(crate) type Tick = Step<()>;

/// A countdown that is polled by a method.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) left: u32,
}

impl Source {
    /// Pending on every other poll; then the number left, filled into `buf` too.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>, buf: &mut [u32]) -> Poll<Option<u32>> {
        note(format!("source-{}", self.left));
        cx.waker().wake_by_ref();
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.left -= 1;
        if self.left % 2 == 1 {
            return Poll::Pending;
        }
        buf[0] = self.left;
        Poll::Ready(Some(self.left))
    }
}
