//! Locks that report the task that holds them.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use volt::Runtime;
use volt::runtime::{Dump, FindingKind, FindingLimits};
use volt::task::yield_now;
use volt_inspect::{Held, Inspect, Inspector, Node, registrable};

/// A lock that is unfair.
#[derive(Default)]
struct Lock {
    state: Mutex<(bool, VecDeque<Waker>)>,
    held: Held,
}

struct Acquire<'a>(&'a Lock);

struct Guard<'a>(&'a Lock);

impl Lock {
    fn acquire(&self) -> Acquire<'_> {
        volt_inspect::register::<Acquire<'_>>();
        Acquire(self)
    }
}

impl<'a> Future for Acquire<'a> {
    type Output = Guard<'a>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Guard<'a>> {
        let (is_locked, waiters) = &mut *self.0.state.lock().unwrap();
        if std::mem::replace(is_locked, true) {
            waiters.push_back(cx.waker().clone());
            return Poll::Pending;
        }
        self.0.held.set();
        Poll::Ready(Guard(self.0))
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.held.clear();
        let (is_locked, waiters) = &mut *self.0.state.lock().unwrap();
        *is_locked = false;
        if let Some(waker) = waiters.pop_front() {
            waker.wake();
        }
    }
}

impl Inspect for Acquire<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Acquire"), |inspector| {
            let address = std::ptr::from_ref(self.0).addr();
            inspector.waits(self.0.held.wait(address));
        });
    }
}

registrable!(Acquire<'a>);

#[volt::state_machine]
async fn transfer(first: Arc<Lock>, second: Arc<Lock>) {
    let _first = first.acquire().await;
    yield_now().await;
    let _second = second.acquire().await;
}

#[volt::state_machine]
async fn transfer_within(first: Arc<Lock>, second: Arc<Lock>) {
    let _first = first.acquire().await;
    yield_now().await;
    let limit = volt::time::sleep(Duration::from_secs(60));
    volt::future::race(async { drop(second.acquire().await) }, limit).await;
}

/// Runs two tasks until neither is polled any more, and returns a dump.
fn dump_of<F: Future<Output = ()> + Send + 'static>(
    make: impl Fn(Arc<Lock>, Arc<Lock>) -> F,
    is_opposite: bool,
) -> Dump {
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let (a, b) = (Arc::new(Lock::default()), Arc::new(Lock::default()));
    let one = make(a.clone(), b.clone());
    let other = if is_opposite { make(b, a) } else { make(a, b) };
    // Tasks of one queue: each is polled once before either is polled again.
    let both = runtime.spawn(async { (volt::spawn(one), volt::spawn(other)) });
    let (one, other) = runtime.block_on(both).unwrap();
    // The tasks wait once both have yielded. A barrier of one task behind them is enough.
    for _ in 0..8 {
        runtime.block_on(async { runtime.spawn(yield_now()).await.unwrap() });
    }
    let dump = runtime.dump();
    one.cancel();
    other.cancel();
    dump
}

fn cycles(dump: &Dump) -> Vec<String> {
    let mut findings = dump.findings_with(&FindingLimits::default());
    findings.retain(|finding| finding.kind == FindingKind::Cycle);
    findings.iter().map(ToString::to_string).collect()
}

#[test]
fn locks_in_opposite_order_are_a_cycle() {
    let dump = dump_of(transfer, true);
    assert_eq!(cycles(&dump).len(), 1, "{dump}");
    let text = dump.to_string();
    assert!(text.contains(", held by task "), "{text}");
    assert!(
        text.contains(", acquired at volt/tests/lock_holder.rs:"),
        "{text}"
    );
}

#[test]
fn spurious_polls_are_counted_over_two_dumps() {
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let lock = Arc::new(Lock::default());
    let guard = lock.acquire();
    let waker = std::task::Context::from_waker(Waker::noop());
    let mut waker = waker;
    let guard = std::pin::pin!(guard).poll(&mut waker);
    assert!(guard.is_ready());
    let waits = runtime.spawn(wait_for(lock.clone()));
    let idle = || runtime.block_on(async { runtime.spawn(yield_now()).await.unwrap() });
    idle();
    let before = runtime.dump();
    assert_eq!(runtime.dump().diff(&before).polled_for_nothing, []);
    // The waiting future is woken, and the lock is not free.
    let woken = lock.state.lock().unwrap().1.pop_front();
    woken.unwrap().wake();
    idle();
    let diff = runtime.dump().diff(&before);
    assert_eq!(diff.polled_for_nothing, [waits.id()]);
    let line = format!("polled without a change: task {}", waits.id());
    assert!(diff.to_string().contains(&line), "{diff}");
    drop(guard);
}

#[volt::state_machine]
async fn wait_for(lock: Arc<Lock>) {
    let _guard = lock.acquire().await;
}

#[test]
fn locks_in_one_order_are_no_cycle() {
    let dump = dump_of(transfer, false);
    assert_eq!(cycles(&dump), [""; 0]);
}

#[test]
fn lock_in_a_race_is_no_cycle() {
    let dump = dump_of(transfer_within, true);
    assert_eq!(cycles(&dump), [""; 0]);
}
