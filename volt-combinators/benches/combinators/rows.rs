//! The rows: each combinator as its users write it.

use std::future::poll_fn;
use std::hint::black_box;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::{FutureExt, StreamExt};
use tokio::task::{JoinSet, LocalSet};
use volt_combinators::{FutureGroup, FuturesExt};

use super::gates::{Child, Kind, Setting};

/// A name, and one run.
pub(crate) type Row = (&'static str, fn(&'static Setting));

/// Joins of any number.
pub(crate) const JOINS: &[Row] = &[
    ("volt Vec", |s| {
        black_box(s.drive(s.children().join()));
    }),
    ("volt FutureGroup", |s| {
        let group: FutureGroup<Child<'_>> = s.children().into_iter().collect();
        black_box(s.drive(collect(group)));
    }),
    ("futures join_all", |s| {
        black_box(s.drive(futures::future::join_all(s.children())));
    }),
    ("futures FuturesUnordered", |s| {
        let all: futures::stream::FuturesUnordered<_> = s.children().into_iter().collect();
        black_box(s.drive(all.collect::<Vec<_>>()));
    }),
    ("futures-buffered join_all", |s| {
        black_box(s.drive(futures_buffered::join_all(s.children())));
    }),
    ("futures-buffered Unordered", |s| {
        let all: futures_buffered::FuturesUnordered<_> = s.children().into_iter().collect();
        black_box(s.drive(all.collect::<Vec<_>>()));
    }),
    ("tokio JoinSet", |s| {
        let tasks = LocalSet::new();
        black_box(s.drive(tasks.run_until(join_set(s))));
    }),
    ("futures-concurrency Vec", |s| {
        use futures_concurrency::future::Join;
        black_box(s.drive(Join::join(s.children())));
    }),
];

/// The loop that a program would use if it knew that all children are ready: same parent, same
/// outputs.
pub(crate) const LOOP: Row = ("plain loop", |s| {
    let mut children = s.children();
    black_box(s.drive(poll_fn(|cx| {
        let children = mem::take(&mut children).into_iter();
        Poll::Ready(children.map(|child| now(child, cx)).collect::<Vec<_>>())
    })));
});

fn now(mut child: Child<'_>, cx: &mut Context<'_>) -> u64 {
    match Pin::new(&mut child).poll(cx) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("all are ready"),
    }
}

async fn join_set(s: &'static Setting) -> Vec<u64> {
    let mut all = JoinSet::new();
    for child in s.children() {
        all.spawn_local(child);
    }
    let mut outputs = Vec::new();
    while let Some(output) = all.join_next().await {
        outputs.push(output.expect("no child panics"));
    }
    outputs
}

async fn collect(mut group: FutureGroup<Child<'_>>) -> Vec<u64> {
    let mut outputs = Vec::new();
    while let Some((_, output)) = group.next().await {
        outputs.push(output);
    }
    outputs
}

/// Joins of two, by those who join two.
pub(crate) const TWO: &[Row] = &[
    ("volt tuple", |s| {
        black_box(s.drive((s.child(0), s.child(1)).join()));
    }),
    ("volt array", |s| {
        black_box(s.drive(s.array::<2>().join()));
    }),
    ("tokio join!", |s| {
        black_box(s.drive(async { tokio::join!(s.child(0), s.child(1)) }));
    }),
    ("futures join", |s| {
        black_box(s.drive(futures::future::join(s.child(0), s.child(1))));
    }),
    ("futures-lite zip", |s| {
        black_box(s.drive(futures_lite::future::zip(s.child(0), s.child(1))));
    }),
    ("futures-concurrency tuple", |s| {
        use futures_concurrency::future::Join;
        black_box(s.drive(Join::join((s.child(0), s.child(1)))));
    }),
    ("plain loop, array", plain_loop::<2>),
];

/// As [`LOOP`], of a fixed number, and without a `Vec`. It takes part only if all are ready.
fn plain_loop<const N: usize>(s: &'static Setting) {
    if s.kind == Kind::Ready {
        let mut children = Some(s.array::<N>());
        black_box(s.drive(poll_fn(|cx| {
            let children = children.take().expect("polled once");
            Poll::Ready(children.map(|child| now(child, cx)))
        })));
    }
}

