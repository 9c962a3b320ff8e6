//! `Send` and `Sync` of machines: those of the coroutine, as far as the compiler reports them.
#![allow(dead_code, reason = "of most functions only the machine is used")]

use std::cell::Cell;
use std::future::{Future, ready};
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;

use volt::task::yield_now;

/// Queries the auto traits of a value: an inherent constant takes precedence over that of a trait.
struct Ask<T>(PhantomData<T>);

trait Neither {
    const SEND: bool = false;
    const SYNC: bool = false;
}

impl<T> Neither for Ask<T> {}

struct AskSync<T>(PhantomData<T>);

impl<T> Neither for AskSync<T> {}

impl<T: Send> Ask<T> {
    const SEND: bool = true;
}

impl<T: Sync> AskSync<T> {
    const SYNC: bool = true;
}

macro_rules! auto {
    ($Machine:ty) => {
        (<Ask<$Machine>>::SEND, <AskSync<$Machine>>::SYNC)
    };
}

/// Queries `Send` of the output of a call that is not run.
macro_rules! is_send {
    ($call:expr) => {{
        fn of<T>(_: impl FnOnce() -> T) -> Ask<T> {
            Ask(std::marker::PhantomData)
        }
        of(|| $call).is_send()
    }};
}

trait NotSend {
    fn is_send(&self) -> bool {
        false
    }
}

impl<T> NotSend for Ask<T> {}

impl<T: Send> Ask<T> {
    fn is_send(&self) -> bool {
        true
    }
}

/// Queries `Sync` of the output of a call that is not run.
macro_rules! is_sync {
    ($call:expr) => {{
        fn of<T>(_: impl FnOnce() -> T) -> AskSync<T> {
            AskSync(std::marker::PhantomData)
        }
        of(|| $call).is_sync()
    }};
}

trait NotSync {
    fn is_sync(&self) -> bool {
        false
    }
}

impl<T> NotSync for AskSync<T> {}

impl<T: Sync> AskSync<T> {
    fn is_sync(&self) -> bool {
        true
    }
}

#[path = "auto_traits/boxed_futures.rs"]
mod boxed_futures;
#[path = "auto_traits/calls_in_macros.rs"]
mod calls_in_macros;
#[path = "auto_traits/calls_of_the_name.rs"]
mod calls_of_the_name;
#[path = "auto_traits/carried_signatures.rs"]
mod carried_signatures;
#[path = "auto_traits/generic_in_closures.rs"]
mod generic_in_closures;
#[path = "auto_traits/inferred_outputs.rs"]
mod inferred_outputs;
#[path = "auto_traits/linked_copies.rs"]
mod linked_copies;
#[path = "auto_traits/linked_copies/linked_operands.rs"]
mod linked_operands;
#[path = "auto_traits/names_of_others.rs"]
mod names_of_others;
#[path = "auto_traits/own_types.rs"]
mod own_types;
#[path = "auto_traits/own_values.rs"]
mod own_values;
#[path = "auto_traits/recursive_copies.rs"]
mod recursive_copies;
#[path = "auto_traits/recursive_trait_methods.rs"]
mod recursive_trait_methods;

struct Local(Rc<u32>);

/// Returns a value that is not `Send`, which the name does not show.
fn local_number(n: u32) -> Local {
    Local(Rc::new(n))
}

fn local() -> Local {
    Local(Rc::new(1))
}

struct Failure;

impl Failure {
    fn boxed(self) -> Box<dyn Send> {
        Box::new("failure")
    }
}

#[volt::state_machine]
async fn boxes_no_future(local: Local) -> u32 {
    let failure = Failure.boxed();
    yield_now().await;
    drop(failure);
    *local.0
}

#[volt::state_machine]
async fn of_threads(n: u32) -> u32 {
    yield_now().await;
    n
}

#[volt::state_machine]
async fn with_a_cell(n: Cell<u32>) -> u32 {
    yield_now().await;
    n.get()
}

#[volt::state_machine(native)]
async fn argument_is_gone(local: Local) -> u32 {
    drop(local);
    yield_now().await;
    1
}

#[volt::state_machine]
async fn awaits_local() -> u32 {
    let waits = boxes_no_future(local());
    yield_now().await;
    waits.await
}

#[test]
fn machine_has_the_traits_of_its_coroutine() {
    assert_eq!(auto!(BoxesNoFuture), (false, false));
    assert_eq!(auto!(OfThreads), (true, true));
    assert_eq!(auto!(WithACell), (true, false));
    assert_eq!(auto!(ArgumentIsGone), (false, false));
    assert_eq!(auto!(AwaitsLocal), (false, false));
}

async fn call(f: impl AsyncFn()) {
    f().await
}

#[volt::state_machine]
async fn lends_a_closure(n: u32) -> u32 {
    let sum = n + 1;
    call(async || {
        yield_now().await;
        assert!(sum > n);
    })
    .await;
    sum
}

#[test]
fn coroutine_with_async_closure_is_send() {
    assert_eq!(auto!(LendsAClosure), (true, true));
}

/// `Send` for one lifetime alone.
struct Fixed<'a>(PhantomData<*const &'a u8>);

