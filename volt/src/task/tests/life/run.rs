//! Runs of a task up to its completion.

use crate::task::memory::Cell;
use crate::task::tests::support::{Counter, Dropped, Probe, Queue, poll_once, ready};
use crate::task::{NamedMetadata, RunOutcome, TaskInfo, id, yield_now};
use std::future::{Ready, poll_fn};
use std::panic::Location;
use std::sync::atomic::Ordering::SeqCst;
use std::task::Poll;

#[test]
fn spawn_and_run_gives_output() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, 7_u64);
    let mut handle = queue.spawn(probe);
    assert_eq!(counts.polls.get(), 0);
    assert!(!handle.is_finished());
    assert!(poll_once(&mut handle).is_pending());
    assert_eq!(queue.run_all(), 1);
    assert_eq!(counts.polls.get(), 1);
    assert!(handle.is_finished());
    assert_eq!(ready(&mut handle).unwrap(), 7);
    assert_eq!(queue.shared().schedules.load(SeqCst), 0);
}

#[test]
fn ready_future_is_dropped_before_output_is_read() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, 7_u64);
    let handle = queue.spawn(probe);
    queue.run_all();
    assert_eq!(counts.drops.get(), 1);
    drop(handle);
    assert_eq!(counts.drops.get(), 1);
}

#[test]
#[cfg(target_pointer_width = "64")]
fn task_of_eight_bytes_takes_72() {
    assert_eq!(size_of::<crate::task::reference::Header>(), 48);
    type Smallest = Cell<Ready<u64>, Box<u64>, &'static Location<'static>>;
    assert!(size_of::<Ready<u64>>() <= 16);
    assert_eq!(size_of::<Smallest>(), 64 + size_of::<Ready<u64>>());
    struct Eight(#[expect(dead_code, reason = "the test needs its size only")] u64);
    impl Future for Eight {
        type Output = u64;
        fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<u64> {
            Poll::Pending
        }
    }
    assert_eq!(
        size_of::<Cell<Eight, Box<u64>, &'static Location<'static>>>(),
        72
    );
}

#[test]
fn output_larger_than_future_is_stored() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async { [3_u8; 1000] });
    queue.run_all();
    assert_eq!(ready(&mut handle).unwrap(), [3; 1000]);
}

#[test]
fn overaligned_future_and_output_are_aligned() {
    #[repr(align(256))]
    struct Wide(u8);
    let queue = Queue::new();
    let mut wide = Wide(4);
    let mut handle = queue.spawn(poll_fn(move |_| {
        assert_eq!((&raw const wide).addr() % 256, 0);
        wide.0 += 1;
        Poll::Ready(Wide(wide.0))
    }));
    queue.run_all();
    assert_eq!(ready(&mut handle).unwrap().0, 5);
}

#[test]
fn output_without_size_needs_no_room() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    queue.run_all();
    ready(&mut handle).unwrap();
}

#[test]
fn yield_reschedules_once_each_time() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {
        yield_now().await;
        yield_now().await;
    });
    assert_eq!(queue.run_all(), 3);
    assert_eq!(queue.shared().reschedules.load(SeqCst), 2);
    assert_eq!(queue.shared().schedules.load(SeqCst), 0);
    ready(&mut handle).unwrap();
}

#[test]
fn run_returns_a_woken_task() {
    let queue = Queue::new();
    let (task, _handle) = queue.spawn_unqueued(yield_now());
    let RunOutcome::Woken(task) = task.run() else {
        panic!("the future yields");
    };
    assert!(matches!(task.run(), RunOutcome::Complete));
}

#[test]
fn id_in_task_equals_id_of_handle() {
    let queue = Queue::new();
    assert_eq!(id(), None);
    let mut handle = queue.spawn(async { id() });
    let expected = handle.id();
    queue.run_all();
    assert_eq!(ready(&mut handle).unwrap(), Some(expected));
    assert_eq!(handle.id(), expected);
    assert_eq!(id(), None);
}

#[test]
fn id_nests_when_a_task_runs_another() {
    let queue = Queue::new();
    let (inner, _inner_handle) = queue.spawn_unqueued(async { assert!(id().is_some()) });
    let inner_id = inner.id();
    let mut outer = queue.spawn(async move {
        let before = id();
        assert!(matches!(inner.run(), RunOutcome::Complete));
        assert_eq!(id(), before);
        before
    });
    queue.run_all();
    assert_ne!(ready(&mut outer).unwrap(), Some(inner_id));
}

#[test]
fn id_is_set_during_the_drop_of_a_future() {
    struct CountsInTask(Counter);
    impl Drop for CountsInTask {
        fn drop(&mut self) {
            if id().is_some() {
                self.0.add();
            }
        }
    }
    let queue = Queue::new();
    let count = Counter::default();
    let guard = CountsInTask(count.clone());
    let handle = queue.spawn(async move { drop(guard) });
    handle.cancel();
    queue.run_all();
    assert_eq!(count.get(), 1);
}

#[test]
fn inspection_reports_name_and_spawn_location() {
    let queue = Queue::new();
    let here = Location::caller();
    let (task, handle) = queue.spawn_with(
        std::future::pending::<()>(),
        NamedMetadata::new("ann", here),
    );
    let TaskInfo {
        name,
        location,
        future_size,
        polls,
        ..
    } = handle.task_ref().inspect();
    assert_eq!(name.as_deref(), Some("ann"));
    assert_eq!(location, here);
    assert_eq!((future_size, polls), (0, 0));
    drop(task);
}

#[test]
fn release_is_called_once_before_the_handle_wakes() {
    let queue = Queue::new();
    let dropped = Counter::default();
    let output = Dropped(dropped.clone());
    let handle = queue.spawn(async { output });
    let id = handle.id();
    queue.run_all();
    assert_eq!(*queue.shared().released.lock().unwrap(), [id]);
    drop(handle);
    assert_eq!(dropped.get(), 1);
    assert_eq!(queue.shared().released.lock().unwrap().len(), 1);
}

#[test]
#[should_panic(expected = "after its result was taken")]
fn handle_polled_again_panics() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    queue.run_all();
    ready(&mut handle).unwrap();
    let _ = poll_once(&mut handle);
}

#[test]
fn budget_ends_an_endless_poll() {
    let queue = Queue::new();
    let mut handle = queue.spawn(poll_fn(|cx| {
        for count in 0.. {
            match crate::task::poll_proceed(cx) {
                Poll::Ready(budget) => budget.made_progress(),
                Poll::Pending => return Poll::Ready(count),
            }
        }
        unreachable!("the budget is limited")
    }));
    queue.run_one();
    assert_eq!(ready(&mut handle).unwrap(), 128);
}

#[test]
fn budget_is_returned_without_progress() {
    let queue = Queue::new();
    let mut handle = queue.spawn(poll_fn(|cx| {
        for _ in 0..1000 {
            assert!(crate::task::poll_proceed(cx).is_ready());
        }
        Poll::Ready(())
    }));
    queue.run_one();
    ready(&mut handle).unwrap();
}

#[test]
fn budget_is_unlimited_outside_of_tasks() {
    let mut outside = Box::pin(poll_fn(|cx| {
        for _ in 0..1000 {
            match crate::task::poll_proceed(cx) {
                Poll::Ready(budget) => budget.made_progress(),
                Poll::Pending => panic!("outside of tasks"),
            }
        }
        Poll::Ready(())
    }));
    ready(&mut outside);
}
