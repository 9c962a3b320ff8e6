//! Shows a function that is stored in a file at each await, and continued by another process.
//!
//! ```text
//! saga start FILE ITEM..     begins an order, and prints the first request
//! saga answer FILE TEXT      continues the order with the answer to the last request
//! ```
//!
//! `ok` accepts a request; any other answer refuses it. A refused order releases what was reserved.
//! Each process stores the function as JSON before it ends, so no process waits for an answer.
#![forbid(unsafe_code)]

mod answer;
mod store;

use std::path::Path;
use std::pin::Pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use answer::{Answer, set_answer};

/// Reserves all items, then charges the customer. If a request is refused, releases the items.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn fulfil(items: Vec<String>) -> String {
    let mut reserved = Vec::new();
    let mut refused = None;
    for item in items {
        println!("request: reserve {item}");
        #[state(Reserving)]
        let answer = Answer.await;
        if answer != "ok" {
            refused = Some(format!("{item}: {answer}"));
            break;
        }
        reserved.push(item);
    }
    if refused.is_none() {
        println!("request: charge for {} items", reserved.len());
        #[state(Charging)]
        let answer = Answer.await;
        if answer == "ok" {
            return format!("shipped {}", reserved.join(" and "));
        }
        refused = Some(format!("charge: {answer}"));
    }
    while let Some(item) = reserved.pop() {
        println!("request: release {item}");
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
            run(Path::new(file), fulfil(items.collect()))
        }
        ["answer", file, text] => {
            set_answer(text);
            let file = Path::new(file);
            store::load(file).and_then(|machine| run(file, machine))
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

/// Polls the machine, and stores it if it waits for another answer.
fn run(file: &Path, machine: Fulfil) -> Result<(), Box<dyn std::error::Error>> {
    let mut machine = Box::pin(machine);
    match machine
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Pending => store::save(file, Pin::get_ref(machine.as_ref())),
        Poll::Ready(outcome) => {
            println!("{outcome}");
            store::remove(file)
        }
    }
}
