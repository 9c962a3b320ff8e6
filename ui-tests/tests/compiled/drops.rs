//! Destructors that panic, and panics that drop.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

use super::run::turn;

thread_local! {
    static LOG: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

struct Note(&'static str);

impl Drop for Note {
    fn drop(&mut self) {
        LOG.with_borrow_mut(|log| log.push(self.0));
    }
}

impl Note {
    async fn look(&mut self) {
        turn().await;
    }
}

/// A future whose destructor panics.
struct Bomb(#[expect(dead_code, reason = "it is dropped")] Note, bool);

impl Future for Bomb {
    type Output = usize;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<usize> {
        if std::mem::replace(&mut self.1, true) {
            Poll::Ready(1)
        } else {
            Poll::Pending
        }
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "the destructor of the bomb");
    }
}

fn bomb() -> Bomb {
    Bomb(Note("bomb"), false)
}

macro_rules! both {
    ($(fn $name:ident $machine:ident $body:block)*) => { $(
        mod $name {
            use super::*;

            #[volt::state_machine]
            pub(super) async fn machine() -> usize $body

            pub(super) async fn native() -> usize $body
        }
    )* };
}

both! {
    fn bombed Machine {
        let mut lent = Note("lent");
        lent.look().await;
        let kept = Note("kept");
        let n = bomb().await;
        drop(kept);
        n
    }

    fn panics Machine {
        let mut lent = Note("lent");
        let kept = Note("kept");
        lent.look().await;
        let last = Note("last");
        turn().await;
        assert!(kept.0.is_empty(), "the user's own");
        drop(last);
        1
    }
}

/// Returns the drops of the polls until one panics, then of the drop.
fn events(future: Pin<Box<dyn Future<Output = usize>>>) -> Vec<&'static str> {
    let mut future = Some(future);
    LOG.take();
    for _ in 0..5 {
        let polled = catch_unwind(AssertUnwindSafe(|| {
            let future = future.as_mut().unwrap().as_mut();
            future
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_ready()
        }));
        if polled.is_err() {
            LOG.with_borrow_mut(|log| log.push("panicked"));
            break;
        }
    }
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(future.take())));
    LOG.with_borrow_mut(|log| {
        log.push(if dropped.is_ok() {
            "dropped"
        } else {
            "panicked"
        })
    });
    LOG.take()
}

#[test]
fn panicking_destructor_runs_once() {
    let found = events(Box::pin(bombed::machine()));
    assert_eq!(found, events(Box::pin(bombed::native())));
    assert_eq!(found, ["bomb", "kept", "lent", "panicked", "dropped"]);
}

#[test]
fn panic_drops_values_in_place() {
    let found = events(Box::pin(panics::machine()));
    assert_eq!(found, events(Box::pin(panics::native())));
    assert_eq!(found, ["last", "kept", "lent", "panicked", "dropped"]);
}

#[test]
fn panicking_destructor_at_cancel_drops_the_rest() {
    fn cancelled(future: impl Future<Output = usize>) -> Vec<&'static str> {
        LOG.take();
        let mut future = Box::pin(future);
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..2 {
            assert!(future.as_mut().poll(&mut cx).is_pending());
        }
        assert!(catch_unwind(AssertUnwindSafe(|| drop(future))).is_err());
        LOG.take()
    }
    let found = cancelled(bombed::machine());
    assert_eq!(found, cancelled(bombed::native()));
    assert_eq!(found, ["bomb", "kept", "lent"]);
}

#[test]
fn poisoned_machine_reports_its_state() {
    let mut machine = Box::pin(panics::machine());
    let mut cx = Context::from_waker(Waker::noop());
    let mut poll = || {
        catch_unwind(AssertUnwindSafe(|| {
            machine.as_mut().poll(&mut cx).is_ready()
        }))
    };
    while poll().is_ok() {}
    let again = poll().unwrap_err();
    let text = again.downcast_ref::<&str>().copied();
    assert_eq!(text, Some("`async fn` resumed after panicking"));
    assert_eq!(machine.state().name, "poisoned");
}
