//! Expansions raise no lint of clippy, whatever the user denies. `cargo clippy` is the test.
#![deny(
    warnings,
    clippy::pedantic,
    clippy::nursery,
    clippy::exhaustive_structs
)]
#![deny(
    clippy::single_char_lifetime_names,
    clippy::missing_trait_methods,
    clippy::allow_attributes_without_reason
)]
#![deny(impl_trait_redundant_captures, impl_trait_overcaptures)]
#![allow(missing_docs, reason = "a test")]

use std::future::{Ready, ready};

/// The body's own argument is allowed; the function's is not the user's.
#[allow(non_snake_case, reason = "the point")]
#[volt::state_machine]
pub async fn named_in_capitals(Number: u32) -> u32 {
    ready(()).await;
    Number
}

#[volt::state_machine]
#[allow(non_snake_case, reason = "the point")]
pub async fn functionInCamelCase(number: u32) -> u32 {
    ready(()).await;
    number
}

#[expect(non_snake_case, reason = "the point")]
#[volt::state_machine(native)]
pub async fn named_in_capitals_and_native(Number: u32) -> u32 {
    ready(()).await;
    Number
}

#[volt::state_machine(native)]
pub async fn generic<T: Clone + Send + Sync>(value: &T, text: &str) -> (T, usize) {
    ready(()).await;
    (value.clone(), text.len())
}

#[volt::state_machine(native, trace = false)]
pub async fn generic_untraced<T: Clone + Send + Sync>(value: &T, mut first: Ready<u8>) -> T {
    let _one: u8 = (&mut first).await;
    value.clone()
}

#[volt::state_machine(boxed)]
pub async fn boxed<T: Clone + Send>(value: T) -> T {
    ready(()).await;
    value
}

#[volt::state_machine(native)]
pub async fn iterated(mut list: std::slice::Iter<'_, u8>) -> usize {
    ready(()).await;
    list.next().map_or(1, |_| 2)
}

#[volt::state_machine(explicit)]
pub async fn iterated_in_states(mut list: std::slice::Iter<'_, u8>, n: &[u8]) -> usize {
    ready(()).await;
    list.next().map_or(n.len(), |_| 2)
}

#[volt::state_machine]
pub async fn lengths<'text>(items: impl IntoIterator<Item = &'text str> + Send) -> usize {
    let mut sum = 0;
    for item in items {
        sum += ready(item.len()).await;
    }
    sum
}

#[volt::state_machine]
pub async fn numbers(end: u32) -> impl Iterator<Item = u32> {
    ready(()).await;
    0..end
}

#[volt::state_machine(explicit)]
pub async fn typed<T: Clone + Send>(value: T, first: Ready<u8>) -> T {
    let _one: u8 = first.await;
    value
}

#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Page;

#[volt::state_machine]
impl Page {
    pub async fn read(&self, n: &mut [u8]) -> usize {
        ready(n.len()).await
    }

    #[state_machine(native)]
    pub async fn write<T: AsRef<[u8]> + Send>(&mut self, text: T) -> usize {
        ready(text.as_ref().len()).await
    }
}

#[volt::state_machine]
#[expect(clippy::unused_async, reason = "the point")]
pub async fn waits_for_nothing() -> u32 {
    3
}

/// Has bounds at its parameter and behind it.
pub trait Count {
    fn count(&self) -> impl Future<Output = usize> + Send;
}

#[derive(Debug)]
#[non_exhaustive]
pub struct Shelf<T>(pub Vec<T>);

#[volt::state_machine(vis = pub)]
#[allow(clippy::type_repetition_in_bounds, reason = "the point")]
impl<T: Send> Count for Shelf<T>
where
    T: Sync,
{
    async fn count(&self) -> usize {
        ready(self.0.len()).await
    }
}

/// A lint of the signature is raised as of the plain function: in each module it is expected.
mod raised {
    mod of_many_arguments {
        #![expect(
            clippy::too_many_arguments,
            clippy::many_single_char_names,
            reason = "the point"
        )]

        #[volt::state_machine]
        pub(super) async fn sum(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8) -> u8 {
            std::future::ready(a + b + c + d + e + f + g + h).await
        }
    }

    mod of_many_native_arguments {
        #![expect(
            clippy::too_many_arguments,
            clippy::many_single_char_names,
            reason = "the point"
        )]

        #[volt::state_machine(native)]
        pub(super) async fn sum(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8) -> u8 {
            std::future::ready(a + b + c + d + e + f + g + h).await
        }
    }

    mod of_unused_results {
        #![expect(unused_must_use, reason = "the point")]

        #[must_use]
        #[volt::state_machine]
        async fn number() -> u8 {
            std::future::ready(3).await
        }

        pub(super) fn forget() {
            number();
        }
    }

    #[test]
    fn functions_with_a_lint_run() {
        let sum = of_many_arguments::sum(1, 1, 1, 1, 1, 1, 1, 1);
        assert_eq!(volt::block_on(sum), 8);
        let sum = of_many_native_arguments::sum(1, 1, 1, 1, 1, 1, 1, 1);
        assert_eq!(volt::block_on(sum), 8);
        of_unused_results::forget();
    }
}

