//! Awaits in the arguments of `vec!`, `format!` and other macros of the standard library, in native
//! machines. Such an await has a state of its own, and a loop around it gets no turn. The tokens of
//! a macro of the user are not changed.

use std::fmt::Write;
use std::future::{Future, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use volt::machine::{Layout, StateMachine};

#[macro_use]
#[path = "visible_awaits/own_writeln.rs"]
mod own_writeln;
#[path = "native_sizes/turn.rs"]
mod turn;

use self::turn::turn;

async fn text(number: usize) -> String {
    turn().await;
    number.to_string()
}

fn list_end(list: &[String]) -> &'static str {
    if list.is_empty() { "none" } else { "end" }
}

/// Polls a future until it is ready.
fn output<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

/// Functions, plain and as machines.
macro_rules! functions {
    ($(async fn $name:ident($list:ident: Vec<usize>) -> String $body:block)*) => {
        mod plain {
            use super::{Write, list_end, text};
            $(pub(super) async fn $name($list: Vec<usize>) -> String $body)*
        }
        mod machine {
            use super::{Write, list_end, text};
            $(
                #[volt::state_machine(native)]
                pub(super) async fn $name($list: Vec<usize>) -> String $body
            )*
        }

        #[test]
        fn machines_of_loops_have_the_size_of_futures() {
            // The future of the compiler has its argument twice.
            let sizes = [$((
                stringify!($name),
                size_of_val(&machine::$name(vec![1])),
                size_of_val(&plain::$name(vec![1])) - size_of::<Vec<usize>>(),
            )),*];
            for (name, machine, plain) in sizes {
                assert!(machine <= plain, "{name}: {machine} for {plain}");
            }
        }

        #[test]
        fn machines_have_the_outputs_of_futures() {
            $(
                let machine = output(machine::$name(vec![1, 22, 3]));
                assert_eq!(machine, output(plain::$name(vec![1, 22, 3])));
            )*
        }
    };
}

functions! {
    async fn lists(list: Vec<usize>) -> String {
        let mut all = Vec::new();
        for number in list {
            all.extend(vec![text(number).await, String::new()]);
        }
        all.concat()
    }

    async fn repeats(list: Vec<usize>) -> String {
        let mut all = Vec::new();
        for number in list {
            all.extend(vec![text(number).await; number]);
        }
        all.concat()
    }

    async fn formats(list: Vec<usize>) -> String {
        let mut all = String::new();
        for number in list {
            all += &format!("{number} {} {named}", text(number).await, named = text(7).await);
        }
        all
    }

    async fn writes(list: Vec<usize>) -> String {
        let mut all = String::new();
        for number in list {
            write!(all, "{}", text(number).await).unwrap();
        }
        all
    }

    async fn lists_some(list: Vec<usize>) -> String {
        let mut all = Vec::new();
        for number in list {
            if number > 1 {
                all.extend(vec![text(number).await, String::new()]);
            }
            all.push(String::new());
        }
        // Takes the place of the locals of the loop.
        let rest = [list_end(&all); 12];
        text(rest.len()).await + &rest.concat()
    }

    async fn compares(list: Vec<usize>) -> String {
        for number in list {
            assert_eq!(text(number).await.parse(), Ok(number), "{}", text(1).await);
        }
        String::new()
    }
}

const LINE: u32 = line!();

#[volt::state_machine(native)]
async fn shown(number: usize) -> String {
    let mut first = vec![text(number).await];
    first.push(String::new());
    first.concat() + &format!("{} ", text(number).await)
}

#[test]
fn await_in_a_macro_has_a_state() {
    let mut machine = pin!(shown(1));
    let mut cx = Context::from_waker(Waker::noop());
    let mut states = Vec::new();
    while machine.as_mut().poll(&mut cx).is_pending() {
        machine.trace(&mut |state| states.push((state.name, state.line)));
    }
    assert_eq!(states[0], ("await text", LINE + 4));
    assert_eq!(states[1], ("await text", LINE + 6));
    assert_eq!(states.len(), 2);
    let mut steps = Shown::TRANSITIONS.iter();
    assert!(steps.any(|step| (step.from, step.to) == (1, 2)));
}

#[volt::state_machine(native)]
async fn loops() {
    loop {
        drop(vec![ready(1).await]);
    }
}

#[volt::state_machine(native)]
async fn loops_in_a_block() {
    async {
        loop {
            drop(format!("{}", ready(1).await));
        }
    }
    .await
}

#[volt::test]
async fn loop_of_ready_awaits_is_cancelled() {
    let in_place = async {
        loop {
            drop(vec![ready(1).await]);
        }
    };
    assert!(is_cancelled(loops()).await);
    assert!(is_cancelled(loops_in_a_block()).await);
    assert!(is_cancelled(in_place).await);
}

async fn is_cancelled(endless: impl Future<Output = ()>) -> bool {
    let limit = Duration::from_millis(5);
    volt::time::timeout(limit, endless).await.is_err()
}

#[volt::state_machine(native)]
async fn in_a_macro_of_another_file() -> (usize, &'static str) {
    writeln!(ready(1).await)
}

#[test]
fn own_macro_gets_the_tokens_of_the_user() {
    let expected = (1, "ready(1).await");
    assert_eq!(output(in_a_macro_of_another_file()), expected);
}

/// Functions with the layout that the macro chooses.
mod chosen {
    use super::{Write, text};

    #[volt::state_machine]
    pub(super) async fn formatted(n: usize) -> String {
        format!("{n} {} {}", text(n).await, text(7).await)
    }

    #[volt::state_machine]
    pub(super) async fn part_is_formatted(n: usize) -> String {
        format!("{n} {}", text(n).await.trim())
    }

    #[volt::state_machine]
    pub(super) async fn listed(n: usize) -> usize {
        let mut list = vec![text(n).await, text(7).await];
        list.push(String::new());
        list.len()
    }

    #[volt::state_machine]
    pub(super) async fn call_before_an_await(n: usize) -> String {
        format!("{:?} {}", char::from_digit(n as u32, 10), text(n).await)
    }

    #[volt::state_machine]
    pub(super) async fn part_before_an_await(n: usize) -> String {
        format!("{} {}", text(n).await.trim(), text(7).await)
    }

    #[volt::state_machine]
    pub(super) async fn written(n: usize) -> String {
        let mut all = String::new();
        write!(all, "{}", text(n).await).unwrap();
        all
    }

    #[volt::state_machine]
    pub(super) async fn own_macro(n: usize) -> (String, &'static str) {
        writeln!(text(n).await)
    }
}

fn is_explicit<M: StateMachine>(_: M) -> bool {
    matches!(M::LAYOUT, Layout::Explicit)
}

#[test]
fn layout_depends_on_the_effects_of_arguments() {
    assert!(is_explicit(chosen::formatted(1)));
    assert!(is_explicit(chosen::part_is_formatted(1)));
    assert!(is_explicit(chosen::listed(1)));
    assert!(!is_explicit(chosen::call_before_an_await(1)));
    assert!(!is_explicit(chosen::part_before_an_await(1)));
    assert!(!is_explicit(chosen::written(1)));
    assert!(!is_explicit(chosen::own_macro(1)));
}
