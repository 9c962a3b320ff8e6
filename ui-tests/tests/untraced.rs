//! Native machines with `trace = false`: their sizes, and the traces of machines that await them.
//! The effect of other attributes on a machine, with a trace and without.

#[path = "native_sizes/turn.rs"]
mod turn;

use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

use self::turn::turn;

async fn plain<A: Into<u64>>(number: A, _: [u32; 2]) -> u64 {
    let number = number.into() as u8;
    turn().await;
    u64::from(number)
}

#[volt::state_machine(native, trace = false)]
async fn quiet<A: Into<u64>>(number: A, _: [u32; 2]) -> u64 {
    let number = number.into() as u8;
    turn().await;
    u64::from(number)
}

async fn plain_short<A: Into<u64>>(number: A) -> u64 {
    number.into()
}

#[volt::state_machine(native, trace = false)]
async fn quiet_short<A: Into<u64>>(number: A) -> u64 {
    number.into()
}

type Padded = (u64, u8);

async fn plain_padded<A: Copy>(_: Padded, _: Option<u64>, number: A) -> A {
    number
}

#[volt::state_machine(native, trace = false)]
async fn quiet_padded<A: Copy>(_: Padded, _: Option<u64>, number: A) -> A {
    number
}

#[track_caller]
fn is_close<P, M>(plain: &P, machine: &M) {
    let (plain, machine) = (size_of_val(plain), size_of_val(machine));
    assert!(
        machine <= plain + 8,
        "{machine} bytes where plain is {plain}"
    );
}

#[test]
fn untraced_generic_machine_adds_at_most_8_bytes() {
    is_close(&plain(1_u8, [0; 2]), &quiet(1_u8, [0; 2]));
    is_close(&plain(1_u64, [0; 2]), &quiet(1_u64, [0; 2]));
    let (plain, quiet) = (plain_padded::<u8>, quiet_padded::<u8>);
    is_close(&plain((1, 1), None, 1), &quiet((1, 1), None, 1));
    is_close(&plain_short(1_u16), &quiet_short(1_u16));
    is_close(&plain_short(1_u32), &quiet_short(1_u32));
    is_close(&plain_short(1_u64), &quiet_short(1_u64));
}

#[volt::state_machine(native)]
async fn inner<A: Into<u64>>(number: A) -> u64 {
    turn().await;
    number.into()
}

#[volt::state_machine(native, trace = false)]
async fn middle<A: Into<u64>>(number: A) -> u64 {
    let number = number.into();
    inner(number).await + 1
}

#[volt::state_machine(native)]
async fn outer<A: Into<u64>>(number: A) -> u64 {
    let number = number.into();
    let first = inner(number).await;
    first + middle(number).await
}

fn trace(machine: &impl StateMachine) -> Vec<String> {
    let mut found = Vec::new();
    machine.trace(&mut |state| found.push(format!("{} {}", state.machine, state.name)));
    found
}

fn is_pending(machine: Pin<&mut impl Future>) -> bool {
    machine
        .poll(&mut Context::from_waker(Waker::noop()))
        .is_pending()
}

#[test]
fn trace_ends_in_an_untraced_machine() {
    let mut machine = pin!(outer(3_u32));
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Outer await inner", "Inner await turn"]);
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Outer await middle", "Middle running"]);
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(7));
}

#[test]
fn untraced_machine_awaits_a_traced_one() {
    let mut machine = pin!(middle(3_u32));
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Middle running"]);
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(4));
}

/// Logs its drop.
struct Named(&'static str, Rc<RefCell<Vec<&'static str>>>);

impl Drop for Named {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

/// Returns the drops of a function that is cancelled at its first await, then those of a function
/// that ends.
fn drops<F: Future>(make: impl Fn(&dyn Fn(&'static str) -> Named) -> F) -> Vec<&'static str> {
    let log = Rc::new(RefCell::new(Vec::new()));
    let named = |name| Named(name, Rc::clone(&log));
    assert!(is_pending(pin!(make(&named))));
    let mut whole = pin!(make(&named));
    assert!(is_pending(whole.as_mut()));
    assert!(!is_pending(whole.as_mut()));
    drop(make(&named));
    log.take()
}

/// The same methods and functions: plain, as machines without a trace, and as machines.
macro_rules! twice {
    ($($Type:ident $module:ident [$($attr:tt)*])*) => { $(
        struct $Type(Named);

        $($attr)*
        impl $Type {
            async fn counted(self: Rc<Self>, one: Named, _: Named, (two, _): (Named, Named)) {
                let own = (self.0).0;
                turn().await;
                drop((own, two, one));
            }

            #[tracing::instrument(skip_all)]
            async fn followed(self, one: Named, _: Named, (two, _): (Named, Named)) {
                turn().await;
                drop((two, one));
            }
        }

        mod $module {
            use super::{Named, turn};

            $($attr)*
            #[tracing::instrument(skip_all)]
            pub(super) async fn followed<T>(one: T, (_, two): (Named, Named), _: Named) -> T {
                turn().await;
                drop(two);
                one
            }
        }
    )* };
}

twice! {
    Loud loudly []
    Silent silently [#[volt::state_machine(native, trace = false)]]
    Noted notedly [#[volt::state_machine(native)]]
}

/// Returns the drops of a method and two functions under an attribute, of a type and a module.
macro_rules! dropped {
    ($Type:ident $module:ident) => {
        [
            drops(|it| Rc::new($Type(it("self"))).counted(it("1"), it("_"), (it("2"), it("3")))),
            drops(|it| $Type(it("self")).followed(it("1"), it("_"), (it("2"), it("3")))),
            drops(|it| $module::followed(it("1"), (it("2"), it("3")), it("_"))),
        ]
    };
}

#[test]
fn arguments_are_dropped_as_in_a_plain_function() {
    let plain = dropped!(Loud loudly);
    assert_eq!(dropped!(Silent silently), plain);
    assert_eq!(dropped!(Noted notedly), plain);
}

#[volt::state_machine(native, trace = false)]
#[tracing::instrument]
async fn nothing() -> u32 {
    turn().await;
    7
}

struct First;

#[volt::state_machine(native, trace = false)]
impl First {
    #[tracing::instrument(skip_all)]
    async fn first<'a, 'b: 'a, T: Into<u64> + 'b>(one: &'a T, two: &'b T) -> &'a T {
        turn().await;
        if size_of_val(two) > 1 { two } else { one }
    }
}

#[test]
fn other_attribute_may_rewrite_any_function() {
    let (one, two) = (1_u8, 2_u8);
    let mut machine = pin!(First::first(&one, &two));
    assert!(is_pending(machine.as_mut()));
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(&1));
    let mut machine = pin!(nothing());
    assert!(is_pending(machine.as_mut()));
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(7));
}

mod noted {
    use tracing::instrument as observe;

    use super::turn;

    #[volt::state_machine(native)]
    #[tracing::instrument]
    pub(super) async fn instrumented(text: &str) -> usize {
        turn().await;
        text.len()
    }

    #[volt::state_machine(native)]
    #[observe]
    pub(super) async fn observed(text: &str, (a, b): (usize, usize)) -> usize {
        turn().await;
        text.len() + a + b
    }
}

#[test]
fn known_attribute_keeps_its_awaits_visible() {
    let mut machine = pin!(noted::instrumented("abc"));
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Instrumented await turn"]);
    // The effect of an attribute with another name on the body is unknown.
    let mut machine = pin!(noted::observed("abc", (1, 2)));
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Observed await #[observe]"]);
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(6));
}
