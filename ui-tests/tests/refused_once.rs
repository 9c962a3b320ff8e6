//! Functions that compile without the attribute, each of which once did not with it.

use std::convert::Infallible;

use volt::machine::{Layout, StateMachine};

trait Counted {
    fn count(&self) -> u32;
}

struct Outer;

#[volt::state_machine]
async fn implements_for_an_outer_type() -> u32 {
    impl Outer {
        const ONE: u32 = 1;
    }
    impl Counted for Outer {
        fn count(&self) -> u32 {
            Self::ONE
        }
    }
    std::future::ready(()).await;
    Outer.count()
}

#[volt::state_machine]
async fn implements_for_an_inner_type() -> u32 {
    struct Inner;
    impl Counted for Inner {
        fn count(&self) -> u32 {
            2
        }
    }
    std::future::ready(()).await;
    Inner.count()
}

#[test]
fn impl_of_an_outer_type_makes_a_machine_native() {
    assert_eq!(volt::block_on(implements_for_an_outer_type()), 1);
    assert!(matches!(
        ImplementsForAnOuterType::LAYOUT,
        Layout::Native { .. }
    ));
    assert_eq!(volt::block_on(implements_for_an_inner_type()), 2);
    assert_eq!(ImplementsForAnInnerType::LAYOUT, Layout::Explicit);
}

#[volt::state_machine]
async fn takes_apart((ref mut list, ref last): (Vec<u32>, u32)) -> usize {
    list.push(*last);
    list.len()
}

#[test]
fn argument_is_borrowed_mutably_by_its_pattern() {
    assert_eq!(volt::block_on(takes_apart((vec![1], 2))), 2);
}

async fn callee(buffer: [u8; 100]) -> usize {
    std::future::ready(()).await;
    buffer.len()
}

fn never() -> Infallible {
    panic!("never returns")
}

#[volt::state_machine(explicit)]
#[expect(unreachable_code, reason = "that is what is tested")]
async fn leaves(code: i32) -> usize {
    std::process::exit(code);
    callee([0; 100]).await
}

#[volt::state_machine(explicit)]
async fn holds_what_is_never_there() -> usize {
    let _never = never();
    callee([0; 100]).await;
    match _never {}
}

#[test]
fn code_after_a_diverging_call_is_stored() {
    assert!(size_of::<Leaves>() > 100);
    drop(leaves(1));
    assert!(size_of::<HoldsWhatIsNeverThere>() > 100);
    let run = || volt::block_on(holds_what_is_never_there());
    assert!(std::panic::catch_unwind(run).is_err());
}

#[volt::state_machine(native)]
async fn auto() -> u32 {
    is_send().await
}

#[volt::state_machine(native, send)]
async fn is_send() -> u32 {
    std::future::ready(3).await
}

#[test]
fn names_of_probes_are_free() {
    assert_eq!(volt::block_on(auto()), 3);
}

struct Keeper<K>(K);

#[volt::state_machine(native)]
impl<K: Copy> Keeper<K> {
    async fn outlives_one_of_two<'a, F, G>(&self, other: &'a K, first: F, make: G) -> (K, K, u32)
    where
        F: Future<Output = u32> + 'a,
        G: FnOnce() -> F,
    {
        let sum = first.await + make().await;
        (self.0, *other, sum)
    }
}

#[volt::state_machine(native)]
async fn outlives_beside_what_has_no_name<'a>(
    word: &str,
    other: &'a u32,
    first: impl Future<Output = u32> + 'a,
) -> usize {
    word.len() + (first.await + *other) as usize
}

#[test]
fn type_parameter_outlives_one_of_several_lifetimes() {
    let (one, two) = (1, 2);
    let keeper = Keeper(3);
    let first = async { one };
    let machine = outlives_beside_what_has_no_name("word", &two, first);
    assert_eq!(volt::block_on(machine), 7);
    let first = std::future::ready(one);
    let machine = keeper.outlives_one_of_two(&two, first, || std::future::ready(two));
    assert_eq!(volt::block_on(machine), (3, 2, 3));
}

#[derive(Default)]
struct Pages {
    last: Option<u32>,
    bytes: Vec<u8>,
}

#[volt::state_machine]
impl Pages {
    async fn load(&mut self, page: u32) -> Result<(), String> {
        std::future::ready(()).await;
        self.last = Some(page);
        self.bytes.push(1);
        Ok(())
    }

