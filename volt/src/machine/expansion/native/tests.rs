//! Machines in all storages, compared with the compiler's futures. Miri runs the tests, too.
#![allow(
    unused_imports,
    reason = "a machine that is neither `Send` nor `Sync` needs no probe, and only this crate gets the lint"
)]

use core::cell::RefCell;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};
use std::boxed::Box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use volt_macros::state_machine;

use crate::machine::StateMachine;
use volt_inspect::{Inspect, Inspector, Node, Status, Visitor};

type Log = Rc<RefCell<Vec<String>>>;

/// Records that it is dropped, and whether a panic unwinds at that time.
struct Note(&'static str, Log);

impl Drop for Note {
    fn drop(&mut self) {
        let unwinding = if std::thread::panicking() { "!" } else { "" };
        self.1.borrow_mut().push(format!("{}{unwinding}", self.0));
    }
}

async fn turn() {
    let mut polled = false;
    poll_fn(|cx| {
        if core::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Defines the same body three times: as a plain `async fn`, and in two storages.
macro_rules! walks {
    ($([$($attr:tt)*] $name:ident <$($T:ident)?> ($third:ty))*) => { $(
        $($attr)*
        async fn $name $(<$T>)? (
            first: Note,
            (second, _): (Note, Note),
            mut third: $third,
            fails: u32,
        ) -> usize {
            let words = vec![String::from("a"), String::from("bc")];
            let mut sum = 0;
            for word in words.iter() {
                turn().await;
                let kept = &first;
                if fails == 1 {
                    panic!("in the loop");
                }
                sum += word.len() + usize::from(kept.0 == "first");
            }
            drop(second);
            let inner = Note("inner", first.1.clone());
            third = keep(third);
            let _: &Note = &inner;
            turn().await;
            if fails == 2 {
                panic!("behind the loop");
            }
            drop(third);
            sum
        }
    )* };
}

fn keep<T>(value: T) -> T {
    value
}

walks! {
    [] plain<>(Note)
    [#[state_machine(native, crate = crate)]] inline<>(Note)
    [#[state_machine(native, crate = crate)]] open<T>(T)
    [#[state_machine(native, boxed, crate = crate)]] boxed<T>(T)
    [#[state_machine(native, inline = 512, crate = crate)]] given<T>(T)
    [#[state_machine(native, trace = false, crate = crate)]] untraced<>(Note)
}

/// Polls a future so many times, drops it, and returns a log of the drops.
fn observe<F: Future<Output = usize>>(
    make: impl FnOnce(&dyn Fn(&'static str) -> Note) -> F,
    polls: usize,
) -> Vec<String> {
    let log = Log::default();
    let note = |name| Note(name, log.clone());
    let mut future = Some(Box::pin(make(&note)));
    let mut cx = Context::from_waker(Waker::noop());
    for index in 0..polls {
        let polled = catch_unwind(AssertUnwindSafe(|| {
            future.as_mut().map(|it| it.as_mut().poll(&mut cx))
        }));
        let said = match polled {
            Ok(Some(Poll::Ready(output))) => format!("= {output}"),
            Ok(_) => format!("poll {index}"),
            Err(_) => String::from("panic"),
        };
        let ended = !said.starts_with("poll");
        log.borrow_mut().push(said);
        if ended {
            break;
        }
    }
    future.take();
    log.borrow().clone()
}

#[test]
fn drops_match_the_compilers_future() {
    for fails in 0..3 {
        for polls in 0..6 {
            macro_rules! seen {
                ($name:ident) => {
                    observe(
                        |note| {
                            let pair = (note("second"), note("rest"));
                            $name(note("first"), pair, note("third"), fails)
                        },
                        polls,
                    )
                };
            }
            let expected = seen!(plain);
            assert_eq!(seen!(inline), expected, "inline, {fails}, {polls}");
            assert_eq!(seen!(open), expected, "open, {fails}, {polls}");
            assert_eq!(seen!(boxed), expected, "boxed, {fails}, {polls}");
            assert_eq!(seen!(given), expected, "given, {fails}, {polls}");
            assert_eq!(seen!(untraced), expected, "untraced, {fails}, {polls}");
        }
    }
}

#[state_machine(native, crate = crate)]
async fn outer(text: &str) -> usize {
    let owned = String::from(text);
    let len = middle(&owned).await;
    Box::pin(middle(&owned)).await + len
}

#[state_machine(native, crate = crate)]
async fn middle<'a>(text: &'a str) -> usize {
    let first = text.chars().next();
    turn().await;
    text.len() + usize::from(first.is_some())
}

fn trace(machine: &impl StateMachine) -> Vec<&'static str> {
    let mut found = Vec::new();
    machine.trace(&mut |state| found.push(state.name));
    found
}

/// Returns the kind and the label of each node of a machine, after its depth.
fn tree(machine: Pin<&mut impl Inspect>) -> Vec<String> {
    struct Nodes(usize, Vec<String>);
    impl Visitor for Nodes {
        fn enter(&mut self, node: &Node, _: Option<usize>, status: Status) {
            let (depth, kind, label) = (self.0, node.kind, node.label);
            self.1.push(format!("{depth} {kind} {label} {status}"));
            self.0 += 1;
        }

        fn leave(&mut self) {
            self.0 -= 1;
        }
    }
    let mut nodes = Nodes(0, Vec::new());
    machine.inspect(&mut Inspector::new(&mut nodes));
    nodes.1
}

/// The name of the compiler's future of `turn`.
fn turn_name() -> &'static str {
    let future = turn();
    core::any::type_name_of_val(&future)
}

#[test]
fn trace_reaches_machines_in_boxes() {
    let mut machine = pin!(outer("abc"));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(trace(&*machine), ["start"]);
    assert_eq!(tree(machine.as_mut()), ["0 Outer start not started"]);
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(trace(&*machine), ["await middle", "await turn"]);
    let nodes = [
        "0 Outer await middle waiting".into(),
        "1 Middle await turn waiting".into(),
        format!("2 {}  waiting", turn_name()),
    ];
    assert_eq!(tree(machine.as_mut()), nodes);
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(trace(&*machine), ["await middle", "await turn"]);
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(8));
    assert_eq!(trace(&*machine), ["done"]);
    let poll = || machine.as_mut().poll(&mut cx).is_ready();
    assert!(catch_unwind(AssertUnwindSafe(poll)).is_err());
}

#[state_machine(native, crate = crate)]
async fn innermost<A: AsRef<str>>(text: A) -> usize {
    let own = String::from(text.as_ref());
    let borrowed = &own;
    turn().await;
    borrowed.len()
}

#[state_machine(native, crate = crate)]
async fn between<A: AsRef<str> + Clone>(mut text: A) -> usize {
    let lent = &mut text;
    let first = innermost(lent.as_ref()).await;
    let both = first + untraced_innermost(lent.clone()).await;
    turn().await;
    both + text.as_ref().len()
}

#[state_machine(native, trace = false, crate = crate)]
async fn untraced_innermost<A: AsRef<str>>(text: A) -> usize {
    let borrowed = &text;
    turn().await;
    borrowed.as_ref().len()
}

#[state_machine(native, crate = crate)]
async fn around<A: AsRef<str> + Clone>(text: A) -> usize {
    between(text.clone()).await + text.as_ref().len()
}

#[test]
fn trace_reaches_generic_machines() {
    let mut machine = pin!(around(String::from("abc")));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(trace(&*machine), ["start"]);
    let inside = ["await between", "await innermost", "await turn"];
    let untraced = ["await between", "await untraced_innermost", "running"];
    for states in [&inside[..], &untraced, &["await between", "await turn"]] {
        assert!(machine.as_mut().poll(&mut cx).is_pending());
        assert_eq!(trace(&*machine), states);
        let nodes = tree(machine.as_mut());
        let is_state = |(node, state): (&String, &&str)| node.contains(&format!(" {state} "));
        assert!(nodes.iter().zip(states).all(is_state), "{nodes:?}");
        let leaf = format!("{} {}  waiting", states.len(), turn_name());
        let is_traced = !states.contains(&"running");
        assert_eq!(nodes.last() == Some(&leaf), is_traced, "{nodes:?}");
    }
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(12));
    assert_eq!(trace(&*machine), ["done"]);
}

#[test]
fn poisoned_machine_reports_its_state() {
    let log = Log::default();
    let note = |name| Note(name, log.clone());
    let pair = (note("second"), note("rest"));
    let mut machine = pin!(inline(note("first"), pair, note("third"), 1));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    let poll = || machine.as_mut().poll(&mut cx).is_ready();
    assert!(catch_unwind(AssertUnwindSafe(poll)).is_err());
    assert_eq!(trace(&*machine), ["poisoned"]);
}

#[test]
fn unpolled_machine_moves_to_another_thread() {
    let machine = middle("word");
    let sum = std::thread::scope(|scope| {
        let run = scope.spawn(move || {
            let mut machine: Pin<Box<Middle<'_>>> = Box::pin(machine);
            let mut cx = Context::from_waker(Waker::noop());
            assert!(machine.as_mut().poll(&mut cx).is_pending());
            machine.as_mut().poll(&mut cx)
        });
        run.join().unwrap()
    });
    assert_eq!(sum, Poll::Ready(5));
}

#[test]
fn coroutine_with_a_stored_rc_is_not_send() {
    struct Ask<T>(core::marker::PhantomData<T>);
    trait No {
        const IS: bool = false;
    }
    impl<T> No for Ask<T> {}
    impl<T: Send> Ask<T> {
        const IS: bool = true;
    }
    const { assert!(Ask::<Middle<'static>>::IS) };
    const { assert!(!Ask::<Inline>::IS) };
    const { assert!(!Ask::<Boxed<u8>>::IS) };
}

#[test]
fn arguments_are_stored_once() {
    #[state_machine(native, crate = crate)]
    async fn across(page: [u8; 1024]) -> u8 {
        turn().await;
        page[0]
    }
    #[allow(dead_code, reason = "it is only measured")]
    #[state_machine(native, crate = crate)]
    async fn nested(page: [u8; 1024]) -> u8 {
        across(page).await
    }
    assert!(size_of::<Nested>() <= 1024 + 128, "{}", size_of::<Nested>());
    assert!(size_of::<Across>() <= 1024 + 64, "{}", size_of::<Across>());
}

/// The macros that implement the traits of a machine.
const MACROS: [&str; 4] = [
    include_str!("native_macros.rs"),
    include_str!("native_macros/auto_traits.rs"),
    include_str!("native_macros/boxed_machine.rs"),
    include_str!("../inferred/snapshot/snapshot_macros.rs"),
];

/// Returns the implementations of internal traits for a machine that documentation shows.
fn documented(text: &str) -> Vec<&str> {
    let mut is_hidden = false;
    let mut documented = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let is_impl = line.starts_with("impl<") || line.starts_with("unsafe impl<");
        // `Inspect` is public under another path.
        let is_internal =
            line.contains("$crate::__private::") && !line.contains("__private::Inspect ");
        if is_impl && is_internal && line.contains("for $Machine") && !is_hidden {
            documented.push(line);
        }
        is_hidden = line == "#[doc(hidden)]" || is_hidden && line.starts_with(['#', '/']);
    }
    documented
}

#[test]
fn documentation_hides_internal_traits() {
    let documented: Vec<&str> = MACROS.into_iter().flat_map(documented).collect();
    assert!(documented.is_empty(), "{documented:?}");
}
