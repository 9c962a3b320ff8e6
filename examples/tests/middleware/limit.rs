//! Permits: who gets one, and when it comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Poll;

use examples::middleware::{Acquire, LimitLayer, Permit, Permitted, Semaphore, acquire};
use tokio_test::task;
use tower::{Layer, Service};
use tower_test::mock;
use volt::machine::StateMachine;
use volt::task::yield_now;

use crate::service::{Echo, Homely, Mute, must_be_send};

#[test]
fn permit_is_taken_by_readiness_and_held_by_the_call() {
    let permits = Semaphore::new(2);
    let layer = LimitLayer::with_semaphore(Arc::clone(&permits));
    let mut service = mock::Spawn::new(layer.layer(Echo));
    assert!(service.poll_ready::<u8>().is_ready());
    assert!(service.poll_ready::<u8>().is_ready());
    assert_eq!(permits.free(), 1);
    let mut call = task::spawn(service.call(7));
    assert_eq!(permits.free(), 1);
    tokio_test::assert_ready_eq!(call.poll(), Ok(7));
    assert_eq!(permits.free(), 2);
}

#[test]
fn permit_is_back_when_a_call_is_dropped_at_any_await() {
    let permits = Semaphore::new(1);
    let layer = LimitLayer::with_semaphore(Arc::clone(&permits));
    for polls in 0..2 {
        let mut service = mock::Spawn::new(layer.layer(Mute));
        assert!(service.poll_ready::<u8>().is_ready());
        let mut call = task::spawn(service.call(7));
        for _ in 0..polls {
            assert!(call.poll().is_pending());
        }
        assert_eq!(call.state().name, ["start", "await answer"][polls]);
        assert_eq!(permits.free(), 0);
        drop(call);
        assert_eq!(permits.free(), 1);
    }
}

#[test]
fn dropped_service_returns_its_permit() {
    let permits = Semaphore::new(1);
    let layer = LimitLayer::with_semaphore(Arc::clone(&permits));
    let mut first = mock::Spawn::new(layer.layer(Echo));
    let mut second = mock::Spawn::new(layer.layer(Echo));
    assert!(first.poll_ready::<u8>().is_ready());
    assert!(second.poll_ready::<u8>().is_pending());
    drop(first);
    assert!(second.is_woken());
    assert!(second.poll_ready::<u8>().is_ready());
}

#[test]
fn end_of_a_call_wakes_a_waiting_service() {
    let (inner, mut server) = mock::pair::<(), ()>();
    server.allow(9);
    let mut first = mock::Spawn::new(LimitLayer::new(1).layer(inner));
    let mut second = first.clone();
    assert!(first.poll_ready::<()>().is_ready());
    let mut call = task::spawn(first.call(()));
    assert!(call.poll().is_pending());
    assert!(second.poll_ready::<()>().is_pending());
    let (_, answer) = futures::executor::block_on(server.next_request()).unwrap();
    answer.send_response(());
    assert!(!second.is_woken());
    assert!(call.poll().is_ready());
    assert!(second.is_woken());
    assert!(second.poll_ready::<()>().is_ready());
}

#[test]
fn clone_takes_a_permit_of_its_own() {
    let permits = Semaphore::new(2);
    let layer = LimitLayer::with_semaphore(Arc::clone(&permits));
    let mut service = mock::Spawn::new(layer.layer(Echo));
    assert!(service.poll_ready::<u8>().is_ready());
    let mut clone = service.clone();
    assert_eq!(permits.free(), 1);
    assert!(clone.poll_ready::<u8>().is_ready());
    assert_eq!(permits.free(), 0);
}

#[test]
#[should_panic(expected = "called before `poll_ready` was ready")]
fn call_without_readiness_panics() {
    drop(LimitLayer::new(1).layer(Echo).call(7));
}

#[test]
fn dropped_waiter_passes_its_turn_on() {
    let permits = Semaphore::new(1);
    let mut holder = task::spawn(acquire(Arc::clone(&permits)));
    let mut first = task::spawn(acquire(Arc::clone(&permits)));
    let mut second = task::spawn(acquire(Arc::clone(&permits)));
    let Poll::Ready(permit) = holder.poll() else {
        panic!("a permit is free");
    };
    assert!(first.poll().is_pending());
    assert!(second.poll().is_pending());
    drop(permit);
    assert!(first.is_woken() && !second.is_woken());
    drop(first);
    assert!(second.is_woken());
    assert!(second.poll().is_ready());
}

#[test]
fn permits_are_never_exceeded_across_threads() {
    let permits = Semaphore::new(2);
    let runtime = volt::Builder::new().worker_threads(2).build().unwrap();
    let inside = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..200)
        .map(|_| runtime.spawn(hold(Arc::clone(&permits), Arc::clone(&inside))))
        .collect();
    for task in tasks {
        assert!(runtime.block_on(task).unwrap() <= 2);
    }
    assert_eq!(permits.free(), 2);
}

/// Holds a permit for a few turns, and returns how many did so at the same time.
#[volt::state_machine]
async fn hold(permits: Arc<Semaphore>, inside: Arc<AtomicUsize>) -> usize {
    let permit: Permit = acquire(permits).await;
    let count: usize = inside.fetch_add(1, SeqCst) + 1;
    yield_now().await;
    inside.fetch_sub(1, SeqCst);
    drop(permit);
    count
}

#[test]
fn futures_are_send_if_service_future_is() {
    must_be_send::<Permitted<Homely, ()>>();
    must_be_send::<Acquire>();
}
