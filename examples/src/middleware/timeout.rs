//! A limit on the time that an answer may take.

use std::error;
use std::fmt;
use std::task::{Context, Poll};
use std::time::Duration;

use tower::{Layer, Service};
use volt::time;

/// Makes a [`Timeout`] of a service.
#[derive(Debug, Clone, Copy)]
pub struct TimeoutLayer {
    limit: Duration,
}

impl TimeoutLayer {
    /// Each answer may take as long as `limit`.
    #[must_use]
    pub fn new(limit: Duration) -> Self {
        Self { limit }
    }
}

impl<S> Layer<S> for TimeoutLayer {
    type Service = Timeout<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Timeout {
            inner,
            limit: self.limit,
        }
    }
}

/// Answers as the service within, or with [`TimeoutError::Late`] if that takes too long.
///
/// The time counts from the call. It needs a volt runtime.
#[derive(Debug, Clone)]
pub struct Timeout<S> {
    inner: S,
    limit: Duration,
}

impl<S, Request> Service<Request> for Timeout<S>
where
    S: Service<Request>,
{
    type Response = S::Response;
    type Error = TimeoutError<S::Error>;
    type Future = InTime<S, Request>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(TimeoutError::Inner)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let answer = time::timeout(self.limit, self.inner.call(request));
        in_time(answer, self.limit)
    }
}

/// Waits for `answer`. The error contains the limit.
#[volt::state_machine]
pub async fn in_time<S, Request>(
    answer: time::Timeout<S::Future>,
    limit: Duration,
) -> Result<S::Response, TimeoutError<S::Error>>
where
    S: Service<Request>,
{
    match answer.await {
        Ok(result) => result.map_err(TimeoutError::Inner),
        Err(_elapsed) => Err(TimeoutError::Late(limit)),
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutError<E> {
    /// It took longer than this.
    Late(Duration),
    /// The service within failed.
    Inner(E),
}

impl<E> fmt::Display for TimeoutError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late(limit) => write!(f, "no answer within {limit:?}"),
            Self::Inner(_) => f.write_str("the service failed"),
        }
    }
}

impl<E: error::Error + 'static> error::Error for TimeoutError<E> {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Late(_) => None,
            Self::Inner(error) => Some(error),
        }
    }
}
