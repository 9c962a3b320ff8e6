//! An `unsafe fn` stays one, and does within what its source may do.
#![deny(warnings, unsafe_op_in_unsafe_fn)]

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

/// Reads what the pointer points to, at each turn.
///
/// # Safety
///
/// The pointer is valid until the machine is gone.
#[volt::state_machine]
pub async unsafe fn sum(first: *const u32, times: u32) -> u32 {
    let mut sum: u32 = 0;
    for _ in 0..times {
        // SAFETY: the caller says so.
        sum += unsafe { *first };
        turn().await;
    }
    sum
}

#[volt::state_machine]
#[allow(unsafe_op_in_unsafe_fn, reason = "as in the editions before")]
async unsafe fn lent(numbers: &[u32], index: usize) -> u32 {
    let first: u32 = *numbers.get_unchecked(index);
    turn().await;
    first + *numbers.get_unchecked(index)
}

#[volt::state_machine]
async fn turn() {
    let mut again: bool = true;
    poll_fn(|cx| {
        cx.waker().wake_by_ref();
        if std::mem::take(&mut again) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

#[volt::state_machine]
async fn both(numbers: Vec<u32>) -> u32 {
    let one: u32 = 7;
    // SAFETY: the number outlives the await.
    let many: u32 = unsafe { sum(&raw const ONE, 2) }.await;
    // SAFETY: there are two.
    let two: u32 = unsafe { lent(&numbers, 1).await };
    // SAFETY: there are two.
    let boxed: u32 = Box::pin(unsafe { lent(&numbers, 0) }).await;
    // SAFETY: as above, at each poll.
    let polled: u32 = unsafe { poll_fn(|cx| poll_number(cx, *numbers.get_unchecked(0))).await };
    one + many + two + boxed + polled
}

fn poll_number(_: &mut Context<'_>, number: u32) -> Poll<u32> {
    Poll::Ready(number)
}

static ONE: u32 = 1;

fn main() {
    let mut machine = pin!(both(vec![3, 5]));
    let mut cx = Context::from_waker(Waker::noop());
    let mut polls = 0;
    let value = loop {
        polls += 1;
        if let Poll::Ready(value) = machine.as_mut().poll(&mut cx) {
            break value;
        }
    };
    assert_eq!((value, polls), (7 + 2 + 10 + 6 + 3, 5));
    let _: unsafe fn(*const u32, u32) -> Sum = sum;
    assert_eq!(Sum::STATES.len(), 3);
}
