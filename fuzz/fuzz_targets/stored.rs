//! Machines whose snapshots are edited, and the checks of each snapshot that is read.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::edits::Node;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// Returns the number of live [`Counted`] values.
pub(crate) fn live() -> i64 {
    LIVE.get()
}

/// The payload of the panic of a `Deserialize`.
struct Planned;

/// A value that counts the live ones, and panics if it is read as 13.
#[derive(Debug, Serialize)]
pub(crate) struct Counted(pub(crate) u8);

impl Counted {
    pub(crate) fn new(number: u8) -> Self {
        LIVE.set(LIVE.get() + 1);
        Self(number)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if number == 13 {
            // Without the panic hook, which would end the fuzzer.
            resume_unwind(Box::new(Planned));
        }
        Ok(Self::new(number))
    }
}

/// A future that is pending a number of times.
#[derive(Serialize, Deserialize)]
struct Pause {
    left: u8,
    counted: Counted,
}

fn pause(left: u8) -> Pause {
    let counted = Counted::new(left);
    Pause { left, counted }
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn depth(left: u8, text: String) -> usize {
    #[state(Before)]
    pause(1).await;
    let Some(less) = left.checked_sub(1) else {
        return text.len();
    };
    #[state(Below)]
    let below: usize = Box::pin(depth(less, text)).await;
    below + 1
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Plain,
    Named { id: u16 },
    Pair(char, bool),
}

type Parts = (Option<Box<u64>>, [i8; 3], BTreeMap<String, i64>);

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn visit(items: Vec<Counted>, parts: Parts, kind: Kind) -> usize {
    let mut total = 0_usize;
    for item in items {
        for number in 1..=2_u8 {
            #[state(Waiting)]
            pause(number).await;
            total = total.wrapping_add(usize::from(item.0));
        }
    }
    #[state(Last)]
    let depth = depth(2, String::from("text")).await;
    let last = matches!(kind, Kind::Named { .. });
    total.wrapping_add(depth).wrapping_add(parts.2.len()) + usize::from(last)
}

/// The valid snapshots from which edits start.
pub(crate) struct Corpus {
    pub(crate) texts: Vec<Node>,
    pub(crate) bytes: Vec<Vec<u8>>,
}

/// Returns the snapshots of machines after each poll.
pub(crate) fn corpus() -> Corpus {
    let mut corpus = Corpus {
        texts: Vec::new(),
        bytes: Vec::new(),
    };
    for kind in [Kind::Plain, Kind::Named { id: 7 }, Kind::Pair('x', true)] {
        let items = [1, 2].map(Counted::new).into();
        let map = BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), i64::MIN)]);
        let mut machine = Box::pin(visit(items, (Some(Box::new(5)), [1, -1, 0], map), kind));
        loop {
            let value = serde_json::to_value(&*machine).expect("a snapshot");
            corpus.texts.push(Node::of(&value));
            corpus
                .bytes
                .push(postcard::to_allocvec(&*machine).expect("a snapshot"));
            if poll(&mut machine).is_ready() {
                break;
            }
        }
    }
    corpus
}

fn poll<F: Future>(machine: &mut Pin<Box<F>>) -> Poll<F::Output> {
    machine
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
}

/// A format: how a machine is written and read.
trait Format {
    fn write<M: Serialize>(machine: &M) -> Result<Vec<u8>, String>;
    fn read<M: DeserializeOwned>(input: &[u8]) -> Result<M, String>;
}

struct Json;

impl Format for Json {
    fn write<M: Serialize>(machine: &M) -> Result<Vec<u8>, String> {
        serde_json::to_vec(machine).map_err(|error| error.to_string())
    }

    fn read<M: DeserializeOwned>(input: &[u8]) -> Result<M, String> {
        serde_json::from_slice(input).map_err(|error| error.to_string())
    }
}

struct Postcard;

impl Format for Postcard {
    fn write<M: Serialize>(machine: &M) -> Result<Vec<u8>, String> {
        postcard::to_allocvec(machine).map_err(|error| error.to_string())
    }

    fn read<M: DeserializeOwned>(input: &[u8]) -> Result<M, String> {
        postcard::from_bytes(input).map_err(|error| error.to_string())
    }
}

/// Reads a text. Returns `true` if it is a machine, which is checked then.
pub(crate) fn check_text(input: &[u8]) -> bool {
    check::<Json>(input)
}

/// Reads bytes of postcard. Returns `true` if they are a machine, which is checked then.
pub(crate) fn check_bytes(input: &[u8]) -> bool {
    check::<Postcard>(input)
}

fn check<T: Format>(input: &[u8]) -> bool {
    let before = live();
    let read = catch_unwind(AssertUnwindSafe(|| T::read::<Visit>(input)));
    let is_machine = match read {
        Ok(Ok(machine)) => {
            check_machine::<T>(machine);
            true
        }
        Ok(Err(_)) => false,
        Err(payload) if payload.is::<Planned>() => false,
        Err(payload) => resume_unwind(payload),
    };
    assert_eq!(live(), before, "a value was leaked or dropped twice");
    is_machine
}

/// A machine that was read can be written, gives the same machine again, and can be polled.
fn check_machine<T: Format>(machine: Visit) {
    let written = T::write(&machine).expect("a machine that was read can be written");
    let again: Visit = T::read(&written).expect("a machine that was written can be read");
    assert_eq!(T::write(&again), Ok(written), "the same snapshot");
    let mut machines = [Box::pin(machine), Box::pin(again)];
    for _ in 0..64 {
        let [one, other] = machines.each_mut().map(poll);
        assert_eq!(one, other, "the same output");
        if one.is_ready() {
            return;
        }
    }
    // A function may be deeper by now than a snapshot may be, so this may be an error.
    let [one, other] = machines.each_ref().map(|machine| T::write(&**machine));
    assert_eq!(one, other, "the same snapshot");
}
