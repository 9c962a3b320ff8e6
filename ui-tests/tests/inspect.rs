//! The inspection of a machine: its state, the states of nested machines, its diagram.

use std::future::{Ready, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

/// Pending once, then ready.
fn pause() -> Pause {
    Pause(false)
}

struct Pause(bool);

impl Future for Pause {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[volt::state_machine]
async fn inner(count: &mut u32) {
    *count += 1;
    pause().await;
    *count += 1;
}

#[volt::state_machine]
async fn outer(first: Ready<u8>) -> u32 {
    let mut count: u32 = u32::from(first.await);
    #[state(Counting)]
    inner(&mut count).await;
    count
}

#[volt::state_machine]
async fn generic<F: Future<Output = u32>>(future: F) -> u32 {
    future.await
}

#[volt::state_machine]
async fn log_in(user: u8, #[secret] password: u8) -> u8 {
    #[secret]
    let (first, second) = (password + 1, password + 2);
    let shown = user;
    pause().await;
    user + password + first + second + shown
}

#[volt::state_machine(secret)]
async fn hidden(user: u8) -> u8 {
    pause().await;
    user
}

#[volt::state_machine(native)]
async fn native_log_in(#[secret] password: u8) -> u8 {
    #[secret]
    let first = password;
    pause().await;
    first
}

struct Account(u8);

#[volt::state_machine]
impl Account {
    async fn check(#[secret] &self, #[secret] password: u8, user: u8) -> bool {
        pause().await;
        self.0 == password && user > 0
    }

    #[volt::state_machine(secret)]
    async fn check_all(&self, user: u8) -> bool {
        pause().await;
        user > 0
    }
}

/// Polls a machine once, and returns its `Debug` text.
fn shown(machine: impl Future + std::fmt::Debug) -> String {
    let mut machine = pin!(machine);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    format!("{machine:?}")
}

#[test]
fn secret_locals_are_not_shown() {
    let text = shown(log_in(1, 42));
    for local in [
        "user: 1",
        "password: <secret>",
        "first: <secret>",
        "second: <secret>",
    ] {
        assert!(text.contains(local), "{text}");
    }
    assert!(text.contains("shown: 1"), "{text}");
    let text = shown(hidden(42));
    assert!(text.contains("user: <secret>"), "{text}");
    let account = Account(7);
    let text = shown(account.check(42, 8));
    assert!(
        text.contains("password: <secret>") && text.contains("user: 8"),
        "{text}"
    );
    let text = shown(account.check_all(42));
    assert!(text.contains("user: <secret>"), "{text}");
    assert!(!shown(native_log_in(42)).contains("42"));
}

fn names(machine: &impl StateMachine) -> Vec<&'static str> {
    let mut names = Vec::new();
    machine.trace(&mut |state| names.push(state.name));
    names
}

#[test]
fn trace_goes_down_to_the_innermost_machine() {
    let mut machine = pin!(outer(ready(5)));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(names(&machine), ["start"]);
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(names(&machine), ["Counting", "await pause"]);
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(7));
    assert_eq!(names(&machine), ["done"]);
    assert!(machine.is_terminated());
}

#[test]
fn trace_ends_where_the_type_is_not_known() {
    let mut machine = pin!(generic(outer(ready(5))));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(names(&machine), ["await future"]);
}

#[test]
fn debug_names_state_line_and_locals() {
    let mut machine = pin!(outer(ready(5)));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    let line = Outer::STATES[2].line;
    assert_eq!(
        format!("{machine:?}"),
        format!("Outer {{ state: \"Counting\", line: {line}, count: <borrowed> }}")
    );
}

#[test]
fn states_have_places_and_locals() {
    let counting = Outer::STATES[2];
    assert!(counting.file.ends_with("inspect.rs"));
    assert_eq!(counting.line, Outer::STATES[1].line + 2);
    let locals = counting.locals.iter().map(|local| (local.name, local.ty));
    assert_eq!(locals.collect::<Vec<_>>(), [("count", "u32")]);
}

#[test]
fn diagram_shows_every_step() {
    let (first, counting) = (Outer::STATES[1].line, Outer::STATES[2].line);
    let expected = format!(
        "stateDiagram-v2\n    s1 : await first, line {first}\n    s2 : Counting, line {counting}\n    \
         [*] --> s1\n    s1 --> s2\n    s2 --> [*]\n"
    );
    assert_eq!(Outer::mermaid().to_string(), expected);
}

#[test]
fn nested_machine_is_no_larger_than_compiler_future() {
    let native = Outer::NATIVE_SIZE.unwrap();
    assert!(
        size_of::<Outer>() <= native,
        "{} {native}",
        size_of::<Outer>()
    );
}

/// Declares a function in both layouts whose only await is in a statement of each kind that leaves.
macro_rules! labels {
    ($layout:ident) => {
        mod $layout {
            use volt::machine::StateMachine;

            #[volt::state_machine($layout)]
            async fn left() -> u32 {
                loop {
                    #[state(Leaving)]
                    break super::ready(1).await;
                }
            }

            #[volt::state_machine($layout)]
            async fn returned() -> u32 {
                #[state(Returning)]
                return super::ready(2).await;
            }

            #[volt::state_machine($layout)]
            async fn added() -> u32 {
                let mut sum = 1;
                #[state(Adding)]
                sum += super::ready(2).await;
                sum
            }

            #[test]
            fn state_label_on_compound_assignment() {
                let mut cx = super::Context::from_waker(super::Waker::noop());
                assert_eq!(Added::STATES[1].name, "Adding");
                assert_eq!(super::pin!(added()).poll(&mut cx), super::Poll::Ready(3));
            }

            #[test]
            fn state_label_on_return_and_break() {
                assert_eq!(Left::STATES[1].name, "Leaving");
                assert_eq!(Returned::STATES[1].name, "Returning");
                let mut cx = super::Context::from_waker(super::Waker::noop());
                assert_eq!(super::pin!(left()).poll(&mut cx), super::Poll::Ready(1));
                assert_eq!(super::pin!(returned()).poll(&mut cx), super::Poll::Ready(2));
            }
        }
    };
}

labels!(explicit);
labels!(native);
