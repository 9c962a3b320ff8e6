//! Awaits that nothing will wake are reported, with machine, state and line.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

thread_local! {
    static REPORTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Polls once and gives the reports of it.
fn reports(future: impl Future, waker: &Waker) -> Vec<String> {
    volt::machine::on_forgotten_waker(|forgotten| {
        REPORTS.with_borrow_mut(|reports| reports.push(forgotten.to_string()));
    });
    let mut future = pin!(future);
    let pending = future.as_mut().poll(&mut Context::from_waker(waker));
    assert!(pending.is_pending());
    REPORTS.take()
}

/// Is pending for ever. `manner` decides what it does with its waker.
fn hang(manner: Manner) -> Hang {
    Hang { manner, kept: None }
}

#[derive(Clone, Copy, Debug)]
enum Manner {
    Forget,
    Look,
    Keep,
    Wake,
}

#[derive(Debug)]
struct Hang {
    manner: Manner,
    kept: Option<Waker>,
}

impl Future for Hang {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.manner {
            Manner::Forget => {}
            Manner::Look => drop(cx.waker().will_wake(Waker::noop())),
            Manner::Keep => self.kept = Some(cx.waker().clone()),
            Manner::Wake => cx.waker().wake_by_ref(),
        }
        Poll::Pending
    }
}

const WAITS: u32 = line!() + 4;

#[volt::state_machine]
async fn waits(manner: Manner) {
    hang(manner).await;
}

#[volt::state_machine]
async fn calls(manner: Manner) {
    waits(manner).await;
}

#[volt::state_machine]
async fn polls(found: Option<u8>) -> u8 {
    poll_fn(|cx| match found {
        Some(byte) => Poll::Ready(byte),
        None => {
            let _: &mut Context<'_> = cx;
            Poll::Pending
        }
    })
    .await
}

#[test]
fn forgotten_waker_is_reported_with_its_place() {
    if !volt::machine::CHECKS {
        return;
    }
    for manner in [Manner::Forget, Manner::Look] {
        let found = reports(waits(manner), Waker::noop());
        let [report] = &found[..] else {
            panic!("{manner:?}: {found:?}");
        };
        assert!(
            report.starts_with("`Waits` waits at `await hang` for a future that kept no waker")
                && report.contains(&format!("forgotten.rs:{WAITS}:")),
            "{report}"
        );
    }
}

#[test]
fn only_the_innermost_await_is_reported() {
    if !volt::machine::CHECKS {
        return;
    }
    let found = reports(calls(Manner::Forget), Waker::noop());
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("`Waits`"), "{found:?}");
}

#[test]
fn inlined_closure_without_waker_is_reported() {
    if !volt::machine::CHECKS {
        return;
    }
    let found = reports(polls(None), Waker::noop());
    assert!(found[0].starts_with("`Polls`"), "{found:?}");
}

#[test]
fn waker_kept_or_woken_is_not_reported() {
    assert_eq!(reports(calls(Manner::Keep), Waker::noop()), [""; 0]);
    assert_eq!(reports(calls(Manner::Wake), Waker::noop()), [""; 0]);
}

#[test]
fn waker_handed_out_is_the_tasks_own() {
    #[derive(Default)]
    struct Count(AtomicUsize);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let count = Arc::new(Count::default());
    let waker = Waker::from(Arc::clone(&count));
    let mut machine = hang(Manner::Keep);
    let mut cx = Context::from_waker(&waker);
    assert!(poll_through(&mut machine, &mut cx).is_pending());
    let kept = machine.kept.take().expect("it was cloned");
    assert!(kept.will_wake(&waker));
    kept.wake();
    machine.manner = Manner::Wake;
    assert!(poll_through(&mut machine, &mut cx).is_pending());
    assert_eq!(count.0.load(Ordering::Relaxed), 2);
}

#[volt::state_machine]
async fn through(inner: &mut Hang) {
    inner.await;
}

fn poll_through(hang: &mut Hang, cx: &mut Context<'_>) -> Poll<()> {
    pin!(through(hang)).poll(cx)
}
