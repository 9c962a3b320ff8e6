//! A door whose keeper takes time to decide.

use std::future::Future;
use std::mem;
use std::task::{Context, Poll};

use tower::{Layer, Service};

use super::filter::FilterError;

/// Looks at a request, in a future.
pub trait AsyncPredicate<Request> {
    /// The request that is passed on.
    type Request;
    /// Why a request is refused.
    type Refusal;
    /// The decision: a machine, or any other future.
    type Future: Future<Output = Result<Self::Request, Self::Refusal>>;

    /// Begins to decide on `request`: it is passed on, as it is or changed, or refused.
    fn check(&mut self, request: Request) -> Self::Future;
}

impl<F, Request, Decision, Checked, Refusal> AsyncPredicate<Request> for F
where
    F: FnMut(Request) -> Decision,
    Decision: Future<Output = Result<Checked, Refusal>>,
{
    type Request = Checked;
    type Refusal = Refusal;
    type Future = Decision;

    fn check(&mut self, request: Request) -> Decision {
        self(request)
    }
}

/// Makes an [`AsyncFilter`] of a service.
#[derive(Debug, Clone)]
pub struct AsyncFilterLayer<P> {
    predicate: P,
}

impl<P> AsyncFilterLayer<P> {
    /// Only what `predicate` lets through is called.
    pub fn new(predicate: P) -> Self {
        Self { predicate }
    }
}

impl<S, P: Clone> Layer<S> for AsyncFilterLayer<P> {
    type Service = AsyncFilter<S, P>;

    fn layer(&self, inner: S) -> Self::Service {
        AsyncFilter {
            inner,
            predicate: self.predicate.clone(),
        }
    }
}

/// Calls the service within for what the predicate lets through in the end.
#[derive(Debug, Clone)]
pub struct AsyncFilter<S, P> {
    inner: S,
    predicate: P,
}

impl<S, P, Request> Service<Request> for AsyncFilter<S, P>
where
    P: AsyncPredicate<Request>,
    S: Service<P::Request> + Clone,
{
    type Response = S::Response;
    type Error = FilterError<P::Refusal, S::Error>;
    type Future = FilteredLater<S, P, Request>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(FilterError::Inner)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // It is this service that is ready, so it goes along, and its clone stays here.
        let clone = self.inner.clone();
        let ready = mem::replace(&mut self.inner, clone);
        filtered_later(self.predicate.check(request), ready)
    }
}

/// Waits for the decision, then for the answer.
#[volt::state_machine]
pub async fn filtered_later<S, P, Request>(
    decision: P::Future,
    mut service: S,
) -> Result<S::Response, FilterError<P::Refusal, S::Error>>
where
    P: AsyncPredicate<Request>,
    S: Service<P::Request>,
{
    let request: P::Request = decision.await.map_err(FilterError::Refused)?;
    let answer: S::Future = Service::call(&mut service, request);
    answer.await.map_err(FilterError::Inner)
}
