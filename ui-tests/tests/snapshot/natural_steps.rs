//! Steps with borrowed temporaries, and results without written types.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use volt::machine::StepDriver;

use super::steps::drive;

thread_local! {
    /// The calls so far.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Fails at every second call, and borrows its arguments.
async fn send(to: &str, text: &str) -> Result<String, String> {
    let is_failure = CALLS.with_borrow_mut(|calls| {
        calls.push(format!("{to}: {text}"));
        calls.len() % 2 == 1
    });
    volt::task::yield_now().await;
    if is_failure {
        Err(text.to_owned())
    } else {
        Ok(text.to_uppercase())
    }
}

/// Records its drop among the calls.
struct Line(String);

impl Line {
    fn new(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let text = format!("drop {}", self.0);
        CALLS.with_borrow_mut(|calls| calls.push(text));
    }
}

/// Returns the length of both lines.
async fn print(first: &Line, second: &Line) -> usize {
    let length = first.0.len() + second.0.len();
    CALLS.with_borrow_mut(|calls| calls.push(format!("print {} {}", first.0, second.0)));
    volt::task::yield_now().await;
    length
}

#[derive(Serialize, Deserialize)]
struct Mailer {
    from: String,
}

impl Mailer {
    async fn mail(&self, to: &str, text: &str) -> Result<String, String> {
        send(&format!("{} to {to}", self.from), text).await
    }
}

/// A resource of a worker is dereferenced to its value.
#[derive(Serialize, Deserialize)]
struct Res<T>(T);

impl<T> std::ops::Deref for Res<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn untyped(texts: Vec<String>) -> Result<String, String> {
    let mut last: String = String::new();
    for text in texts {
        #[step(retry = 1)]
        #[state(Untyped)]
        let sent = send("a", &text).await;
        #[step(retry = 1)]
        #[state(Unbound)]
        let _ = send("b", &text).await;
        #[step(retry = 1)]
        #[state(Statement)]
        send("c", &text).await?;
        last = sent?;
    }
    #[step(retry = 1)]
    #[state(Last)]
    let receipt = send("e", &last).await;
    let receipt = receipt.unwrap();
    #[step(retry = 1)]
    #[state(Receipt)]
    let sent = send("f", &receipt).await;
    sent
}

#[test]
fn repeated_steps_need_no_types() {
    CALLS.take();
    let machine = untyped(vec!["x".into(), "y".into()]);
    let (output, stored) = drive(machine, &mut StepDriver::new());
    assert_eq!(output, Ok("Y".into()));
    let each = |text: &str| ["a", "b", "c"].map(|to| format!("{to}: {text}"));
    let calls = [each("x"), each("y")].concat();
    let calls = [calls, vec!["e: Y".into(), "f: Y".into()]].concat();
    let twice: Vec<_> = calls.iter().flat_map(|call| [call, call]).collect();
    assert_eq!(CALLS.take().iter().collect::<Vec<_>>(), twice);
    assert_eq!(stored.len(), 16);
    let statement = r#"{"Statement":{"last":"","for":["y"],"text":"x","sent":{"Ok":"X"},"step_attempts":1,"await":4}}"#;
    assert_eq!(stored[5], statement);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn temporaries(mailer: Res<Mailer>, to: String, days: u32) -> Result<String, String> {
    #[step]
    #[state(Formatted)]
    let first = send(&to, &format!("{days} days")).await;
    assert!(first.is_err());
    #[step(retry = 1)]
    #[state(Repeated)]
    let second = send(&to, &days.to_string()).await?;
    #[step(retry = 1)]
    #[state(OfReceiver)]
    mailer.mail(&to, &format!("{second} left")).await?;
    #[step]
    #[state(Printed)]
    let length = print(&Line::new("one"), &Line::new("three")).await;
    #[step]
    #[state(Matched)]
    let text = match send(&to, &format!("{length}")).await {
        Ok(text) | Err(text) => text,
    };
    Ok(text)
}

#[test]
fn temporaries_of_steps_end_with_the_statement() {
    CALLS.take();
    let machine = temporaries(Res(Mailer { from: "m".into() }), "a".into(), 3);
    let (output, stored) = drive(machine, &mut StepDriver::new());
    assert_eq!(output, Ok("8".into()));
    let calls = [
        "a: 3 days",
        "a: 3",
        "m to a: 3 left",
        "m to a: 3 left",
        "print one three",
        "drop three",
        "drop one",
        "a: 8",
    ];
    assert_eq!(CALLS.take(), calls);
    assert_eq!(stored.len(), 6);
}
