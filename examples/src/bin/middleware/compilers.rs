//! The functions of the machines again, without the attribute: what the compiler makes of them
//! is measured, and not run.
#![allow(dead_code, reason = "only the sizes of the futures are asked for")]

use std::future::{Future, poll_fn};
use std::time::Duration;

use examples::middleware::{
    AsyncPredicate, FilterError, Permit, Policy, Predicate, Timeout, TimeoutError,
};
use tower::Service;
use volt::time::{self, sleep};

use crate::door::{Closed, Menu};
use crate::kitchen::Kitchen;
use crate::kitchen::Order;
use crate::patience::Patience;
use crate::{Attempt, Later, Waiter};

/// The sizes, from the kitchen's neighbour to the door. The futures within are machines each
/// time, so that what differs is the layer.
pub(crate) fn sizes() -> [usize; 5] {
    [
        two(in_time::<Kitchen, Order>),
        two(permitted::<Timeout<Kitchen>, Order>),
        four(attempts::<Attempt, Patience, Order>),
        two(filtered_later::<Waiter, Menu, Order>),
        one(filtered::<Later, Closed, Order>),
    ]
}

fn one<A, F: Future>(_: impl FnOnce(A) -> F) -> usize {
    size_of::<F>()
}

fn two<A, B, F: Future>(_: impl FnOnce(A, B) -> F) -> usize {
    size_of::<F>()
}

fn four<A, B, C, D, F: Future>(_: impl FnOnce(A, B, C, D) -> F) -> usize {
    size_of::<F>()
}

async fn in_time<S, Request>(
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

async fn permitted<S, Request>(permit: Permit, answer: S::Future) -> Result<S::Response, S::Error>
where
    S: Service<Request>,
{
    let result = answer.await;
    drop(permit);
    result
}

async fn attempts<S, P, Request>(
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
    let mut attempt = first;
    loop {
        let result = attempt.await;
        let Some(pause) = policy.retry(&request, &result) else {
            return result;
        };
        drop(result);
        if !pause.is_zero() {
            sleep(pause).await;
        }
        poll_fn(|cx| service.poll_ready(cx)).await?;
        attempt = service.call(request.clone());
    }
}

async fn filtered<S, P, Request>(
    checked: Result<S::Future, P::Refusal>,
) -> Result<S::Response, FilterError<P::Refusal, S::Error>>
where
    P: Predicate<Request>,
    S: Service<P::Request>,
{
    let answer = checked.map_err(FilterError::Refused)?;
    answer.await.map_err(FilterError::Inner)
}

async fn filtered_later<S, P, Request>(
    decision: P::Future,
    mut service: S,
) -> Result<S::Response, FilterError<P::Refusal, S::Error>>
where
    P: AsyncPredicate<Request>,
    S: Service<P::Request>,
{
    let request = decision.await.map_err(FilterError::Refused)?;
    service.call(request).await.map_err(FilterError::Inner)
}
