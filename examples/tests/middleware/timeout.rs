//! The limit on the time of an answer.

use std::error::Error;
use std::io;
use std::time::Duration;

use examples::middleware::{InTime, TimeoutError, TimeoutLayer};
use tokio_test::task;
use tower::{Layer, Service, ServiceExt};
use tower_test::mock;
use volt::machine::StateMachine;
use volt::time::{advance, pause};

use crate::service::{Echo, Homely, Mute, must_be_send};

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn answer_in_time_is_handed_on() {
    let service = TimeoutLayer::new(HOUR).layer(Echo);
    assert_eq!(volt::block_on(service.oneshot("hello")), Ok("hello"));
}

#[test]
fn pending_answer_is_late() {
    let limit = Duration::from_millis(2);
    let service = TimeoutLayer::new(limit).layer(Mute);
    assert_eq!(
        volt::block_on(service.oneshot("hello")),
        Err(TimeoutError::Late(limit))
    );
}

#[test]
fn time_counts_from_the_call() {
    let limit = Duration::from_millis(2);
    let mut service = TimeoutLayer::new(limit).layer(Mute);
    volt::block_on(async {
        pause();
        let call = service.call("hello");
        advance(limit).await;
        // The deadline is in the past, so the first poll returns the error.
        let mut call = task::spawn(call);
        assert!(call.poll().is_ready());
    });
}

#[test]
fn failed_service_is_source_of_the_error() {
    let (service, mut server) = mock::pair::<(), ()>();
    let mut service = mock::Spawn::new(TimeoutLayer::new(HOUR).layer(service));
    assert!(service.poll_ready().is_ready());
    let mut call = task::spawn(service.call(()));
    assert!(volt::block_on(async { call.poll() }).is_pending());
    assert_eq!(call.state().name, "await answer");
    let (_, answer) = volt::block_on(server.next_request()).expect("the service was called");
    answer.send_error("broken");
    assert!(call.is_woken());
    let result = volt::block_on(async { call.poll() });
    assert!(
        format!("{result:?}").contains("Inner(\"broken\")"),
        "{result:?}"
    );
}

#[test]
fn call_waits_until_service_is_ready() {
    let (service, mut server) = mock::pair::<(), ()>();
    let mut service = mock::Spawn::new(TimeoutLayer::new(HOUR).layer(service));
    server.allow(0);
    assert!(service.poll_ready::<()>().is_pending());
    server.allow(1);
    assert!(service.is_woken());
    assert!(service.poll_ready::<()>().is_ready());
}

#[test]
fn error_tells_its_source() {
    let late = TimeoutError::<io::Error>::Late(Duration::from_millis(5));
    assert_eq!(late.to_string(), "no answer within 5ms");
    assert!(late.source().is_none());
    let inner = TimeoutError::Inner(io::Error::other("broken"));
    assert_eq!(inner.to_string(), "the service failed");
    assert_eq!(inner.source().expect("a source").to_string(), "broken");
}

#[test]
fn future_is_send_if_service_future_is() {
    must_be_send::<InTime<Homely, ()>>();
}
