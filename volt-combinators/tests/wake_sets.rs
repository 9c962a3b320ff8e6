//! The wake sets of the process, as an inspection finds them.
#![cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use volt_combinators::{FutureGroup, for_each_wake_set, parent_of_child_waker};

struct Flag;

impl Wake for Flag {
    fn wake(self: Arc<Self>) {}
}

/// Stores its waker, and is never ready.
#[derive(Clone, Default)]
struct Stored(Arc<Mutex<Option<Waker>>>);

impl Future for Stored {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        *self.0.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// Returns the numbers of woken children of the sets of a parent.
fn woken(parent: &Waker) -> Vec<u32> {
    let mut woken = Vec::new();
    for_each_wake_set(|set| {
        if set.parent == parent.data().addr() {
            woken.push(set.woken);
        }
    });
    woken
}

fn poll_group(group: &mut FutureGroup<Stored>, parent: &Waker) {
    let polled = pin!(group.next()).poll(&mut Context::from_waker(parent));
    assert!(polled.is_pending());
}

#[test]
fn set_is_in_the_table_while_it_lives() {
    let parent = Waker::from(Arc::new(Flag));
    let children: [Stored; 40] = std::array::from_fn(|_| Stored::default());
    let mut group = FutureGroup::new();
    children.iter().for_each(|child| {
        group.insert(child.clone());
    });
    assert_eq!(woken(&parent), []);
    poll_group(&mut group, &parent);
    assert_eq!(woken(&parent), [0]);
    for child in [3, 35, 39] {
        let waker = children[child].0.lock().unwrap().take().unwrap();
        let of_child = parent_of_child_waker(waker.data().addr());
        assert_eq!(of_child, Some(parent.data().addr()));
        waker.wake();
    }
    assert_eq!(woken(&parent), [3]);
    poll_group(&mut group, &parent);
    assert_eq!(woken(&parent), [0]);
    let held = children[0].0.lock().unwrap().clone().unwrap();
    drop(group);
    children
        .iter()
        .for_each(|child| *child.0.lock().unwrap() = None);
    drop(held);
    assert_eq!(woken(&parent), []);
    assert_eq!(parent_of_child_waker(parent.data().addr()), None);
}

#[test]
fn sets_are_read_while_others_end() {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let parent = Waker::from(Arc::new(Flag));
                for _ in 0..if cfg!(miri) { 10 } else { 20_000 } {
                    let child = Stored::default();
                    let mut group = FutureGroup::new();
                    group.insert(child.clone());
                    poll_group(&mut group, &parent);
                    child.0.lock().unwrap().take().unwrap().wake();
                }
                is_over.store(true, Ordering::Relaxed);
            });
        }
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for_each_wake_set(|set| assert!(set.woken <= 1_000));
            }
        });
    });
}
