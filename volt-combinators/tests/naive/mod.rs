//! A join as one writes it at first, and the flaws that joins have had.

use std::collections::VecDeque;
use std::future::Future;
use std::hint::black_box;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use volt_combinators::{BoxFuture, FutureExt as _};

pub(crate) type Child = BoxFuture<'static, usize>;
pub(crate) type Joined = BoxFuture<'static, Vec<usize>>;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Flaw {
    None,
    /// Every child is polled whenever one was woken.
    PollsAll,
    /// Every child is looked at whenever one was woken.
    LooksAtAll,
    /// A child that wakes itself is polled again in the same pass.
    PollsAgain,
    /// The parent is woken under the lock that its next poll takes.
    HoldsLock,
    /// Children are polled however many have refused.
    NeverGivesWay,
    /// After a panic it ends as if there had been nothing.
    SwallowsPanics,
    /// Wakers that outlive it keep and wake its parent.
    KeepsParent,
}

/// The woken children, and the waker of the parent.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) woken: VecDeque<usize>,
    parent: Option<Waker>,
}

struct ChildWaker {
    child: usize,
    flaw: Flaw,
    queue: Arc<Mutex<Queue>>,
}

impl Wake for ChildWaker {
    fn wake(self: Arc<Self>) {
        let mut queue = self.queue.lock().unwrap();
        if !queue.woken.contains(&self.child) {
            queue.woken.push_back(self.child);
        }
        let parent = queue.parent.clone();
        let held = (self.flaw == Flaw::HoldsLock).then_some(queue);
        if let Some(parent) = parent {
            parent.wake();
        }
        drop(held);
    }
}

/// A join as one writes it at first.
pub(crate) struct Naive {
    flaw: Flaw,
    children: Vec<Option<Child>>,
    outputs: Vec<Option<usize>>,
    pub(crate) queue: Arc<Mutex<Queue>>,
}

pub(crate) fn naive(flaw: Flaw, children: Vec<Child>) -> Joined {
    Naive::new(flaw, children).boxed()
}

impl Naive {
    pub(crate) fn new(flaw: Flaw, children: Vec<Child>) -> Self {
        let queue = Queue {
            woken: (0..children.len()).collect(),
            parent: None,
        };
        Self {
            flaw,
            outputs: vec![None; children.len()],
            children: children.into_iter().map(Some).collect(),
            queue: Arc::new(Mutex::new(queue)),
        }
    }

    fn take_woken(&self) -> VecDeque<usize> {
        mem::take(&mut self.queue.lock().unwrap().woken)
    }

    fn poll_child(&mut self, child: usize) -> bool {
        let waker = ChildWaker {
            child,
            flaw: self.flaw,
            queue: self.queue.clone(),
        };
        let waker = Waker::from(Arc::new(waker));
        let Some(mut future) = self.children[child].take() else {
            return true;
        };
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            self.outputs[child] = Some(output);
            return true;
        }
        self.children[child] = Some(future);
        false
    }
}

impl Future for Naive {
    type Output = Vec<usize>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<usize>> {
        self.queue.lock().unwrap().parent = Some(cx.waker().clone());
        let mut woken = self.take_woken();
        if self.flaw == Flaw::PollsAll {
            woken = (0..self.children.len()).collect();
        }
        if self.flaw == Flaw::LooksAtAll {
            black_box(self.children.iter().flatten().count());
        }
        let mut refused = 0;
        while let Some(child) = woken.pop_front() {
            refused = if self.poll_child(child) {
                0
            } else {
                refused + 1
            };
            if self.flaw == Flaw::PollsAgain {
                woken.extend(self.take_woken());
            }
            if refused == 64 && self.flaw != Flaw::NeverGivesWay {
                self.queue.lock().unwrap().woken.extend(woken);
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
        if self.children.iter().any(Option::is_some) {
            return Poll::Pending;
        }
        if self.flaw != Flaw::KeepsParent {
            self.queue.lock().unwrap().parent = None;
        }
        if self.flaw == Flaw::SwallowsPanics {
            return Poll::Ready(self.outputs.iter_mut().filter_map(Option::take).collect());
        }
        let outputs = self.outputs.iter_mut().map(|output| output.take().unwrap());
        Poll::Ready(outputs.collect())
    }
}
