//! Children that come and go: a million through a group that holds few of them at a time.

use std::cell::Cell;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use futures::StreamExt;
use volt_combinators::{Child, FutureGroup, Group, Spawn, TaskError};

use super::meter::{Cost, memory};

pub(crate) const TITLE: &str = "group churn, a million children, so many at a time, for each";

/// Children at a time.
pub(crate) const WIDTHS: [usize; 2] = [64, 1000];

thread_local! {
    /// Polls of children.
    static POLLS: Cell<usize> = const { Cell::new(0) };
    /// The size of the future that was run last.
    static SIZE: Cell<usize> = const { Cell::new(0) };
}

/// A name, and a run with so many children at a time, and in all.
type Row = (&'static str, fn(usize, usize));

/// A `FutureGroup` as a program uses it that does not know the number of futures.
fn future_group(mut group: FutureGroup<Once>, width: usize, total: usize) {
    here(async move {
        group.extend((0..width).map(|_| Once(false)));
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
}

const ROWS: &[Row] = &[
    ("volt FutureGroup", |width, total| {
        future_group(FutureGroup::new(), width, total);
    }),
    ("volt FutureGroup, biased", |width, total| {
        future_group(FutureGroup::new().biased(), width, total);
    }),
    ("futures FuturesUnordered", |width, total| {
        here(async {
            let mut group: futures::stream::FuturesUnordered<Once> =
                (0..width).map(|_| Once(false)).collect();
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
    ("futures-buffered Unordered", |width, total| {
        here(async {
            let mut group: futures_buffered::FuturesUnordered<Once> =
                (0..width).map(|_| Once(false)).collect();
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
    ("volt Group on tokio", |width, total| {
        on_tokio(async move {
            let mut group = Group::new(Tokio);
            (0..width).for_each(|_| _ = group.spawn(Once(false)));
            let (mut spawned, mut done) = (width, 0);
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
    ("tokio JoinSet", |width, total| {
        on_tokio(async move {
            let mut group = tokio::task::JoinSet::new();
            (0..width).for_each(|_| _ = group.spawn(Once(false)));
            let (mut spawned, mut done) = (width, 0);
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

/// Measures the cost of each for a child, of `total` children, and the polls and the memory of a
/// few thousand.
pub(crate) fn costs(width: usize, total: usize) -> Vec<(&'static str, Cost)> {
    let few = 5 * width;
    let cost = |run: fn(usize, usize)| {
        POLLS.set(0);
        let (allocations, peak) = memory(|| run(width, few));
        let polls = POLLS.get() as f64 / few as f64;
        let mut nanos = f64::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            run(width, total);
            nanos = nanos.min(start.elapsed().as_nanos() as f64);
        }
        Cost {
            nanos: nanos / total as f64,
            spread: None,
            polls,
            allocations,
            peak,
            size: SIZE.get(),
        }
    };
    ROWS.iter().map(|&(name, run)| (name, cost(run))).collect()
}

/// The names of the libraries.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|(name, _)| *name)
}

/// Runs one of them, with so many children at a time and in all.
pub(crate) fn run(who: &str, width: usize, total: usize) {
    let row = ROWS.iter().find(|(name, _)| *name == who);
    row.expect("one of the rows").1(width, total);
}
