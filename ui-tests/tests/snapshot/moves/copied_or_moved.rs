//! Parts of which the compiler decides if they are copied or moved, and values that no snapshot
//! contains.

use std::cell::Cell;
use std::ops::Deref;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use volt::machine::StepKey;

use crate::{assert_continues, pause, run, text_after};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Mail {
    from: String,
    lines: Vec<String>,
    answer: Option<String>,
    size: u32,
    sent: Option<u32>,
}

fn mail(size: u32) -> Mail {
    Mail {
        from: format!("from {size}"),
        lines: vec!["a".into(), "bc".into()],
        answer: (size > 1).then(|| "yes".into()),
        size,
        sent: Some(size),
    }
}

fn letters(lines: Vec<String>) -> usize {
    lines.iter().map(String::len).sum()
}

#[derive(Serialize, Deserialize)]
struct Head {
    lines: Vec<String>,
    size: u32,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn by_let(size: u32) -> (String, usize, Option<String>, u32) {
    let mail = mail(size);
    let lines = mail.lines;
    let answer = mail.answer;
    let size = mail.size;
    #[state(Waiting)]
    pause(1).await;
    (mail.from, lines.len(), answer, size)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn in_operands(size: u32) -> (usize, u32, String) {
    let mail = mail(size);
    let number = letters(mail.lines);
    #[state(First)]
    pause(mail.size).await;
    let second = self::mail(size);
    let head = Head {
        lines: second.lines,
        size: second.size,
    };
    let total = head.size + letters(head.lines) as u32;
    #[state(Second)]
    pause(second.size).await;
    (number, total, mail.from + &second.from)
}

#[test]
fn parts_without_types_are_moved() {
    for size in [1, 2] {
        assert_continues(|| by_let(size));
        assert_continues(|| in_operands(size));
    }
    let answer = Some("yes".to_owned());
    assert_eq!(run(by_let(2)), ("from 2".to_owned(), 2, answer, 2));
    assert_eq!(run(in_operands(1)), (3, 4, "from 1from 1".to_owned()));
    let text = text_after(by_let(2), 1);
    let rest = r#""mail":{"from":"from 2","lines":[],"answer":null,"size":2,"sent":2}"#;
    assert!(text.contains(rest), "{text}");
}

/// As a resource of a worker: it is dereferenced, and never changed.
#[derive(Clone, Serialize, Deserialize)]
struct Shared<T>(T);

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

fn sum(first: &Option<u32>, second: Option<u32>) -> u32 {
    first.unwrap_or(0) + second.unwrap_or(0)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn copied(mail: Shared<Mail>, other: Mail) -> (u32, u32, String) {
    let size = mail.size;
    let sent = &other.sent;
    let both = sum(sent, other.sent);
    let pair = (0, other.from);
    let zero = pair.0;
    #[state(Waiting)]
    pause(size).await;
    (both + zero, mail.size, pair.1)
}

#[test]
fn copied_parts_are_not_borrowed_mutably() {
    assert_continues(|| copied(Shared(mail(1)), mail(3)));
    let output = run(copied(Shared(mail(1)), mail(3)));
    assert_eq!(output, (6, 1, "from 3".to_owned()));
    let text = text_after(copied(Shared(mail(1)), mail(3)), 1);
    assert!(text.contains(r#""sent":3"#), "{text}");
}

async fn look(text: &str) -> usize {
    std::future::ready(text.len()).await
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn lent(mail: Mail) -> (usize, String, Vec<String>) {
    #[step]
    #[state(Looking)]
    let length = look(&mail.from).await;
    let lines = mail.lines;
    let mut all = Vec::new();
    if let Some(answer) = mail.answer {
        all.push(answer);
        #[state(Answering)]
        pause(mail.size).await;
    }
    #[step]
    #[state(LookingAgain)]
    let again = look(&mail.from).await;
    all.extend(lines);
    (length + again, mail.from, all)
}

#[test]
fn parts_of_lent_locals_are_moved() {
    for size in [1, 2] {
        assert_continues(|| lent(mail(size)));
    }
    let (length, from, all) = run(lent(mail(2)));
    assert_eq!((length, &*from, all.len()), (12, "from 2", 3));
}

/// Has no traits by which the compiler could show that a value contains no lifetime.
#[derive(Serialize, Deserialize)]
struct Call(String);

#[derive(Serialize, Deserialize)]
struct Reply {
    text: String,
    calls: Vec<Call>,
    size: u32,
}

async fn answer(_: StepKey, question: &str) -> Reply {
    let calls = question.chars().map(|letter| Call(letter.into()));
    std::future::ready(Reply {
        text: question.to_owned(),
        calls: calls.collect(),
        size: 2,
    })
    .await
}

/// The step borrows other locals than its output, so parts of the output may be moved.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn asked(question: String) -> (String, usize, u32) {
    #[step(key = key)]
    #[state(Asking)]
    let reply = answer(key, &question).await;
    let size = reply.size;
    let calls = reply.calls;
    let mut total = 0;
    for call in calls {
        #[step]
        #[state(Calling)]
        let length = look(&call.0).await;
        total += length;
    }
    #[state(Waiting)]
    pause(1).await;
    (reply.text, total, size)
}

fn reply_to(question: &str) -> Reply {
    Reply {
        text: question.to_owned(),
        calls: vec![Call(question.to_uppercase())],
        size: 1,
    }
}

/// The moved part receives a value later, which the rest of its local does not contain.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn extended(question: String) -> (String, usize, String, usize) {
    let first = reply_to(&question);
    let mut calls = first.calls;
    let second = reply_to("second");
    calls.push(Call(letter(&second.text)));
    let more = second.calls;
    #[state(Waiting)]
    pause(1).await;
    (first.text, calls.len(), second.text, more.len())
}

fn letter(text: &str) -> String {
    text.chars().take(1).collect()
}

#[test]
fn parts_with_later_values_are_moved() {
    assert_continues(|| extended("first".to_owned()));
    let output = ("first".to_owned(), 2, "second".to_owned(), 1);
    assert_eq!(run(extended("first".to_owned())), output);
}

#[test]
fn parts_of_an_output_of_a_step_are_moved() {
    assert_continues(|| asked("why".to_owned()));
    let output = ("why".to_owned(), 3, 2);
    assert_eq!(run(asked("why".to_owned())), output);
}

/// Has neither the traits of a stored value nor a destructor.
struct Counter(u32);

impl Counter {
    fn count(&self) -> u32 {
        self.0
    }
}

/// Has no traits of a stored value.
struct Request(String);

thread_local!(static DROPS: Cell<u32> = const { Cell::new(0) });

impl Drop for Request {
    fn drop(&mut self) {
        DROPS.set(DROPS.get() + 1);
    }
}

impl Request {
    fn send(self) -> usize {
        self.0.len()
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn measured(name: String) -> (bool, u32, usize) {
    let begin = Instant::now();
    let counter = Counter(7);
    let request = Request(name);
    let is_short = begin.elapsed() < Duration::from_secs(3600);
    let count = counter.count();
    let length = request.send();
    #[state(First)]
    pause(1).await;
    #[state(Second)]
    pause(1).await;
    (is_short, count, length)
}

#[test]
fn values_after_their_last_call_need_no_form() {
    assert_continues(|| measured("abc".into()));
    DROPS.set(0);
    assert_eq!(run(measured("abc".into())), (true, 7, 3));
    assert_eq!(DROPS.get(), 1);
    let text = text_after(measured("abc".into()), 2);
    let expected = r#"{"Second":{"is_short":true,"count":7,"length":3,"await":{"left":0}}}"#;
    assert_eq!(text, expected);
}
