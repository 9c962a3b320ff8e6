//! Assertions with awaits: machines and the compiler's futures do the same. And branches on the
//! build, with and without debug assertions.
#![forbid(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use volt::machine::{Layout, StateMachine};
use volt::task::yield_now;

thread_local! {
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static IS_LOGGED: Cell<bool> = const { Cell::new(false) };
}

fn note(event: impl Into<String>) {
    LOG.with_borrow_mut(|log| log.push(event.into()));
}

/// Returns the events until the future has ended, and the place of its panic.
fn log_of<F: Future<Output = u32>>(future: F) -> Vec<String> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| match IS_LOGGED.get() {
            true => note(format!("{panic}")),
            false => loud(panic),
        }));
    });
    LOG.take();
    IS_LOGGED.set(true);
    let output = catch_unwind(AssertUnwindSafe(|| volt::block_on(future)));
    IS_LOGGED.set(false);
    note(format!("output {:?}", output.ok()));
    LOG.take()
}

/// Logs its drop.
struct Guard(&'static str);

impl Guard {
    async fn holds(&self, holds: bool) -> bool {
        yield_now().await;
        note(format!("looked at {}", self.0));
        holds
    }

    async fn number(self, number: u32) -> u32 {
        yield_now().await;
        note(format!("took {}", self.0));
        number
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        note(format!("dropped {}", self.0));
    }
}

fn guard(name: &'static str) -> Guard {
    note(format!("made {name}"));
    Guard(name)
}

async fn pushed(list: &mut Vec<bool>) {
    yield_now().await;
    list.push(true);
}

fn told() -> &'static str {
    note("told");
    "told"
}

/// Functions as the compiler has them, and as machines.
macro_rules! both {
    ($($(#[$attr:meta])* async fn $name:ident ($($args:tt)*) -> u32 $body:block)*) => {
        #[allow(clippy::bool_assert_comparison, clippy::needless_borrow, reason = "odd on purpose")]
        mod plain {
            use super::*;
            $($(#[$attr])* pub(crate) async fn $name($($args)*) -> u32 $body)*
        }

        #[allow(clippy::bool_assert_comparison, clippy::needless_borrow, reason = "odd on purpose")]
        mod machine {
            use super::*;
            $($(#[$attr])* #[volt::state_machine] pub(crate) async fn $name($($args)*) -> u32 $body)*
        }
    };
}

both! {
    async fn condition(holds: bool, id: u32) -> u32 {
        let local = guard("local");
        assert!(local.holds(holds).await, "told of {id}");
        yield_now().await;
        id
    }

    async fn without_message(holds: bool) -> u32 {
        let local = guard("local");
        std::assert!((&local).holds(holds).await);
        1
    }

    async fn of_a_borrowed_local(holds: bool) -> u32 {
        let mut local = vec![holds];
        pushed(&mut local).await;
        assert!(local[0] && !local.is_empty());
        let holds = local.len() > 1;
        pushed(&mut local).await;
        assert!(holds);
        2
    }

    async fn chain(holds: bool) -> u32 {
        assert!(guard("chained").holds(holds).await, "{}", told());
        yield_now().await;
        1
    }

    async fn equal(right: u32) -> u32 {
        assert_eq!(guard("left").number(1).await, guard("right").number(right).await, "{}", told());
        yield_now().await;
        1
    }

    async fn equal_by_chains(right: bool) -> u32 {
        assert_eq!(true, guard("right").holds(right).await, "{}", told());
        yield_now().await;
        1
    }

    async fn unequal(right: u32) -> u32 {
        core::assert_ne!(1, guard("right").number(right).await);
        1
    }

    async fn last_in_a_block(way: bool, holds: bool) -> u32 {
        let local = guard("local");
        match way {
            true => assert!((&local).holds(holds).await),
            false => {
                let inner = guard("inner");
                yield_now().await;
                assert!((&inner).holds(holds).await, "{}", told())
            }
        }
        note("behind");
        2
    }

    async fn in_a_loop(upto: u32) -> u32 {
        let mut n = 0;
        while n < upto {
            assert!(guard("turn").number(n).await < 2, "{}", told());
            n += 1;
        }
        n
    }

    async fn of_the_build(id: u32) -> u32 {
        if cfg!(debug_assertions) {
            guard("debug").number(id).await;
        } else {
            guard("release").number(id).await;
        }
        id
    }
}

/// Compares the logs, and gives one of them.
macro_rules! same {
    ($name:ident($($args:expr),*)) => {{
        let plain = log_of(plain::$name($($args),*));
        assert_eq!(log_of(machine::$name($($args),*)), plain);
        plain
    }};
}

#[test]
fn condition_is_evaluated_and_reported() {
    assert_eq!(machine::Condition::LAYOUT, Layout::Explicit);
    assert!(same!(condition(true, 3)).contains(&"looked at local".to_owned()));
    let told = same!(condition(false, 3));
    assert!(told.iter().any(|it| it.ends_with("told of 3")));
}

#[test]
fn failed_assertion_has_message_and_place_of_compiler() {
    same!(without_message(true));
    let said = same!(without_message(false)).join("\n");
    let text = "assertion failed: (&local).holds(holds).await";
    assert!(said.contains(text), "{said}");
    same!(unequal(2));
    same!(unequal(1));
}

#[test]
fn assertion_of_a_borrowed_local_keeps_its_message() {
    assert_eq!(machine::OfABorrowedLocal::LAYOUT, Layout::Explicit);
    same!(of_a_borrowed_local(true));
    let said = same!(of_a_borrowed_local(false)).join("\n");
    let text = "assertion failed: local[0] && !local.is_empty()";
    assert!(said.contains(text), "{said}");
}

#[test]
fn temporaries_are_dropped_as_in_compiler_future() {
    same!(chain(true));
    same!(chain(false));
    same!(equal_by_chains(true));
    same!(equal_by_chains(false));
}

#[test]
fn operands_are_evaluated_in_order() {
    same!(equal(1));
    same!(equal(2));
}

#[test]
fn assertion_may_be_the_last_in_a_block_and_in_a_loop() {
    same!(last_in_a_block(true, true));
    same!(last_in_a_block(true, false));
    same!(last_in_a_block(false, true));
    same!(last_in_a_block(false, false));
    same!(in_a_loop(2));
    same!(in_a_loop(3));
}

#[test]
fn branch_on_the_build_is_explicit() {
    same!(of_the_build(1));
}
