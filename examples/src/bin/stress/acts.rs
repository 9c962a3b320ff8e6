//! The actions of tasks.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

use volt::task::{shield, shielded, yield_now};
use volt::time::{sleep, timeout};
use volt::{Group, Handle, JoinError};

use crate::draws::Draws;
use crate::files::Files;
use crate::inspections::be_inspected;
use crate::ledger::Ledger;

pub(crate) const ON_PURPOSE: &str = "on purpose";

/// How deep tasks spawn tasks.
const DEPTH: u64 = 4;

/// The state that all tasks of a round share.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) files: Arc<Files>,
    pub(crate) runtimes: Vec<Handle>,
    /// A lock that tasks and inspections wait for.
    pub(crate) lock: Mutex<()>,
    /// A thread that wakes whatever it is sent.
    pub(crate) waking: Sender<Waker>,
}

impl World {
    /// Waits for the lock, and holds it for a while.
    pub(crate) fn wait_for_lock(&self, held: Duration) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if !held.is_zero() {
            thread::sleep(held);
        }
        drop(guard);
    }
}

type Life = Pin<Box<dyn Future<Output = u64> + Send>>;

/// Some acts, one after the other. Gives how many, whatever these are.
pub(crate) fn life(world: &Arc<World>, mut draws: Draws, depth: u64) -> Life {
    let guard = world.ledger.guard();
    let world = Arc::clone(world);
    Box::pin(async move {
        let _guard = guard;
        let acts = draws.below(6);
        for number in 0..acts {
            let mine = draws.child(number);
            match draws.below(if depth < DEPTH { 17 } else { 8 }) {
                0 => yield_now().await,
                1 => sleep(Duration::from_micros(draws.below(300))).await,
                2 => be_woken_by_a_thread(&world, &mut draws).await,
                3 => timeout_of_a_sleep(&mut draws).await,
                4 => {
                    let shield = shield();
                    yield_now().await;
                    drop(shield);
                }
                // Few tasks, because each file takes a while.
                5 if draws.once_in(8) => world.files.write_one(&mut draws).await,
                5 => yield_now().await,
                6 => inspected_child(&world, &mut draws, mine).await,
                7 => world.wait_for_lock(Duration::ZERO),
                _ => with_child(&world, &mut draws, mine, depth + 1).await,
            }
        }
        acts
    })
}

/// One child, and what becomes of it.
async fn with_child(world: &Arc<World>, draws: &mut Draws, its: Draws, depth: u64) {
    let runtime = draws.pick(&(0..world.runtimes.len()).collect::<Vec<_>>());
    let runtime = &world.runtimes[runtime];
    let future = life(world, its, depth);
    match draws.below(9) {
        0 => runtime.spawn(future).detach(),
        1 => {
            let child = runtime.spawn(future);
            child.cancel();
            ended(child.await);
        }
        2 => {
            let child = runtime.spawn(shielded(future));
            let abort = child.abort_handle();
            yield_now().await;
            abort.cancel();
            ended(child.await);
        }
        3 => ended(runtime.spawn(future).join()),
        4 => panics(runtime, world).await,
        5 => {
            let limit = Duration::from_micros(draws.below(200));
            if let Ok(result) = timeout(limit, runtime.spawn(future)).await {
                ended(result);
            }
        }
        6 => in_a_group(world, draws, depth).await,
        7 => {
            let guard = world.ledger.guard();
            let job = runtime.spawn_blocking(move || drop(guard));
            if draws.once_in(2) {
                _ = job.await;
            }
        }
        _ => ended(runtime.spawn(future).await),
    }
}

/// A child that is a machine, so that a dump shows its values and its leaf.
async fn inspected_child(world: &Arc<World>, draws: &mut Draws, its: Draws) {
    let runtimes: Vec<_> = (0..world.runtimes.len()).collect();
    let runtime = &world.runtimes[draws.pick(&runtimes)];
    let child = runtime.spawn(be_inspected(Arc::clone(world), its));
    if draws.once_in(4) {
        child.cancel();
    }
    if draws.once_in(2) {
        child.detach();
    } else if let Err(error) = child.await {
        assert!(error.is_cancelled(), "{error}");
    }
}

/// Without a panic, a task has its output or was cancelled.
fn ended(result: Result<u64, JoinError>) {
    if let Err(error) = result {
        assert!(error.is_cancelled() || error.is_deadlock(), "{error}");
    }
}

async fn panics(runtime: &Handle, world: &Arc<World>) {
    let guard = world.ledger.guard();
    let child = runtime.spawn(async move {
        let _guard = guard;
        yield_now().await;
        panic!("{ON_PURPOSE}");
    });
    let error = child.await.expect_err("it panics, or is cancelled");
    assert!(error.is_panic() || error.is_cancelled());
}

async fn in_a_group(world: &Arc<World>, draws: &mut Draws, depth: u64) {
    let mut group: Group<u64> = Group::new(volt::Current);
    for number in 0..draws.below(4) {
        group.spawn(life(world, draws.child(number), depth));
    }
    if draws.once_in(2) {
        // Its children that panic on purpose are not its own.
        _ = group.wait().await;
    }
}

async fn timeout_of_a_sleep(draws: &mut Draws) {
    let [limit, length] = [(); 2].map(|()| Duration::from_micros(draws.below(200)));
    _ = timeout(limit, sleep(length)).await;
}

/// Hands its waker to another thread, once or more, and waits for it.
async fn be_woken_by_a_thread(world: &World, draws: &mut Draws) {
    let clones = draws.below(3) + 1;
    let mut sent = false;
    poll_fn(|cx| {
        if sent {
            return Poll::Ready(());
        }
        sent = true;
        for _ in 0..clones {
            // At the end of the round the thread is gone; then so is the task.
            if world.waking.send(cx.waker().clone()).is_err() {
                cx.waker().wake_by_ref();
            }
        }
        Poll::Pending
    })
    .await;
}

/// Starts a thread that calls the wakers that it receives, some by value and some not, some at once
/// and some later. The thread ends when all senders are dropped.
pub(crate) fn waking_thread(mut draws: Draws) -> (Sender<Waker>, thread::JoinHandle<()>) {
    let (send, wakers) = std::sync::mpsc::channel::<Waker>();
    let thread = thread::spawn(move || {
        for waker in wakers {
            if draws.once_in(4) {
                thread::yield_now();
            }
            if draws.once_in(2) {
                waker.wake()
            } else {
                waker.wake_by_ref()
            }
        }
    });
    (send, thread)
}
