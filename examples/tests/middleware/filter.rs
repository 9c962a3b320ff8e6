//! Requests that the filter passes or refuses.

use std::error::Error;
use std::io;

use examples::middleware::{AsyncFilterLayer, FilterError, FilterLayer, Filtered, FilteredLater};
use tokio_test::task;
use tower::{Layer, ServiceExt};
use tower_test::mock;
use volt::machine::StateMachine;
use volt::task::yield_now;

use crate::service::{Echo, Homely, must_be_send};

type Even = fn(u32) -> Result<u32, &'static str>;

fn halve(number: u32) -> Result<u32, &'static str> {
    match number % 2 {
        0 => Ok(number / 2),
        _ => Err("odd"),
    }
}

/// The same, but it takes a turn to decide.
#[volt::state_machine]
async fn halve_later(number: u32) -> Result<u32, &'static str> {
    yield_now().await;
    halve(number)
}

type EvenLater = fn(u32) -> HalveLater;

#[test]
fn request_is_let_through_as_the_predicate_leaves_it() {
    let service = FilterLayer::new(halve).layer(Echo);
    assert_eq!(futures::executor::block_on(service.oneshot(8)), Ok(4));
}

#[test]
fn request_is_refused_without_a_call() {
    let (inner, mut server) = mock::pair::<u32, ()>();
    server.allow(9);
    let mut service = mock::Spawn::new(FilterLayer::new(halve).layer(inner));
    assert!(service.poll_ready().is_ready());
    let mut call = task::spawn(service.call(7));
    let result = tokio_test::assert_ready!(call.poll());
    assert!(matches!(result, Err(FilterError::Refused("odd"))));
    drop((call, service));
    assert!(futures::executor::block_on(server.next_request()).is_none());
}

#[test]
fn machine_decides_before_the_call() {
    let service = AsyncFilterLayer::new(halve_later).layer(Echo);
    assert_eq!(
        futures::executor::block_on(service.clone().oneshot(8)),
        Ok(4)
    );
    assert_eq!(
        futures::executor::block_on(service.oneshot(7)),
        Err(FilterError::Refused("odd"))
    );
}

#[test]
fn async_block_decides_as_well() {
    let service = AsyncFilterLayer::new(|number| async move { halve(number) }).layer(Echo);
    assert_eq!(futures::executor::block_on(service.oneshot(8)), Ok(4));
}

#[test]
fn ready_service_receives_the_call() {
    // The mock panics when it is called without being ready, and its clone is not.
    let (inner, mut server) = mock::pair::<u32, u32>();
    server.allow(1);
    let mut service = mock::Spawn::new(AsyncFilterLayer::new(halve_later).layer(inner));
    assert!(service.poll_ready().is_ready());
    let mut call = task::spawn(service.call(8));
    assert!(call.poll().is_pending());
    assert_eq!(call.state().name, "await decision");
    assert!(call.poll().is_pending());
    assert_eq!(call.state().name, "await answer");
    let (request, answer) = futures::executor::block_on(server.next_request()).unwrap();
    assert_eq!(request, 4);
    answer.send_response(5);
    assert_eq!(tokio_test::assert_ready!(call.poll()).ok(), Some(5));
}

#[test]
fn error_tells_its_source() {
    let refused = FilterError::<_, io::Error>::Refused("odd");
    assert_eq!(refused.to_string(), "refused: odd");
    assert!(refused.source().is_none());
    let inner = FilterError::<&str, _>::Inner(io::Error::other("broken"));
    assert_eq!(inner.to_string(), "the service failed");
    assert_eq!(inner.source().expect("a source").to_string(), "broken");
}

#[test]
fn futures_are_send_when_their_parts_are() {
    must_be_send::<Filtered<Homely, Even, u32>>();
    must_be_send::<FilteredLater<Echo, EvenLater, u32>>();
}
