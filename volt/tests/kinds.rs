//! Tasks of all kinds: every executor, place of the spawn, size of future and output, and end.
//!
//! `task/tests/combinations.rs` enumerates the orders of events of one task.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicIsize, Ordering::SeqCst};
use std::sync::{Mutex, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use futures_lite::future::{block_on, poll_once};
use volt::raw::{self, RunOutcome, Runnable};
use volt::task::yield_now;
use volt::{Builder, JoinHandle, LocalRuntime, Runtime};

/// The numbers of futures and outputs that are alive.
static FUTURES: AtomicIsize = AtomicIsize::new(0);
static OUTPUTS: AtomicIsize = AtomicIsize::new(0);
/// The waker of a future that waits to be cancelled. A task with a stored waker is not an orphan.
static WAKER: Mutex<Option<Waker>> = Mutex::new(None);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    AtOnce,
    AfterAWake,
    Panics,
    Cancelled,
    /// The handle is dropped before the end.
    Detached,
}

const ENDS: [End; 5] = [
    End::AtOnce,
    End::AfterAWake,
    End::Panics,
    End::Cancelled,
    End::Detached,
];

/// A future of about `F` bytes with an output of `O` bytes.
struct Subject<const F: usize, const O: usize> {
    pad: [u8; F],
    end: End,
    is_awake: bool,
}

struct Output<const O: usize>([u8; O]);

impl<const F: usize, const O: usize> Subject<F, O> {
    fn new(end: End) -> Self {
        FUTURES.fetch_add(1, SeqCst);
        Self {
            pad: [3; F],
            end,
            is_awake: false,
        }
    }
}

impl<const F: usize, const O: usize> Future for Subject<F, O> {
    type Output = Output<O>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Output<O>> {
        assert!(self.pad.iter().all(|&byte| byte == 3));
        match self.end {
            End::Panics => panic!("on purpose"),
            End::Cancelled => {
                *WAKER.lock().unwrap() = Some(cx.waker().clone());
                return Poll::Pending;
            }
            End::AfterAWake | End::Detached if !self.is_awake => {
                self.is_awake = true;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            _ => {}
        }
        OUTPUTS.fetch_add(1, SeqCst);
        Poll::Ready(Output([5; O]))
    }
}

impl<const F: usize, const O: usize> Drop for Subject<F, O> {
    fn drop(&mut self) {
        FUTURES.fetch_sub(1, SeqCst);
    }
}

impl<const O: usize> Drop for Output<O> {
    fn drop(&mut self) {
        assert!(self.0.iter().all(|&byte| byte == 5));
        OUTPUTS.fetch_sub(1, SeqCst);
    }
}

/// The runtime of a task, and the place of its spawn.
enum Place<'a> {
    Many(&'a Runtime),
    FromATask(&'a Runtime),
    Local(&'a LocalRuntime),
    LocalFromATask(&'a LocalRuntime),
    StaysLocal(&'a LocalRuntime),
    Raw(mpsc::Sender<Runnable>, mpsc::Receiver<Runnable>),
}

impl Place<'_> {
    #[expect(clippy::async_yields_async, reason = "the test needs the handle")]
    fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        match self {
            Self::Many(runtime) => runtime.spawn(future),
            Self::FromATask(runtime) => {
                let spawns = runtime.spawn(async { volt::spawn(future) });
                runtime.block_on(spawns).unwrap()
            }
            Self::Local(runtime) => runtime.spawn(future),
            Self::LocalFromATask(runtime) => runtime
                .block_on(async { volt::spawn(async { volt::spawn(future) }).await.unwrap() }),
            Self::StaysLocal(runtime) => runtime.spawn_local(future),
            Self::Raw(..) => unreachable!("raw tasks have another handle"),
        }
    }

    /// Lets tasks run for a moment.
    fn step(&self) {
        match self {
            Self::Many(_) | Self::FromATask(_) => thread::yield_now(),
            Self::Local(runtime) | Self::LocalFromATask(runtime) | Self::StaysLocal(runtime) => {
                runtime.block_on(yield_now());
            }
            Self::Raw(_, queue) => {
                while let Ok(runnable) = queue.try_recv() {
                    if let RunOutcome::Woken(again) = runnable.run() {
                        again.schedule();
                    }
                }
            }
        }
    }

    fn until(&self, condition: impl Fn() -> bool) {
        let begin = Instant::now();
        while !condition() {
            assert!(
                begin.elapsed() < Duration::from_secs(20),
                "the condition is never met"
            );
            self.step();
        }
    }
}

fn is_waiting() -> bool {
    WAKER.lock().unwrap().is_some()
}

fn check<const O: usize>(end: End, result: Result<Output<O>, volt::JoinError>) {
    match (end, result) {
        (End::AtOnce | End::AfterAWake, Ok(output)) => assert_eq!(output.0, [5; O]),
        (End::Panics, Err(error)) => assert!(error.is_panic()),
        (End::Cancelled, Err(error)) => assert!(error.is_cancelled()),
        (_, result) => panic!("{end:?}: {:?}", result.map(drop)),
    }
}

fn play_spawned<const O: usize>(place: &Place<'_>, end: End, task: JoinHandle<Output<O>>) {
    if end == End::Detached {
        task.detach();
        return;
    }
    if end == End::Cancelled {
        place.until(is_waiting);
        task.cancel();
    }
    place.until(|| task.is_finished());
    check(end, block_on(task));
}

fn play_raw<const O: usize>(place: &Place<'_>, end: End, task: raw::Task<Output<O>>) {
    match end {
        End::Detached => task.detach(),
        End::Cancelled => {
            place.until(is_waiting);
            let mut cancel = pin!(task.cancel());
            assert!(block_on(poll_once(cancel.as_mut())).is_none());
            place.step();
            check(end, block_on(cancel));
        }
        _ => {
            place.until(|| task.is_finished());
            check(end, block_on(task));
        }
    }
}

fn nothing_is_left(place: &Place<'_>) {
    place.until(|| FUTURES.load(SeqCst) == 0 && OUTPUTS.load(SeqCst) == 0);
    drop(WAKER.lock().unwrap().take());
}

fn play<const F: usize, const O: usize>(place: &Place<'_>, end: End) {
    let plain = Subject::<F, O>::new(end);
    if let Place::Raw(queue, _) = place {
        let queue = queue.clone();
        let (runnable, task) = raw::spawn(plain, move |runnable| queue.send(runnable).unwrap());
        runnable.schedule();
        play_raw(place, end, task);
        return nothing_is_left(place);
    }
    play_spawned(place, end, place.spawn(plain));
    nothing_is_left(place);
    type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;
    let boxed: Boxed<Output<O>> = Box::pin(Subject::<F, O>::new(end));
    play_spawned(place, end, place.spawn(boxed));
    nothing_is_left(place);
}

#[test]
fn every_kind_of_task_ends_and_frees_its_values() {
    let many = Runtime::builder().worker_threads(2).build().unwrap();
    let local = Builder::new().build_local().unwrap();
    let (send, receive) = mpsc::channel();
    let places = [
        Place::Many(&many),
        Place::FromATask(&many),
        Place::Local(&local),
        Place::LocalFromATask(&local),
        Place::StaysLocal(&local),
        Place::Raw(send, receive),
    ];
    for place in &places {
        for end in ENDS {
            play::<0, 0>(place, end);
            play::<0, 16>(place, end);
            play::<0, 4_000>(place, end);
            play::<300, 0>(place, end);
            play::<300, 16>(place, end);
            play::<300, 300>(place, end);
            play::<4_000, 300>(place, end);
        }
    }
}
