//! Functions of one name in several modules. A name means the function that its module shows, so
//! only some of these functions are in a cycle.

use std::future::Future;

use futures::future::LocalFutureObj;
use volt::task::yield_now;

use super::super::super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

/// The first function awaits the second one.
mod ebb_first {
    use super::*;

    #[volt::state_machine]
    pub(super) async fn ebb(n: u32) -> u32 {
        let number = local_number(n);
        Box::pin(flow(n)).await + *number.0
    }

    #[volt::state_machine]
    pub(super) async fn flow(n: u32) -> u32 {
        yield_now().await;
        n
    }
}

/// The second function awaits the first one.
mod flow_first {
    use super::*;

    #[volt::state_machine]
    pub(super) async fn flow(n: u32) -> u32 {
        let number = local_number(n);
        Box::pin(ebb(n)).await + *number.0
    }

    #[volt::state_machine]
    pub(super) async fn ebb(n: u32) -> u32 {
        yield_now().await;
        n
    }
}

/// A type with methods of these names, which await each other.
mod tides {
    pub(super) struct Tide;

    #[volt::state_machine]
    impl Tide {
        pub(super) async fn ebb(&self, n: u32) -> u32 {
            match n {
                0 => 0,
                n => Box::pin(self.flow(n - 1)).await + 1,
            }
        }

        pub(super) async fn flow(&self, n: u32) -> u32 {
            Box::pin(self.ebb(n)).await
        }
    }
}

/// A module that imports one function of a cycle, and renames the other one.
mod imported {
    use super::tides_of_functions::{rise as climb, sink};

    #[volt::state_machine]
    pub(super) async fn rise(n: u32) -> u32 {
        Box::pin(climb(n)).await + Box::pin(sink(n)).await
    }
}

mod tides_of_functions {
    #[volt::state_machine]
    pub(super) async fn rise(n: u32) -> u32 {
        match n {
            0 => 0,
            n => Box::pin(super::deeper::sink(n - 1)).await + 1,
        }
    }

    pub(super) use super::deeper::*;
}

mod deeper {
    use super::tides_of_functions as other;

    #[volt::state_machine]
    pub(crate) async fn sink(n: u32) -> u32 {
        Box::pin(other::rise(n)).await
    }
}

/// A machine is named here, whose name ends as that of the function below.
mod named {
    use super::*;

    pub(super) trait Way {
        type Going<'a>: Future<Output = u32>
        where
            Self: 'a;

        fn stroll(&self) -> Self::Going<'_>;
    }

    pub(super) struct Path;

    #[volt::state_machine]
    impl Way for Path {
        type Going<'a>
            = PathStroll<'a>
        where
            Self: 'a;

        async fn stroll(&self) -> u32 {
            yield_now().await;
            1
        }
    }
}

#[volt::state_machine]
async fn stroll(n: u32) -> u32 {
    match n {
        0 => 0,
        n => LocalFutureObj::new(Box::pin(ramble(n - 1))).await + 1,
    }
}

#[volt::state_machine]
async fn ramble(n: u32) -> u32 {
    match n {
        0 => 0,
        n => LocalFutureObj::new(Box::pin(stroll(n - 1))).await + 2,
    }
}

macro_rules! declare_hop {
    ($vis:vis) => {
        /// A block has another function of the name.
        #[volt::state_machine]
        $vis async fn hop(n: u32) -> u32 {
            if n == 0 {
                async fn hop() -> u32 {
                    yield_now().await;
                    7
                }
                return hop().await;
            }
            LocalFutureObj::new(Box::pin(skip(n - 1))).await
        }
    };
}

declare_hop!(pub(super));

#[volt::state_machine]
async fn skip(n: u32) -> u32 {
    LocalFutureObj::new(Box::pin(hop(n))).await + 1
}

/// A macro of the same name declares another function here.
mod of_other_macro {
    macro_rules! declare_hop {
        ($vis:vis) => {
            $vis async fn hop(n: u32, m: u32) -> u32 {
                super::yield_now().await;
                n + m
            }
        };
    }

    declare_hop!(pub(super));
}

#[volt::state_machine]
async fn float(n: u32) -> u32 {
    // SAFETY: the array has an element.
    let one = unsafe { *[1].get_unchecked(0) };
    match n {
        0 => 0,
        n => LocalFutureObj::new(Box::pin(drift(n - 1))).await + one,
    }
}

#[volt::state_machine]
async fn drift(n: u32) -> u32 {
    match n {
        0 => 0,
        n => Box::pin(float(n - 1)).await + 2,
    }
}

#[test]
fn unsafe_block_may_be_in_a_cycle() {
    assert_futures! {
        float(4) => ((false, false), 6);
        drift(3) => ((false, false), 5);
    }
}

#[test]
fn functions_of_other_modules_are_in_no_cycle() {
    assert_futures! {
        ebb_first::ebb(2) => ((false, false), 4);
        ebb_first::flow(2) => ((true, true), 2);
        flow_first::flow(2) => ((false, false), 4);
        flow_first::ebb(2) => ((true, true), 2);
        tides::Tide.ebb(2) => ((true, true), 2);
        tides::Tide.flow(2) => ((true, true), 2);
    }
}

#[test]
fn imported_functions_are_in_a_cycle() {
    assert_futures! {
        imported::rise(2) => ((true, true), 4);
        tides_of_functions::rise(2) => ((true, true), 2);
        tides_of_functions::sink(2) => ((true, true), 2);
    }
}

#[test]
fn machine_named_elsewhere_is_another_one() {
    use named::Way;
    assert_eq!(volt::block_on(named::Path.stroll()), 1);
    assert_futures! {
        stroll(4) => ((false, false), 6);
        ramble(3) => ((false, false), 5);
    }
}

#[test]
fn functions_of_macros_are_in_a_cycle() {
    assert_futures! {
        hop(2) => ((false, false), 9);
        skip(2) => ((false, false), 10);
        of_other_macro::hop(1, 2) => ((true, true), 3);
    }
}
