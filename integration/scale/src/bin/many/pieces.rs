//! The rows: each begins many pieces, waits until all of them wait, and ends them.

use std::future::poll_fn;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use nix::sys::socket::Backlog;

use crate::clients::Clients;
use crate::costs::Moment;
use crate::processes::await_other_parts;

const WORKERS: usize = 2;
/// The time until the first timer fires, which is after all of them were inserted.
const FIRST: Duration = Duration::from_secs(30);
/// The timers fire within this time.
const SPAN_MILLIS: usize = 1000;

/// A runtime.
pub(crate) trait Peer: Send + Sync + 'static {
    fn start() -> Self;
    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static);
    fn spawn_here(future: impl Future<Output = ()> + Send + 'static);
    fn sleep(time: Duration) -> impl Future<Output = ()> + Send;
    /// Accepts connections, and sends each byte back. Calls `count` after each accept and after
    /// each byte.
    fn serve(
        listener: std::net::TcpListener,
        count: impl Fn() + Clone + Send + 'static,
    ) -> impl Future<Output = ()> + Send;
}

/// Runs one count, and prints bytes a piece, and the times of its begin and of its end.
pub(crate) fn count<P: Peer>(row: &str, pieces: usize) {
    let runtime = P::start();
    let [begun, waiting, before_end, ended] = match row {
        "tasks" => tasks(&runtime, pieces),
        "timers" => timers(&runtime, pieces),
        "connections" => connections(&runtime, pieces),
        _ => panic!("there is no row {row}"),
    };
    println!(
        "{} {} {}",
        waiting.bytes_since(begun, pieces),
        waiting.nanos_since(begun, pieces),
        ended.nanos_since(before_end, pieces),
    );
}

/// A number that tasks increase, and that a thread awaits.
#[derive(Clone, Debug, Default)]
struct Progress(Arc<AtomicUsize>);

impl Progress {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }

    fn reach(&self, count: usize) {
        while self.0.load(Ordering::Acquire) < count {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Tasks that wait for a waker of which a list has a clone.
fn tasks<P: Peer>(runtime: &P, count: usize) -> [Moment; 4] {
    let wakers: Arc<Mutex<Vec<Waker>>> = Arc::default();
    reserve(&wakers, count);
    let (begun, ended) = (Progress::default(), Progress::default());
    let before = Moment::now();
    let (list, first, last) = (wakers.clone(), begun.clone(), ended.clone());
    runtime.spawn(async move {
        for _ in 0..count {
            let (list, first, last) = (list.clone(), first.clone(), last.clone());
            P::spawn_here(async move {
                let mut is_first = true;
                poll_fn(|cx| {
                    if !std::mem::take(&mut is_first) {
                        return Poll::Ready(());
                    }
                    list.lock().expect("no panic").push(cx.waker().clone());
                    first.add();
                    Poll::Pending
                })
                .await;
                last.add();
            });
        }
    });
    begun.reach(count);
    let waiting = Moment::now();
    await_other_parts();
    let woken = std::mem::take(&mut *wakers.lock().expect("no panic"));
    let before_end = Moment::now();
    woken.into_iter().for_each(Waker::wake);
    ended.reach(count);
    [before, waiting, before_end, Moment::now()]
}

/// Allocates the list, and writes it, so that its memory is resident before.
fn reserve(wakers: &Mutex<Vec<Waker>>, count: usize) {
    let mut list = wakers.lock().expect("no panic");
    list.resize(count, Waker::noop().clone());
    list.clear();
}

/// Tasks that sleep.
fn timers<P: Peer>(runtime: &P, count: usize) -> [Moment; 4] {
    let start = Instant::now();
    let (begun, ended) = (Progress::default(), Progress::default());
    let before = Moment::now();
    let (first, last) = (begun.clone(), ended.clone());
    runtime.spawn(async move {
        for index in 0..count {
            let (first, last) = (first.clone(), last.clone());
            P::spawn_here(async move {
                let time = FIRST + Duration::from_millis((index % SPAN_MILLIS) as u64);
                let sleep = P::sleep(time);
                first.add();
                sleep.await;
                last.add();
            });
        }
    });
    begun.reach(count);
    let waiting = Moment::now();
    await_other_parts();
    std::thread::sleep(FIRST.saturating_sub(start.elapsed()));
    let before_end = Moment::now();
    ended.reach(count);
    [before, waiting, before_end, Moment::now()]
}

/// Connections that wait for a byte.
fn connections<P: Peer>(runtime: &P, count: usize) -> [Moment; 4] {
    let progress = Progress::default();
    let counted = progress.clone();
    let listener = listen();
    let address = listener.local_addr().expect("it is bound");
    runtime.spawn(P::serve(listener, move || counted.add()));
    let before = Moment::now();
    let mut clients = Clients::connect(address, count);
    progress.reach(count);
    let waiting = Moment::now();
    await_other_parts();
    let before_end = Moment::now();
    clients.exchange();
    progress.reach(2 * count);
    [before, waiting, before_end, Moment::now()]
}

/// Returns a listener with the same queue for both runtimes, whose own defaults differ. If the
/// queue is full, the kernel delays a client by a second.
fn listen() -> TcpListener {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let queue = Backlog::new(4096).expect("the number is valid");
    nix::sys::socket::listen(&listener, queue).expect("the socket is bound");
    listener.set_nonblocking(true).expect("it is a socket");
    listener
}

/// volt's runtime.
pub(crate) struct OnVolt(volt::Runtime);

impl Peer for OnVolt {
    fn start() -> Self {
        let runtime = volt::Builder::new().worker_threads(WORKERS).build();
        Self(runtime.expect("volt starts"))
    }

    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.0.spawn(future).detach();
    }

    fn spawn_here(future: impl Future<Output = ()> + Send + 'static) {
        volt::spawn(future).detach();
    }

    fn sleep(time: Duration) -> impl Future<Output = ()> + Send {
        volt::time::sleep(time)
    }

    async fn serve(listener: std::net::TcpListener, count: impl Fn() + Clone + Send + 'static) {
        let listener = volt::net::TcpListener::from_std(listener).expect("it is a socket");
        loop {
            let (stream, _) = listener.accept().await.expect("the limit permits it");
            count();
            let count = count.clone();
            Self::spawn_here(async move {
                let mut byte = [0];
                while matches!(stream.read(&mut byte).await, Ok(1)) {
                    stream.write_all(&byte).await.expect("the client reads");
                    count();
                }
            });
        }
    }
}

/// tokio's runtime of several threads.
pub(crate) struct OnTokio(tokio::runtime::Runtime);

impl Peer for OnTokio {
    fn start() -> Self {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(WORKERS).enable_all().build();
        Self(runtime.expect("tokio starts"))
    }

    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.0.spawn(future);
    }

    fn spawn_here(future: impl Future<Output = ()> + Send + 'static) {
        tokio::spawn(future);
    }

    fn sleep(time: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(time)
    }

    async fn serve(listener: std::net::TcpListener, count: impl Fn() + Clone + Send + 'static) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::from_std(listener).expect("it is a socket");
        loop {
            let (mut stream, _) = listener.accept().await.expect("the limit permits it");
            count();
            let count = count.clone();
            Self::spawn_here(async move {
                let mut byte = [0];
                while matches!(stream.read(&mut byte).await, Ok(1)) {
                    stream.write_all(&byte).await.expect("the client reads");
                    count();
                }
            });
        }
    }
}
