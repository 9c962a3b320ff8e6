//! Children whose every step the benchmark decides, and the parent that polls them.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A parent's waker as tasks have it: counted, and a word to set.
struct Parent(AtomicUsize);

impl Wake for Parent {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The order in which children are woken and complete.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// They turn ready one at a time, in a random order; the parent is polled after each.
    OneByOne,
    /// They turn ready all at once, after the first poll of the parent.
    Burst,
    /// They are ready from the start.
    Ready,
    /// All are woken, one at a time, before the last one of them turns ready.
    Noise,
    /// Each wakes itself this many times, then it is ready.
    SelfWaking(u32),
    /// They are ready as long as the budget of a poll of the parent lasts, and wake themselves if
    /// it does not.
    Budgeted(u32),
}

/// The gate of one child.
#[derive(Default)]
pub(crate) struct Gate {
    open: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    polls: Cell<u32>,
}

impl Gate {
    fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

pub(crate) struct Child<'a> {
    gate: &'a Gate,
    setting: &'a Setting,
    number: u64,
}

impl Future for Child<'_> {
    type Output = u64;

    /// A call that is not inlined, as the call of a working child is not.
    #[inline(never)]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u64> {
        let gate = self.gate;
        gate.polls.set(gate.polls.get() + 1);
        let wakes_itself = match self.setting.kind {
            Kind::SelfWaking(times) if gate.polls.get() <= times => true,
            Kind::SelfWaking(_) => return Poll::Ready(self.number),
            Kind::Budgeted(_) => match self.setting.budget.get().checked_sub(1) {
                Some(left) => {
                    self.setting.budget.set(left);
                    return Poll::Ready(self.number);
                }
                None => true,
            },
            _ if gate.open.get() => return Poll::Ready(self.number),
            _ => false,
        };
        if wakes_itself {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut waker = gate.waker.borrow_mut();
        match &mut *waker {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

/// A number of children and what becomes of them.
pub(crate) struct Setting {
    pub(crate) kind: Kind,
    gates: Vec<Gate>,
    order: Vec<usize>,
    parent: Arc<Parent>,
    budget: Cell<u32>,
    /// The size of the future that was driven last.
    pub(crate) size: Cell<usize>,
}

impl Setting {
    pub(crate) fn new(kind: Kind, len: usize) -> Self {
        let mut order: Vec<_> = (0..len).collect();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for n in (1..len).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            order.swap(n, (state % (n as u64 + 1)) as usize);
        }
        Self {
            kind,
            gates: (0..len).map(|_| Gate::default()).collect(),
            order,
            parent: Arc::new(Parent(AtomicUsize::new(0))),
            budget: Cell::new(0),
            size: Cell::new(0),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn reset(&self) {
        for gate in &self.gates {
            gate.open.set(self.kind == Kind::Ready);
            gate.waker.take();
            gate.polls.set(0);
        }
    }

    pub(crate) fn child(&self, n: usize) -> Child<'_> {
        Child {
            gate: &self.gates[n],
            setting: self,
            number: n as u64,
        }
    }

    /// The children as a program has them before it joins them.
    pub(crate) fn children(&self) -> Vec<Child<'_>> {
        (0..self.len()).map(|n| self.child(n)).collect()
    }

    pub(crate) fn array<const N: usize>(&self) -> [Child<'_>; N] {
        std::array::from_fn(|n| self.child(n))
    }

    /// Polls while woken; wakes one more child whenever none is woken.
    pub(crate) fn drive<F: Future>(&self, future: F) -> F::Output {
        self.size.set(size_of::<F>());
        let mut future = pin!(future);
        let waker = Waker::from(self.parent.clone());
        let mut cx = Context::from_waker(&waker);
        let mut order = self.order.iter();
        loop {
            let wakes = self.parent.0.load(Ordering::Relaxed);
            if let Kind::Budgeted(budget) = self.kind {
                self.budget.set(budget);
            }
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return output;
            }
            if self.parent.0.load(Ordering::Relaxed) == wakes {
                let turns = if self.kind == Kind::Burst {
                    self.len()
                } else {
                    1
                };
                for _ in 0..turns {
                    let gate = &self.gates[*order.next().expect("all are open")];
                    let opens = self.kind != Kind::Noise || order.len() == 0;
                    gate.open.set(opens);
                    gate.wake();
                }
            }
        }
    }

    pub(crate) fn polls(&self) -> f64 {
        let polls: u32 = self.gates.iter().map(|gate| gate.polls.get()).sum();
        f64::from(polls) / self.gates.len() as f64
    }
}
