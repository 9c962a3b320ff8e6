//! The rows: each prepares its tasks, warms up, and does a number of operations.

use std::future::poll_fn;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use super::gate::{Countdown, Gate};
use super::marks::{await_sleep, operation, region};
use super::reference;
use super::runtime::Subject;
use super::signals::{Events, wake_self};

/// The names of the rows, and the operation of each.
pub(crate) const ROWS: &[(&str, &str)] = &[
    ("spawn", "spawn a task and run it; each worker spawns"),
    (
        "join",
        "spawn a task and await it; each worker has one such loop",
    ),
    (
        "self-wake",
        "wake the own task; each worker has one such task",
    ),
    (
        "ping-pong",
        "wake the partner of a pair; there is a pair for each worker",
    ),
    (
        "timer",
        "insert a timer of an hour and cancel it; each worker does so",
    ),
    (
        "fan-out",
        "run one of the tasks that one worker spawned, of 1,500 instructions",
    ),
    (
        "outside-spawn",
        "spawn a task from a thread outside and run it",
    ),
    (
        "outside-wake",
        "wake a task from a thread outside, of many in a row",
    ),
    (
        "wake-parked",
        "wake a task from a thread outside while all workers sleep",
    ),
];

/// Operations before the simulation begins, for each task.
const WARM_UP: usize = 200;

/// Runs a row. The tracer ends the process.
pub(super) fn run<S: Subject>(row: &str, workers: usize, operations: usize) {
    let subject = S::start(workers);
    let each = operations / workers;
    match row {
        "spawn" => on_each_worker(&subject, workers, each, |count| spawn_all::<S>(count, 0)),
        "join" => on_each_worker(&subject, workers, each, join_each::<S>),
        "self-wake" => on_each_worker(&subject, workers, each, wake_each),
        "ping-pong" => on_each_worker(&subject, workers, each, ping_pong::<S>),
        "timer" => on_each_worker(&subject, workers, each, insert_timers::<S>),
        "fan-out" => fan_out(&subject, operations),
        "outside-spawn" => outside_spawn(&subject, operations),
        "outside-wake" => outside_wake(&subject, operations),
        "wake-parked" => wake_parked(&subject, operations),
        "reference-own" => reference::add_alone(operations),
        "reference-shared" => reference::add_by_turns(operations),
        _ => panic!("there is no row {row}"),
    }
    loop {
        std::thread::park();
    }
}

/// Runs a task on each worker: it warms up, and does its operations when all others do.
fn on_each_worker<S, F>(subject: &S, workers: usize, each: usize, work: fn(usize) -> F)
where
    S: Subject,
    F: Future<Output = ()> + Send + 'static,
{
    let shared = Arc::new((Gate::new(workers), Countdown::new(workers)));
    for _ in 0..workers {
        let shared = shared.clone();
        S::detach(subject.spawn(async move {
            let (gate, countdown) = &*shared;
            gate.pass(|| {});
            work(WARM_UP).await;
            gate.pass(await_sleep);
            work(2).await;
            gate.pass(region);
            work(each).await;
            countdown.end_part();
        }));
    }
}

async fn spawn_all<S: Subject>(count: usize, instructions: usize) {
    let events = Arc::new(Events::default());
    let left = Arc::new(AtomicUsize::new(count));
    for _ in 0..count {
        let (left, events) = (left.clone(), events.clone());
        S::detach(S::spawn_here(async move {
            for step in 0..instructions / 3 {
                black_box(step);
            }
            operation();
            if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                events.send();
            }
        }));
        operation();
    }
    events.reach(1).await;
}

async fn join_each<S: Subject>(count: usize) {
    for _ in 0..count {
        S::join(S::spawn_here(async {})).await;
        operation();
    }
}

async fn wake_each(count: usize) {
    for _ in 0..count {
        wake_self().await;
        operation();
    }
}

async fn ping_pong<S: Subject>(count: usize) {
    let both = Arc::new((Events::default(), Events::default()));
    let partner = both.clone();
    let partner = S::spawn_here(async move {
        for round in 1..=count / 2 {
            partner.0.reach(round).await;
            partner.1.send();
            operation();
        }
    });
    for round in 1..=count / 2 {
        both.0.send();
        operation();
        both.1.reach(round).await;
    }
    S::join(partner).await;
}

async fn insert_timers<S: Subject>(count: usize) {
    for _ in 0..count {
        let mut timer = pin!(S::hour());
        poll_fn(|cx| {
            assert!(timer.as_mut().poll(cx).is_pending());
            Poll::Ready(())
        })
        .await;
        operation();
    }
}

fn fan_out<S: Subject>(subject: &S, operations: usize) {
    S::detach(subject.spawn(async move {
        const INSTRUCTIONS: usize = 1500;
        spawn_all::<S>(WARM_UP, INSTRUCTIONS).await;
        await_sleep();
        region();
        spawn_all::<S>(operations, INSTRUCTIONS).await;
        region();
    }));
}

fn outside_spawn<S: Subject>(subject: &S, operations: usize) {
    let warm = Arc::new(Events::default());
    for _ in 0..WARM_UP {
        let warm = warm.clone();
        S::detach(subject.spawn(async move { warm.send() }));
    }
    warm.spin(WARM_UP);
    let countdown = Arc::new(Countdown::new(operations));
    await_sleep();
    await_sleep();
    region();
    for _ in 0..operations {
        let countdown = countdown.clone();
        S::detach(subject.spawn(async move {
            operation();
            countdown.end_part();
        }));
        operation();
    }
}

fn outside_wake<S: Subject>(subject: &S, operations: usize) {
    let warm = Arc::new(Events::default());
    let countdown = Arc::new(Countdown::new(operations));
    let tasks: Vec<_> = (0..operations)
        .map(|_| Arc::new(Events::default()))
        .collect();
    for events in &tasks {
        let (events, warm, countdown) = (events.clone(), warm.clone(), countdown.clone());
        S::detach(subject.spawn(async move {
            events.reach(1).await;
            warm.send();
            events.reach(2).await;
            operation();
            countdown.end_part();
        }));
    }
    tasks.iter().for_each(|events| events.send());
    warm.spin(operations);
    await_sleep();
    await_sleep();
    region();
    for events in &tasks {
        events.send();
        operation();
    }
}

fn wake_parked<S: Subject>(subject: &S, operations: usize) {
    const WARM: usize = 3;
    let (events, answers) = (Arc::new(Events::default()), Arc::new(Events::default()));
    let (sent, answered) = (events.clone(), answers.clone());
    S::detach(subject.spawn(async move {
        for round in 1.. {
            sent.reach(round).await;
            answered.send();
            operation();
        }
    }));
    for round in 1..=WARM {
        events.send();
        answers.spin(round);
    }
    await_sleep();
    await_sleep();
    region();
    for _ in 0..operations {
        events.send();
        operation();
        await_sleep();
    }
    region();
}
