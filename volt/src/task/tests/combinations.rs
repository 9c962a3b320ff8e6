//! All combinations of events in the life of one task.

use super::support::{Counter, Flag, Queue, poll_with};
use crate::task::{JoinError, JoinHandle, shielded};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Panics {
    Never,
    InPoll(usize),
    InDrop,
    /// In the destructor of the output.
    OfOutput,
    InPollAndDrop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handle {
    /// Polled at the end.
    Read,
    /// Polled after the first run too, so that it stores a waker.
    Awaited,
    DroppedFirst,
    DroppedBetween,
    AwaitedAndDropped,
    DroppedLast,
}

/// The time of the cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cancel {
    Never,
    First,
    Between,
    Last,
}

/// The use of the waker of the first poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waking {
    ByRef,
    ByValue,
    Twice,
    Dropped,
    /// Woken in the poll.
    Within,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    /// The number of the last poll, or 0 for none.
    ready_at: usize,
    panics: Panics,
    handle: Handle,
    cancel: Cancel,
    waking: Waking,
    shielded: bool,
}

/// The result of the handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Output,
    Cancelled,
    Panicked,
    Nothing,
}

/// The counts of created and dropped values.
#[derive(Clone, Default)]
struct Books {
    polls: Counter,
    drops: Counter,
    outputs: Counter,
    output_drops: Counter,
    waker: Arc<Mutex<Option<Waker>>>,
}

struct Subject(Case, Books);
struct Output(Case, Books);

impl Future for Subject {
    type Output = Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Output> {
        let Self(case, books) = &*self;
        books.polls.add();
        let poll = books.polls.get();
        match case.panics {
            Panics::InPoll(nth) => assert_ne!(nth, poll, "on purpose"),
            Panics::InPollAndDrop => panic!("on purpose"),
            _ => {}
        }
        if poll == case.ready_at {
            books.outputs.add();
            return Poll::Ready(Output(*case, books.clone()));
        }
        match case.waking {
            Waking::Within if poll == 1 => cx.waker().wake_by_ref(),
            _ => *books.waker.lock().unwrap() = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        self.1.drops.add();
        let bomb = matches!(self.0.panics, Panics::InDrop | Panics::InPollAndDrop);
        assert!(!bomb, "on purpose");
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.1.output_drops.add();
        assert_ne!(self.0.panics, Panics::OfOutput, "on purpose");
    }
}

impl Case {
    fn all() -> impl Iterator<Item = Self> {
        use {Cancel as C, Handle as H, Panics as P, Waking as W};
        let panics = [
            P::Never,
            P::InPoll(1),
            P::InPoll(2),
            P::InDrop,
            P::OfOutput,
            P::InPollAndDrop,
        ];
        let handles = [H::Read, H::Awaited, H::DroppedFirst, H::DroppedBetween];
        let handles = handles
            .into_iter()
            .chain([H::AwaitedAndDropped, H::DroppedLast]);
        let cancels = [C::Never, C::First, C::Between, C::Last];
        let wakings = [W::ByRef, W::ByValue, W::Twice, W::Dropped, W::Within];
        let handles: Vec<_> = handles.collect();
        let count = 3 * panics.len() * handles.len() * cancels.len() * wakings.len() * 2;
        (0..count).map(move |mut number| {
            let mut draw = |among: usize| {
                let drawn = number % among;
                number /= among;
                drawn
            };
            Self {
                ready_at: draw(3),
                panics: panics[draw(panics.len())],
                handle: handles[draw(handles.len())],
                cancel: cancels[draw(cancels.len())],
                waking: wakings[draw(wakings.len())],
                shielded: draw(2) == 1,
            }
        })
    }

