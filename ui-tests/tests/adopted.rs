//! Functions as real projects have them, each of which once did not build as a native machine.
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub)]

use std::pin::pin;
use std::task::{Context, Poll, Waker};

async fn turn() {
    let mut is_second = false;
    std::future::poll_fn(|cx| match std::mem::replace(&mut is_second, true) {
        true => Poll::Ready(()),
        false => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await;
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

struct Sender(u32);

#[volt::state_machine(native)]
impl Sender {
    #[cfg(any())]
    async fn ready(&mut self) -> Nowhere {
        turn().await
    }

    #[cfg(any())]
    async fn ready_for<T: Nothing>(&mut self, what: T) -> Nowhere {
        turn().await
    }

    #[cfg(not(any()))]
    async fn send(&mut self) -> u32 {
        turn().await;
        self.0
    }
}

#[cfg(any())]
#[volt::state_machine(native)]
async fn gone<T: Nothing>(what: T) -> Nowhere {
    turn().await
}

#[cfg(any())]
#[volt::state_machine(native)]
#[tracing::instrument]
async fn gone_with_its_attribute<T: Nothing>(what: T) -> Nowhere {
    turn().await
}

#[test]
fn function_under_false_cfg_leaves_no_items() {
    assert_eq!(run(Sender(3).send()), 3);
}

/// One of the parameters is only in the output.
#[volt::state_machine]
async fn parsed<T: AsRef<str>, N>(text: T) -> Result<N, N::Err>
where
    N: std::str::FromStr,
{
    async {}.await;
    text.as_ref().parse()
}

#[volt::state_machine]
impl Sender {
    async fn parsed<N: std::str::FromStr + 'static>(&self, text: &str) -> Option<N> {
        async {}.await;
        text.parse().ok()
    }
}

#[volt::state_machine]
#[tracing::instrument(skip_all)]
async fn parsed_under_an_attribute<N: std::str::FromStr>(text: &str) -> Option<N> {
    turn().await;
    text.parse().ok()
}

#[test]
fn parameter_of_the_output_alone_is_known() {
    assert_eq!(run(parsed("3")), Ok(3));
    assert_eq!(run(Sender(0).parsed("4")), Some(4));
    assert_eq!(run(parsed_under_an_attribute("5")), Some(5));
}

#[volt::state_machine]
async fn in_parentheses(number: u32) -> u32 {
    let mut turning = pin!(turn());
    (&mut turning).await;
    (async { number }).await
}

struct Limited(u32);

impl Limited {
    const fn new(limit: u32) -> Self {
        Self(limit)
    }
}

// The machine has the name of the type that its body names, and of one that others name.
#[volt::state_machine]
#[volt::test]
async fn limited() {
    turn().await;
    let limit = Limited::new(3);
    assert_eq!(limit.0, Limited::new(3).0);
}

#[volt::state_machine]
#[volt::test]
async fn sender() {
    turn().await;
}

#[path = "adopted/renamed.rs"]
mod renamed;

// On one line, where braces around a value might be one too many.
#[rustfmt::skip]
#[volt::state_machine(native)]
async fn on_one_line(text: &str) -> Option<usize> { text.parse().ok() }

#[test]
fn body_on_one_line_has_no_braces_too_many() {
    assert_eq!(run(on_one_line("3")), Some(3));
}

#[test]
fn parentheses_around_awaited_operand_are_needed() {
    assert_eq!(run(in_parentheses(3)), 3);
}

/// Machines with a type parameter, each of which awaits the one before.
macro_rules! levels {
    ($first:ident) => {
        #[volt::state_machine(native)]
        async fn $first<T: AsRef<str>>(text: T) -> usize {
            turn().await;
            text.as_ref().len()
        }
    };
    ($inner:ident $outer:ident $($rest:ident)*) => {
        levels!($outer $($rest)*);

        #[volt::state_machine(native)]
        async fn $inner<T: AsRef<str>>(text: T) -> usize {
            $outer(text).await + 1
        }
    };
}

levels!(a b c d e f g h i j k l m n);

/// Requires that the output of a function is `Send`. The layout of so many machines needs a higher
/// limit.
fn gives_send<A, T: Send>(_: impl FnOnce(A) -> T) {}

#[test]
fn chain_of_fourteen_machines_is_send() {
    gives_send(a::<&str>);
    assert_eq!(run(h("four")), 6 + 4);
}

trait Body {
    type Data;

    async fn collect(self) -> Vec<Self::Data>;
}

struct Pages(u8);

impl Body for Pages {
    type Data = std::rc::Rc<u8>;

    async fn collect(self) -> Vec<Self::Data> {
        turn().await;
        vec![self.0.into()]
    }
}

// Each instance decides for itself whether its boxes and callees of its own name are `Send`.
#[volt::state_machine(native)]
async fn len<B: Body>(body: B) -> usize {
    let all = Box::pin(body.collect()).await;
    turn().await;
    all.len()
}

#[test]
fn generic_boxing_machine_need_not_be_send() {
    assert_eq!(run(len(Pages(1))), 1);
}

#[path = "adopted/outlives.rs"]
mod outlives;
#[path = "adopted/recursion.rs"]
mod recursion;
#[path = "adopted/boxes.rs"]
mod boxes;
#[path = "adopted/erased.rs"]
mod erased;

/// Callers write the parameters that the function names, and no others.
mod given_parameters {
    use super::{run, turn};

    trait Connection {
        fn send(&mut self, text: &str) -> impl Future<Output = String> + Send;
    }

    struct Echo(u32);

    impl Connection for Echo {
        async fn send(&mut self, text: &str) -> String {
            turn().await;
            self.0 += 1;
            format!("{text}{}", self.0)
        }
    }

    struct Command(&'static str);

    #[volt::state_machine(native)]
    impl Command {
        async fn query<T: From<String>>(&self, connection: &mut (impl Connection + Send)) -> T {
            T::from(connection.send(self.0).await)
        }

        async fn text(&self, connection: &mut (impl Connection + Send)) -> String {
            self.query::<String>(connection).await
        }
    }

    #[volt::state_machine]
    async fn joined<T: From<String>, const N: usize>(
        connection: &mut (impl Connection + Send),
        words: impl IntoIterator<Item = &str> + Send,
        change: impl Fn(&str) -> String,
    ) -> [T; N] {
        let words: Vec<String> = words.into_iter().map(change).collect();
        let words = words.concat();
        let answer = connection.send(&words).await;
        std::array::from_fn(|_| T::from(answer.clone()))
    }

    #[test]
    fn turbofish_of_machine_matches_function() {
        fn is_send<T: Send>(value: T) -> T {
            value
        }
        let (mut echo, get) = (Echo(0), Command("get"));
        assert_eq!(
            run(is_send(get.query::<Box<str>>(&mut echo))),
            "get1".into()
        );
        assert_eq!(run(get.text(&mut echo)), "get2");
        let words = joined::<String, 1>(&mut echo, ["a", "b"], str::to_uppercase);
        assert_eq!(run(words), ["AB3"]);
    }
}

#[path = "adopted/named_items.rs"]
mod named_items;
#[path = "adopted/same_name.rs"]
mod same_name;
#[path = "adopted/unnamed_types.rs"]
mod unnamed_types;
#[path = "adopted/of_traits.rs"]
mod of_traits;
