//! The types of stored values, and the forms of machines.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use serde::{Deserialize, Serialize};

use super::{Pause, assert_continues, by_text, pause, poll, run, run_stored, text_after};

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ranges(upto: u32) -> Vec<u32> {
    let mut seen = Vec::new();
    for number in 0..upto {
        #[state(Half)]
        pause(1).await;
        seen.push(number);
    }
    for number in 1..=upto {
        #[state(Inclusive)]
        pause(1).await;
        seen.push(number);
    }
    seen
}

#[test]
fn iterators_of_loops_continue() {
    assert_continues(|| ranges(0));
    assert_continues(|| ranges(3));
    let last = text_after(ranges(2), 3);
    let expected =
        r#"{"Inclusive":{"seen":[0,1],"for":[2,2,false],"number":1,"await":{"left":0}}}"#;
    assert_eq!(last, expected);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn last_numbers() -> Vec<u8> {
    let mut seen = Vec::new();
    for number in 254..=u8::MAX {
        pause(1).await;
        seen.push(number);
    }
    seen
}

#[test]
fn range_up_to_the_maximum_ends() {
    // In some versions of the standard library, the start of the exhausted range wraps to 0.
    assert_continues(last_numbers);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn arrays(days: [u64; 3]) -> Vec<u64> {
    let mut seen = Vec::new();
    for day in days {
        #[state(OfArgument)]
        pause(1).await;
        seen.push(day);
    }
    for name in ["x".to_owned(), "yy".to_owned()] {
        #[state(OfNames)]
        pause(1).await;
        seen.push(name.len() as u64);
    }
    seen
}

#[test]
fn iterators_of_arrays_continue() {
    assert_continues(|| arrays([5, 6, 5]));
    assert_eq!(run_stored(arrays([5, 6, 5]), by_text), [5, 6, 5, 1, 2]);
    let second = text_after(arrays([5, 6, 5]), 2);
    let expected = r#"{"OfArgument":{"seen":[5],"for":[2,[5,5,5]],"day":6,"await":{"left":0}}}"#;
    assert_eq!(second, expected);
}

#[test]
fn hostile_iterators_of_arrays_are_errors_or_end() {
    let text = |iterator: &str| {
        format!(r#"{{"OfArgument":{{"seen":[],"for":{iterator},"day":1,"await":{{"left":0}}}}}}"#)
    };
    let read = |iterator| serde_json::from_str::<Arrays>(&text(iterator));
    for wrong in [
        "[0,[1,2]]",
        "[0,[1,2,3,4]]",
        "[1]",
        "[-1,[1,2,3]]",
        "[[1,2,3],0]",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    assert_eq!(run(read("[9,[1,2,3]]").unwrap()), [1, 1, 2]);
    assert_eq!(run(read("[0,[]]").unwrap()), [1, 1, 2]);
    assert_eq!(run(read("[1,[7,8,9]]").unwrap()), [1, 8, 9, 1, 2]);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn boxed(text: String) -> usize {
    let inner = Box::pin(super::charge(text, 7));
    pause(1).await;
    #[state(Charging)]
    let receipt = inner.await;
    receipt.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
pub(super) async fn depth(left: u32) -> u32 {
    if left == 0 {
        return 0;
    }
    #[state(Before)]
    pause(1).await;
    #[state(Below)]
    let below: u32 = Box::pin(depth(left - 1)).await;
    below + 1
}

#[test]
fn boxed_machines_are_stored_by_their_contents() {
    assert_continues(|| boxed("Ada".into()));
    assert_continues(|| depth(4));
    let expected =
        r#"{"Below":{"await":{"Below":{"await":{"Before":{"left":1,"await":{"left":0}}}}}}}"#;
    let text = text_after(depth(3), 3);
    assert_eq!(text, expected);
}

type Parts = (Option<u8>, [u16; 3], BTreeMap<String, f64>, Box<str>);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn values(option: Option<u8>, parts: Parts) -> (Option<u8>, Parts, Option<String>) {
    let nothing: Option<String> = None;
    let pair = (option, Some(2_u8));
    pause(2).await;
    let (option, _) = pair;
    (option, parts, nothing)
}

#[test]
fn usual_types_are_stored_by_value() {
    let parts = || {
        let map = BTreeMap::from([("half".to_owned(), 0.5)]);
        (None, [1, 2, 3], map, "text".into())
    };
    assert_continues(|| values(Some(1), parts()));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn generic<T: Clone, F: Future>(first: F, value: T, count: usize) -> (F::Output, Vec<T>) {
    let mut values: Vec<T> = Vec::new();
    let mut left: usize = count;
    while left > 0 {
        let waits: Pause = pause(1);
        #[state(Filling)]
        waits.await;
        values.push(value.clone());
        left -= 1;
    }
    #[state(Last)]
    let output: F::Output = first.await;
    (output, values)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn child<T>(value: T) -> T {
    let waits: Pause = pause(1);
    waits.await;
    value
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn generic_box<T>(first: Pin<Box<Child<T>>>, value: T) -> (T, T) {
    #[state(First)]
    let first: T = first.await;
    let later: Child<T> = child(value);
    #[state(Second)]
    let second: T = later.await;
    (first, second)
}

#[test]
fn generic_machine_requires_traits_of_its_fields() {
    assert_continues(|| generic(depth(2), "x".to_owned(), 2));
    assert_continues(|| generic_box(Box::pin(child(1_u8)), 3_u8));
    // Without the traits, the machine itself still works.
    super::run(generic(std::future::ready(1), std::rc::Rc::new(1), 1));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn shadows(value: u8) -> [u16; 3] {
    let first = u16::from(value);
    let value = u16::from(value) + 1;
    let second = value;
    let value = value + 1;
    #[state(Both)]
    pause(1).await;
    [first, second, value]
}

#[test]
fn values_of_one_name_are_numbered() {
    #[volt::state_machine(derive(Serialize, Deserialize))]
    async fn twice(page: String) -> usize {
        let before = page;
        let page = before.len();
        {
            let page = vec![page];
            pause(1).await;
            drop(page);
        }
        page + before.len()
    }
    assert_continues(|| shadows(1));
    assert_continues(|| twice("text".into()));
    let text = text_after(twice("text".into()), 1);
    let expected = r#"{"await pause":{"before":"text","page":4,"page#2":[4],"await":{"left":0}}}"#;
    assert_eq!(text, expected);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn branches(number: u32, text: String) -> Result<String, u32> {
    let word = match number {
        0 => {
            #[state(Zero)]
            pause(1).await;
            text
        }
        1 => {
            #[state(One)]
            pause(1).await;
            return Err(number);
        }
        _ => {
            drop(text);
            #[state(Many)]
            pause(1).await;
            format!("{number}")
        }
    };
    #[state(End)]
    pause(1).await;
    Ok(word)
}

#[test]
fn branches_store_their_own_locals() {
    for number in 0..3 {
        assert_continues(|| branches(number, "text".into()));
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn counted(limit: u32) -> u32 {
    let mut polls: u32 = 0;
    poll_fn(|cx| {
        polls += 1;
        cx.waker().wake_by_ref();
        if polls < limit {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    polls
}

#[test]
fn poll_fn_stores_its_locals_alone() {
    assert_continues(|| counted(3));
    let text = text_after(counted(3), 1);
    assert_eq!(
        text,
        r#"{"await poll_fn":{"limit":3,"polls":1,"await":null}}"#
    );
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Account {
    cents: u64,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
impl Account {
    async fn withdraw(mut self, cents: u64) -> Self {
        #[state(Checking)]
        pause(1).await;
        self.cents -= cents;
        self
    }

    #[allow(
        clippy::let_and_return,
        reason = "a state is named by an attribute of a statement"
    )]
    async fn withdraw_twice(self, cents: u64) -> Self {
        #[state(First)]
        let account = self.withdraw(cents).await;
        #[state(Second)]
        let account = account.withdraw(cents).await;
        account
    }
}

#[test]
fn methods_by_value_are_stored() {
    assert_continues(|| Account { cents: 9 }.withdraw_twice(2));
    let account = run_stored(Account { cents: 9 }.withdraw_twice(2), by_text);
    assert_eq!(account, Account { cents: 5 });
}

#[volt::state_machine(derive(Clone, PartialEq, Serialize, Deserialize))]
async fn cloned(text: String) -> String {
    let waits = std::future::ready(());
    drop(waits);
    #[state(Waiting)]
    depth_clone(1).await;
    text
}

#[volt::state_machine(derive(Clone, PartialEq, Serialize, Deserialize))]
async fn depth_clone(limit: u32) -> u32 {
    let mut polls: u32 = 0;
    poll_fn(|_| {
        polls += 1;
        if polls > limit {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    polls
}

#[test]
fn snapshot_equals_its_machine() {
    let mut machine = Box::pin(cloned("text".into()));
    assert!(super::poll(&mut machine).is_pending());
    let read = by_text(&*machine);
    assert!(read == *machine && read == machine.as_ref().get_ref().clone());
}

fn describe(n: &(u64, u64, u64)) -> String {
    format!("number {}", n.0)
}

/// The type of `text` is inferred, so `text` may borrow from `n` as far as the macro knows.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn described(name: String, start: u64) -> String {
    let n: (u64, u64, u64) = (start, 5, 7);
    #[state(First)]
    pause(1).await;
    let name = format!("{name} {}", n.1);
    let text = describe(&n);
    let twice = format!("{text} {text}");
    #[state(Second)]
    pause(1).await;
    format!("{name} {text} {twice}")
}

#[test]
fn local_without_a_borrow_is_not_stored() {
    let mut machine = Box::pin(described("a".into(), 3));
    assert_eq!(poll(&mut machine), Poll::Pending);
    let first = serde_json::to_string(&*machine).unwrap();
    assert_eq!(poll(&mut machine), Poll::Pending);
    let second = serde_json::to_string(&*machine).unwrap();
    // Another local has the bytes of `n` in the second state.
    assert!(first.contains(r#""n":[3,5,7]"#), "{first}");
    assert!(!second.contains(r#""n":"#), "{second}");
    let with_value = second.replace(r#""text""#, r#""n":[1,2,3],"text""#);
    for text in [first, second, with_value] {
        let read: Described = serde_json::from_str(&text).unwrap();
        assert_eq!(run(read), "a 5 number 3 number 3 number 3", "{text}");
    }
}
