//! Snapshots of machines, as `libFuzzer` chooses their bytes.
//!
//! `cargo +nightly fuzz run snapshot`, with `cargo install cargo-fuzz` before it.
//!
//! The first byte chooses JSON or postcard. A snapshot that is read is written again, which must
//! give a snapshot that is read too, and the machine must run to its end or wait.
#![no_main]

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use libfuzzer_sys::fuzz_target;
use serde::{Deserialize, Serialize};

/// A future that is pending a number of times.
#[derive(Serialize, Deserialize)]
struct Pause {
    left: u8,
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
    Pause { left: 1 }.await;
    let Some(less) = left.checked_sub(1) else {
        return text.len();
    };
    #[state(Below)]
    let below: usize = Box::pin(depth(less, text)).await;
    below + 1
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn visit(items: Vec<String>, boxed: Option<Box<u64>>) -> (usize, Option<Box<u64>>) {
    let mut total = 0_usize;
    for item in items {
        for number in 1..=2_u8 {
            #[state(Waiting)]
            Pause { left: number }.await;
            total = total.wrapping_add(item.len());
        }
    }
    #[state(Last)]
    let depth = depth(2, String::new()).await;
    (total.wrapping_add(depth), boxed)
}

fuzz_target!(|input: &[u8]| {
    let Some((kind, bytes)) = input.split_first() else {
        return;
    };
    let machine: Option<Visit> = match kind % 2 {
        0 => serde_json::from_slice(bytes).ok(),
        _ => postcard::from_bytes(bytes).ok(),
    };
    let Some(machine) = machine else { return };
    let text = serde_json::to_string(&machine).expect("a machine that was read can be written");
    let machine: Visit = serde_json::from_str(&text).expect("a written machine can be read");
    let mut machine = Box::pin(machine);
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..64 {
        if machine.as_mut().poll(&mut cx).is_ready() {
            break;
        }
    }
});
