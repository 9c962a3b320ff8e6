//! Services for the bottom of a tower.

use std::convert::Infallible;
use std::future::{Pending, Ready, pending, ready};
use std::marker::PhantomData;
use std::rc::Rc;
use std::task::{Context, Poll};

use tower::Service;

/// Answers every request with itself, at once.
#[derive(Debug, Clone)]
pub(crate) struct Echo;

impl<Request> Service<Request> for Echo {
    type Response = Request;
    type Error = Infallible;
    type Future = Ready<Result<Request, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        ready(Ok(request))
    }
}

/// Never answers.
#[derive(Debug, Clone)]
pub(crate) struct Mute;

impl<Request> Service<Request> for Mute {
    type Response = Request;
    type Error = Infallible;
    type Future = Pending<Result<Request, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request) -> Self::Future {
        pending()
    }
}

/// A service that must stay on its thread, though its futures need not.
#[derive(Debug, Clone)]
pub(crate) struct Homely(PhantomData<Rc<()>>);

impl<Request: Send> Service<Request> for Homely {
    type Response = ();
    type Error = Infallible;
    type Future = Ready<Result<(), Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request) -> Self::Future {
        ready(Ok(()))
    }
}

pub(crate) fn must_be_send<T: Send>() {}
