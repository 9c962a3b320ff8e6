//! The size of a snapshot and the time to write and read it, compared with a hand-written enum.
//!
//! `cargo bench -p volt-async --features serde --bench snapshots`
//!
//! The enum has the states of the machine, with the same fields and serde's own derive. Times are
//! medians of rounds in which both versions alternate. A round is short, so that other processes
//! interrupt few of them.

use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const ROUNDS: usize = 801;
const CALLS: u32 = 200;

#[derive(Serialize, Deserialize)]
struct Reply {
    until: u64,
}

impl Future for Reply {
    type Output = u64;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        Poll::Pending
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay(card: String, cents: u64) -> u64 {
    let receipt = format!("receipt of {card}");
    #[state(Settling)]
    let until = Reply { until: cents }.await;
    until + receipt.len() as u64
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn remind(customer: String, days: Vec<u64>) -> u64 {
    let mut sent = 0_u64;
    for day in days {
        #[state(Waiting)]
        let today = Reply { until: day }.await;
        sent += today;
    }
    sent + customer.len() as u64
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn order(customer: String, items: Vec<String>) -> u64 {
    let total = items.len() as u64;
    let log: Vec<String> = items.iter().map(|item| format!("item {item}")).collect();
    #[state(Paying)]
    let paid = pay(customer, total).await;
    paid + log.len() as u64
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Pay")]
enum PayEnum {
    #[serde(rename = "start")]
    Start { card: String, cents: u64 },
    Settling {
        card: String,
        receipt: String,
        #[serde(rename = "await")]
        reply: Reply,
    },
}

#[derive(Serialize, Deserialize)]
enum RemindEnum {
    #[serde(rename = "start")]
    Start { customer: String, days: Vec<u64> },
    Waiting {
        customer: String,
        sent: u64,
        #[serde(rename = "for")]
        days: Vec<u64>,
        #[serde(rename = "await")]
        reply: Reply,
    },
}

#[derive(Serialize, Deserialize)]
enum OrderEnum {
    #[serde(rename = "start")]
    Start {
        customer: String,
        items: Vec<String>,
    },
    Paying {
        items: Vec<String>,
        log: Vec<String>,
        #[serde(rename = "await")]
        pay: PayEnum,
    },
}

/// Returns the nanoseconds of a call.
fn nanos(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

/// Returns the median times of a machine and of an enum.
fn medians(mut machine: impl FnMut(), mut other: impl FnMut()) -> [f64; 2] {
    let mut rounds: Vec<[f64; 2]> = (0..ROUNDS)
        .map(|_| [nanos(&mut machine), nanos(&mut other)])
        .collect();
    [0, 1].map(|version| {
        rounds.sort_by(|one, other| one[version].total_cmp(&other[version]));
        rounds[ROUNDS / 2][version]
    })
}

fn line(name: &str, bytes: usize, written: [f64; 2], read: [f64; 2]) {
    let ratio = |[machine, other]: [f64; 2]| machine / other;
    println!(
        "{name:18} {bytes:4} bytes   write {:5.0} ns, {:.2} of the enum   read {:5.0} ns, {:.2}",
        written[0],
        ratio(written),
        read[0],
        ratio(read),
    );
}

/// Measures a suspended machine and its enum, which is read from the same text.
fn measure<M, E>(name: &str, machine: M)
where
    M: Future + Serialize + DeserializeOwned,
    E: Serialize + DeserializeOwned,
{
    let mut machine = Box::pin(machine);
    let polled = machine
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
    let machine = Pin::get_ref(machine.as_ref());

    let text = serde_json::to_string(machine).expect("text");
    let other: E = serde_json::from_str(&text).expect("an enum");
    assert_eq!(serde_json::to_string(&other).expect("text"), text);
    let written = medians(
        || drop(black_box(serde_json::to_string(machine))),
        || drop(black_box(serde_json::to_string(&other))),
    );
    let read = medians(
        || drop(black_box(serde_json::from_str::<M>(&text))),
        || drop(black_box(serde_json::from_str::<E>(&text))),
    );
    line(&format!("{name}, JSON"), text.len(), written, read);

    let bytes = postcard::to_allocvec(machine).expect("bytes");
    assert_eq!(postcard::to_allocvec(&other).expect("bytes"), bytes);
    let written = medians(
        || drop(black_box(postcard::to_allocvec(machine))),
        || drop(black_box(postcard::to_allocvec(&other))),
    );
    let read = medians(
        || drop(black_box(postcard::from_bytes::<M>(&bytes))),
        || drop(black_box(postcard::from_bytes::<E>(&bytes))),
    );
    line(&format!("{name}, postcard"), bytes.len(), written, read);
}

fn main() {
    measure::<_, PayEnum>("pay", pay("4711".into(), 90));
    let days = (0..12).collect();
    measure::<_, RemindEnum>("remind", remind("Ada".into(), days));
    let items = ["pen", "paper", "ink"].map(String::from).into();
    measure::<_, OrderEnum>("order with pay", order("Ada".into(), items));
}
