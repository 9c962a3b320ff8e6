//! Functions and arguments whose names the expansion has too, or whose machines would have a name of the prelude.
#![deny(warnings)]

use std::future::ready;

/// Declares each function in both layouts.
macro_rules! functions {
    ($($name:ident($($argument:ident),*))*) => {
        mod explicit {
            use super::*;

            $(
                #[volt::state_machine(explicit)]
                pub(super) async fn $name($($argument: u32),*) -> u32 {
                    ready(()).await;
                    0 $(+ $argument)*
                }
            )*
        }

        mod native {
            use super::*;

            $(
                #[volt::state_machine(native)]
                pub(super) async fn $name($($argument: u32),*) -> u32 {
                    ready(()).await;
                    0 $(+ $argument)*
                }
            )*
        }

        #[test]
        fn each_function_returns_its_sum() {
            $(
                let mut sum = 0;
                $( let $argument = 3; sum += $argument; )*
                assert_eq!(volt::block_on(explicit::$name($($argument),*)), sum);
                assert_eq!(volt::block_on(native::$name($($argument),*)), sum);
            )*
        }
    };
}

functions! {
    next(next, begin, cx, state)
    send(future, output, machine, tag)
    result(region, base, mode, slots)
    clone(lent, operand, states, late)
    drop(this, waker, context, poll)
    option(held, field, progress, arguments)
    vec(value, volt, core, std)
    some(types, unpin, own, _never)
    iterator(note, probe, asked, visit)
    default(slot_0, stack_0, scratch_0, argument_0)
    future(future, native, marks, parameters)
    self_(token, end, parts, places)
    r#type(r#fn, r#loop, r#match, r#struct)
    auto(auto, is_send, volt_auto, volt_ask)
}

fn begin() -> u32 {
    1
}

mod items {
    pub(crate) async fn next(number: u32) -> u32 {
        number
    }
}

#[volt::state_machine(explicit)]
async fn locals_named_as_items(start: u32) -> u32 {
    let begin = begin();
    let next = items::next(begin).await;
    let cx = next + start;
    ready(()).await;
    cx
}

#[test]
fn local_may_have_the_name_of_the_function_that_gave_it() {
    assert_eq!(volt::block_on(locals_named_as_items(2)), 3);
}

mod serve {
    use super::ready;

    #[volt::state_machine(alias = false)]
    pub(super) async fn serve() -> u32 {
        ready(1).await
    }

    pub(super) mod quit {
        use super::ready;

        #[volt::state_machine(native, alias = false)]
        pub(crate) async fn quit() -> u32 {
            ready(2).await
        }
    }
}

use serve::quit::quit;
use serve::serve;

mod quit {}

#[test]
fn function_may_be_called_as_a_module_is() {
    assert_eq!(volt::block_on(serve()) + volt::block_on(quit()), 3);
}
