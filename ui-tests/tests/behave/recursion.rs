//! Functions that await themselves or each other: in boxes, in lists, by way of other functions.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::log::*;

/// Awaits futures of a list, all of which are polled by each poll.
fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> JoinAll<F> {
    JoinAll(futures.map(|future| Member::Waits(Box::pin(future))).collect())
}

struct JoinAll<F: Future>(Vec<Member<F>>);

enum Member<F: Future> {
    Waits(Pin<Box<F>>),
    Done(Option<F::Output>),
}

impl<F: Future> Unpin for JoinAll<F> {}

impl<F: Future> Future for JoinAll<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<F::Output>> {
        let mut is_done = true;
        for member in &mut self.0 {
            if let Member::Waits(future) = member {
                match future.as_mut().poll(cx) {
                    Poll::Ready(output) => *member = Member::Done(Some(output)),
                    Poll::Pending => is_done = false,
                }
            }
        }
        if !is_done {
            return Poll::Pending;
        }
        let outputs = self.0.iter_mut().filter_map(|member| match member {
            Member::Done(output) => output.take(),
            Member::Waits(_) => None,
        });
        Poll::Ready(outputs.collect())
    }
}

subject! {
    async fn given_as_value(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        tick("value").await;
        join_all((0..n).map(given_as_value)).await.into_iter().sum::<u32>() + 1
    }
}

subject! {
    async fn files(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        tick("files").await;
        join_all((0..n).map(|k| folders(k))).await.into_iter().sum::<u32>() + 1
    }
}

subject! {
    async fn folders(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        tick("folders").await;
        join_all((0..n).map(|k| files(k))).await.into_iter().sum::<u32>() + 1
    }
}

fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

subject! {
    async fn odd(n: u32) -> bool {
        if n == 0 {
            return false;
        }
        tick("odd").await;
        heap(even(n - 1)).await
    }
}

subject! {
    async fn even(n: u32) -> bool {
        if n == 0 {
            return true;
        }
        tick("even").await;
        heap(odd(n - 1)).await
    }
}

subject! {
    async fn first_of_three(n: u32) -> u32 {
        tick("first").await;
        heap(second_of_three(n)).await
    }
}

subject! {
    async fn second_of_three(n: u32) -> u32 {
        tick("second").await;
        heap(third_of_three(n)).await + 1
    }
}

subject! {
    async fn third_of_three(n: u32) -> u32 {
        match n {
            0 => 0,
            n => heap(first_of_three(n - 1)).await,
        }
    }
}

subject! {
    async fn into_pin(n: u32) -> bool {
        if n == 0 {
            return false;
        }
        tick("into").await;
        Box::into_pin(Box::new(pin_from(n - 1))).await
    }
}

subject! {
    async fn pin_from(n: u32) -> bool {
        if n == 0 {
            return true;
        }
        tick("from").await;
        Pin::from(Box::new(into_pin(n - 1))).await
    }
}

fn step(n: u32) -> Pin<Box<impl Future<Output = u32>>> {
    Box::pin(walk(n))
}

subject! {
    async fn walk(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        tick("walk").await;
        step(n - 1).await + 1
    }
}

macro_rules! boxed {
    ($future:expr) => {
        Box::pin($future)
    };
}

subject! {
    async fn by_own_macro(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        let next = boxed!(by_own_macro(n - 1));
        tick("macro").await;
        next.await + 1
    }
}

struct Node {
    value: u32,
    children: Vec<Node>,
}

subject! {
    impl Node {
        async fn sum(&self) -> u32 {
            tick("sum").await;
            let children = join_all(self.children.iter().map(|child| child.sum())).await;
            children.into_iter().sum::<u32>() + self.value
        }

        async fn left(&self) -> u32 {
            tick("left").await;
            match self.children.first() {
                Some(child) => boxed!(child.right()).await + self.value,
                None => self.value,
            }
        }

        async fn right(&self) -> u32 {
            tick("right").await;
            match self.children.last() {
                Some(child) => boxed!(child.left()).await * self.value,
                None => self.value,
            }
        }
    }
}

pub(crate) mod deep {
    use super::*;

    subject! {
        pub(crate) async fn by_path(n: u32) -> u32 {
            if n == 0 {
                return 1;
            }
            tick("path").await;
            let mut next = join_all((0..n).map(super::deep::by_path));
            (&mut next).await.into_iter().sum::<u32>() + 1
        }
    }
}

