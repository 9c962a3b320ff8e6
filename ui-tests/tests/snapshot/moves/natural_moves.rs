//! Values that are moved out of a local whose rest is stored, or on some paths only.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::{assert_continues, pause, run, text_after};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Call {
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Reply {
    text: String,
    calls: Vec<Call>,
    next: Option<String>,
    number: u32,
}

fn reply(number: u32) -> Reply {
    let call = |name: &str| Call {
        name: format!("{name}{number}"),
    };
    Reply {
        text: format!("text {number}"),
        calls: vec![call("a"), call("b")],
        next: (number < 3).then(|| format!("page {}", number + 1)),
        number,
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn answer(number: u32) -> Vec<String> {
    let mut done = Vec::new();
    let reply = reply(number);
    for call in reply.calls {
        #[state(Calling)]
        pause(1).await;
        done.push(call.name);
    }
    done
}

#[test]
fn calls_of_a_reply_are_moved() {
    assert_continues(|| answer(7));
    assert_eq!(run(answer(7)), ["a7", "b7"]);
    let text = text_after(answer(7), 1);
    assert!(text.contains(r#""calls":[]"#), "{text}");
    assert!(text.contains(r#""text":"text 7""#), "{text}");
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pages(first: u32) -> (Vec<String>, u32) {
    let mut seen = Vec::new();
    let mut numbers = 0;
    let mut page = reply(first);
    loop {
        numbers += page.number;
        match page.next {
            Some(next) => {
                #[state(Between)]
                pause(1).await;
                seen.push(next);
            }
            None => break,
        }
        #[state(Loading)]
        pause(1).await;
        page = reply(page.number + 1);
    }
    (seen, numbers)
}

#[test]
fn next_page_is_moved_in_one_arm() {
    assert_continues(|| pages(1));
    assert_eq!(
        run(pages(1)),
        (vec!["page 2".to_owned(), "page 3".to_owned()], 6)
    );
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn parts(number: u32) -> (usize, String, u32) {
    let reply = reply(number);
    let mut calls = Vec::new();
    for call in reply.calls {
        calls.push(call);
    }
    #[state(First)]
    pause(1).await;
    let number = reply.number;
    let text = if let Some(next) = reply.next {
        #[state(Second)]
        pause(1).await;
        next
    } else {
        #[state(Third)]
        pause(1).await;
        let last: String = String::from("last");
        last
    };
    (calls.len(), text, number)
}

#[test]
fn parts_are_moved_one_by_one() {
    for number in [2, 3] {
        assert_continues(|| parts(number));
    }
    assert_eq!(run(parts(2)), (2, "page 3".to_owned(), 2));
    assert_eq!(run(parts(3)), (2, "last".to_owned(), 3));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn archive(orders: Vec<String>, is_late: bool) -> Vec<String> {
    let mut all = BTreeMap::new();
    let text = String::from("note");
    if is_late {
        all.insert(text, orders.len());
        #[state(Late)]
        pause(1).await;
    }
    #[state(Waiting)]
    pause(1).await;
    all.into_keys().chain(orders).collect()
}

#[test]
fn text_is_moved_on_one_path() {
    for is_late in [false, true] {
        assert_continues(|| archive(vec!["a".into()], is_late));
    }
    assert_eq!(run(archive(vec!["a".into()], true)), ["note", "a"]);
    assert_eq!(run(archive(vec!["a".into()], false)), ["a"]);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn written(number: u32) -> (String, usize, Option<String>) {
    let reply = reply(number);
    let calls: Vec<Call> = reply.calls;
    let next: Option<String> = reply.next;
    let number: u32 = reply.number;
    #[state(Waiting)]
    pause(number).await;
    (reply.text, calls.len(), next)
}

#[test]
fn part_with_a_written_type_is_moved() {
    assert_continues(|| written(2));
    let expected = ("text 2".to_owned(), 2, Some("page 3".to_owned()));
    assert_eq!(run(written(2)), expected);
    let text = text_after(written(2), 1);
    let rest = r#""reply":{"text":"text 2","calls":[],"next":null,"number":2}"#;
    assert!(text.contains(rest), "{text}");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Page {
    text: String,
    previous: Option<u32>,
}

fn are_none(first: &Option<u32>, second: Option<u32>) -> bool {
    first.is_none() && second.is_none()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn borrowed(number: u32) -> (bool, String) {
    let page = Page {
        text: format!("page {number}"),
        previous: number.checked_sub(1),
    };
    // A `&mut` to the part would be an error beside this borrow.
    let first = &page.previous;
    let previous: Option<u32> = page.previous;
    let is_first = are_none(first, previous);
    #[state(Waiting)]
    pause(1).await;
    (is_first, page.text)
}

#[test]
fn copied_part_may_be_borrowed_meanwhile() {
    for number in [0, 3] {
        assert_continues(|| borrowed(number));
    }
    assert_eq!(run(borrowed(0)), (true, "page 0".to_owned()));
    let text = text_after(borrowed(3), 1);
    assert!(text.contains(r#""previous":2"#), "{text}");
}

fn after(time: SystemTime, seconds: u64) -> SystemTime {
    time + Duration::from_secs(seconds)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn deadline(seconds: u64) -> SystemTime {
    let start = after(SystemTime::UNIX_EPOCH, seconds);
    let mut end = SystemTime::UNIX_EPOCH;
    if seconds > 5 {
        end = after(start, 1);
        #[state(Late)]
        pause(1).await;
    }
    #[state(Waiting)]
    pause(1).await;
    end
}

#[test]
fn copied_time_is_used_on_one_path() {
    for seconds in [3, 9] {
        assert_continues(|| deadline(seconds));
    }
    assert_eq!(run(deadline(9)), after(SystemTime::UNIX_EPOCH, 10));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn chosen(number: u32) -> String {
    let text = format!("text {number}");
    let note = String::from("note");
    let kept: String = match number {
        1 => text,
        _ => String::from("no text"),
    };
    let told: String = if number > 1 {
        note
    } else {
        String::from("no note")
    };
    #[state(Waiting)]
    pause(1).await;
    format!("{kept}, {told}")
}

#[test]
fn values_of_branches_are_moved_on_one_path() {
    for (number, expected) in [(1, "text 1, no note"), (2, "no text, note")] {
        assert_continues(|| chosen(number));
        assert_eq!(run(chosen(number)), expected);
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn seen(number: u32) -> (usize, [bool; 2], Option<String>) {
    let reply = reply(number);
    let mut calls = 0;
    for call in reply.calls {
        calls += call.name.len();
        #[state(Calling)]
        pause(1).await;
    }
    let has_next = match reply.next {
        Some(_) => {
            #[state(Next)]
            pause(1).await;
            true
        }
        None => false,
    };
    let is_last = match reply.next {
        None => true,
        _ => {
            #[state(NotLast)]
            pause(1).await;
            false
        }
    };
    #[state(Waiting)]
    pause(1).await;
    (calls, [has_next, is_last], reply.next)
}

#[test]
fn part_of_an_ignored_value_stays() {
    assert_continues(|| seen(2));
    let next = Some("page 3".to_owned());
    assert_eq!(run(seen(2)), (4, [true, false], next));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Batch {
    number: u32,
    items: Vec<String>,
}

impl IntoIterator for Batch {
    type Item = String;
    type IntoIter = std::vec::IntoIter<String>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// The type of `batch` has no empty value. Its number is copied on the other path.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn iterated(batch: Batch, is_late: bool) -> usize {
    let mut letters = 0;
    if is_late {
        for item in batch {
            letters += item.len();
            #[state(Late)]
            pause(1).await;
        }
        return letters;
    }
    let number = batch.number;
    #[state(Waiting)]
    pause(number).await;
    letters + 1
}

#[test]
fn local_with_a_copied_part_is_iterated() {
    let batch = || Batch {
        number: 1,
        items: vec!["a".into(), "bc".into()],
    };
    for (is_late, expected) in [(true, 3), (false, 1)] {
        assert_continues(|| iterated(batch(), is_late));
        assert_eq!(run(iterated(batch(), is_late)), expected);
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Digits {
    text: String,
    array: [u8; 2],
}

async fn look(digits: &Digits) -> usize {
    volt::task::yield_now().await;
    digits.text.len()
}

/// An array of numbers is copied. An empty value in its place would need a `&mut` beside `_text`.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn lent(digits: Digits) -> usize {
    #[step]
    #[state(Looking)]
    let mut sum: usize = look(&digits).await;
    for digit in digits.array {
        let _text = &digits.text;
        #[state(Adding)]
        pause(1).await;
        sum += usize::from(digit);
    }
    sum + digits.text.len()
}

#[test]
fn copied_part_of_a_lent_local_is_iterated() {
    let digits = Digits {
        text: "ab".into(),
        array: [3, 4],
    };
    assert_eq!(run(lent(digits)), 11);
}
