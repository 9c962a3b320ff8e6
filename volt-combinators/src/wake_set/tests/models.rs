//! Loom models of the wake set.

use core::task::Waker;

use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::vec::Vec;
use loom::cell::UnsafeCell;
use loom::sync::Notify;
use loom::thread;

use super::super::set::WakeSet;
use super::super::word::CHILDREN;

/// A parent that remembers one wake, as an executor's task word would.
struct Parent(Notify);

impl Wake for Parent {
    fn wake(self: Arc<Self>) {
        self.0.notify();
    }
}

fn parent() -> (Arc<Parent>, Waker) {
    let parent = Arc::new(Parent(Notify::new()));
    (parent.clone(), parent.into())
}

/// As combinators do it.
fn pass(set: &mut WakeSet, parent: &Waker) -> Vec<usize> {
    if set.block.is_solo() {
        let mut pass = set.begin_solo(parent, false);
        let woken = core::iter::from_fn(|| Some(pass.next()?.0)).collect();
        pass.end();
        return woken;
    }
    let mut pass = set.begin(parent, false);
    core::iter::from_fn(|| Some(pass.next()?.0)).collect()
}

/// Values that children write before they wake, recorded by loom.
type Progress = Arc<Vec<UnsafeCell<bool>>>;

fn progress(len: usize) -> Progress {
    Arc::new((0..len).map(|_| UnsafeCell::new(false)).collect())
}

/// Starts a thread that does a child's work and wakes it.
fn wakes(set: &WakeSet, child: usize, progress: &Progress) -> thread::JoinHandle<()> {
    let waker = Waker::clone(&set.waker(child));
    let progress = progress.clone();
    thread::spawn(move || {
        // SAFETY: the owner looks only after the wake.
        progress[child].with_mut(|done| unsafe { *done = true });
        waker.wake();
    })
}

/// Polls again whenever it was woken, until `wanted` children came, and looks at what they did. A
/// lost wake is a deadlock.
fn drain(set: &mut WakeSet, parent: &Parent, waker: &Waker, wanted: usize, progress: &Progress) {
    let mut seen = pass(set, waker);
    while seen.len() < wanted {
        parent.0.wait();
        seen.extend(pass(set, waker));
    }
    for child in seen {
        // SAFETY: the child wrote before it woke.
        assert!(progress[child].with(|done| unsafe { *done }));
    }
}

