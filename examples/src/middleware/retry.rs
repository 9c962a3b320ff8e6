//! Further attempts, as long as a policy requests them.

use std::task::{Context, Poll};
use std::time::Duration;

use tower::util::ReadyOneshot;
use tower::{Layer, Service};
use volt::time::{Sleep, sleep};

use super::policy::Policy;

/// Makes a [`Retry`] of a service.
#[derive(Debug, Clone)]
pub struct RetryLayer<P> {
    policy: P,
}

impl<P> RetryLayer<P> {
    /// Each call is tried again as long as its own copy of `policy` requests it.
    pub fn new(policy: P) -> Self {
        Self { policy }
    }
}

impl<S, P: Clone> Layer<S> for RetryLayer<P> {
    type Service = Retry<S, P>;

    fn layer(&self, inner: S) -> Self::Service {
        Retry {
            inner,
            policy: self.policy.clone(),
        }
    }
}

/// Calls the service within until the policy is content with the result.
#[derive(Debug, Clone)]
pub struct Retry<S, P> {
    inner: S,
    policy: P,
}

impl<S, P, Request> Service<Request> for Retry<S, P>
where
    S: Service<Request> + Clone,
    P: Policy<Request, S::Response, S::Error> + Clone,
    Request: Clone,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Attempts<S, P, Request>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // It is this service that is ready: it makes the first attempt, and its clone the others,
        // once it is ready too.
        let first = self.inner.call(request.clone());
        attempts(first, self.inner.clone(), self.policy.clone(), request)
    }
}

/// Waits for the first attempt, then makes others until the policy is content.
///
/// Each local that lives over an await has a written type, so the machine needs no box.
#[volt::state_machine(explicit)]
pub async fn attempts<S, P, Request>(
    first: S::Future,
    mut service: S,
    mut policy: P,
    request: Request,
) -> Result<S::Response, S::Error>
where
    S: Service<Request>,
    P: Policy<Request, S::Response, S::Error>,
    Request: Clone,
{
    let mut attempt: S::Future = first;
    loop {
        let result: Result<S::Response, S::Error> = attempt.await;
        let Some(pause) = policy.retry(&request, &result) else {
            return result;
        };
        let pause: Duration = pause;
        drop(result);
        let nap: Sleep = sleep(pause);
        nap.await;
        let ready: ReadyOneshot<S, Request> = ReadyOneshot::new(service);
        service = ready.await?;
        attempt = Service::call(&mut service, request.clone());
    }
}
