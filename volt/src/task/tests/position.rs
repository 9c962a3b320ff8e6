//! The positions of machines in tasks.

use super::support::{Counts, Probe, Queue, ready};
use crate::machine::{State, StateMachine, Transition, register_type, trace_borrowed};
use crate::task::{Registry, shielded, yield_now};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::task::{Context, Poll, Waker};

/// A machine as the macro expands it: it awaits a probe, then another machine.
struct Outer<const TYPE: usize> {
    state: usize,
    probe: Probe<()>,
    inner: Option<Pin<Box<Outer<TYPE>>>>,
    /// If set, the last poll is pending and leaves no waker.
    forgets: bool,
}

const LOCALS: &[crate::machine::Local] = &[];

impl<const TYPE: usize> StateMachine for Outer<TYPE> {
    const NAME: &'static str = "outer";
    const STATES: &'static [State] = &[
        State::new("Outer", 0, "Start", ("outer.rs", 1, 1), LOCALS),
        State::new("Outer", 1, "await probe", ("outer.rs", 2, 7), LOCALS),
        State::new("Outer", 2, "await inner", ("outer.rs", 3, 7), LOCALS),
    ];
    const TRANSITIONS: &'static [Transition] = &[];

    fn state(&self) -> &'static State {
        &Self::STATES[self.state]
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        visit(self.state());
        if let (2, Some(inner)) = (self.state, &self.inner) {
            inner.trace(visit);
        }
    }
}

crate::machine::impl_register! { Outer [const TYPE: usize] [TYPE] }

impl<const TYPE: usize> Outer<TYPE> {
    fn new(inner: Option<Self>, ready_at: usize) -> (Self, Counts) {
        let (probe, counts) = Probe::new(ready_at, ());
        let inner = inner.map(Box::pin);
        (
            Self {
                state: 0,
                probe,
                inner,
                forgets: false,
            },
            counts,
        )
    }
}

impl<const TYPE: usize> Future for Outer<TYPE> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.state == 0 {
            register_type::<Self>();
            self.state = 1;
        }
        if self.state == 1 {
            std::task::ready!(Pin::new(&mut self.probe).poll(cx));
            self.state = 2;
        }
        let forgets = self.forgets;
        match &mut self.inner {
            Some(inner) => inner.as_mut().poll(cx),
            None if forgets => Poll::Pending,
            None => Poll::Ready(()),
        }
    }
}

fn lines(task: &crate::task::TaskInfo) -> Vec<u32> {
    task.position.iter().map(|state| state.line).collect()
}

#[test]
fn inspection_shows_nested_machines() {
    let _registry = Registry::new(1);
    let queue = Queue::new();
    let (inner, inner_counts) = Outer::<0>::new(None, 2);
    let (outer, counts) = Outer::<0>::new(Some(inner), 2);
    let mut handle = queue.spawn(outer);
    let task = handle.task_ref();
    assert!(
        lines(&task.inspect()).iter().all(|&line| line == 1),
        "the type is not registered, or the machine is at its start"
    );
    queue.run_all();
    assert_eq!(lines(&task.inspect()), [2]);
    counts.take_waker().wake();
    assert_eq!(lines(&task.inspect()), [2], "the position of a queued task");
    queue.run_all();
    assert_eq!(lines(&task.inspect()), [3, 2]);
    inner_counts.take_waker().wake();
    queue.run_all();
    assert!(lines(&task.inspect()).is_empty());
    ready(&mut handle).unwrap();
}

/// Walks a future of a type parameter as expanded code does.
fn lines_within<F>(future: &F) -> Vec<u32> {
    let mut lines = Vec::new();
    trace_borrowed(future, &mut |state| lines.push(state.line));
    lines
}

#[test]
fn walk_enters_futures_of_registered_types() {
    let _registry = Registry::new(1);
    let (mut machine, _counts) = Outer::<4>::new(None, 2);
    assert!(lines_within(&machine).is_empty());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(Pin::new(&mut machine).poll(&mut cx).is_pending());
    assert_eq!(lines_within(&machine), [2]);
    assert!(lines_within(&std::future::ready(())).is_empty());
}

#[test]
fn unpolled_task_of_registered_type_is_shown() {
    let _registry = Registry::new(1);
    let queue = Queue::new();
    let (first, _counts) = Outer::<1>::new(None, 0);
    let _first = queue.spawn(first);
    queue.run_all();
    let (second, _counts) = Outer::<1>::new(None, 0);
    let second = queue.spawn(second);
    assert_eq!(lines(&second.task_ref().inspect()), [1]);
    queue.run_all();
}

#[test]
fn machine_in_an_async_block_is_not_shown() {
    let _registry = Registry::new(1);
    let queue = Queue::new();
    let (machine, counts) = Outer::<2>::new(None, 0);
    let handle = queue.spawn(async {
        machine.await;
        std::future::ready(()).await;
    });
    queue.run_all();
    assert!(lines(&handle.task_ref().inspect()).is_empty());
    counts.forget_waker();
    handle.cancel();
    queue.run_all();
}

#[test]
fn orphan_is_reported_with_its_position() {
    let _registry = Registry::new(1);
    let queue = Queue::new();
    let (mut machine, counts) = Outer::<3>::new(None, 1);
    machine.forgets = true;
    let _handle = queue.spawn(machine);
    queue.run_all();
    assert_eq!(counts.polls.get(), 1);
    let orphans = queue.shared().orphans.lock().unwrap();
    assert_eq!(lines(&orphans[0]), [3]);
}

/// Increments the referenced count when it is dropped.
struct CountsOnDrop<'a>(&'a mut u32, Arc<AtomicU32>);

impl Drop for CountsOnDrop<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
        self.1.store(*self.0, SeqCst);
    }
}

/// A future that waits with a reference into itself, and writes through the reference at the end.
async fn refers_to_itself(last: Arc<AtomicU32>) {
    let mut count = 6;
    let counts = CountsOnDrop(&mut count, last);
    yield_now().await;
    drop(counts);
}

fn inspect_while_it_waits<F>(wrap: impl Fn(Arc<AtomicU32>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let _registry = Registry::new(1);
    let queue = Queue::new();
    let last = Arc::new(AtomicU32::new(0));
    let handle = queue.spawn(wrap(Arc::clone(&last)));
    assert!(queue.run_one().is_some());
    assert!(lines(&handle.task_ref().inspect()).is_empty());
    queue.run_all();
    assert_eq!(last.load(SeqCst), 7);
}

/// For Miri: a shared reference to such a future would invalidate the references in it.
#[test]
fn inspection_keeps_self_references_valid() {
    inspect_while_it_waits(refers_to_itself);
}

#[test]
fn inspection_of_wrapper_keeps_self_references_valid() {
    inspect_while_it_waits(|last| shielded(refers_to_itself(last)));
    inspect_while_it_waits(|last| Box::pin(shielded(refers_to_itself(last))));
}
