//! Steps with borrowed temporaries, and results without written types.
#![allow(
    clippy::nonminimal_bool,
    reason = "negated conditions with temporaries are tested"
)]

use std::cell::RefCell;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde::{Deserialize, Serialize};
use volt::machine::StepDriver;

use super::steps::drive;

thread_local! {
    /// The calls so far.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Polls a plain future until its end. Miri has no timers of the system, so there is no runtime.
fn run_plain<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
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
#[derive(Serialize, Deserialize)]
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

/// Returns an error with its own destructor for an odd length.
async fn check(line: &Line) -> Result<usize, Line> {
    volt::task::yield_now().await;
    match line.0.len() % 2 {
        0 => Ok(line.0.len()),
        _ => Err(Line::new("rest")),
    }
}

/// Writes a function twice: as a machine, and without the attribute.
macro_rules! with_plain {
    ($name:ident $plain:ident ($arg:ident: $ty:ty) -> $out:ty { $($body:tt)* } $without:block) => {
        #[volt::state_machine(derive(Serialize, Deserialize))]
        async fn $name($arg: $ty) -> $out {
            $($body)*
        }

        async fn $plain($arg: $ty) -> $out $without
    };
}

with_plain! {
    heads plain_heads(texts: Vec<String>) -> usize {
        let mut sum: usize = 0;
        for text in texts {
            #[step]
            #[state(Checking)]
            let Ok(length) = check(&Line::new(&text)).await else {
                CALLS.with_borrow_mut(|calls| calls.push("else".into()));
                continue;
            };
            sum += length;
            #[step]
            #[state(Again)]
            if check(&Line::new(&format!("{text}!"))).await.is_err() {
                CALLS.with_borrow_mut(|calls| calls.push("then".into()));
            } else {
                sum += 100;
            }
            #[step]
            #[state(Bound)]
            if let Err(line) = check(&Line::new(&format!("{text}?"))).await {
                CALLS.with_borrow_mut(|calls| calls.push(format!("bound {}", line.0)));
            }
            #[step]
            #[state(Negated)]
            if !check(&Line::new(&text)).await.is_ok() {
                sum += 1000;
            }
        }
        sum
    }
    {
        let mut sum: usize = 0;
        for text in texts {
            let Ok(length) = check(&Line::new(&text)).await else {
                CALLS.with_borrow_mut(|calls| calls.push("else".into()));
                continue;
            };
            sum += length;
            if check(&Line::new(&format!("{text}!"))).await.is_err() {
                CALLS.with_borrow_mut(|calls| calls.push("then".into()));
            } else {
                sum += 100;
            }
            if let Err(line) = check(&Line::new(&format!("{text}?"))).await {
                CALLS.with_borrow_mut(|calls| calls.push(format!("bound {}", line.0)));
            }
            if !check(&Line::new(&text)).await.is_ok() {
                sum += 1000;
            }
        }
        sum
    }
}

#[test]
fn temporaries_of_heads_end_as_in_plain_functions() {
    let texts = || vec!["ab".to_owned(), "abc".into(), "abcd".into()];
    CALLS.take();
    let plain = run_plain(plain_heads(texts()));
    let calls = CALLS.take();
    let (output, stored) = drive(heads(texts()), &mut StepDriver::new());
    assert_eq!((output, CALLS.take()), (plain, calls.clone()));
    assert!(
        calls.windows(2).any(|pair| pair == ["drop abc", "else"]),
        "{calls:?}"
    );
    assert_eq!(stored.len(), 9);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn chains(text: Option<String>) -> Result<String, String> {
    CALLS.with_borrow_mut(|calls| calls.push(String::new()));
    #[step]
    send("a", text.as_deref().unwrap_or("none")).await
}

#[test]
fn chained_arguments_of_steps_are_accepted() {
    CALLS.take();
    let (output, _) = drive(chains(None), &mut StepDriver::new());
    assert_eq!(output, Ok("NONE".into()));
}

fn record(text: &str) {
    CALLS.with_borrow_mut(|calls| calls.push(text.into()));
}

with_plain! {
    branches plain_branches(texts: Vec<String>) -> usize {
        let mut sum: usize = 0;
        for text in texts {
            #[step]
            #[state(Matching)]
            if let Ok(length) = check(&Line::new(&format!("{text}."))).await {
                record("then");
                sum += length;
            } else if text.len() > 3 {
                record("long");
            } else {
                record("short");
            }
            #[step]
            #[state(Awaiting)]
            if let Ok(length) = check(&Line::new(&text)).await {
                sum += print(&Line::new("a"), &Line::new("b")).await + length;
            } else {
                sum += print(&Line::new("in"), &Line::new("else")).await;
            }
        }
        sum
    }
    {
        let mut sum: usize = 0;
        for text in texts {
            if let Ok(length) = check(&Line::new(&format!("{text}."))).await {
                record("then");
                sum += length;
            } else if text.len() > 3 {
                record("long");
            } else {
                record("short");
            }
            if let Ok(length) = check(&Line::new(&text)).await {
                sum += print(&Line::new("a"), &Line::new("b")).await + length;
            } else {
                sum += print(&Line::new("in"), &Line::new("else")).await;
            }
        }
        sum
    }
}

async fn pair(owned: Line, borrowed: &Line, number: usize) -> usize {
    record(&format!("pair {} {}", owned.0, borrowed.0));
    volt::task::yield_now().await;
    owned.0.len() + number
}

with_plain! {
    pairs plain_pairs(texts: Vec<String>) -> usize {
        let mut sum: usize = 0;
        for text in texts {
            let line = Line::new(&text);
            #[step]
            #[state(Pairing)]
            let length = pair(line, &Line::new("borrowed"), 1).await;
            sum += length;
        }
        sum
    }
    {
        let mut sum: usize = 0;
        for text in texts {
            let line = Line::new(&text);
            let length = pair(line, &Line::new("borrowed"), 1).await;
            sum += length;
        }
        sum
    }
}

#[test]
fn branches_and_arguments_drop_as_in_plain_functions() {
    let texts = || ["ab", "abc", "abcd", "a"].map(String::from).to_vec();
    CALLS.take();
    let plain = run_plain(plain_branches(texts()));
    let calls = CALLS.take();
    let (output, _) = drive(branches(texts()), &mut StepDriver::new());
    assert_eq!((output, CALLS.take()), (plain, calls.clone()));
    // Edition 2024 drops the error and the temporary before the `else`.
    let before = ["drop rest", "drop ab.", "short"];
    assert!(calls.windows(3).any(|calls| calls == before), "{calls:?}");
    let plain = run_plain(plain_pairs(texts()));
    let calls = CALLS.take();
    let (output, _) = drive(pairs(texts()), &mut StepDriver::new());
    assert_eq!((output, CALLS.take()), (plain, calls));
}
