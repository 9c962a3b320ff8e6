//! A copy that an awaited operand makes of a local does not store the local.
#![expect(for_loops_over_fallibles, reason = "its iterator is small")]

use std::future::{Future, Ready, ready};

use volt::machine::StateMachine;

fn later<T>(turn: u32, value: T) -> Ready<T> {
    assert!(turn < 9);
    ready(value)
}

trait Number: Copy {
    fn next(self) -> Self;
    fn borrowed(&self) -> &Self;
}

impl Number for u32 {
    fn next(self) -> Self {
        self + 1
    }

    fn borrowed(&self) -> &Self {
        self
    }
}

#[volt::state_machine(explicit)]
async fn copies_the_receiver() -> u32 {
    let mut sum: u32 = 0;
    for number in later(1, Some(3_u32)).await {
        sum += later(2, number.next()).await;
    }
    sum
}

async fn twice(number: &u32) -> u32 {
    ready(()).await;
    2 * number
}

#[volt::state_machine(explicit)]
async fn borrows_the_receiver() -> u32 {
    let mut sum: u32 = 0;
    for number in later(1, Some(3_u32)).await {
        sum += twice(number.borrowed()).await;
    }
    sum
}

#[volt::state_machine(explicit)]
async fn takes_what_an_option_holds() -> u32 {
    let mut found = later(1, Some(3_u32)).await;
    let inner = later(2, found.take()).await;
    inner.map_or(0, |inner| inner + 1)
}

#[volt::state_machine(explicit)]
async fn copies_an_element() -> u32 {
    let list = later(1, [7_u32; 64]).await;
    let found: u32 = match list[0].wrapping_add(1) {
        1 => later(2, 2).await,
        100 => later(3, [list[2]; 8]).await[0],
        other => other + list[1],
    };
    found
}

fn run<F: Future>(future: F, limit: Option<usize>) -> F::Output {
    assert!(size_of::<F>() <= limit.unwrap());
    volt::block_on(future)
}

#[test]
fn number_copied_by_an_operand_is_not_stored() {
    assert_eq!(
        run(copies_the_receiver(), CopiesTheReceiver::NATIVE_SIZE),
        4
    );
    assert_eq!(
        run(borrows_the_receiver(), BorrowsTheReceiver::NATIVE_SIZE),
        6
    );
    let limit = TakesWhatAnOptionHolds::NATIVE_SIZE;
    assert_eq!(run(takes_what_an_option_holds(), limit), 4);
}

#[test]
fn list_with_a_copied_element_is_not_stored() {
    assert_eq!(run(copies_an_element(), CopiesAnElement::NATIVE_SIZE), 15);
}