// SAFETY: it holds nothing.
unsafe impl Send for Fixed<'static> {}

/// `Send` for references of one lifetime alone.
struct Known<T>(PhantomData<*const T>);

trait Static {}

impl Static for &'static u8 {}

// SAFETY: it holds nothing.
unsafe impl<T: Static> Send for Known<T> {}

fn tied<'a>(_: &'a u8) -> (Fixed<'a>, Known<&'a u8>) {
    (Fixed(PhantomData), Known(PhantomData))
}

/// Keeps its argument alive until the call.
fn consume<T>(_: T) {}

#[volt::state_machine]
async fn keeps_fixed(byte: &u8) -> u8 {
    let (fixed, _) = tied(byte);
    yield_now().await;
    consume(fixed);
    *byte
}

#[volt::state_machine]
async fn keeps_known(byte: &u8) -> u8 {
    let (_, known) = tied(byte);
    yield_now().await;
    consume(known);
    *byte
}

#[volt::state_machine]
async fn keeps_own() -> u8 {
    let byte = 1;
    let both = tied(&byte);
    yield_now().await;
    consume(both);
    byte
}

#[test]
fn coroutine_send_for_one_lifetime_is_not_send() {
    assert!(!auto!(KeepsFixed<'static>).0);
    assert!(!auto!(KeepsKnown<'static>).0);
    assert!(!auto!(KeepsOwn).0);
}

#[volt::state_machine]
async fn boxes_itself(n: u32) -> u32 {
    match n {
        0 => 0,
        n => Box::pin(boxes_itself(n - 1)).await + 1,
    }
}

#[volt::state_machine]
async fn even(n: u32) -> bool {
    match n {
        0 => true,
        n => heap(odd(n - 1)).await,
    }
}

#[volt::state_machine]
async fn odd(n: u32) -> bool {
    match n {
        0 => false,
        n => heap(even(n - 1)).await,
    }
}

fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

#[volt::state_machine]
async fn boxes_itself_with(n: Rc<u32>) -> u32 {
    match *n {
        0 => 0,
        k => Box::pin(boxes_itself_with(Rc::new(k - 1))).await + 1,
    }
}

#[volt::state_machine]
async fn erases_itself(n: u32) -> u32 {
    let next: Pin<Box<dyn Future<Output = u32> + Send>> = match n {
        0 => Box::pin(ready(0)),
        n => Box::pin(erases_itself(n - 1)),
    };
    next.await + 1
}

fn next_number(n: u32) -> Pin<Box<impl Future<Output = u32>>> {
    Box::pin(by_another(n))
}

#[volt::state_machine]
async fn by_another(n: u32) -> u32 {
    match n {
        0 => 0,
        n => next_number(n - 1).await + 1,
    }
}

/// No code of the file shows that the function leads back.
macro_rules! hide {
    ($name:ident leads to $other:ident) => {
        fn $name(n: u32) -> Pin<Box<impl Future<Output = u32>>> {
            Box::pin($other(n))
        }
    };
}

hide!(hidden leads to by_a_macro);

#[volt::state_machine]
async fn by_a_macro(n: u32) -> u32 {
    match n {
        0 => 0,
        n => hidden(n - 1).await + 1,
    }
}

fn to_right(n: u32) -> Pin<Box<impl Future<Output = u32>>> {
    Box::pin(right(n))
}

async fn to_left(n: u32) -> u32 {
    Box::pin(left(n)).await
}

#[volt::state_machine]
async fn left(n: u32) -> u32 {
    match n {
        0 => 0,
        n => to_right(n - 1).await + 1,
    }
}

#[volt::state_machine]
async fn right(n: u32) -> u32 {
    match n {
        0 => 0,
        n => to_left(n - 1).await + 1,
    }
}

#[test]
fn recursive_machine_is_send_where_its_arguments_are() {
    assert!(auto!(BoxesItself).0 && auto!(Even).0 && auto!(Odd).0 && auto!(ErasesItself).0);
    assert!(!auto!(BoxesItselfWith).0);
    assert_eq!(volt::block_on(boxes_itself(3)), 3);
    assert!(volt::block_on(even(4)));
    assert_eq!(volt::block_on(boxes_itself_with(Rc::new(2))), 2);
    assert_eq!(volt::block_on(erases_itself(2)), 3);
}

#[test]
fn recursion_without_a_visible_name_builds() {
    assert!(!auto!(ByAMacro).0, "the option `send` is for it");
    assert_eq!(volt::block_on(by_a_macro(3)), 3);
}

#[test]
fn recursion_through_plain_functions_is_send() {
    assert!(auto!(ByAnother).0 && auto!(Left).0 && auto!(Right).0);
    assert_eq!(volt::block_on(by_another(3)), 3);
    assert_eq!(volt::block_on(left(4)), 4);
}

macro_rules! printed {
    ($name:ident) => {
        #[volt::state_machine(native)]
        async fn $name() -> &'static str {
            ready(()).await;
            stringify!($name)
        }
    };
}

printed!(named);

#[test]
fn printed_name_is_no_recursion() {
    assert_eq!(auto!(Named), (true, true));
}
