//! Services that can be served: those of hyper and of tower.

use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::service::TowerToHyperService;
use volt::task::{Inspected, inspected};

/// The type of hyper's errors.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A service of hyper that a server runs. Every service that satisfies the bounds implements it.
pub trait Served:
    hyper::service::Service<
        Request<Incoming>,
        Response = Response<Self::Body>,
        Error: Into<BoxError>,
        Future: Send + 'static,
    > + Clone
    + Send
    + 'static
{
    /// The body of its responses.
    type Body: http_body::Body<Data: Send, Error: Into<BoxError>> + Send + 'static;
}

impl<S, B> Served for S
where
    S: hyper::service::Service<
            Request<Incoming>,
            Response = Response<B>,
            Error: Into<BoxError>,
            Future: Send + 'static,
        > + Clone
        + Send
        + 'static,
    B: http_body::Body<Data: Send, Error: Into<BoxError>> + Send + 'static,
{
    type Body = B;
}

/// A service that [`serve`](crate::serve) accepts; each connection receives a clone.
///
/// `Kind` distinguishes services of hyper from those of tower, and is inferred: call
/// `serve(listener, service)` for either. A type that implements both must be wrapped.
pub trait IntoHyperService<Kind> {
    /// The service as hyper calls it.
    type Service: Served;

    /// Makes hyper's service of it.
    fn into_hyper_service(self) -> Self::Service;
}

/// The kind of services that hyper itself defines, such as `service_fn`.
#[derive(Debug)]
pub enum HyperKind {}

/// The kind of services that tower defines, such as axum's routers.
#[derive(Debug)]
pub enum TowerKind {}

impl<S: Served> IntoHyperService<HyperKind> for S {
    type Service = S;

    fn into_hyper_service(self) -> S {
        self
    }
}

impl<S> IntoHyperService<TowerKind> for S
where
    S: tower_service::Service<Request<Incoming>>,
    TowerToHyperService<S>: Served,
{
    type Service = TowerToHyperService<S>;

    fn into_hyper_service(self) -> Self::Service {
        TowerToHyperService::new(self)
    }
}

/// A service whose calls dumps show, if its futures are state machines.
///
/// hyper keeps the future of a call behind its own types, so a dump does not come to it from the
/// task of the connection. With this around a service, the task's
/// [`within`](volt::task::TaskInfo::within) lists the calls that wait. In a router of axum, which
/// boxes the futures of handlers, wrap the call of the handler instead: see
/// [`inspected`](volt::task::inspected()).
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "server", feature = "http1"))] {
/// use std::convert::Infallible;
///
/// use hyper::body::Incoming;
/// use hyper::service::service_fn;
/// use hyper::{Request, Response};
/// use volt_hyper::Inspect;
///
/// #[volt::state_machine]
/// async fn answer(request: Request<Incoming>) -> Result<Response<String>, Infallible> {
///     Ok(Response::new(request.uri().path().to_owned()))
/// }
///
/// let service = Inspect::new(service_fn(answer));
/// # let _ = |listener: volt::net::TcpListener| volt_hyper::serve(listener, service);
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Inspect<S> {
    service: S,
}

impl<S> Inspect<S> {
    /// Shows the calls of `service`.
    pub fn new(service: S) -> Self {
        Self { service }
    }

    /// Returns the service within.
    pub fn into_inner(self) -> S {
        self.service
    }
}

impl<S, R> hyper::service::Service<R> for Inspect<S>
where
    S: hyper::service::Service<R, Future: Send + 'static>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Inspected<S::Future>;

    fn call(&self, request: R) -> Self::Future {
        inspected(self.service.call(request))
    }
}

impl<S, R> tower_service::Service<R> for Inspect<S>
where
    S: tower_service::Service<R, Future: Send + 'static>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Inspected<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: R) -> Self::Future {
        inspected(self.service.call(request))
    }
}
