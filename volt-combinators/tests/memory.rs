//! Completed futures take no memory.
#![cfg(feature = "std")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::future::{Future, pending, ready};
use std::num::NonZeroUsize;
use std::task::{Context, Poll, Waker};

use futures::executor::block_on;
use support::{Shelf, poll};
use volt_combinators::{
    FutureGroup, FuturesExt, Group, Policy, join_all, settle_all, try_join_all,
};

/// Sums up the bytes that a thread has allocated and not freed.
struct Summing;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: forwards to the system's allocator.
unsafe impl GlobalAlloc for Summing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get().wrapping_add(layout.size()));
        // SAFETY: forwarded contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get().wrapping_sub(layout.size()));
        // SAFETY: forwarded contract.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static GLOBAL: Summing = Summing;

const ROUNDS: usize = if cfg!(miri) { 100 } else { 10_000 };
/// Far less than a byte a round.
const FEW: usize = 4096;

/// How many bytes more there are after it.
fn growth(run: impl FnOnce()) -> usize {
    let before = BYTES.get();
    run();
    BYTES.get().saturating_sub(before)
}

#[test]
fn removed_unstarted_future_takes_no_memory() {
    let one = NonZeroUsize::MIN;
    let mut group = FutureGroup::new().limit(one);
    group.insert(pending::<()>());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(group.poll_next(&mut cx).is_pending());
    let grown = growth(|| {
        for _ in 0..ROUNDS {
            let id = group.insert(pending());
            assert!(group.remove(id));
        }
    });
    assert_eq!((group.len(), grown), (1, 0));
}

#[test]
fn removed_queued_future_keeps_the_queue_order() {
    let mut group = FutureGroup::new().limit(NonZeroUsize::MIN);
    let ids: Vec<_> = (0..5).map(|n| group.insert(ready(n))).collect();
    for at in [0, 2, 4] {
        assert!(group.remove(ids[at]));
    }
    group.insert(ready(5));
    let mut cx = Context::from_waker(Waker::noop());
    let mut outputs = Vec::new();
    while let Poll::Ready(Some((_, output))) = group.poll_next(&mut cx) {
        outputs.push(output);
    }
    assert_eq!(outputs, [1, 3, 5]);
}

#[test]
fn dropped_queued_child_takes_no_memory() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone()).limit(NonZeroUsize::MIN);
    group.spawn(pending::<()>());
    let mut running = shelf.take();
    assert!(poll(running.as_mut(), Waker::noop()).is_pending());
    let mut cx = Context::from_waker(Waker::noop());
    let grown = growth(|| {
        for _ in 0..ROUNDS {
            group.spawn(pending());
            let mut queued = shelf.take();
            assert!(poll(queued.as_mut(), Waker::noop()).is_pending());
            drop(queued);
            assert!(group.poll_next(&mut cx).is_ready());
        }
    });
    assert!(grown < FEW, "{grown} bytes");
}

#[test]
fn finished_children_take_no_memory() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone());
    let mut cx = Context::from_waker(Waker::noop());
    let grown = growth(|| {
        let spawned = (0..ROUNDS / 10).map(|_| {
            group.spawn(ready(()));
            shelf.take()
        });
        let children: Vec<_> = spawned.collect();
        for mut child in children {
            assert!(poll(child.as_mut(), Waker::noop()).is_ready());
        }
        while let Poll::Ready(Some(_)) = group.poll_next(&mut cx) {}
    });
    assert!(group.is_empty());
    assert!(grown < FEW, "{grown} bytes");
}

/// Spawns a child into the group and runs it to its end.
fn run_child<T, C>(group: &Group<T, Shelf>, shelf: &Shelf, child: C)
where
    T: Send + 'static,
    C: Future<Output = T> + Send + 'static,
{
    group.spawn(child);
    assert!(poll(shelf.take().as_mut(), Waker::noop()).is_ready());
}

#[test]
fn detached_group_stores_no_outcomes() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone()).detached();
    let grown = growth(|| (0..ROUNDS).for_each(|n| run_child(&group, &shelf, ready(n))));
    assert!(grown < FEW, "{grown} bytes");
    assert_eq!((group.len(), group.live()), (0, 0));
    assert_eq!(block_on(group.wait()).unwrap(), []);
}

#[test]
fn failed_detached_group_keeps_the_first_panic() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone()).detached();
    run_child(&group, &shelf, async { panic!("first") });
    assert!(group.is_cancelled());
    group.spawn(ready(()));
    assert_eq!(group.len(), 1);
    assert_eq!(support::panics(|| block_on(group.wait())), "first");

    let mut group = Group::new(shelf.clone())
        .policy(Policy::Supervise)
        .detached();
    run_child(&group, &shelf, async { panic!("alone") });
    run_child(&group, &shelf, ready(()));
    assert!(block_on(group.next()).is_none());
}

#[test]
fn len_counts_live_children_and_stored_outcomes() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone());
    (0..3).for_each(|n| run_child(&group, &shelf, ready(n)));
    group.spawn(pending());
    assert_eq!((group.len(), group.live()), (4, 1));
    assert!(block_on(group.next()).is_some());
    assert_eq!((group.len(), group.live()), (3, 1));
}

#[test]
fn taken_outcomes_free_the_memory_of_a_burst() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone());
    group.spawn(pending());
    let _lives = shelf.take();
    run_child(&group, &shelf, ready(0));
    let grown = growth(|| {
        (0..ROUNDS).for_each(|n| run_child(&group, &shelf, ready(n)));
        (0..ROUNDS).for_each(|_| assert!(block_on(group.next()).is_some()));
    });
    assert_eq!(group.len(), 2);
    assert!(grown < FEW, "{grown} bytes");
}

/// A future of some kilobytes.
fn large(n: usize) -> impl Future<Output = Result<usize, ()>> {
    let buffer = [n; 512];
    async move {
        ready(()).await;
        Ok(std::hint::black_box(&buffer)[7])
    }
}

/// Returns the unused capacity of a vector, in bytes.
fn unused<T>(outputs: &Vec<T>) -> usize {
    (outputs.capacity() - outputs.len()) * size_of::<T>()
}

#[test]
fn outputs_of_large_futures_keep_none_of_their_memory() {
    let row = || (0..100).map(large);
    let outputs = block_on(join_all(row()));
    assert_eq!(unused(&outputs), 0);
    let outputs = block_on(row().collect::<Vec<_>>().join());
    assert_eq!(unused(&outputs), 0);
    let outputs = block_on(row().collect::<Box<[_]>>().join());
    assert_eq!(unused(&outputs), 0);
    let values = block_on(try_join_all(row())).unwrap();
    assert_eq!(unused(&values), 0);
    let values = block_on(settle_all(row())).unwrap();
    assert_eq!(unused(&values), 0);
}
