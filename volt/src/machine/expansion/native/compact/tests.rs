//! Tags that the compiler could use instead, and the gate of a coroutine with its arguments.

use core::future::{Future, pending};
use core::pin::pin;
use core::ptr;
use core::task::{Context, Waker};
use std::process::{Command, Stdio};
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::super::coroutine::{CompactLayout, FIRST_SUSPEND, PANICKED, RETURNED, UNRESUMED};
use super::super::position::{StartGate, pass, take};
use super::compact_storage::Place;

async fn suspend() {
    pending::<()>().await;
}

const fn layout_of<F>(_: fn() -> F) -> CompactLayout {
    CompactLayout::of_coroutine::<F>(false)
}

const LAYOUT: CompactLayout = layout_of(suspend);

/// A transition of a machine: its name, and the tags that it may find.
type Transition = (&'static str, fn(Place), &'static [usize]);

/// The transitions of a machine, each with the tags that it may find.
const TRANSITIONS: [Transition; 5] = [
    // SAFETY: the memory has a tag, and nothing else is read.
    ("enter", |place| unsafe { place.enter() }, &[UNRESUMED]),
    // SAFETY: as above.
    ("begin", |place| unsafe { place.begin() }, &[FIRST_SUSPEND]),
    (
        "suspend",
        // SAFETY: as above.
        |place| unsafe { place.leave(FIRST_SUSPEND) },
        &[FIRST_SUSPEND, FIRST_SUSPEND + 1],
    ),
    (
        "return",
        // SAFETY: as above.
        |place| unsafe { place.leave(RETURNED) },
        &[RETURNED],
    ),
    (
        "panic",
        // SAFETY: as above.
        |place| unsafe { place.panic() },
        &[RETURNED, PANICKED],
    ),
];

/// Runs a transition of a machine whose coroutine has a tag.
fn run(transition: fn(Place), tag: usize) {
    let found = LAYOUT.tag.expect("a coroutine has a tag");
    let mut bytes = vec![0_u8; LAYOUT.size];
    bytes[found.offset] = u8::try_from(tag).expect("a tag of one byte");
    transition(Place::at(bytes.as_mut_ptr().cast(), LAYOUT));
}

#[test]
fn known_tags_are_accepted() {
    for (_, transition, tags) in TRANSITIONS {
        tags.iter().for_each(|tag| run(transition, *tag));
    }
}

/// Each case runs in a process of its own, because it ends the process.
#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn another_tag_ends_the_process() {
    const CASE: &str = "VOLT_TEST_TAG";
    let all = [
        UNRESUMED,
        RETURNED,
        PANICKED,
        FIRST_SUSPEND,
        FIRST_SUSPEND + 1,
    ];
    let cases = TRANSITIONS.iter().flat_map(|(name, transition, tags)| {
        let others = all.iter().filter(|tag| !tags.contains(tag));
        others.map(move |tag| (std::format!("{name} {tag}"), *transition, *tag))
    });
    let cases: Vec<_> = cases.collect();
    if let Ok(asked) = std::env::var(CASE) {
        for (_, transition, tag) in cases.iter().filter(|(name, ..)| *name == asked) {
            run(*transition, *tag);
        }
        return;
    }
    assert_eq!(cases.len(), 18);
    for (case, ..) in &cases {
        let name = concat!(module_path!(), "::another_tag_ends_the_process");
        let name = name.split_once("::").expect("a path in the crate").1;
        let mut child = Command::new(std::env::current_exe().expect("the test has a path"));
        child.args([name, "--exact", "--nocapture"]).env(CASE, case);
        let output = child.stdout(Stdio::null()).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{case}");
        assert!(text.contains("uses an unknown tag"), "{case}: {text}");
    }
}

#[test]
fn gate_waits_only_while_arguments_are_passed() {
    let mut gate = pin!(StartGate);
    let mut cx = Context::from_waker(Waker::noop());
    let arguments = 1_u8;
    pass(ptr::from_ref(&arguments).cast());
    assert!(gate.as_mut().poll(&mut cx).is_pending());
    assert!(take().is_null());
    assert!(gate.as_mut().poll(&mut cx).is_ready());
}
