//! All layers together: on any executor, dropped at any await, and their positions.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use examples::middleware::{
    AsyncFilter, AsyncFilterLayer, Backoff, Filter, FilterLayer, Limit, LimitLayer, Retry,
    RetryLayer, Semaphore, Timeout, TimeoutLayer,
};
use tokio_test::task;
use tower::{Layer, Service, ServiceBuilder, ServiceExt};
use volt::machine::StateMachine;
use volt::task::yield_now;

use crate::service::must_be_send;

/// Fails until its count is down; each call takes a turn.
#[derive(Debug, Clone)]
struct Countdown {
    left: Arc<std::sync::atomic::AtomicU32>,
}

impl Countdown {
    fn from(count: u32) -> Self {
        let left = Arc::new(count.into());
        Self { left }
    }
}

impl Service<u32> for Countdown {
    type Response = u32;
    type Error = &'static str;
    type Future = Count;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Count {
        use std::sync::atomic::Ordering::Relaxed;
        let left = self
            .left
            .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        count(request, left.is_err())
    }
}

#[volt::state_machine]
async fn count(request: u32, zero: bool) -> Result<u32, &'static str> {
    yield_now().await;
    if zero { Ok(request) } else { Err("not yet") }
}

/// Decides after a turn.
#[volt::state_machine]
async fn small(request: u32) -> Result<u32, &'static str> {
    yield_now().await;
    if request < 100 {
        Ok(request)
    } else {
        Err("large")
    }
}

fn even(request: u32) -> Result<u32, &'static str> {
    if request.is_multiple_of(2) {
        Ok(request)
    } else {
        Err("odd")
    }
}

type Even = fn(u32) -> Result<u32, &'static str>;
type Doors<S> = Filter<AsyncFilter<S, fn(u32) -> Small>, Even>;

/// Filters, retry and limit, which need no timer.
fn timeless(permits: &Arc<Semaphore>, failures: u32) -> Doors<Retry<Limit<Countdown>, Backoff>> {
    ServiceBuilder::new()
        .layer(FilterLayer::new(even as Even))
        .layer(AsyncFilterLayer::new(small as fn(u32) -> Small))
        .layer(RetryLayer::new(Backoff::new(3, Duration::ZERO)))
        .layer(LimitLayer::with_semaphore(Arc::clone(permits)))
        .service(Countdown::from(failures))
}

async fn outcomes() -> [Option<u32>; 4] {
    let permits = Semaphore::new(1);
    let good = timeless(&permits, 2);
    let bad = timeless(&permits, 9);
    [
        good.clone().oneshot(8).await.ok(),
        good.clone().oneshot(7).await.ok(),
        good.oneshot(100).await.ok(),
        bad.oneshot(8).await.ok(),
    ]
}

const EXPECTED: [Option<u32>; 4] = [Some(8), None, None, None];

#[test]
fn stack_without_timers_runs_on_any_executor() {
    assert_eq!(futures::executor::block_on(outcomes()), EXPECTED);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    let task = runtime.spawn(outcomes());
    assert_eq!(runtime.block_on(task).unwrap(), EXPECTED);
    assert_eq!(volt::block_on(outcomes()), EXPECTED);
}

#[test]
fn permit_is_back_wherever_the_stack_is_dropped() {
    let permits = Semaphore::new(1);
    let mut taken = Vec::new();
    for polls in 0.. {
        let mut service = timeless(&permits, 2);
        assert!(futures::executor::block_on(service.ready()).is_ok());
        let mut call = task::spawn(service.call(8));
        drop(service);
        let done = (0..polls).any(|_| call.poll().is_ready());
        taken.push(1 - permits.free());
        drop(call);
        assert_eq!(permits.free(), 1, "after {polls} polls");
        if done {
            break;
        }
    }
    // The start, the question, three attempts, and the end.
    assert_eq!(taken, [1, 1, 1, 1, 1, 0]);
}

/// The position of a call, from the filter down to the sleep of the timeout.
#[test]
fn dump_goes_through_every_layer() {
    let permits = Semaphore::new(1);
    let service = ServiceBuilder::new()
        .layer(FilterLayer::new(even as Even))
        .layer(AsyncFilterLayer::new(small as fn(u32) -> Small))
        .layer(RetryLayer::new(Backoff::new(3, Duration::ZERO)))
        .layer(LimitLayer::with_semaphore(permits))
        .layer(TimeoutLayer::new(Duration::from_secs(3600)))
        .service(Slow);
    let runtime = volt::Builder::new().worker_threads(1).build().unwrap();
    let mut ready = service;
    assert!(runtime.block_on(ready.ready()).is_ok());
    let task = runtime.spawn(ready.call(8));
    let layers = [
        "Filtered",
        "FilteredLater",
        "Attempts",
        "Permitted",
        "InTime",
        "Wait",
    ];
    let mut tries = (0..5000).map(|_| {
        thread::sleep(Duration::from_millis(1));
        let dump = runtime.dump();
        let position = &dump.tasks()[0].position;
        position
            .iter()
            .map(|state| state.machine)
            .collect::<Vec<_>>()
    });
    assert!(tries.any(|position| position == layers));
    task.cancel();
    assert!(runtime.block_on(task).unwrap_err().is_cancelled());
}

/// Never answers.
#[derive(Debug, Clone)]
struct Slow;

impl Service<u32> for Slow {
    type Response = u32;
    type Error = &'static str;
    type Future = Wait;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Wait {
        wait(request)
    }
}

#[volt::state_machine]
async fn wait(request: u32) -> Result<u32, &'static str> {
    poll_fn(|cx| {
        let _kept_by_nobody = cx.waker();
        Poll::<()>::Pending
    })
    .await;
    Ok(request)
}

#[test]
fn future_of_the_whole_stack_is_a_machine_and_send() {
    type Stack = Doors<Retry<Limit<Timeout<Countdown>>, Backoff>>;
    type Answer = <Stack as Service<u32>>::Future;
    must_be_send::<Answer>();
    assert_eq!(Answer::NAME, "Filtered");
    assert_eq!(Answer::STATES.len(), 3);
    let _layer: &dyn Layer<Countdown, Service = Timeout<Countdown>> =
        &TimeoutLayer::new(Duration::ZERO);
}
