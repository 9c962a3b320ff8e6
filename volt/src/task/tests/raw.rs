//! Tasks on a custom executor, with counts of polls, schedules and drops.

use super::support::{Bomb, Counter, Counts, Dropped, Probe, poll_once, ready};
use crate::task::raw::{RunOutcome, Runnable, Task, spawn};
use crate::task::{shielded, yield_now};
use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::mpsc::{Receiver, channel};
use std::task::Poll;
use std::thread;

/// A task whose schedule function sends it to a channel, with the count of its calls.
struct Spawned<T> {
    runnable: Option<Runnable>,
    task: Option<Task<T>>,
    queue: Receiver<Runnable>,
    schedules: Counter,
    /// The drops of the schedule function.
    drops: Counter,
}

fn spawned<F>(future: F) -> Spawned<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let (send, queue) = channel();
    let (schedules, drops) = (Counter::default(), Counter::default());
    let (count, guard) = (schedules.clone(), Dropped(drops.clone()));
    let (runnable, task) = spawn(future, move |runnable| {
        let _guard = &guard;
        count.add();
        send.send(runnable).unwrap();
    });
    Spawned {
        runnable: Some(runnable),
        task: Some(task),
        queue,
        schedules,
        drops,
    }
}

impl<T> Spawned<T> {
    fn first(&mut self) -> Runnable {
        self.runnable.take().unwrap()
    }

    fn task(&mut self) -> &mut Task<T> {
        self.task.as_mut().unwrap()
    }
}

/// Returns the numbers of polls and drops of the future.
fn seen(counts: &Counts) -> (usize, usize) {
    (counts.polls.get(), counts.drops.get())
}

#[test]
fn first_runnable_is_not_scheduled() {
    let (probe, counts) = Probe::new(1, 7);
    let mut spawned = spawned(probe);
    assert_eq!((spawned.schedules.get(), seen(&counts)), (0, (0, 0)));
    assert!(matches!(spawned.first().run(), RunOutcome::Complete));
    assert_eq!((spawned.schedules.get(), seen(&counts)), (0, (1, 1)));
    assert_eq!(ready(spawned.task()).unwrap(), 7);
    drop(spawned.task.take());
    assert_eq!(spawned.drops.get(), 1);
}

#[test]
fn runnable_may_be_scheduled_instead_of_run() {
    let (probe, counts) = Probe::new(1, ());
    let mut spawned = spawned(probe);
    spawned.first().schedule();
    assert_eq!((spawned.schedules.get(), seen(&counts)), (1, (0, 0)));
    let runnable = spawned.queue.try_recv().unwrap();
    assert_eq!(runnable.id(), spawned.task().id());
    assert!(matches!(runnable.run(), RunOutcome::Complete));
}

#[test]
fn wakes_up_to_the_next_run_schedule_once() {
    let (probe, counts) = Probe::new(2, ());
    let mut spawned = spawned(probe);
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    for _ in 0..3 {
        counts.wake_by_ref();
    }
    counts.take_waker().wake();
    assert_eq!(spawned.schedules.get(), 1);
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Complete
    ));
    assert_eq!((spawned.schedules.get(), seen(&counts)), (1, (2, 1)));
}

#[test]
fn wake_during_run_returns_the_runnable() {
    let mut spawned = spawned(yield_now());
    let RunOutcome::Woken(runnable) = spawned.first().run() else {
        panic!("the poll wakes the task");
    };
    assert_eq!(spawned.schedules.get(), 0);
    runnable.schedule();
    assert_eq!(spawned.schedules.get(), 1);
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Complete
    ));
}

#[test]
fn waker_of_a_runnable_wakes_its_task() {
    let (probe, counts) = Probe::new(2, ());
    let mut spawned = spawned(probe);
    let runnable = spawned.first();
    let waker = runnable.waker();
    assert!(matches!(runnable.run(), RunOutcome::Idle));
    counts.forget_waker();
    waker.wake();
    assert_eq!(spawned.schedules.get(), 1);
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Complete
    ));
}

#[test]
fn drop_of_the_task_cancels_it_where_it_is_run() {
    let (probe, counts) = Probe::new(0, ());
    let mut spawned = spawned(probe);
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    drop(spawned.task.take());
    assert_eq!((spawned.schedules.get(), seen(&counts)), (1, (1, 0)));
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert_eq!((seen(&counts), spawned.drops.get()), ((1, 1), 0));
    counts.forget_waker();
    assert_eq!(spawned.drops.get(), 1);
}

#[test]
fn detached_task_continues_and_drops_its_output() {
    let output = Counter::default();
    let (probe, counts) = Probe::new(2, Dropped(output.clone()));
    let mut spawned = spawned(probe);
    spawned.task.take().unwrap().detach();
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    counts.take_waker().wake();
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Complete
    ));
    assert_eq!(
        (seen(&counts), output.get(), spawned.drops.get()),
        ((2, 1), 1, 1)
    );
}

