//! Bounds that arguments imply.
#![forbid(unsafe_code)]

use std::future::{Future, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fn finish<F: Future>(future: F) -> F::Output {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).as_mut().poll(&mut context) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing to wait for"),
    }
}

trait Digit {
    fn digit(&self) -> u32;
}

impl Digit for u32 {
    fn digit(&self) -> u32 {
        *self
    }
}

static SEVEN: u32 = 7;
static LIST: [u32; 2] = [3, 4];

#[volt::state_machine]
async fn lent<T: Digit>(number: &'static T) -> u32 {
    ready(()).await;
    number.digit()
}

#[volt::state_machine]
async fn within<T: Digit>(number: Option<(&'static [T], u8)>) -> u32 {
    ready(()).await;
    number.map_or(0, |(list, _)| list.iter().map(T::digit).sum())
}

/// The `impl Trait` has no name in a function with parameters of its own.
#[volt::state_machine]
async fn beside<N: Into<u32>>(number: &'static impl Digit, more: N) -> u32 {
    ready(()).await;
    number.digit() + more.into()
}

/// Only the type of the argument declares the lifetime `'x`.
#[volt::state_machine]
async fn passed<T: Digit>(read: for<'x> fn(&'static u32, &'x T) -> u32, number: &T) -> u32 {
    ready(()).await;
    read(&3, number)
}

struct Cell<T>(T);

trait Sum {
    async fn sum(&self, other: &'static impl Digit) -> u32;
}

#[volt::state_machine]
impl<T: Digit> Sum for Cell<T> {
    async fn sum(&self, other: &'static impl Digit) -> u32 {
        ready(()).await;
        self.0.digit() + other.digit()
    }
}

#[volt::state_machine]
impl<T: Digit> Cell<T> {
    async fn forever(&'static self) -> u32 {
        ready(()).await;
        self.0.digit()
    }
}

#[test]
fn static_reference_to_parameter_compiles() {
    static CELL: Cell<u32> = Cell(7);
    assert_eq!(finish(lent(&SEVEN)), 7);
    assert_eq!(finish(within(Some((&LIST, 1)))), 7);
    assert_eq!(finish(beside(&SEVEN, 1u8)), 8);
    assert_eq!(finish(passed(|one, two| one + two, &4)), 7);
    assert_eq!(finish(Cell(1).sum(&SEVEN)), 8);
    assert_eq!(finish(CELL.forever()), 7);
}
