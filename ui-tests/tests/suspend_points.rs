//! Bodies whose suspend points are not one for each await of the source. A trace of such a machine
//! reads the future of the current await, also when other machines of its type have filled the
//! table.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

/// Is pending once. Its bytes are no machine, so a trace that reads it as one fails.
struct Turn {
    polled: bool,
    filled: [u64; 5],
}

impl Future for Turn {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        if std::mem::replace(&mut self.polled, true) {
            return Poll::Ready((self.filled[4] & 1) as u32);
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

const fn turn() -> Turn {
    let filled = [0xAAAA_AAAA_AAAA_AAAB; 5];
    Turn {
        polled: false,
        filled,
    }
}

#[volt::state_machine(native)]
async fn length(text: String) -> u32 {
    turn().await + text.len() as u32
}

#[volt::state_machine(native)]
async fn length_of_bytes(bytes: Vec<u8>, more: u8) -> u32 {
    let first = turn().await;
    let second = turn().await;
    first + second + bytes.len() as u32 + u32::from(more)
}

#[volt::state_machine(native)]
async fn guards(text: String, pair: (u32, u32)) -> u32 {
    match pair {
        (number, 1) | (1, number) if length(text.clone()).await + number > 100 => 1,
        _ if length_of_bytes(text.clone().into(), 0).await > 100 => 2,
        _ => length(text).await,
    }
}

#[volt::state_machine(native)]
async fn async_closure(text: String) -> u32 {
    let sum = async |text: String| {
        let bytes = text.clone().into_bytes();
        length(text).await + length_of_bytes(bytes, 1).await
    };
    sum(text.clone()).await + length(text).await
}

#[volt::state_machine(native)]
async fn operands(text: String) -> u32 {
    let first = (length(text.clone()).await, length(text.clone()).await).0;
    let all = [
        length_of_bytes(vec![1], 2).await,
        length(text.clone()).await,
    ];
    let is_long = text.len() > 3 && length(text).await > 3;
    first + all[0] + all[1] + u32::from(is_long)
}

#[volt::state_machine(native)]
async fn loops(text: String) -> u32 {
    let mut sum = 0;
    'words: loop {
        for word in text.split(' ') {
            sum += length(word.to_owned()).await;
            if sum > 12 {
                break 'words;
            }
            sum += length_of_bytes(word.into(), 1).await;
        }
    }
    sum
}

#[volt::state_machine(native)]
async fn recursive(depth: u32) -> u32 {
    if depth == 0 {
        return length("end".to_owned()).await;
    }
    Box::pin(recursive(depth - 1)).await + 1
}

/// A type with a constant parameter, so two machines of one method differ in size.
struct Room<const N: usize>([u8; N]);

#[volt::state_machine(native)]
impl<const N: usize> Room<N> {
    async fn size(&self, text: String) -> u32 {
        let room = self.0;
        length(text).await + room.len() as u32
    }

