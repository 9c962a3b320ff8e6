//! The bounds are those of what is stored: a service that stays on one thread can be retried.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::task::{Context, Poll, Waker};

use tower::{Layer, Service};
use tower_resilience_retry::RetryLayer;

#[test]
fn service_of_one_thread_is_retried() {
    #[derive(Clone)]
    struct Local(std::rc::Rc<Cell<u32>>);

    impl Service<()> for Local {
        type Response = u32;
        type Error = Infallible;
        type Future = Ready<Result<u32, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, (): ()) -> Self::Future {
            self.0.set(self.0.get() + 1);
            ready(Ok(self.0.get()))
        }
    }

    let layer = RetryLayer::<(), u32, Infallible>::builder().build();
    let mut service = layer.layer(Local(std::rc::Rc::default()));
    let mut cx = Context::from_waker(Waker::noop());
    let mut call = std::pin::pin!(service.call(()));
    assert!(matches!(call.as_mut().poll(&mut cx), Poll::Ready(Ok(1))));
}
