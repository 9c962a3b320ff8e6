//! Attempts and the pauses between them.

use std::sync::Arc;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use examples::middleware::{Attempts, Backoff, Policy, RetryLayer};
use tokio_test::task;
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_test::mock;
use volt::machine::StateMachine;
use volt::time::{now, pause};

use crate::service::{Echo, must_be_send};

const MS: Duration = Duration::from_millis(1);

/// The pauses of `policy` after one failure and the next.
fn pauses(mut policy: Backoff) -> Vec<Duration> {
    let next = || Policy::<(), (), ()>::retry(&mut policy, &(), &Err(()));
    std::iter::from_fn(next).collect()
}

#[test]
fn backoff_grows_by_its_factor_up_to_the_longest() {
    assert_eq!(pauses(Backoff::new(4, MS)), [MS, 2 * MS, 4 * MS]);
    let steep = Backoff::new(5, MS).factor(10).longest(50 * MS);
    assert_eq!(pauses(steep), [MS, 10 * MS, 50 * MS, 50 * MS]);
    assert_eq!(pauses(Backoff::new(1, MS)), []);
    assert_eq!(pauses(Backoff::new(0, MS)), []);
}

#[test]
fn backoff_never_overflows() {
    let endless = Backoff::new(100, Duration::MAX / 3).factor(u32::MAX);
    assert_eq!(pauses(endless).last(), Some(&Duration::MAX));
}

#[test]
fn answer_is_not_tried_again() {
    let service = RetryLayer::new(Backoff::new(3, MS)).layer(Echo);
    assert_eq!(volt::block_on(service.oneshot(7)), Ok(7));
}

/// Fails `failures` times, and notes when it was called.
async fn failing(failures: usize, policy: Backoff) -> (Result<usize, usize>, Vec<Instant>) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&calls);
    let service = service_fn(move |()| {
        let mut calls = noted.lock().unwrap();
        calls.push(now());
        let count = calls.len();
        async move {
            if count > failures {
                Ok(count)
            } else {
                Err(count)
            }
        }
    });
    let result = RetryLayer::new(policy).layer(service).oneshot(()).await;
    let calls = calls.lock().unwrap().clone();
    (result, calls)
}

#[test]
fn attempts_are_made_until_one_succeeds() {
    let (result, calls) = volt::block_on(failing(2, Backoff::new(9, MS)));
    assert_eq!(result, Ok(3));
    assert_eq!(calls.len(), 3);
}

#[test]
fn last_error_stands_when_all_attempts_are_made() {
    let (result, calls) = volt::block_on(failing(99, Backoff::new(4, MS)));
    assert_eq!(result, Err(4));
    assert_eq!(calls.len(), 4);
}

#[test]
fn attempts_are_apart_by_the_pauses() {
    let (_, calls) = volt::block_on(async {
        pause();
        failing(99, Backoff::new(4, MS)).await
    });
    let gaps: Vec<_> = calls.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [MS, 2 * MS, 4 * MS]);
}

#[test]
fn zero_pause_needs_no_timer() {
    // No runtime of volt's anywhere here.
    let policy = Backoff::new(3, Duration::ZERO);
    let (result, calls) = futures::executor::block_on(failing(2, policy));
    assert_eq!((result, calls.len()), (Ok(3), 3));
}

/// A policy that accepts each result that contains this word.
#[derive(Clone)]
struct Unless(&'static str);

impl<E: std::fmt::Display> Policy<&'static str, &'static str, E> for Unless {
    fn retry(
        &mut self,
        request: &&'static str,
        result: &Result<&'static str, E>,
    ) -> Option<Duration> {
        assert_eq!(*request, "hello");
        let said = match result {
            Ok(answer) => (*answer).to_owned(),
            Err(error) => error.to_string(),
        };
        (!said.contains(self.0)).then_some(Duration::ZERO)
    }
}

#[test]
fn policy_sees_request_and_result() {
    let (service, mut server) = mock::pair::<&str, &str>();
    let mut service = mock::Spawn::new(RetryLayer::new(Unless("good")).layer(service));
    server.allow(9);
    assert!(service.poll_ready().is_ready());
    let mut call = task::spawn(service.call("hello"));
    for answer in [Ok("bad"), Err("worse"), Ok("good")] {
        assert!(call.poll().is_pending());
        let (_, sent) = futures::executor::block_on(server.next_request()).unwrap();
        match answer {
            Ok(answer) => sent.send_response(answer),
            Err(error) => sent.send_error(error),
        }
        assert!(call.is_woken());
    }
    tokio_test::assert_ready_eq!(call.poll().map(Result::unwrap), "good");
}

#[test]
fn readiness_is_awaited_before_each_attempt() {
    // The mock panics when it is called without being ready.
    let (service, mut server) = mock::pair::<(), ()>();
    let policy = Backoff::new(3, Duration::ZERO);
    let mut service = mock::Spawn::new(RetryLayer::new(policy).layer(service));
    server.allow(1);
    assert!(service.poll_ready::<()>().is_ready());
    let mut call = task::spawn(service.call(()));
    for _ in 0..2 {
        assert!(call.poll().is_pending());
        assert_eq!(call.state().name, "await attempt");
        let (_, sent) = futures::executor::block_on(server.next_request()).unwrap();
        sent.send_error("no");
        assert!(call.poll().is_pending());
        assert_eq!(call.state().name, "await ready");
        assert!(!call.is_woken());
        server.allow(1);
        assert!(call.is_woken());
    }
}

/// Is never ready again after its first call.
#[derive(Clone)]
struct Dying {
    dead: bool,
}

impl Service<()> for Dying {
    type Response = ();
    type Error = &'static str;
    type Future = std::future::Ready<Result<(), &'static str>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(if self.dead { Err("dead") } else { Ok(()) })
    }

    fn call(&mut self, (): ()) -> Self::Future {
        self.dead = true;
        std::future::ready(Err("dying"))
    }
}

#[test]
fn failed_readiness_ends_the_attempts() {
    let policy = Backoff::new(9, Duration::ZERO);
    let service = RetryLayer::new(policy).layer(Dying { dead: false });
    assert_eq!(
        futures::executor::block_on(service.oneshot(())),
        Err("dead")
    );
}

#[test]
fn future_is_send_when_its_parts_are() {
    must_be_send::<Attempts<Echo, Backoff, u32>>();
}
