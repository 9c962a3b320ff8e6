//! Arguments that end with padding. The compiler's future has its tag there.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

async fn plain(words: &mut u64, number: u32) -> u32 {
    *words += 1;
    number
}

#[volt::state_machine(native)]
async fn machine(words: &mut u64, number: u32) -> u32 {
    *words += 1;
    number
}

async fn aligned(flag: bool, text: &str, last: [u8; 3]) -> usize {
    usize::from(flag) + text.len() + last.len()
}

#[volt::state_machine(native)]
async fn aligned_machine(flag: bool, text: &str, last: [u8; 3]) -> usize {
    usize::from(flag) + text.len() + last.len()
}

async fn last(flag: bool, text: &str) -> usize {
    usize::from(flag) + text.len()
}

#[volt::state_machine(native)]
async fn last_machine(flag: bool, text: &str) -> usize {
    usize::from(flag) + text.len()
}

/// Polls a future once, which is ready then.
fn ready<F: Future>(future: F) -> F::Output {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut cx) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future does not await"),
    }
}

#[test]
fn tag_is_in_the_padding_of_the_arguments() {
    let [mut one, mut two] = [0; 2];
    let (expected, found) = (plain(&mut one, 1), machine(&mut two, 1));
    assert_eq!(size_of_val(&found), size_of_val(&expected));
    let text = "ab";
    let (expected, found) = (
        aligned(true, text, [3; 3]),
        aligned_machine(true, text, [3; 3]),
    );
    assert_eq!(size_of_val(&found), size_of_val(&expected));
    assert_eq!(ready(found), 6);
    let (expected, found) = (last(true, text), last_machine(true, text));
    assert_eq!(size_of_val(&found), size_of_val(&expected));
    assert_eq!(ready(found), 3);
}
