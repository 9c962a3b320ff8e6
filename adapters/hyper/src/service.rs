//! Services that can be served: those of hyper and of tower.

use http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::service::TowerToHyperService;

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
