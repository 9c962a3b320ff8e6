//! Compares volt's `Group` with tokio's `JoinSet`, each with many children at once.
//!
//! `cargo bench -p volt-async --bench groups` prints the nanoseconds of one child for each group,
//! from the first spawn to the last result. `-- 10000` sets the number of children; the default is
//! a million.

use std::hint::black_box;
use std::time::Instant;

use volt::{Current, Group};

/// Returns the shortest time of three runs, in nanoseconds for each child.
fn quickest(children: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..3).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64
    });
    times.fold(f64::MAX, f64::min) / children as f64
}

fn on_volt(children: usize) -> f64 {
    let runtime = volt::Runtime::builder().worker_threads(2);
    let runtime = runtime.build().expect("a runtime");
    quickest(children, || {
        let values = runtime.block_on(runtime.spawn(async move {
            let mut group = Group::new(Current);
            for n in 0..children {
                group.spawn(async move {
                    volt::task::yield_now().await;
                    n
                });
            }
            group.wait().await
        }));
        let values = values.expect("no panic").expect("no error");
        assert_eq!(black_box(values).len(), children);
    })
}

fn on_tokio(children: usize) -> f64 {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).build().expect("a runtime");
    quickest(children, || {
        let values = runtime.block_on(runtime.spawn(async move {
            let mut group = tokio::task::JoinSet::new();
            for n in 0..children {
                group.spawn(async move {
                    tokio::task::yield_now().await;
                    n
                });
            }
            group.join_all().await
        }));
        assert_eq!(black_box(values.expect("no panic")).len(), children);
    })
}

fn main() {
    let number = std::env::args().find_map(|argument| argument.parse().ok());
    let children = number.unwrap_or(1_000_000);
    println!(
        "volt Group     {children:>9} children {:>7.0} ns each",
        on_volt(children)
    );
    println!(
        "tokio JoinSet  {children:>9} children {:>7.0} ns each",
        on_tokio(children)
    );
}
