//! The options: another name, another path to volt, a bound on the size.
#![deny(warnings)]

mod inner {
    pub use volt as runtime;
}

use std::future::{Ready, ready};

#[volt::state_machine(name = Nap, crate = inner::runtime, max_size = 8)]
async fn snooze(first: Ready<u8>) -> u8 {
    #[state(Dozing)]
    first.await
}

fn main() {
    use volt::machine::StateMachine;
    let nap: Nap = snooze(ready(1));
    assert_eq!(nap.state().name, "start");
    assert!(Nap::NATIVE_SIZE.is_some());
    assert_eq!(Nap::STATES[1].name, "Dozing");
    assert!(!nap.is_terminated());
}