subject! {
    async fn of_a_thread(n: Rc<u32>) -> u32 {
        if *n == 0 {
            return 1;
        }
        tick("rc").await;
        Box::pin(of_a_thread(Rc::new(*n - 1))).await + 1
    }
}

/// A method that boxes a future, and is no known one.
trait InBox: Future + Sized {
    fn in_box<'a>(self) -> Pin<Box<dyn Future<Output = Self::Output> + 'a>>
    where
        Self: 'a,
    {
        Box::pin(self)
    }
}

impl<F: Future> InBox for F {}

subject! {
    impl Node {
        async fn deepest(&self) -> u32 {
            let mut deepest = self.value;
            for child in &self.children {
                deepest = deepest.max(child.deepest().in_box().await);
            }
            tick("deepest").await;
            deepest
        }
    }
}

subject! {
    async fn mapped_array(n: u32) -> u32 {
        if n == 0 {
            return 1;
        }
        let mut sum = 0;
        for future in [mapped_array(n - 1), mapped_array(0)].map(Box::pin) {
            tick("mapped").await;
            sum += future.await;
        }
        sum
    }
}

subject! {
    async fn mapped_local(n: u32) -> u32 {
        if n == 0 {
            tick("zero").await;
            return 1;
        }
        let futures = [mapped_local(n - 1), mapped_local(0)];
        let mut sum = 0;
        for future in futures.map(Box::pin) {
            sum += future.await;
        }
        sum
    }
}

subject! {
    async fn awaited_array(n: u32) -> u32 {
        if n == 0 {
            tick("zero").await;
            return 1;
        }
        let futures = [awaited_array(n - 1), awaited_array(0)];
        join_all(futures.into_iter()).await.into_iter().sum::<u32>() + n
    }
}

subject! {
    async fn array_of_odd(n: u32) -> u32 {
        if n == 0 {
            tick("zero").await;
            return 1;
        }
        let mut sum = 0;
        for future in [array_of_even(n - 1), array_of_even(0)].map(Box::pin) {
            sum += future.await;
        }
        sum
    }
}

subject! {
    async fn array_of_even(n: u32) -> u32 {
        if n == 0 {
            tick("zero").await;
            return 1;
        }
        let futures = [array_of_odd(n - 1)];
        let mut sum = n;
        for future in futures.map(Box::pin) {
            sum += future.await;
        }
        sum
    }
}

subject! {
    async fn split_pair(n: u32) -> u32 {
        if n == 0 {
            tick("zero").await;
            return 1;
        }
        let pair = Pair { one: split_pair(n - 1), other: split_pair(0), n };
        let Pair { one, other, n } = pair;
        let futures = vec![one, other];
        join_all(futures.into_iter()).await.into_iter().sum::<u32>() + n
    }
}

struct Pair<F> {
    one: F,
    other: F,
    n: u32,
}

subject! {
    impl Node {
        async fn of_children(&self, n: usize) -> u32 {
            let mut sum = self.value;
            if n == 0 {
                tick("zero").await;
                return sum;
            }
            for future in [self.of_children(n - 1), self.of_children(0)].map(Box::pin) {
                sum += future.await;
            }
            sum
        }
    }
}

fn node() -> Node {
    let leaf = |value| Node { value, children: Vec::new() };
    Node { value: 1, children: vec![leaf(2), Node { value: 3, children: vec![leaf(4)] }] }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "given_as_value", given_as_value(2));
    case!(list, "files", files(2));
    case!(list, "odd", odd(2));
    case!(list, "first_of_three", first_of_three(1));
    case!(list, "into_pin", into_pin(2));
    case!(list, "walk", walk(2));
    case!(list, "by_own_macro", by_own_macro(2));
    case!(list, "sum", async { node().sum().await });
    case!(list, "left", async { node().left().await });
    case!(list, "deepest", async { node().deepest().await });
    case!(list, "by_path", deep::by_path(2));
    case!(list, "of_a_thread", of_a_thread(Rc::new(2)));
    case!(list, "mapped_array", mapped_array(2));
    case!(list, "mapped_local", mapped_local(2));
    case!(list, "awaited_array", awaited_array(2));
    case!(list, "array_of_odd", array_of_odd(3));
    case!(list, "split_pair", split_pair(2));
    case!(list, "of_children", async { node().of_children(2).await });
    list
}
