//! Fibonacci numbers by tasks that block in joins: the worst case of joins.

use std::hint::black_box;

use crate::contestants::OnRayon;
use crate::contestants::{Contestants, OnTokio, OnVolt};
use crate::executor::{Executor, Joins};
use crate::workload::{Describe, Run, Target, timed};

/// Small enough for executors that need a thread for each join.
pub(crate) struct Fib16;

impl Describe for Fib16 {
    const NAME: &'static str = "fib(16) by blocking joins";
    const ABOUT: &'static str = "1,596 tasks, each of which blocks until another is done";
}

/// Too large for executors that need a thread for each join.
pub(crate) struct Fib18;

impl Describe for Fib18 {
    const NAME: &'static str = "fib(18) by blocking joins";
    const ABOUT: &'static str = "4,180 tasks; tokio has too few threads and would hang";
    const TARGET: Option<Target> = Some(Target::Times(10.0, OnRayon::NAME));
}

impl Fib16 {
    pub(crate) fn prepare(contestants: &Contestants) -> Vec<(&'static str, Run)> {
        vec![
            (OnVolt::NAME, run(contestants.volt(), 16)),
            (OnTokio::NAME, run(contestants.tokio(), 16)),
            (OnRayon::NAME, run_on_rayon(16)),
        ]
    }
}

impl Fib18 {
    pub(crate) fn prepare(contestants: &Contestants) -> Vec<(&'static str, Run)> {
        vec![
            (OnVolt::NAME, run(contestants.volt(), 18)),
            (OnRayon::NAME, run_on_rayon(18)),
        ]
    }
}

fn run<E: Joins>(executor: &E, n: u32) -> Run {
    let executor = executor.clone();
    timed(move || {
        let task = executor.spawn(async move { fib::<E>(n) });
        black_box(executor.block_on(E::join(task)));
    })
}

fn fib<E: Joins>(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let other = E::spawn_here(async move { fib::<E>(n - 1) });
    let one = fib::<E>(n - 2);
    one + E::join_here(other)
}

fn run_on_rayon(n: u32) -> Run {
    timed(move || {
        black_box(rayon_fib(black_box(n)));
    })
}

fn rayon_fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (one, other) = rayon::join(|| rayon_fib(n - 1), || rayon_fib(n - 2));
    one + other
}
