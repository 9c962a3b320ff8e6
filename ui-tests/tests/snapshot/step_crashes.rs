//! Steps and crashes: a machine that ends after any polls has the same output and effects as one
//! that never ends early.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use serde::Serialize;
use serde::de::DeserializeOwned;
use volt::machine::{Driven, StepDriver};

use super::pause;

/// The effects on another service.
#[derive(Debug, Default)]
struct World {
    /// The effects by their names.
    effects: BTreeSet<String>,
    /// The effects of steps that have ended.
    ended: BTreeSet<String>,
    /// The effects of steps that have ended, and whose next snapshot is stored.
    sealed: BTreeSet<String>,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
}

/// A call that has an effect and is then pending once. A crash may follow the effect.
async fn act(name: &str) -> Result<String, String> {
    WORLD.with_borrow_mut(|world| {
        assert!(!world.sealed.contains(name), "`{name}` runs again");
        world.effects.insert(name.to_owned());
    });
    volt::task::yield_now().await;
    WORLD.with_borrow_mut(|world| world.ended.insert(name.to_owned()));
    match name {
        "charge bad" => Err("no card".to_owned()),
        name => Ok(name.to_uppercase()),
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn order(items: Vec<String>, card: String) -> String {
    let mut holds: Vec<String> = Vec::new();
    for item in items {
        let name = format!("reserve {item}");
        #[step]
        #[state(Reserving)]
        let hold = act(&name).await;
        holds.extend(hold);
    }
    let name = format!("charge {card}");
    #[step]
    #[state(Paying)]
    let paid = act(&name).await;
    match paid {
        Ok(receipt) => {
            #[state(Waiting)]
            pause(1).await;
            return receipt;
        }
        Err(_why) => {}
    }
    while let Some(hold) = holds.pop() {
        let name = format!("release {hold}");
        #[step]
        #[state(Releasing)]
        let _ = act(&name).await;
    }
    "cancelled".to_owned()
}

/// The moment of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crash {
    BeforeStore,
    AfterStore,
}

/// Runs a machine. The process ends after each poll whose bit is set. Returns the output, and the
/// number of polls.
fn run<F>(start: impl Fn() -> F, ends: u32, crash: Crash) -> (F::Output, u32)
where
    F: Future + Serialize + DeserializeOwned,
{
    let mut stored: Option<(String, u64)> = None;
    let mut polls = 0;
    loop {
        let mut driver = StepDriver::new();
        let mut machine = Box::pin(start());
        if let Some((snapshot, next_step)) = &stored {
            machine = Box::pin(serde_json::from_str(snapshot).unwrap());
            driver = StepDriver::resume(snapshot.clone(), *next_step);
        }
        loop {
            let driven = poll(&mut driver, machine.as_mut());
            polls += 1;
            assert!(polls < 100, "the machine does not end");
            let is_end = polls <= 32 && ends >> (polls - 1) & 1 == 1;
            if is_end && crash == Crash::BeforeStore {
                break;
            }
            match driven {
                Poll::Ready(Driven::Output(output)) if !is_end => return (output, polls),
                Poll::Ready(Driven::Snapshot) => {
                    let snapshot = driver.snapshot().unwrap().clone();
                    stored = Some((snapshot, driver.next_step()));
                    WORLD.with_borrow_mut(|world| world.sealed = world.ended.clone());
                    driver.set_stored();
                }
                _ => {}
            }
            if is_end {
                break;
            }
        }
    }
}

fn poll<F: Future + Serialize>(
    driver: &mut StepDriver<String>,
    machine: Pin<&mut F>,
) -> Poll<Driven<F::Output>> {
    let mut cx = Context::from_waker(Waker::noop());
    let driven = driver.poll(machine, &mut cx, serde_json::to_string);
    driven.map(|driven| driven.unwrap())
}

/// Runs a machine with a crash after each subset of its polls.
fn assert_survives<F>(start: impl Fn() -> F)
where
    F: Future<Output: PartialEq + std::fmt::Debug> + Serialize + DeserializeOwned,
{
    WORLD.take();
    let (expected, polls) = run(&start, 0, Crash::AfterStore);
    let effects = WORLD.take().effects;
    let bits = polls.min(if cfg!(miri) { 3 } else { 10 });
    for ends in 0..1 << bits {
        for crash in [Crash::BeforeStore, Crash::AfterStore] {
            let (output, _) = run(&start, ends, crash);
            assert_eq!(output, expected, "{ends:b} {crash:?}");
            assert_eq!(WORLD.take().effects, effects, "{ends:b} {crash:?}");
        }
    }
}

#[test]
fn order_survives_a_crash_after_any_polls() {
    for card in ["good", "bad"] {
        assert_survives(|| order(vec!["pen".into(), "ink".into()], card.into()));
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn outer(items: Vec<String>) -> Vec<String> {
    #[state(Inner)]
    let first = order(items, "good".into()).await;
    #[step]
    let second = act("outer").await;
    [Ok(first), second].into_iter().flatten().collect()
}

#[test]
fn nested_machine_survives_a_crash_after_any_polls() {
    assert_survives(|| outer(vec!["pen".into()]));
}
