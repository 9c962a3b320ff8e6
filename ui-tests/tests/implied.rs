//! Bounds that arguments imply.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::future::{Future, Ready, ready};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

fn finish<F: Future>(future: F) -> F::Output {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).as_mut().poll(&mut context) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing to wait for"),
    }
}

trait Digit {
    fn digit(&self) -> u32;
}

impl Digit for u32 {
    fn digit(&self) -> u32 {
        *self
    }
}

static SEVEN: u32 = 7;
static LIST: [u32; 2] = [3, 4];

#[volt::state_machine]
async fn lent<T: Digit>(number: &'static T) -> u32 {
    ready(()).await;
    number.digit()
}

#[volt::state_machine]
async fn within<T: Digit>(number: Option<(&'static [T], u8)>) -> u32 {
    ready(()).await;
    number.map_or(0, |(list, _)| list.iter().map(T::digit).sum())
}

/// The `impl Trait` has no name in a function with parameters of its own.
#[volt::state_machine]
async fn beside<N: Into<u32>>(number: &'static impl Digit, more: N) -> u32 {
    ready(()).await;
    number.digit() + more.into()
}

/// Only the type of the argument declares the lifetime `'x`.
#[volt::state_machine]
async fn passed<T: Digit>(read: for<'x> fn(&'static u32, &'x T) -> u32, number: &T) -> u32 {
    ready(()).await;
    read(&3, number)
}

struct Cell<T>(T);

trait Sum {
    async fn sum(&self, other: &'static impl Digit) -> u32;
}

#[volt::state_machine]
impl<T: Digit> Sum for Cell<T> {
    async fn sum(&self, other: &'static impl Digit) -> u32 {
        ready(()).await;
        self.0.digit() + other.digit()
    }
}

#[volt::state_machine]
impl<T: Digit> Cell<T> {
    async fn forever(&'static self) -> u32 {
        ready(()).await;
        self.0.digit()
    }
}

#[test]
fn static_reference_to_parameter_compiles() {
    static CELL: Cell<u32> = Cell(7);
    assert_eq!(finish(lent(&SEVEN)), 7);
    assert_eq!(finish(within(Some((&LIST, 1)))), 7);
    assert_eq!(finish(beside(&SEVEN, 1u8)), 8);
    assert_eq!(finish(passed(|one, two| one + two, &4)), 7);
    assert_eq!(finish(Cell(1).sum(&SEVEN)), 8);
    assert_eq!(finish(CELL.forever()), 7);
}

struct Hold<T: 'static>(T);

trait Measure<X> {
    type Length;
}

struct Yard<A>(A);

impl<X, T> Measure<X> for Yard<T> {
    type Length = Option<T>;
}

#[volt::state_machine]
async fn held<T: Into<u32>>(hold: Hold<T>) -> u32 {
    ready(()).await;
    hold.0.into()
}

#[volt::state_machine(explicit)]
async fn held_explicit<T: Into<u32>, F: Future<Output = u32>>(hold: Hold<T>, more: F) -> u32 {
    let more: u32 = more.await;
    hold.0.into() + more
}

#[volt::state_machine(inline = 64)]
async fn held_inline<T: Into<u32>>(hold: Hold<T>) -> u32 {
    ready(()).await;
    hold.0.into()
}

#[volt::state_machine(boxed)]
async fn held_boxed<T: Into<u32>>(hold: Hold<T>) -> u32 {
    ready(()).await;
    hold.0.into()
}

#[volt::state_machine]
async fn owned<T: Clone + Into<u32>>(number: Cow<'static, T>) -> u32 {
    ready(()).await;
    number.into_owned().into()
}

#[volt::state_machine]
async fn projected<A>(length: &<Yard<A> as Measure<u8>>::Length) -> bool {
    ready(()).await;
    length.is_some()
}

#[volt::state_machine]
async fn projected_lifetime<'a>(length: &<Yard<&'a u32> as Measure<u8>>::Length) -> bool {
    ready(()).await;
    length.is_some()
}

#[volt::state_machine(native)]
async fn projected_native<'a>(length: &<Yard<&'a u32> as Measure<u8>>::Length) -> bool {
    ready(()).await;
    length.is_some()
}

#[volt::state_machine]
impl<T: Clone + Into<u32>> Hold<T> {
    async fn get(&self) -> u32 {
        ready(()).await;
        self.0.clone().into()
    }

    async fn seven() -> u32 {
        ready(()).await;
        7
    }

    async fn with<U: Into<u32>>(&self, other: Hold<U>) -> u32 {
        self.0.clone().into() + held(other).await
    }
}

trait Get {
    async fn number(self) -> u32;
}

#[volt::state_machine]
impl<T: Into<u32>> Get for Hold<T> {
    async fn number(self) -> u32 {
        ready(()).await;
        self.0.into()
    }
}

/// The carried types are defaults, so the machines are named without them.
struct Named<T: Into<u32> + 'static> {
    explicit: HeldExplicit<T, Ready<u32>>,
    inline: HeldInline<T>,
    boxed: HeldBoxed<T>,
}