    async fn gives_back_a_part(&mut self, page: u32) -> Result<&mut u32, String> {
        self.load(page).await?;
        self.last.as_mut().ok_or_else(String::new)
    }

    async fn gives_back_a_part_or_an_error(&mut self, page: u32) -> Result<&u32, String> {
        let loaded: Result<(), String> = self.load(page).await;
        loaded?;
        match &self.last {
            Some(last) => Ok(last),
            None => Err(String::new()),
        }
    }

    async fn gives_back_from_a_loop(&mut self) -> &[u8] {
        loop {
            if self.bytes.len() > 3 {
                return &self.bytes[1..];
            }
            self.load(0).await.unwrap();
        }
    }

    async fn gives_back_itself(&mut self) -> &mut Self {
        self.load(7).await.unwrap();
        self.bytes.clear();
        self
    }
}

#[volt::state_machine]
async fn goes_through_a_slice(pages: &mut Pages, mut rest: &mut [u8]) -> usize {
    let mut turns = 0;
    while !rest.is_empty() {
        let count = takes_some(pages, rest).await;
        rest = &mut rest[count..];
        turns += 1;
    }
    turns
}

async fn takes_some(pages: &mut Pages, rest: &mut [u8]) -> usize {
    pages.load(2).await.unwrap();
    rest[0] += 1;
    rest.len().min(2)
}

#[test]
fn reference_borrowed_by_an_await_is_returned() {
    let mut pages = Pages::default();
    volt::block_on(async {
        *pages.gives_back_a_part(4).await.unwrap() += 1;
        assert_eq!(pages.last, Some(5));
        assert_eq!(pages.gives_back_a_part_or_an_error(6).await, Ok(&6));
        assert_eq!(pages.gives_back_from_a_loop().await, [1, 1, 1]);
        assert_eq!(pages.gives_back_itself().await.last, Some(7));
        let mut bytes = [1, 2, 3, 4, 5];
        assert_eq!(goes_through_a_slice(&mut pages, &mut bytes).await, 3);
        assert_eq!(bytes, [2, 2, 4, 4, 6]);
    });
}

#[volt::state_machine(explicit)]
async fn keeps_a_reference_to_an_argument(page: &str, other: &Pages) -> usize {
    let pages = [&page, &page];
    let other = &other;
    std::future::ready(()).await;
    pages[0].len() + pages[1].len() + other.bytes.len()
}

#[volt::state_machine(explicit)]
async fn waits_on_what_a_method_gave(pages: &mut Pages) -> usize {
    let last = pages.itself();
    last.load(3).await.unwrap();
    std::future::ready(()).await;
    5
}

impl Pages {
    fn itself(&mut self) -> &mut Self {
        self
    }
}

#[test]
fn stored_reference_has_the_place_of_the_compiler() {
    let mut pages = Pages::default();
    volt::block_on(async {
        assert_eq!(keeps_a_reference_to_an_argument("page", &pages).await, 8);
        assert_eq!(waits_on_what_a_method_gave(&mut pages).await, 5);
        assert_eq!(pages.last, Some(3));
    });
}

/// Functions with the names of those in [`namesakes_far`].
mod namesakes_near {
    #[volt::state_machine]
    async fn counts_down(n: u32) -> u32 {
        std::future::ready(n).await
    }

    #[volt::state_machine]
    pub(super) async fn answers(n: u32) -> u32 {
        counts_down(n).await
    }
}

/// A recursive function that is not `Send`, and calls a function that is not recursive.
mod namesakes_far {
    use super::NotSend;

    #[volt::state_machine]
    async fn answers(n: u32) -> u32 {
        std::future::ready(n).await
    }

    #[volt::state_machine]
    pub(super) async fn counts_down(n: u32) -> u32 {
        let number = NotSend::new(n);
        if n == 0 {
            return 0;
        }
        let below = Box::pin(counts_down(n - 1)).await;
        answers(*number.0).await + below
    }
}

struct NotSend(std::rc::Rc<u32>);

impl NotSend {
    fn new(n: u32) -> Self {
        Self(n.into())
    }
}

#[test]
fn functions_of_one_name_form_no_cycle() {
    assert_eq!(volt::block_on(namesakes_near::answers(3)), 3);
    assert_eq!(volt::block_on(namesakes_far::counts_down(3)), 6);
}