/// Two children wake while the owner takes the woken ones: none is lost, and the parent is woken.
fn wake_against_drain(len: usize, children: [usize; 2]) {
    loom::model(move || {
        let (count, waker) = parent();
        let mut set = WakeSet::of(len, &waker);
        pass(&mut set, &waker);
        let progress = progress(len);
        let threads = children.map(|child| wakes(&set, child, &progress));
        drain(&mut set, &count, &waker, 2, &progress);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn wake_against_drain_in_one_group() {
    wake_against_drain(3, [0, 1]);
}

#[test]
fn wake_against_drain_in_two_groups() {
    wake_against_drain(CHILDREN + 1, [0, CHILDREN]);
}

/// A pass that is cut short leaves one child for the next while another wakes.
#[test]
fn wake_against_a_stopped_pass() {
    loom::model(|| {
        let (count, waker) = parent();
        let mut set = WakeSet::of(3, &waker);
        pass(&mut set, &waker);
        let progress = progress(3);
        for child in [0, 1] {
            // SAFETY: no other thread has access yet.
            progress[child].with_mut(|done| unsafe { *done = true });
            set.waker(child).wake_by_ref();
        }
        let thread = wakes(&set, 2, &progress);
        let mut early = set.begin_solo(&waker, true);
        assert_eq!(early.next().unwrap().0, 0);
        early.end();
        drain(&mut set, &count, &waker, 2, &progress);
        thread.join().unwrap();
    });
}

/// The owner replaces its waker while children wake, one of which may be calling the old waker.
/// Either the new waker is called, or the pass sees the child.
#[test]
fn registration_against_wake() {
    loom::model(|| {
        let (_, old) = parent();
        let (count, new) = parent();
        let mut set = WakeSet::of(3, &old);
        pass(&mut set, &old);
        let progress = progress(3);
        let threads = [1, 2].map(|child| wakes(&set, child, &progress));
        drain(&mut set, &count, &new, 2, &progress);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// The same in a set that is too large to look at each group when the waker changes.
#[test]
fn registration_against_wake_in_many_groups() {
    loom::model(|| {
        let len = 8 * CHILDREN + 1;
        let (_, old) = parent();
        let (count, new) = parent();
        let mut set = WakeSet::of(len, &old);
        pass(&mut set, &old);
        let progress = progress(2);
        let thread = wakes(&set, 1, &progress);
        drain(&mut set, &count, &new, 1, &progress);
        thread.join().unwrap();
    });
}

/// Another task continues a pass that stopped early. A child that wakes meanwhile is seen by that
/// task, though its wake may have reached the first task.
#[test]
fn wake_against_a_continued_pass() {
    loom::model(|| {
        let (_, old) = parent();
        let (count, new) = parent();
        let mut set = WakeSet::of(CHILDREN + 1, &old);
        [0, CHILDREN].map(|child| set.waker(child).wake_by_ref());
        assert_eq!(set.begin(&old, false).next().unwrap().0, 0);
        assert!(set.has_remaining());
        let progress = progress(2);
        let thread = wakes(&set, 1, &progress);
        let mut rest = set.resume(&new, false);
        assert_eq!(rest.next().unwrap().0, CHILDREN);
        assert!(rest.next().is_none());
        rest.wake_parent_if_woken();
        drop(rest);
        let mut seen = Vec::new();
        while seen.is_empty() {
            count.0.wait();
            seen = pass(&mut set, &new);
        }
        assert_eq!(seen, [1]);
        thread.join().unwrap();
    });
}

/// Two sets of two groups each: the list is taken while one group goes there and another has gone.
#[test]
fn dropped_set_of_two_groups_against_late_wakes() {
    loom::model(|| {
        let (count, waker) = parent();
        let set = WakeSet::of(CHILDREN + 1, &waker);
        let threads = [0, CHILDREN].map(|child| {
            let child = Waker::clone(&set.waker(child));
            thread::spawn(move || child.wake())
        });
        drop(set);
        for thread in threads {
            thread.join().unwrap();
        }
        drop(waker);
        assert_eq!(Arc::strong_count(&count), 1);
    });
}

/// The set goes while a child wakes: the parent's waker and the block are freed exactly once.
#[test]
fn dropped_set_against_late_wake() {
    loom::model(|| {
        let (count, waker) = parent();
        let mut set = WakeSet::of(3, &waker);
        pass(&mut set, &waker);
        let child = Waker::clone(&set.waker(0));
        let thread = thread::spawn(move || {
            child.wake_by_ref();
            child.wake();
        });
        drop(set);
        thread.join().unwrap();
        drop(waker);
        assert_eq!(Arc::strong_count(&count), 1);
    });
}

/// Two children wake one after the other in the same group while the owner takes down, then goes:
/// both may be waking the parent at once, and the last of them drops its waker.
#[test]
fn two_wakes_at_once_against_drop() {
    loom::model(|| {
        let (count, waker) = parent();
        let mut set = WakeSet::of(3, &waker);
        let threads = [0, 1].map(|child| {
            let child = Waker::clone(&set.waker(child));
            thread::spawn(move || child.wake())
        });
        pass(&mut set, &waker);
        drop(set);
        for thread in threads {
            thread.join().unwrap();
        }
        drop(waker);
        assert_eq!(Arc::strong_count(&count), 1);
    });
}

/// Clones that the owner's thread hands out without counting are dropped, and cloned, elsewhere.
#[test]
fn uncounted_clones_against_drop() {
    loom::model(|| {
        let (_, waker) = parent();
        let mut set = WakeSet::of(3, &waker);
        let pass = set.begin(&waker, false);
        let child = Waker::clone(&pass.waker(0));
        let thread = thread::spawn(move || {
            let other = child.clone();
            drop(child);
            other.wake();
        });
        drop(Waker::clone(&pass.waker(1)));
        drop(pass);
        drop(set);
        thread.join().unwrap();
    });
}

/// Returns `true` if the set drops the parent's waker, once the owner has run for as long as it is
/// woken. The test has two references itself.
fn keeps_none(set: &mut WakeSet, parent: &Arc<Parent>, waker: &Waker) -> bool {
    loop {
        pass(set, waker);
        set.drop_parent_if_unreachable();
        if Arc::strong_count(parent) == 2 {
            return true;
        }
        parent.0.wait();
    }
}

/// The last wakers are dropped while the owner checks: the owner drops the parent's waker, or the
/// parent is woken for that. Otherwise the model waits forever.
fn last_wakers_against_rest(len: usize, children: [usize; 2]) {
    loom::model(move || {
        let (count, waker) = parent();
        let mut set = WakeSet::of(len, &waker);
        let wakers = {
            let pass = set.begin(&waker, false);
            children.map(|child| Waker::clone(&pass.waker(child)))
        };
        let threads = wakers.map(|waker| thread::spawn(move || drop(waker)));
        assert!(keeps_none(&mut set, &count, &waker));
        for thread in threads {
            thread.join().unwrap();
        }
        drop(set);
    });
}

/// The last waker is used up by a wake while the owner looks: its child leaves no other.
#[test]
fn last_wake_against_rest() {
    loom::model(|| {
        let (count, waker) = parent();
        let mut set = WakeSet::of(3, &waker);
        let child = Waker::clone(&set.begin(&waker, false).waker(0));
        let thread = thread::spawn(move || child.wake());
        assert!(keeps_none(&mut set, &count, &waker));
        thread.join().unwrap();
    });
}

#[test]
fn last_wakers_of_one_group_against_rest() {
    last_wakers_against_rest(3, [0, 1]);
}

#[test]
fn last_wakers_of_two_groups_against_rest() {
    last_wakers_against_rest(CHILDREN + 1, [0, CHILDREN]);
}

/// The last waker is dropped together with the owner: the block and the parent's waker are freed
/// once.
#[test]
fn last_waker_against_drop() {
    loom::model(|| {
        let (count, waker) = parent();
        let mut set = WakeSet::of(3, &waker);
        let child = Waker::clone(&set.begin(&waker, false).waker(0));
        let thread = thread::spawn(move || drop(child));
        drop(set);
        thread.join().unwrap();
        drop(waker);
        assert_eq!(Arc::strong_count(&count), 1);
    });
}
