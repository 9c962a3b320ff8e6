//! Children that come and go: a million through a group that holds sixty-four.

use std::cell::Cell;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use futures::StreamExt;
use volt_combinators::{Child, FutureGroup, Group, Spawn, TaskError};

use super::meter::{Cost, memory};

/// Children at a time.
const WIDTH: usize = 64;

thread_local! {
    /// Polls of children.
    static POLLS: Cell<usize> = const { Cell::new(0) };
    /// The size of the future that was run last.
    static SIZE: Cell<usize> = const { Cell::new(0) };
}

/// A name, and a run with that many children.
type Row = (&'static str, fn(usize));

const ROWS: &[Row] = &[
    ("volt FutureGroup", |total| {
        here(async {
            let mut group: FutureGroup<Once> = (0..WIDTH).map(|_| Once(false)).collect();
            let mut done = 0;
            while let Some(output) = group.next().await {
                black_box(output);
                done += 1;
                if done + group.len() < total {
                    group.insert(Once(false));
                }
            }
            assert_eq!(done, total);
        });
    }),
    ("futures FuturesUnordered", |total| {
        here(async {
            let mut group: futures::stream::FuturesUnordered<Once> =
                (0..WIDTH).map(|_| Once(false)).collect();
            let mut done = 0;
            while let Some(output) = group.next().await {
                black_box(output);
                done += 1;
                if done + group.len() < total {
                    group.push(Once(false));
                }
            }
            assert_eq!(done, total);
        });
    }),
    ("futures-buffered Unordered", |total| {
        here(async {
            let mut group: futures_buffered::FuturesUnordered<Once> =
                (0..WIDTH).map(|_| Once(false)).collect();
            let mut done = 0;
            while let Some(output) = group.next().await {
                black_box(output);
                done += 1;
                if done + group.len() < total {
                    group.push(Once(false));
                }
            }
            assert_eq!(done, total);
        });
    }),
    ("volt Group on tokio", |total| {
        on_tokio(async move {
            let mut group = Group::new(Tokio);
            (0..WIDTH).for_each(|_| _ = group.spawn(Once(false)));
            let (mut spawned, mut done) = (WIDTH, 0);
            while let Some((_, output)) = group.next().await {
                _ = black_box::<Result<u64, TaskError>>(output);
                done += 1;
                if spawned < total {
                    group.spawn(Once(false));
                    spawned += 1;
                }
            }
            assert_eq!(done, total);
        });
    }),
    ("tokio JoinSet", |total| {
        on_tokio(async move {
            let mut group = tokio::task::JoinSet::new();
            (0..WIDTH).for_each(|_| _ = group.spawn(Once(false)));
            let (mut spawned, mut done) = (WIDTH, 0);
            while let Some(output) = group.join_next().await {
                black_box(output.is_ok());
                done += 1;
                if spawned < total {
                    group.spawn(Once(false));
                    spawned += 1;
                }
            }
            assert_eq!(done, total);
        });
    }),
];

/// Wakes itself once.
struct Once(bool);

impl Future for Once {
    type Output = u64;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u64> {
        POLLS.set(POLLS.get() + 1);
        if self.0 {
            return Poll::Ready(7);
        }
        self.0 = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Tokio as a runtime of groups.
struct Tokio;

impl Spawn for Tokio {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        drop(tokio::spawn(child));
    }
}

fn here<F: Future<Output = ()>>(future: F) {
    SIZE.set(size_of::<F>());
    futures::executor::block_on(future);
}

fn on_tokio<F: Future<Output = ()>>(future: F) {
    SIZE.set(size_of::<F>());
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(future);
}

/// What each costs a child, `total` of them, and the polls and the memory of a thousand.
pub(crate) fn costs(total: usize) -> Vec<(&'static str, Cost)> {
    let cost = |run: fn(usize)| {
        POLLS.set(0);
        let (allocations, peak) = memory(|| run(1000));
        let polls = POLLS.get() as f64 / 1000.0;
        let mut nanos = f64::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            run(total);
            nanos = nanos.min(start.elapsed().as_nanos() as f64);
        }
        Cost {
            nanos: nanos / total as f64,
            polls,
            allocations,
            peak,
            size: SIZE.get(),
        }
    };
    ROWS.iter().map(|&(name, run)| (name, cost(run))).collect()
}
