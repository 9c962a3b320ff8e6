//! The operations, written as users of the runtime write them.

use std::hint::black_box;
use std::time::Duration;

use volt::Runtime;
use volt::future::{FutureGroup, FuturesExt};
use volt::task::yield_now;
use volt::time::timeout;

const HOUR: Duration = Duration::from_secs(3_600);

/// The name of an operation, and a function that runs a number of rounds in a task.
type Row = (&'static str, fn(&Runtime, u32));

pub(crate) const ROWS: &[Row] = &[
    ("yield", |runtime, rounds| run(runtime, yields(rounds))),
    ("spawn and await", |runtime, rounds| {
        run(runtime, spawns(rounds));
    }),
    ("race of two", |runtime, rounds| {
        run(runtime, races(rounds));
    }),
    ("join of two", |runtime, rounds| {
        run(runtime, joins_two(rounds));
    }),
    ("join of four", |runtime, rounds| {
        run(runtime, joins_four(rounds));
    }),
    ("timeout", |runtime, rounds| run(runtime, times_out(rounds))),
    ("FutureGroup of 8", |runtime, rounds| {
        run(runtime, groups(rounds));
    }),
];

/// Returns the sizes of the futures of the operations, in bytes: of the leaf, of the function that
/// spawns, of the combinators, and of an empty group.
pub(crate) fn sizes() -> [usize; 7] {
    [
        size_of_val(&once()),
        size_of_val(&spawns(1)),
        size_of_val(&(once(), once()).race()),
        size_of_val(&(once(), once()).join()),
        size_of_val(&(once(), once(), once(), once()).join()),
        size_of_val(&timeout(HOUR, once())),
        size_of_val(&group(once())),
    ]
}

fn group<F: Future>(_: F) -> FutureGroup<F> {
    FutureGroup::new()
}

fn run(runtime: &Runtime, rounds: impl Future<Output = ()> + Send + 'static) {
    runtime
        .block_on(runtime.spawn(rounds))
        .expect("the task ends");
}

subject! {
    async fn once() -> u32 {
        yield_now().await;
        black_box(1)
    }
}

subject! {
    async fn yields(rounds: u32) {
        for _ in 0..rounds {
            yield_now().await;
        }
    }
}

subject! {
    async fn spawns(rounds: u32) {
        for _ in 0..rounds {
            black_box(volt::spawn(once()).await.expect("the task ends"));
        }
    }
}

subject! {
    async fn races(rounds: u32) {
        for _ in 0..rounds {
            black_box((once(), once()).race().await);
        }
    }
}

subject! {
    async fn joins_two(rounds: u32) {
        for _ in 0..rounds {
            black_box((once(), once()).join().await);
        }
    }
}

subject! {
    async fn joins_four(rounds: u32) {
        for _ in 0..rounds {
            black_box((once(), once(), once(), once()).join().await);
        }
    }
}

subject! {
    async fn times_out(rounds: u32) {
        for _ in 0..rounds {
            black_box(timeout(HOUR, once()).await.expect("the future is ready"));
        }
    }
}

subject! {
    async fn groups(rounds: u32) {
        for _ in 0..rounds {
            let mut group = FutureGroup::new();
            for _ in 0..8 {
                group.insert(once());
            }
            while let Some(output) = group.next().await {
                black_box(output);
            }
        }
    }
}