    async fn size_of_type(text: String) -> u32 {
        let room = [1_u8; N];
        length(text.clone()).await + room.len() as u32 + length_of_bytes(text.into(), 0).await
    }
}

/// Two machines of this function await futures of different types and sizes at one suspend point.
#[volt::state_machine(native)]
async fn of_types<F: Future<Output = u32>, const N: usize>(future: F, text: String) -> u32 {
    let room = [1_u8; N];
    let first = future.await;
    first + length(text).await + room.len() as u32
}

#[volt::state_machine(native)]
async fn outer_of_types<F: Future<Output = u32>>(future: F, text: String) -> u32 {
    let first = of_types::<_, 3>(future, text.clone()).await;
    first + of_types::<_, 40>(turn(), text).await
}

struct Cell<T>(T);

#[volt::state_machine(native)]
impl<T> Cell<T> {
    async fn replace(&mut self, value: T, times: Vec<u8>) -> T {
        let old = std::mem::replace(&mut self.0, value);
        turn().await;
        drop(times);
        old
    }
}

/// Defines a machine with twice as many awaits for each mark, so its tag has two bytes.
macro_rules! with_awaits {
    ([$($unit:literal)*]) => {
        #[volt::state_machine(native)]
        async fn many(text: String) -> u32 {
            let mut sum = 0;
            $(sum += $unit * turn().await;)*
            sum + length(text).await
        }
    };
    ([$($unit:literal)*] + $($marks:tt)*) => {
        with_awaits! { [$($unit)* $($unit)*] $($marks)* }
    };
}

with_awaits! { [1] + + + + + + + + }

/// Runs a machine, and returns its output with the states of the trace at each suspension.
fn states<M: StateMachine + Future<Output: Debug>>(machine: M) -> (M::Output, Vec<String>) {
    let mut machine = Box::pin(machine);
    let mut cx = Context::from_waker(Waker::noop());
    let mut states = Vec::new();
    loop {
        if let Poll::Ready(output) = Pin::as_mut(&mut machine).poll(&mut cx) {
            return (output, states);
        }
        let mut names = Vec::new();
        machine.trace(&mut |state| names.push(state.name.trim_start_matches("await ")));
        states.push(names.join(" "));
    }
}

/// Runs the machine twice: the first run fills the table, and the second reads it.
macro_rules! assert_states {
    ($machine:expr, $output:literal, $states:expr) => {
        for _ in 0..2 {
            let (output, states) = states($machine);
            assert_eq!(output, $output);
            assert_eq!(states, $states);
        }
    };
}

fn text() -> String {
    "ab cd ef".to_owned()
}

#[test]
fn guard_of_two_patterns_has_its_await() {
    let all = [
        "length turn",
        "length turn",
        "length_of_bytes turn",
        "length_of_bytes turn",
        "length turn",
    ];
    // Both patterns match the first pair, and neither matches the last one.
    assert_states!(guards(text(), (1, 1)), 9, all);
    assert_states!(guards(text(), (2, 1)), 9, all[1..]);
    assert_states!(guards(text(), (1, 2)), 9, all[1..]);
    assert_states!(guards(text(), (2, 2)), 9, all[2..]);
}

#[test]
fn awaits_of_an_async_closure_are_its_own() {
    let expected = ["sum", "sum", "sum", "length turn"];
    assert_states!(async_closure(text()), 29, expected);
}

#[test]
fn operands_have_their_own_suspend_points() {
    let expected = [
        "length turn",
        "length turn",
        "length_of_bytes turn",
        "length_of_bytes turn",
        "length turn",
        "length turn",
    ];
    assert_states!(operands(text()), 24, expected);
}

#[test]
fn suspend_points_of_loops_are_found_each_time() {
    let turn = [
        "length turn",
        "length_of_bytes turn",
        "length_of_bytes turn",
    ];
    let expected = [&turn[..], &turn[..], &turn[..1]].concat();
    assert_states!(loops(text()), 19, expected);
}

#[test]
fn recursive_machine_has_one_table() {
    assert_states!(recursive(1), 5, ["recursive length turn"]);
    assert_states!(recursive(2), 6, ["recursive recursive length turn"]);
}

#[test]
fn constant_parameters_have_no_common_offsets() {
    assert_states!(Room([0; 3]).size(text()), 12, ["length turn"]);
    assert_states!(Room([0; 300]).size(text()), 309, ["length turn"]);
    let expected = [
        "length turn",
        "length_of_bytes turn",
        "length_of_bytes turn",
    ];
    assert_states!(Room::<1>::size_of_type(text()), 20, expected);
    assert_states!(Room::<900>::size_of_type(text()), 919, expected);
}

#[test]
fn each_type_of_a_generic_machine_has_its_slots() {
    let expected = ["future", "length turn"];
    assert_states!(of_types::<_, 3>(turn(), text()), 13, expected);
    assert_states!(of_types::<_, 300>(turn(), text()), 310, expected);
    assert_states!(of_types::<_, 3>(length("ab".into()), text()), 15, expected);
    let inner = || of_types::<_, 9>(length_of_bytes(vec![], 2), text());
    let expected = ["future", "future", "future", "length turn"];
    assert_states!(of_types::<_, 0>(inner(), text()), 31, expected);
}

#[test]
fn generic_machine_awaits_generic_machines() {
    let expected = [
        "of_types future",
        "of_types length turn",
        "of_types future",
        "of_types length turn",
    ];
    assert_states!(outer_of_types(turn(), text()), 63, expected);
    assert_states!(outer_of_types(length("ab".into()), text()), 65, expected);
}

/// The arguments are moved with the machine, and dropped with it if it was never polled.
#[test]
fn generic_method_moves_with_its_arguments() {
    let mut cell = Cell(text());
    drop(cell.replace("unused".to_owned(), vec![1]));
    for _ in 0..2 {
        let machine = cell.replace(text(), vec![1, 2]);
        assert_eq!(states(machine), (text(), vec!["turn".to_owned()]));
    }
    drop(of_types::<_, 3>(length(text()), text()));
}

#[test]
fn tag_of_two_bytes_finds_each_await() {
    let mut expected = vec!["turn"; 256];
    expected.push("length turn");
    assert_states!(many(text()), 265, expected);
}
