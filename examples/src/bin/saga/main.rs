//! Shows a function that is stored in a file at each await, and continued by another process.
//!
//! ```text
//! saga start FILE ITEM..     begins an order, and prints the first request
//! saga answer FILE TEXT      continues the order with the answer to the last request
//! ```
//!
//! `ok` accepts a request; any other answer refuses it. A refused order releases what was reserved.
//! Each process stores the function as JSON before it ends, so no process waits for an answer. Each
//! request is a step: a process that ends before the request is stored as sent sends it again.
#![forbid(unsafe_code)]

mod answer;
mod store;

use std::path::Path;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use answer::{Answer, set_answer};
use serde_json::Value;
use volt::machine::{Driven, StepDriver};

/// Sends a request to another service.
async fn send(request: String) {
    println!("request: {request}");
}

/// Reserves all items, then charges the customer. If a request is refused, releases the items.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn fulfil(items: Vec<String>) -> String {
    let mut reserved = Vec::new();
    let mut refused = None;
    for item in items {
        #[step]
        #[state(AskingForItem)]
        send(format!("reserve {item}")).await;
        #[state(Reserving)]
        let answer = Answer.await;
        if answer != "ok" {
            refused = Some(format!("{item}: {answer}"));
            break;
        }
        reserved.push(item);
    }
    if refused.is_none() {
        #[step]
        #[state(AskingForMoney)]
        send(format!("charge for {} items", reserved.len())).await;
        #[state(Charging)]
        let answer = Answer.await;
        if answer == "ok" {
            return format!("shipped {}", reserved.join(" and "));
        }
        refused = Some(format!("charge: {answer}"));
    }
    while let Some(item) = reserved.pop() {
        #[step]
        #[state(AskingForRelease)]
        send(format!("release {item}")).await;
        #[state(Releasing)]
        let answer = Answer.await;
        println!("released {item}: {answer}");
    }
    format!("cancelled, {}", refused.unwrap_or_default())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["start", file, ref items @ ..] if !items.is_empty() => {
            let items = items.iter().map(ToString::to_string);
            run(Path::new(file), fulfil(items.collect()), StepDriver::new())
        }
        ["answer", file, text] => {
            set_answer(text);
            let file = Path::new(file);
            store::load(file).and_then(|(machine, driver)| run(file, machine, driver))
        }
        _ => Err("usage: saga start FILE ITEM.. | saga answer FILE TEXT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("saga: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Polls the machine until it waits for another answer, and stores each snapshot.
fn run(
    file: &Path,
    machine: Fulfil,
    mut driver: StepDriver<Value>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut machine = pin!(machine);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        let write = |machine: &Fulfil| serde_json::to_value(machine);
        match driver.poll(machine.as_mut(), &mut cx, write) {
            Poll::Pending => return Ok(()),
            Poll::Ready(driven) => match driven? {
                Driven::Snapshot => {
                    store::save(file, &driver)?;
                    driver.set_stored();
                }
                Driven::Transaction => driver.set_transaction(()),
                Driven::Output(outcome) => {
                    println!("{outcome}");
                    return store::remove(file);
                }
            },
        }
    }
}
