//! Seeds: equal seeds give equal orders of events.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;

use futures::channel::mpsc;
use futures::{SinkExt, StreamExt};
use volt::task::yield_now;
use volt::time::{now, sleep};
use volt::{Builder, spawn, spawn_local};

/// The events in their order: the number of a task, and its step.
type Trace = Rc<RefCell<Vec<(u32, u32)>>>;

const TASKS: u32 = 12;

/// Yields, sleeps, sends and spawns, and records each step.
async fn record_steps(number: u32, trace: Trace, mut next: mpsc::Sender<u32>) {
    for step in 0..6 {
        trace.borrow_mut().push((number, step));
        match (number + step) % 4 {
            0 => yield_now().await,
            1 => sleep(Duration::from_millis(u64::from(step))).await,
            2 => next.send(number).await.unwrap(),
            _ => {
                let trace = Rc::clone(&trace);
                let child =
                    spawn_local(async move { trace.borrow_mut().push((number + 100, step)) });
                child.await.unwrap();
            }
        }
    }
}

/// Runs the program with a seed, and returns its trace.
fn trace_of(seed: Option<u64>) -> Vec<(u32, u32)> {
    let mut builder = Builder::new().start_paused(true);
    if let Some(seed) = seed {
        builder = builder.seed(seed);
    }
    let runtime = builder.build_local().unwrap();
    let trace = Trace::default();
    runtime.block_on(async {
        let (sender, mut receiver) = mpsc::channel(0);
        for number in 0..TASKS {
            spawn_local(record_steps(number, Rc::clone(&trace), sender.clone())).detach();
        }
        drop(sender);
        while let Some(number) = receiver.next().await {
            trace.borrow_mut().push((number + 200, 0));
        }
    });
    trace.take()
}

#[test]
fn equal_seeds_give_equal_traces() {
    for seed in 0..20 {
        let first = trace_of(Some(seed));
        assert!(first.len() > TASKS as usize * 6);
        for _ in 0..5 {
            assert_eq!(trace_of(Some(seed)), first, "seed {seed}");
        }
    }
}

#[test]
fn different_seeds_give_different_traces() {
    let traces: HashSet<_> = (0..200).map(|seed| trace_of(Some(seed))).collect();
    assert_eq!(traces.len(), 200);
    assert!(!traces.contains(&trace_of(None)));
}

#[test]
fn order_without_a_seed_follows_the_wakes() {
    let first = trace_of(None);
    assert_eq!(trace_of(None), first);
    let begins: Vec<_> = first
        .iter()
        .filter(|(number, step)| *number < TASKS && *step == 0)
        .collect();
    assert!(begins.is_sorted());
}

/// Each event occurs once under every seed.
#[test]
fn seeds_change_the_order_and_nothing_else() {
    let sorted = |seed| {
        let mut trace = trace_of(seed);
        trace.sort_unstable();
        trace
    };
    let expected = sorted(None);
    assert!((0..50).all(|seed| sorted(Some(seed)) == expected));
}

/// Each of the 24 orders of four tasks occurs.
#[test]
fn every_order_is_drawn() {
    let mut orders = HashSet::new();
    for seed in 0..600 {
        let runtime = Builder::new().seed(seed).build_local().unwrap();
        let order = Rc::new(RefCell::new(String::new()));
        let tasks: Vec<_> = (0..4)
            .map(|number| {
                let order = Rc::clone(&order);
                runtime.spawn_local(async move { write!(order.borrow_mut(), "{number}").unwrap() })
            })
            .collect();
        runtime.block_on(async {
            for task in tasks {
                task.await.unwrap();
            }
        });
        orders.insert(order.take());
    }
    assert_eq!(orders.len(), 24);
}

/// More tasks than the ring can store, and a future of `block_on` that is polled between them.
#[test]
fn overflow_keeps_the_order_of_a_seed() {
    let order_of = |seed| {
        let runtime = Builder::new()
            .seed(seed)
            .start_paused(true)
            .build_local()
            .unwrap();
        let trace = Rc::new(RefCell::new(Vec::new()));
        runtime.block_on(async {
            let begun = now();
            let tasks: Vec<_> = (0..2_000)
                .map(|number| {
                    let trace = Rc::clone(&trace);
                    spawn_local(async move {
                        yield_now().await;
                        trace.borrow_mut().push(number);
                    })
                })
                .collect();
            for (nth, task) in tasks.into_iter().enumerate() {
                task.await.unwrap();
                trace.borrow_mut().push(10_000 + nth);
            }
            spawn(sleep(Duration::from_secs(5))).await.unwrap();
            assert_eq!(now() - begun, Duration::from_secs(5));
        });
        trace.take()
    };
    assert_eq!(order_of(3), order_of(3));
    assert_ne!(order_of(3), order_of(4));
}