#[test]
fn bound_of_an_argument_type_is_implied() {
    assert_eq!(finish(held(Hold(1u8))), 1);
    assert_eq!(finish(owned(Cow::<u8>::Owned(5))), 5);
    let named = Named {
        explicit: held_explicit(Hold(2u8), ready(1)),
        inline: held_inline(Hold(3u8)),
        boxed: held_boxed(Hold(4u8)),
    };
    assert_eq!(finish(named.explicit), 3);
    assert_eq!(finish(named.inline), 3);
    assert_eq!(finish(named.boxed), 4);
}

#[test]
fn bound_of_an_impl_type_is_implied() {
    let hold = Hold(2u8);
    assert_eq!(finish(hold.get()), 2);
    assert_eq!(finish(hold.with(Hold(3u8))), 5);
    assert_eq!(finish(Hold::<u8>::seven()), 7);
    assert_eq!(finish(hold.number()), 2);
}

#[test]
fn bound_of_a_projection_is_implied() {
    assert!(finish(projected::<u8>(&Some(1))));
    assert!(finish(projected_lifetime(&Some(&SEVEN))));
    assert!(finish(projected_native(&Some(&SEVEN))));
}

#[test]
fn dropped_machine_drops_its_carried_argument() {
    let count = Rc::new(());
    drop(held_boxed(Hold(Counted(count.clone()))));
    drop(held_inline(Hold(Counted(count.clone()))));
    drop(held_explicit(Hold(Counted(count.clone())), ready(1)));
    assert_eq!(Rc::strong_count(&count), 1);
}

struct Counted(#[expect(dead_code, reason = "it is only dropped")] Rc<()>);

impl From<Counted> for u32 {
    fn from(_: Counted) -> Self {
        1
    }
}

/// A trait with a parameter, as `tower::Service` has one.
trait Serve<Request> {
    type Answer;
}

impl Serve<u8> for () {
    type Answer = u32;
}

#[volt::state_machine(explicit)]
async fn short_explicit<S, Request>(answer: Option<S::Answer>, turn: Ready<()>) -> bool
where
    S: Serve<Request>,
{
    turn.await;
    answer.is_some()
}

#[volt::state_machine(native)]
async fn short_native<S, Request>(answer: Option<S::Answer>) -> bool
where
    S: Serve<Request>,
{
    ready(()).await;
    answer.is_some()
}

#[test]
fn short_projection_of_a_generic_trait_compiles() {
    assert!(finish(short_explicit::<(), u8>(Some(1), ready(()))));
    assert!(!finish(short_native::<(), u8>(None)));
}

/// Functions for other modules, with types that are private to this one.
mod private_types {
    use std::future::{Ready, ready};

    struct Kept<T>(T);

    #[volt::state_machine(name = KeptFuture, explicit)]
    async fn wait<T: Copy>(kept: Kept<T>, turn: Ready<()>) -> T {
        turn.await;
        kept.0
    }

    #[volt::state_machine(name = OpenFuture, explicit, vis = pub(super))]
    async fn open<T: Copy>(kept: Kept<T>, turn: Ready<()>) -> T {
        turn.await;
        kept.0
    }

    pub(super) fn kept<T: Copy>(value: T) -> OpenFuture<T> {
        open(Kept(value), ready(()))
    }

    #[volt::state_machine(explicit)]
    pub(super) async fn local<T: Copy>(value: T, turn: Ready<()>) -> T {
        let kept: Kept<T> = Kept(value);
        turn.await;
        kept.0
    }

    pub(super) fn own() -> u8 {
        super::finish(wait(Kept(4), ready(())))
    }
}

#[test]
fn private_type_is_no_argument_of_a_visible_machine() {
    assert_eq!(finish(private_types::kept(3)), 3);
    assert_eq!(finish(private_types::local(3, ready(()))), 3);
    assert_eq!(private_types::own(), 4);
}

struct Forever<'a: 'static>(&'a str);

struct ByClause<'a, 'b, T>(&'a T, &'b str)
where
    'b: 'static,
    T: 'static;

#[volt::state_machine]
async fn forever(text: Forever<'_>) -> usize {
    ready(()).await;
    text.0.len()
}

#[volt::state_machine(native)]
async fn forever_native(texts: &[Forever<'_>]) -> usize {
    ready(()).await;
    texts.iter().map(|text| text.0.len()).sum()
}

#[volt::state_machine]
async fn by_clause<'a>(pair: (ByClause<'a, '_, &str>, u8)) -> &'a str {
    ready(()).await;
    assert_eq!(pair.0.1, "second");
    pair.0.0
}

#[volt::state_machine]
impl<'a> Forever<'a> {
    async fn text(&self) -> &'a str {
        ready(()).await;
        self.0
    }

    async fn with(&mut self, other: Forever<'_>) -> usize {
        ready(()).await;
        self.0.len() + other.0.len()
    }
}

#[volt::state_machine]
impl Forever<'_> {
    async fn length(&self) -> usize {
        ready(()).await;
        self.0.len()
    }
}

#[test]
fn static_bound_of_a_declaration_is_implied() {
    assert_eq!(finish(forever(Forever("a"))), 1);
    assert_eq!(finish(forever_native(&[Forever("a"), Forever("bc")])), 3);
    assert_eq!(
        finish(by_clause((ByClause(&"first", "second"), 1))),
        "first"
    );
    assert_eq!(finish(Forever("ab").text()), "ab");
    assert_eq!(finish(Forever("ab").with(Forever("c"))), 3);
    assert_eq!(finish(Forever("ab").length()), 2);
}
