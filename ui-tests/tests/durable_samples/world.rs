//! A world in memory for samples: its clock, its messages, and the effects of activities.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::future::Future;
use std::task::{Context, Poll, Waker};

use serde::Serialize;
use serde::de::DeserializeOwned;
use volt::machine::{Driven, StepDriver};

/// A message that arrives at a time.
#[derive(Clone)]
struct Message {
    at: u64,
    name: String,
    value: serde_json::Value,
}

#[derive(Default)]
struct Contents {
    now: u64,
    /// The earliest time for which a future waits.
    next: Option<u64>,
    /// `true` if a future made progress during the last poll.
    progressed: bool,
    messages: Vec<Message>,
    /// The messages at the last snapshot.
    stored: Vec<Message>,
    /// The wakers of the waiting futures.
    wakers: Vec<Waker>,
    effects: Vec<String>,
    failing: Vec<String>,
}

thread_local! {
    static WORLD: RefCell<Contents> = RefCell::default();
}

fn with<T>(access: impl FnOnce(&mut Contents) -> T) -> T {
    WORLD.with_borrow_mut(access)
}

/// Returns the time in seconds.
pub(super) fn now() -> u64 {
    with(|world| world.now)
}

/// Records an effect of an activity.
pub(super) fn effect(text: impl Into<String>) {
    with(|world| world.effects.push(text.into()));
}

/// Returns `true` if the activity fails in this world.
pub(super) fn is_failing(name: &str) -> bool {
    with(|world| world.failing.iter().any(|failing| failing == name))
}

/// Waits until the time.
pub(super) fn wait_until(at: u64, waker: &Waker) {
    with(|world| world.next = Some(world.next.map_or(at, |next| next.min(at))));
    wait(waker);
}

/// Waits for the next event.
pub(super) fn wait(waker: &Waker) {
    with(|world| world.wakers.push(waker.clone()));
}

/// Requests another poll at the same time.
pub(super) fn progress() {
    with(|world| world.progressed = true);
}

/// Removes the first message of a name that has arrived.
pub(super) fn receive<T: DeserializeOwned>(name: &str) -> Option<T> {
    with(|world| {
        let is_there = |message: &Message| message.name == name && message.at <= world.now;
        let index = world.messages.iter().position(is_there)?;
        let value = world.messages.remove(index).value;
        Some(serde_json::from_value(value).expect("a message of the type"))
    })
}

/// The script of a world.
#[derive(Clone, Default)]
pub(super) struct Script {
    messages: Vec<(u64, String, serde_json::Value)>,
    failing: Vec<String>,
}

impl Script {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a message that arrives at a time.
    pub(super) fn message(mut self, at: u64, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).expect("a message");
        self.messages.push((at, name.to_owned(), value));
        self
    }

    /// Makes an activity fail.
    pub(super) fn failing(mut self, name: &str) -> Self {
        self.failing.push(name.to_owned());
        self
    }

    fn begin(&self) {
        let messages = self.messages.iter().cloned();
        let messages = messages.map(|(at, name, value)| Message { at, name, value });
        let world = Contents {
            messages: messages.clone().collect(),
            stored: messages.collect(),
            failing: self.failing.clone(),
            ..Contents::default()
        };
        with(|contents| *contents = world);
    }
}

/// Moves the clock to the next event.
fn advance() {
    with(|world| {
        if std::mem::take(&mut world.progressed) {
            return;
        }
        let now = world.now;
        let arrivals = world.messages.iter().map(|message| message.at);
        let next = arrivals
            .filter(|at| *at > now)
            .chain(world.next.take())
            .min();
        world.now = next.expect("an event for which the function waits");
    });
}

/// How a machine runs.
#[derive(Clone, Copy, PartialEq)]
enum Run {
    /// Without a driver.
    Plain,
    /// Read again from each snapshot.
    Restored,
    /// As `Restored`, and once more in the middle of each step.
    Crashed,
}

/// A format of snapshots.
struct Format<F> {
    write: fn(&F) -> Result<Vec<u8>, String>,
    read: fn(&[u8]) -> F,
}

/// Runs a machine to its end. Returns its output and the effects.
fn drive<F: Future>(
    script: &Script,
    machine: F,
    format: &Format<F>,
    run: Run,
) -> (F::Output, Vec<String>) {
    script.begin();
    let mut machine = Box::pin(machine);
    let mut driver = StepDriver::new();
    let mut cx = Context::from_waker(Waker::noop());
    // The number of polls in the present step, which is reset by a snapshot.
    let mut polls_in_step = 0;
    let mut stored = (Vec::new(), 0);
    loop {
        with(|world| {
            world.next = None;
            world.wakers.clear();
        });
        let polled = match run {
            Run::Plain => machine.as_mut().poll(&mut cx).map(Driven::Output),
            _ => {
                let driven = driver.poll(machine.as_mut(), &mut cx, format.write);
                driven.map(|driven| driven.expect("a snapshot"))
            }
        };
        match polled {
            Poll::Ready(Driven::Output(output)) => {
                return (output, with(|world| std::mem::take(&mut world.effects)));
            }
            Poll::Ready(Driven::Snapshot) => {
                let snapshot = driver.snapshot().expect("a snapshot").clone();
                stored = (snapshot, driver.next_step());
                machine = Box::pin((format.read)(&stored.0));
                driver = StepDriver::resume(stored.0.clone(), stored.1);
                with(|world| world.stored = world.messages.clone());
                polls_in_step = 0;
            }
            Poll::Ready(Driven::Transaction) => unreachable!("no step has a transaction"),
            Poll::Pending => {
                let is_in_step = with(|world| world.progressed);
                polls_in_step += u32::from(is_in_step);
                if run == Run::Crashed && is_in_step && polls_in_step == 2 {
                    machine = Box::pin((format.read)(&stored.0));
                    driver = StepDriver::resume(stored.0.clone(), stored.1);
                    with(|world| world.messages = world.stored.clone());
                }
                advance();
            }
        }
    }
}

/// Asserts that a function has the same output and the same effects if it is read again from each
/// snapshot, and in the middle of each step. Returns both.
pub(super) fn run<F>(script: &Script, make: impl Fn() -> F) -> (F::Output, Vec<String>)
where
    F: Future<Output: PartialEq + std::fmt::Debug> + Serialize + DeserializeOwned,
{
    let json = Format::<F> {
        write: |machine| serde_json::to_vec(machine).map_err(|error| error.to_string()),
        read: |text| serde_json::from_slice(text).expect("the same machine"),
    };
    let postcard = Format::<F> {
        write: |machine| postcard::to_allocvec(machine).map_err(|error| error.to_string()),
        read: |bytes| postcard::from_bytes(bytes).expect("the same machine"),
    };
    let plain = drive(script, make(), &json, Run::Plain);
    for format in [json, postcard] {
        assert_eq!(drive(script, make(), &format, Run::Restored), plain);
        let (output, effects) = drive(script, make(), &format, Run::Crashed);
        assert_eq!(output, plain.0);
        assert!(effects.len() > plain.1.len() || effects.is_empty());
        let [effects, expected] = [effects, plain.1.clone()].map(BTreeSet::from_iter);
        assert_eq!(effects, expected);
    }
    plain
}
