//! Loops whose only awaits are in macros, with values that are not `Send` beside the awaits. The
//! machines are `Send`, as the plain functions are.

use std::future::ready;
use std::rc::Rc;

use futures::FutureExt;

macro_rules! wait {
    ($future:expr) => {
        $future.await
    };
}

/// Functions with values that are not `Send`, and that no await stores. Each of them is a machine
/// and a plain function.
mod values_of_one_thread {
    use super::*;

    macro_rules! twice {
        ($($name:ident($rest:ident) $body:block)*) => {
            pub(super) mod plain {
                use super::*;
                $(pub(crate) async fn $name(mut $rest: u64) -> u64 $body)*
            }
            $(
                #[volt::state_machine]
                pub(super) async fn $name(mut $rest: u64) -> u64 $body
            )*
        };
    }

    fn address() -> *const u64 {
        std::ptr::dangling()
    }

    fn take(shared: Rc<u64>) -> u64 {
        *shared
    }

    twice! {
        dropped(rest) {
            while rest > 0 {
                let shared = Rc::new(1);
                rest -= take(shared);
                wait!(ready(1));
            }
            rest
        }
        read_before(rest) {
            let mut read = address();
            while rest > 0 {
                let step = u64::from(!read.is_null());
                let _result = wait!(ready(step));
                read = address();
                rest -= 1;
            }
            rest
        }
        read_in_the_condition(rest) {
            let mut read = address();
            while wait!(ready(!read.is_null() && rest > 0)) {
                read = address();
                rest -= 1;
            }
            rest
        }
        returned(rest) {
            while rest > 0 {
                let shared = wait!(ready(1).map(Rc::new));
                rest -= take(shared);
            }
            rest
        }
        assigned(rest) {
            let mut read;
            loop {
                read = wait!(ready(()).map(|()| address()));
                rest -= u64::from(!read.is_null());
                if rest == 0 {
                    return rest;
                }
            }
        }
        left_by_a_break(rest) {
            let shared = Rc::new(0);
            loop {
                if rest == 0 {
                    let last = wait!(ready(take(shared)));
                    break last;
                }
                rest -= 1;
            }
        }
        listed(rest) {
            for shared in [Rc::new(0), Rc::new(0)] {
                rest *= 1 + take(shared);
            }
            for step in (0..rest).rev() {
                let shared = Rc::new(step);
                rest = take(shared);
                let _step = wait!(ready(step));
            }
            rest
        }
    }
}

#[test]
fn turn_keeps_a_machine_send() {
    use values_of_one_thread::*;
    fn assert_send<F: Future<Output = u64> + Send>(
        plain: F,
        machine: impl Future<Output = u64> + Send,
    ) {
        assert_eq!(volt::block_on(plain), 0);
        assert_eq!(volt::block_on(machine), 0);
    }
    assert_send(plain::dropped(3), dropped(3));
    assert_send(plain::read_before(3), read_before(3));
    assert_send(plain::read_in_the_condition(3), read_in_the_condition(3));
    assert_send(plain::returned(3), returned(3));
    assert_send(plain::assigned(3), assigned(3));
    assert_send(plain::left_by_a_break(3), left_by_a_break(3));
    assert_send(plain::listed(3), listed(3));
}
