//! A door that lets some requests through.

use std::error;
use std::fmt;
use std::task::{Context, Poll};

use tower::{Layer, Service};

/// Looks at a request, at once.
pub trait Predicate<Request> {
    /// The request that is passed on.
    type Request;
    /// Why a request is refused.
    type Refusal;

    /// Hands `request` on, as it is or changed, or refuses it.
    ///
    /// # Errors
    ///
    /// The refusal.
    fn check(&mut self, request: Request) -> Result<Self::Request, Self::Refusal>;
}

impl<F, Request, Checked, Refusal> Predicate<Request> for F
where
    F: FnMut(Request) -> Result<Checked, Refusal>,
{
    type Request = Checked;
    type Refusal = Refusal;

    fn check(&mut self, request: Request) -> Result<Checked, Refusal> {
        self(request)
    }
}

/// Makes a [`Filter`] of a service.
#[derive(Debug, Clone)]
pub struct FilterLayer<P> {
    predicate: P,
}

impl<P> FilterLayer<P> {
    /// Only what `predicate` lets through is called.
    pub fn new(predicate: P) -> Self {
        Self { predicate }
    }
}

impl<S, P: Clone> Layer<S> for FilterLayer<P> {
    type Service = Filter<S, P>;

    fn layer(&self, inner: S) -> Self::Service {
        Filter {
            inner,
            predicate: self.predicate.clone(),
        }
    }
}

/// Calls the service within for what the predicate lets through.
#[derive(Debug, Clone)]
pub struct Filter<S, P> {
    inner: S,
    predicate: P,
}

impl<S, P, Request> Service<Request> for Filter<S, P>
where
    P: Predicate<Request>,
    S: Service<P::Request>,
{
    type Response = S::Response;
    type Error = FilterError<P::Refusal, S::Error>;
    type Future = Filtered<S, P, Request>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(FilterError::Inner)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let checked = self.predicate.check(request);
        filtered(checked.map(|request| self.inner.call(request)))
    }
}

/// Waits for the answer, if the request was let through.
#[volt::state_machine]
pub async fn filtered<S, P, Request>(
    checked: Result<S::Future, P::Refusal>,
) -> Result<S::Response, FilterError<P::Refusal, S::Error>>
where
    P: Predicate<Request>,
    S: Service<P::Request>,
{
    let answer: S::Future = { checked }.map_err(FilterError::Refused)?;
    answer.await.map_err(FilterError::Inner)
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterError<R, E> {
    /// The request was refused.
    Refused(R),
    /// The service within failed.
    Inner(E),
}

impl<R: fmt::Display, E> fmt::Display for FilterError<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "refused: {refusal}"),
            Self::Inner(_) => f.write_str("the service failed"),
        }
    }
}

impl<R, E> error::Error for FilterError<R, E>
where
    R: fmt::Debug + fmt::Display,
    E: error::Error + 'static,
{
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Refused(_) => None,
            Self::Inner(error) => Some(error),
        }
    }
}