#[test]
fn functions_without_a_lint_run() {
    let mut page = Page;
    assert_eq!(volt::block_on(generic(&1, "one")), (1, 3));
    assert_eq!(volt::block_on(generic_untraced(&2, ready(1))), 2);
    assert_eq!(volt::block_on(boxed(3)), 3);
    assert_eq!(volt::block_on(iterated([4].iter())), 2);
    assert_eq!(volt::block_on(iterated_in_states([].iter(), &[5])), 1);
    assert_eq!(volt::block_on(lengths(["one"])), 3);
    assert_eq!(volt::block_on(numbers(3)).sum::<u32>(), 3);
    assert_eq!(volt::block_on(typed(4, ready(1))), 4);
    assert_eq!(volt::block_on(waits_for_nothing()), 3);
    assert_eq!(volt::block_on(page.read(&mut [0])), 1);
    assert_eq!(volt::block_on(page.write("one")), 3);
    assert_eq!(volt::block_on(Shelf(vec![1]).count()), 1);
}

/// A trait with an argument that its methods do not use.
pub trait Underscored {
    /// Waits.
    fn wait(&self, _turns: i32) -> impl Future<Output = ()>;
}

#[volt::state_machine(native, vis = pub)]
impl Underscored for u8 {
    async fn wait(&self, _turns: i32) {
        ready(()).await;
    }
}

/// Public signatures with types about which clippy warns in private functions only.
pub mod public_signatures {
    use std::borrow::Cow;
    use std::future::ready;
    use std::rc::Rc;

    #[volt::state_machine]
    pub async fn nested(a: Option<Option<u32>>, b: Vec<Box<u32>>, c: Box<Vec<u8>>) -> usize {
        ready(b.len() + c.len() + usize::from(a.is_some())).await
    }

    #[volt::state_machine]
    pub async fn borrowed(a: &Option<String>, b: Cow<'_, String>) -> usize {
        ready(b.len() + usize::from(a.is_some())).await
    }

    #[derive(Debug)]
    #[non_exhaustive]
    pub struct Conn(pub u32);

    #[volt::state_machine]
    impl Conn {
        pub async fn new(port: u32) -> Result<Self, String> {
            ready(()).await;
            Ok(Self(port))
        }

        #[expect(clippy::future_not_send, reason = "another lint is the subject")]
        pub async fn boxes(&self, all: Rc<Box<u32>>) -> u32 {
            ready(self.0 + **all).await
        }
    }

    #[derive(Debug)]
    #[non_exhaustive]
    pub struct NativeConn(pub u32);

    #[volt::state_machine(native)]
    impl NativeConn {
        pub async fn new(port: u32) -> Option<Self> {
            ready(()).await;
            Some(Self(port))
        }
    }

    pub trait Boxes {
        #[expect(clippy::borrowed_box, reason = "the trait's own")]
        fn boxes(&self, all: &Box<u32>) -> impl Future<Output = u32> + Send;
    }

    #[volt::state_machine(vis = pub)]
    impl Boxes for Conn {
        async fn boxes(&self, all: &Box<u32>) -> u32 {
            ready(self.0 + **all).await
        }
    }

    #[test]
    fn functions_with_such_signatures_run() {
        assert_eq!(volt::block_on(nested(None, vec![], Box::default())), 0);
        let text = Cow::Owned("text".to_owned());
        assert_eq!(volt::block_on(borrowed(&None, text)), 4);
        let conn = volt::block_on(Conn::new(1)).expect("a connection");
        assert_eq!(volt::block_on(conn.boxes(Rc::new(Box::new(2)))), 3);
        assert_eq!(volt::block_on(Boxes::boxes(&conn, &Box::new(3))), 4);
        assert!(volt::block_on(NativeConn::new(1)).is_some());
    }
}