    /// Returns the expected result of the handle, by the rules and not by the code.
    fn expected(self) -> Outcome {
        let dropped = matches!(self.panics, Panics::InDrop);
        let stopped = if dropped {
            Outcome::Panicked
        } else {
            Outcome::Cancelled
        };
        let polled = |poll| match self.panics {
            Panics::InPollAndDrop => Some(Outcome::Panicked),
            Panics::InPoll(nth) if nth == poll => Some(Outcome::Panicked),
            _ if self.ready_at != poll => None,
            _ if dropped => Some(Outcome::Panicked),
            _ => Some(Outcome::Output),
        };
        let bomb = self.panics == Panics::InPollAndDrop;
        if self.cancel == Cancel::First {
            return if bomb { Outcome::Panicked } else { stopped };
        }
        if let Some(outcome) = polled(1) {
            return outcome;
        }
        // A wake within the poll has it queued as the cancellation comes: it is not polled again.
        if self.cancel == Cancel::Between && !self.shielded {
            return stopped;
        }
        let second = (self.waking != Waking::Dropped)
            .then(|| polled(2))
            .flatten();
        second.unwrap_or(if self.cancel == Cancel::Last && !self.shielded {
            stopped
        } else {
            Outcome::Nothing
        })
    }

    fn wake(self, books: &Books) {
        let waker = books.waker.lock().unwrap().take();
        let Some(waker) = waker else { return };
        match self.waking {
            Waking::ByRef => waker.wake_by_ref(),
            Waking::ByValue => waker.wake(),
            Waking::Twice => {
                waker.wake_by_ref();
                waker.wake();
            }
            Waking::Dropped | Waking::Within => drop(waker),
        }
    }

    /// Lets all of it happen; gives what the handle got, if it was there to the end.
    fn play(self, queue: &Queue, books: &Books) -> Option<Outcome> {
        let subject = Subject(self, books.clone());
        let future: Pin<Box<dyn Future<Output = Output> + Send>> = if self.shielded {
            Box::pin(shielded(subject))
        } else {
            Box::pin(subject)
        };
        let mut handle = Some(queue.spawn(future));
        let abort = handle.as_ref().unwrap().abort_handle();
        let cancel = |when| {
            if self.cancel == when {
                abort.cancel();
            }
        };
        let (flag, waker) = Flag::new();
        let mut got = None;
        cancel(Cancel::First);
        self.drop_handle(&mut handle, &[Handle::DroppedFirst]);
        queue.run_one();
        cancel(Cancel::Between);
        if matches!(self.handle, Handle::Awaited | Handle::AwaitedAndDropped) {
            got = take(handle.as_mut().unwrap(), &waker);
        }
        let between = [Handle::DroppedBetween, Handle::AwaitedAndDropped];
        self.drop_handle(&mut handle, &between);
        self.wake(books);
        queue.run_all();
        cancel(Cancel::Last);
        queue.run_all();
        self.drop_handle(&mut handle, &[Handle::DroppedLast]);
        let mut handle = handle?;
        assert!(got.is_none() || flag.get() == 0, "woken for nothing");
        Some(
            got.or_else(|| take(&mut handle, &waker))
                .unwrap_or(Outcome::Nothing),
        )
    }

    fn drop_handle(self, handle: &mut Option<JoinHandle<Output>>, when: &[Handle]) {
        if when.contains(&self.handle) {
            drop(handle.take());
        }
    }
}

/// Takes the result from the handle, if the task is complete.
fn take(handle: &mut JoinHandle<Output>, waker: &Waker) -> Option<Outcome> {
    let Poll::Ready(result) = poll_with(handle, waker) else {
        return None;
    };
    let outcome = match &result {
        Ok(_) => Outcome::Output,
        Err(error) if JoinError::is_panic(error) => Outcome::Panicked,
        Err(_) => Outcome::Cancelled,
    };
    // The destructor of the output may panic.
    _ = catch_unwind(AssertUnwindSafe(|| drop(result)));
    Some(outcome)
}

#[test]
fn each_combination_ends_and_leaks_nothing() {
    let mut played = 0;
    for case in Case::all().step_by(if cfg!(miri) { 397 } else { 1 }) {
        let queue = Queue::new();
        let (watch, books) = (queue.watch(), Books::default());
        if let Some(outcome) = case.play(&queue, &books) {
            assert_eq!(outcome, case.expected(), "{case:?}");
        }
        // The drop of the queue shuts down a task that still waits.
        drop(queue);
        drop(books.waker.lock().unwrap().take());
        assert_eq!(books.drops.get(), 1, "future of {case:?}");
        assert_eq!(
            books.outputs.get(),
            books.output_drops.get(),
            "output of {case:?}"
        );
        assert!(watch.upgrade().is_none(), "leaked: {case:?}");
        played += 1;
    }
    assert!(played > 4_000 || cfg!(miri), "{played}");
}