/// Joins of a fixed number, by those who join that many.
macro_rules! fixed {
    ($(#[$doc:meta])* $NAME:ident $len:literal: $($child:ident)+) => {
        $(#[$doc])*
        pub(crate) const $NAME: &[Row] = &[
            ("volt array", |s| {
                black_box(s.drive(s.array::<$len>().join()));
            }),
            ("volt tuple", |s| {
                let [$($child),+] = s.array();
                black_box(s.drive(($($child),+).join()));
            }),
            ("tokio join!", |s| {
                let [$($child),+] = s.array();
                black_box(s.drive(async { tokio::join!($($child),+) }));
            }),
            ("futures join!", |s| {
                let [$($child),+] = s.array();
                black_box(s.drive(async { futures::join!($($child),+) }));
            }),
            ("futures-concurrency array", |s| {
                use futures_concurrency::future::Join;
                black_box(s.drive(Join::join(s.array::<$len>())));
            }),
            ("plain loop, array", plain_loop::<$len>),
        ];
    };
}

fixed! {
    /// Joins of four, by those who join four.
    FOUR 4: a b c d
}

fixed! {
    /// Joins of eight, by those who join eight.
    EIGHT 8: a b c d e f g h
}

fixed! {
    /// Joins of sixteen, by those who join sixteen.
    SIXTEEN 16: a b c d e f g h i j k l m n o p
}

/// Races of any number.
pub(crate) const RACES: &[Row] = &[
    ("volt Vec", |s| {
        black_box(s.drive(s.children().race()));
    }),
    ("futures select_all", |s| {
        black_box(s.drive(futures::future::select_all(s.children())).0);
    }),
    ("futures FuturesUnordered", |s| {
        let mut all: futures::stream::FuturesUnordered<_> = s.children().into_iter().collect();
        black_box(s.drive(async { all.next().await }));
    }),
    ("futures-buffered Unordered", |s| {
        let mut all: futures_buffered::FuturesUnordered<_> = s.children().into_iter().collect();
        black_box(s.drive(async { all.next().await }));
    }),
    ("futures-concurrency Vec", |s| {
        use futures_concurrency::future::Race;
        black_box(s.drive(Race::race(s.children())));
    }),
];

/// Races of two, by those who race two.
pub(crate) const RACES_OF_TWO: &[Row] = &[
    ("volt tuple", |s| {
        black_box(s.drive((s.child(0), s.child(1)).race()));
    }),
    ("tokio select!", |s| {
        let both = async {
            tokio::select! {
                output = s.child(0) => output,
                output = s.child(1) => output,
            }
        };
        black_box(s.drive(both));
    }),
    ("futures select", |s| {
        let both = async {
            let either = futures::future::select(s.child(0), s.child(1)).await;
            either.factor_first().0
        };
        black_box(s.drive(both));
    }),
    ("futures-lite or", |s| {
        black_box(s.drive(futures_lite::future::or(s.child(0), s.child(1))));
    }),
    ("futures-concurrency tuple", |s| {
        use futures_concurrency::future::Race;
        black_box(s.drive(Race::race((s.child(0), s.child(1)))));
    }),
];

/// Races of eight, by those who race eight.
pub(crate) const RACES_OF_EIGHT: &[Row] = &[
    ("volt array", |s| {
        black_box(s.drive(s.array::<8>().race()));
    }),
    ("volt tuple", |s| {
        let [a, b, c, d, e, f, g, h] = s.array();
        black_box(s.drive((a, b, c, d, e, f, g, h).race()));
    }),
    ("tokio select!", |s| {
        let [a, b, c, d, e, f, g, h] = s.array();
        black_box(s.drive(async {
            tokio::select! {
                output = a => output,
                output = b => output,
                output = c => output,
                output = d => output,
                output = e => output,
                output = f => output,
                output = g => output,
                output = h => output,
            }
        }));
    }),
    ("futures select!", |s| {
        let all = s.array::<8>().map(FutureExt::fuse);
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = all;
        black_box(s.drive(async {
            futures::select! {
                output = a => output,
                output = b => output,
                output = c => output,
                output = d => output,
                output = e => output,
                output = f => output,
                output = g => output,
                output = h => output,
            }
        }));
    }),
    ("futures-concurrency array", |s| {
        use futures_concurrency::future::Race;
        black_box(s.drive(Race::race(s.array::<8>())));
    }),
];
