//! Bindings of a condition are stored no longer than they are used.

use std::future::ready;

use volt::machine::StateMachine;

struct Guard(#[expect(dead_code, reason = "it may borrow, as far as the macro knows")] u32);

impl Drop for Guard {
    fn drop(&mut self) {}
}

fn page(turn: u32) -> Option<([u8; 256], u32)> {
    (turn < 2).then_some(([1; 256], turn))
}

#[volt::state_machine(explicit)]
async fn pages() -> u32 {
    let guard = Guard(1);
    let mut turn: u32 = 0;
    while let Some((_bytes, _number)) = page(turn) {
        ready(()).await;
        turn += 1;
    }
    drop(guard);
    turn
}

#[test]
fn unused_pages_are_not_stored() {
    assert!(size_of::<Pages>() <= Pages::NATIVE_SIZE.unwrap());
    assert!(size_of::<Pages>() < 64);
    assert_eq!(volt::block_on(pages()), 2);
}
