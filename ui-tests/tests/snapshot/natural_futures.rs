//! Futures, loops and borrows of natural code, whose values can be stored.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

use super::{assert_continues, charge, pause, run, text_after};

/// Waits for all futures.
#[derive(Serialize, Deserialize)]
struct JoinAll<F> {
    waiting: Vec<F>,
    limit: usize,
}

/// Waits once for each future, and counts them.
fn join_all<F>(futures: impl IntoIterator<Item = F>) -> JoinAll<F> {
    JoinAll {
        waiting: futures.into_iter().collect(),
        limit: usize::MAX,
    }
}

impl<F> JoinAll<F> {
    fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

impl<F: Future + Unpin> Future for JoinAll<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let limit = self.limit;
        let polled = self.waiting.iter_mut().take(limit);
        let outputs = polled
            .map(|future| Pin::new(future).poll(cx))
            .collect::<Vec<_>>();
        if outputs.iter().any(Poll::is_pending) {
            return Poll::Pending;
        }
        let ready = outputs.into_iter().filter_map(|output| match output {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        });
        Poll::Ready(ready.collect())
    }
}

/// A machine in a box, which can be moved.
type Boxed = Pin<Box<super::Charge>>;

fn child(card: String, cents: u64) -> StoredBox {
    StoredBox(Box::pin(charge(card, cents)))
}

struct StoredBox(Boxed);

impl Serialize for StoredBox {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (*self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StoredBox {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Box::pin(Deserialize::deserialize(deserializer)?)))
    }
}

impl Future for StoredBox {
    type Output = String;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
        self.0.as_mut().poll(cx)
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn fan_out(cards: Vec<String>, cents: u64, prefix: String) -> Vec<String> {
    let mut all = Vec::new();
    for batch in cards.chunks(2).map(<[String]>::to_vec).collect::<Vec<_>>() {
        #[state(Owned)]
        let some = join_all(batch.into_iter().map(|card| child(card, cents)))
            .limit(4)
            .await;
        for receipt in some {
            all.push(receipt);
        }
    }
    #[state(Borrowed)]
    let again = join_all(cards.iter().map(|card| child(prefix.clone() + card, cents))).await;
    all.extend(again);
    all
}

#[test]
fn closures_in_awaited_calls_are_accepted() {
    let make = || fan_out(vec!["a".into(), "b".into(), "c".into()], 7, "x".into());
    assert_continues(make);
    assert_eq!(run(make()), ["a:7", "b:7", "c:7", "xa:7", "xb:7", "xc:7"]);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn stock(names: Vec<String>) -> BTreeMap<String, u32> {
    let mut left: BTreeMap<String, u32> = names.iter().map(|name| (name.clone(), 2)).collect();
    let mut last = String::new();
    for name in names {
        let Some(count) = left.get_mut(&name) else {
            continue;
        };
        *count -= 1;
        let text = format!("{name} {last}");
        let length = names_of(&left)
            .iter()
            .map(|name| name.len() + text.len())
            .sum::<usize>();
        #[state(Shipping)]
        pause(1).await;
        last = text;
        assert_eq!(
            length,
            left.keys()
                .map(|name| name.len() + last.len())
                .sum::<usize>()
        );
    }
    left
}

fn names_of(stock: &BTreeMap<String, u32>) -> Vec<String> {
    stock.keys().cloned().collect()
}

#[test]
fn unused_references_are_accepted() {
    assert_continues(|| stock(vec!["a".into(), "b".into(), "a".into()]));
    let first = text_after(stock(vec!["a".into(), "b".into()]), 1);
    assert!(!first.contains("count"), "{first}");
}

async fn longest(names: &[String]) -> Option<&String> {
    names.iter().max_by_key(|name| name.len())
}

async fn greet(name: &str) -> String {
    volt::task::yield_now().await;
    format!("dear {name}")
}

/// No snapshot contains `name`, which borrows from `names` across an await of the step.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn letter(names: Vec<String>) -> (String, usize) {
    let mut text: String = String::new();
    #[step]
    #[state(Greeting)]
    if let Some(name) = longest(&names).await {
        text = greet(name).await;
        text += &format!(", {name}");
    }
    #[state(Waiting)]
    pause(1).await;
    (text, names.len())
}

#[test]
fn borrow_within_a_step_is_accepted() {
    let names = || vec!["a".to_owned(), "bcd".into()];
    assert_eq!(run(letter(names())), ("dear bcd, bcd".to_owned(), 2));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Poem {
    title: String,
    lines: Vec<String>,
}

fn poem() -> Poem {
    Poem {
        title: "a".into(),
        lines: vec!["b".into(), "c".into()],
    }
}

async fn length(poem: &Poem) -> usize {
    volt::task::yield_now().await;
    poem.title.len() + poem.lines.len()
}

/// An await borrows all of `poem`, and the loop borrows one part and mutates another.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn joined(mut poem: Poem) -> (usize, usize) {
    #[step]
    #[state(Measuring)]
    let length: usize = length(&poem).await;
    for line in &poem.lines {
        poem.title.push_str(line);
    }
    #[state(Waiting)]
    pause(1).await;
    (length, poem.title.len())
}

#[test]
fn parts_of_a_lent_local_are_borrowed() {
    assert_eq!(run(joined(poem())), (3, 3));
}

fn title_of(poem: &Poem) -> String {
    poem.title.clone()
}

/// A future in a snapshot borrows nothing. So `poem` can move while `charge` runs, and later lose
/// its lines.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charged(poem: Poem) -> (String, Vec<String>, String) {
    let title = title_of(&poem);
    #[state(Charging)]
    let receipt = charge(title, 5).await;
    let mut lines: Vec<String> = Vec::new();
    for line in poem.lines {
        #[state(Waiting)]
        pause(1).await;
        lines.push(line);
    }
    (receipt, lines, poem.title)
}

#[test]
fn awaited_call_of_an_owned_value_borrows_nothing() {
    assert_continues(|| charged(poem()));
    let lines = vec!["b".to_owned(), "c".to_owned()];
    let expected = ("a:5".to_owned(), lines, "a".to_owned());
    assert_eq!(run(charged(poem())), expected);
}
