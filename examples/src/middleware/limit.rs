//! A limit on the number of calls at a time.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tower::{Layer, Service};

use super::semaphore::{Acquire, Permit, Semaphore, acquire};

/// Makes a [`Limit`] of a service. All services that one layer makes share its permits.
#[derive(Debug, Clone)]
pub struct LimitLayer {
    semaphore: Arc<Semaphore>,
}

impl LimitLayer {
    /// At most `calls` are under way at a time.
    #[must_use]
    pub fn new(calls: usize) -> Self {
        Self::with_semaphore(Semaphore::new(calls))
    }

    /// Each call needs a permit of `semaphore`, which others may use too.
    #[must_use]
    pub fn with_semaphore(semaphore: Arc<Semaphore>) -> Self {
        Self { semaphore }
    }
}

impl<S> Layer<S> for LimitLayer {
    type Service = Limit<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Limit {
            inner,
            semaphore: Arc::clone(&self.semaphore),
            turn: Turn::None,
        }
    }
}

/// Is ready when there is a permit for the next call, and the service within is ready.
#[derive(Debug)]
pub struct Limit<S> {
    inner: S,
    semaphore: Arc<Semaphore>,
    turn: Turn,
}

/// How far the next call is with its permit.
#[derive(Debug)]
enum Turn {
    None,
    Awaited(Acquire),
    Come(Permit),
}

/// A clone has to wait for a permit of its own.
impl<S: Clone> Clone for Limit<S> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            semaphore: Arc::clone(&self.semaphore),
            turn: Turn::None,
        }
    }
}

impl<S> Limit<S> {
    fn poll_turn(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            match &mut self.turn {
                Turn::None => self.turn = Turn::Awaited(acquire(Arc::clone(&self.semaphore))),
                Turn::Awaited(acquire) => {
                    self.turn = Turn::Come(ready!(Pin::new(acquire).poll(cx)));
                }
                Turn::Come(_) => return Poll::Ready(()),
            }
        }
    }
}

impl<S, Request> Service<Request> for Limit<S>
where
    S: Service<Request>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Permitted<S, Request>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        ready!(self.poll_turn(cx));
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Turn::Come(permit) = std::mem::replace(&mut self.turn, Turn::None) else {
            panic!("called before `poll_ready` was ready");
        };
        permitted(permit, self.inner.call(request))
    }
}

/// Waits for `answer`, and returns `permit` after that, or when the future is dropped.
#[volt::state_machine]
pub async fn permitted<S, Request>(
    permit: Permit,
    answer: S::Future,
) -> Result<S::Response, S::Error>
where
    S: Service<Request>,
{
    let result: Result<S::Response, S::Error> = answer.await;
    drop(permit);
    result
}