#[test]
fn cancel_waits_for_the_end_of_the_future() {
    let (probe, counts) = Probe::new(0, ());
    let mut spawned = spawned(probe);
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    let mut cancel = Box::pin(spawned.task.take().unwrap().cancel());
    assert!(poll_once(&mut cancel).is_pending());
    assert_eq!(counts.drops.get(), 0);
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert_eq!(counts.drops.get(), 1);
    assert!(ready(&mut cancel).unwrap_err().is_cancelled());
}

#[test]
fn cancel_of_a_complete_task_gives_its_output() {
    let (probe, _counts) = Probe::new(1, 7);
    let mut spawned = spawned(probe);
    assert!(matches!(spawned.first().run(), RunOutcome::Complete));
    let mut cancel = Box::pin(spawned.task.take().unwrap().cancel());
    assert_eq!(ready(&mut cancel).unwrap(), 7);
}

#[test]
fn drop_of_the_runnable_cancels_its_task() {
    let (probe, counts) = Probe::new(1, ());
    let mut spawned = spawned(probe);
    drop(spawned.first());
    assert_eq!(seen(&counts), (0, 1));
    assert!(ready(spawned.task()).unwrap_err().is_cancelled());
}

#[test]
fn panics_of_the_future_reach_the_task() {
    let mut polled = spawned(poll_fn(|_| -> Poll<()> { panic!("on purpose") }));
    assert!(matches!(polled.first().run(), RunOutcome::Complete));
    assert!(ready(polled.task()).unwrap_err().is_panic());

    let bomb = Bomb(Counter::default());
    let mut dropped = spawned(async move {
        let _bomb = bomb;
        pending::<()>().await;
    });
    assert!(matches!(dropped.first().run(), RunOutcome::Idle));
    let cancel = dropped.task.take().unwrap().cancel();
    let mut cancel = Box::pin(cancel);
    assert!(poll_once(&mut cancel).is_pending());
    assert!(matches!(
        dropped.queue.try_recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert!(ready(&mut cancel).unwrap_err().is_panic());
}

#[test]
fn last_waker_of_detached_task_queues_its_end() {
    let (probe, counts) = Probe::new(0, ());
    let mut spawned = spawned(probe);
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    spawned.task.take().unwrap().detach();
    assert_eq!(spawned.schedules.get(), 0, "the task has a waker");
    counts.forget_waker();
    assert_eq!((spawned.schedules.get(), counts.drops.get()), (1, 0));
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert_eq!((seen(&counts), spawned.drops.get()), ((1, 1), 1));
}

#[test]
fn orphan_stays_while_its_task_handle_exists() {
    let (probe, counts) = Probe::new(0, ());
    let mut spawned = spawned(shielded(probe));
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    counts.forget_waker();
    assert_eq!((spawned.schedules.get(), counts.drops.get()), (0, 0));
    assert!(poll_once(spawned.task()).is_pending());
    drop(spawned.task.take());
    assert_eq!(spawned.schedules.get(), 1, "a shield does not delay it");
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert_eq!((seen(&counts), spawned.drops.get()), ((1, 1), 1));
}

#[test]
fn detach_of_an_orphan_queues_its_end() {
    let (probe, counts) = Probe::new(0, ());
    let mut spawned = spawned(probe);
    assert!(matches!(spawned.first().run(), RunOutcome::Idle));
    counts.forget_waker();
    spawned.task.take().unwrap().detach();
    assert_eq!((spawned.schedules.get(), counts.drops.get()), (1, 0));
    assert!(matches!(
        spawned.queue.try_recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert_eq!((seen(&counts), spawned.drops.get()), ((1, 1), 1));
}

#[test]
fn poll_without_waker_ends_a_detached_task() {
    let drops = Counter::default();
    let guard = Dropped(drops.clone());
    let mut spawned = spawned(async move {
        let _guard = guard;
        pending::<()>().await;
    });
    spawned.task.take().unwrap().detach();
    assert!(matches!(spawned.first().run(), RunOutcome::Cancelled));
    assert_eq!((drops.get(), spawned.drops.get()), (1, 1));
    assert_eq!(spawned.schedules.get(), 0);
}

#[test]
fn runnables_cross_threads_during_an_await() {
    let (send, queue) = channel::<Runnable>();
    let worker = thread::spawn(move || {
        while let Ok(runnable) = queue.recv() {
            if let RunOutcome::Woken(runnable) = runnable.run() {
                runnable.schedule();
            }
        }
    });
    for _ in 0..if cfg!(miri) { 3 } else { 300 } {
        let send = send.clone();
        let (runnable, task) = spawn(
            async {
                for _ in 0..3 {
                    yield_now().await;
                }
                7
            },
            move |runnable| send.send(runnable).unwrap(),
        );
        runnable.schedule();
        let output = futures_lite::future::block_on(pin!(task));
        assert_eq!(output.unwrap(), 7);
    }
    drop(send);
    worker.join().unwrap();
}
