//! Machines in a public interface: their shape, their visibility, and that they can be named.

use std::future::{Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

mod library {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    #[volt::state_machine(public(Send, Sync, Unpin, parameters = 0), max_size = 16)]
    pub(crate) async fn pause(turns: u8) {
        let mut left = turns;
        while left > 0 {
            volt::task::yield_now().await;
            left -= 1;
        }
    }

    #[volt::state_machine(public(Send, Unpin, parameters = 1))]
    pub(crate) async fn later<F: Future<Output = u32>>(future: F) -> u32 {
        let output: u32 = future.await;
        output
    }

    #[volt::state_machine(public(Send), boxed, send)]
    pub(crate) async fn twice<F: Future<Output = u32> + Clone + Send>(future: F) -> u32 {
        let first = future.clone().await;
        first + future.await
    }

    /// The function is private, and its machine is a part of the interface.
    #[volt::state_machine(vis = pub(crate))]
    async fn measured<F: Future>(answer: F) -> F::Output {
        answer.await
    }

    pub(crate) struct Timed<F: Future>(pub(crate) Measured<F>);

    pub(crate) trait Service {
        type Future: Future<Output = u32>;

        fn call(&self, future: std::future::Ready<u32>) -> Self::Future;
    }

    pub(crate) struct Meter;

    impl Service for Meter {
        type Future = Measured<std::future::Ready<u32>>;

        fn call(&self, future: std::future::Ready<u32>) -> Self::Future {
            measured(future)
        }
    }

    impl<F: Future + Unpin> Future for Timed<F> {
        type Output = F::Output;

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
            Pin::new(&mut self.0).poll(cx)
        }
    }

    #[volt::state_machine(native, vis = pub(crate), public(Send))]
    async fn native(n: u32) -> u32 {
        volt::task::yield_now().await;
        n
    }

    pub(crate) fn started(n: u32) -> Native {
        native(n)
    }
}

use library::{Later, Meter, Pause, Service, Timed, later, pause, started, twice};

struct Held {
    pause: Pause,
    later: Later<Ready<u32>>,
}

/// Functions and methods that other modules call, with outputs that are private to this one.
#[allow(private_interfaces, reason = "the subject")]
mod private_outputs {
    use volt::task::yield_now;

    #[derive(Clone)]
    struct Row(u32);

    #[derive(Default)]
    pub(crate) struct Table<T>(Vec<T>);

    impl Table<Row> {
        pub(crate) fn new() -> Self {
            Self(vec![Row(2), Row(3)])
        }
    }

    #[volt::state_machine]
    pub(crate) async fn load(n: u32) -> Row {
        yield_now().await;
        Row(n)
    }

    #[volt::state_machine(native)]
    pub(crate) async fn load_native(n: &u32) -> Result<Row, ()> {
        yield_now().await;
        Ok(Row(*n))
    }

    #[volt::state_machine(boxed)]
    pub(crate) async fn load_boxed(n: u32) -> Box<Row> {
        yield_now().await;
        Box::new(Row(n))
    }

    pub(crate) trait Read<T> {
        async fn first(&self) -> Option<T>;
        async fn last<'a>(&'a mut self) -> Option<&'a T>
        where
            T: 'a;
        async fn sum(self: Box<Self>, by: impl Fn(&T) -> u32) -> u32;
    }

    #[volt::state_machine]
    impl<T: Clone> Read<T> for Table<T> {
        async fn first(&self) -> Option<T> {
            yield_now().await;
            self.0.first().cloned()
        }

        #[volt::state_machine(native)]
        async fn last<'a>(&'a mut self) -> Option<&'a T>
        where
            T: 'a,
        {
            yield_now().await;
            self.0.last()
        }

        async fn sum(self: Box<Self>, by: impl Fn(&T) -> u32) -> u32 {
            yield_now().await;
            self.0.iter().map(by).sum()
        }
    }

    pub(crate) async fn total() -> u32 {
        let mut table = Table::new();
        let loaded = load(1).await.0 + load_native(&1).await.map_or(0, |row| row.0);
        let first = table.first().await.map_or(0, |row| row.0);
        let last = table.last().await.map_or(0, |row| row.0);
        loaded + load_boxed(1).await.0 + first + last
    }
}

#[test]
fn private_output_is_no_error() {
    use private_outputs::{Read, Table};

    assert_eq!(volt::block_on(private_outputs::total()), 8);
    let sum = async {
        let mut table = Table::<u32>::default();
        let first = table.first().await.unwrap_or(4);
        let last = table.last().await.copied().unwrap_or(5);
        first + last + Box::new(table).sum(|n| *n).await
    };
    assert_eq!(volt::block_on(sum), 9);
}

#[test]
fn shape_of_a_machine_is_used() {
    let mut held = Held {
        pause: pause(1),
        later: later(ready(1)),
    };
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(Pin::new(&mut held.pause).poll(&mut cx), Poll::Pending);
    assert_eq!(Pin::new(&mut held.later).poll(&mut cx), Poll::Ready(1));
    assert_eq!(volt::block_on(twice(ready(2))), 4);
}

#[test]
fn machine_of_a_private_function_is_named() {
    assert_eq!(volt::block_on(Meter.call(ready(3))), 3);
    assert_eq!(volt::block_on(Timed(Meter.call(ready(4)))), 4);
    assert_eq!(volt::block_on(started(5)), 5);
}
