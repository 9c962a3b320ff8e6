//! The cost of a call: the size of its future, and the number and the bytes of its allocations.
//!
//! `BOXED` is set where the crate is tested as it came.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tower::{Layer, Service};
use tower_resilience_retry::{Retry, RetryLayer};

/// Calls `run`, and returns the number and the bytes of its allocations.
fn asked<T>(run: impl FnOnce() -> T) -> (T, u64, u64) {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(run()));
    (
        result.expect("it has run"),
        info.count_total,
        info.bytes_total,
    )
}

/// Answers at once.
#[derive(Clone)]
struct Echo<const N: usize>;

impl<const N: usize> Service<[u8; N]> for Echo<N> {
    type Response = [u8; N];
    type Error = Infallible;
    type Future = Ready<Result<[u8; N], Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: [u8; N]) -> Self::Future {
        ready(Ok(request))
    }
}

fn cost<const N: usize>() {
    type Retried<const N: usize> = Retry<Echo<N>, [u8; N], [u8; N], Infallible>;
    type Future<const N: usize> = <Retried<N> as Service<[u8; N]>>::Future;
    let layer = RetryLayer::builder().fixed_backoff(Duration::ZERO).build();
    let mut service: Retried<N> = layer.layer(Echo::<N>);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(service.poll_ready(&mut cx).is_ready());

    let (future, made, behind) = asked(|| service.call([7; N]));
    let mut future = std::pin::pin!(future);
    let (answer, polled, _) = asked(|| future.as_mut().poll(&mut cx));
    assert!(matches!(answer, Poll::Ready(Ok(bytes)) if bytes == [7; N]));

    println!(
        "a request of {N:>3} bytes: a future of {:>3}, {behind:>3} bytes on the heap, {} allocations",
        size_of::<Future<N>>(),
        made + polled,
    );
    if option_env!("BOXED").is_none() {
        assert_eq!((made, polled), (0, 0));
    }
}

#[test]
fn successful_call_allocates_nothing() {
    cost::<8>();
    cost::<64>();
    cost::<512>();
}
