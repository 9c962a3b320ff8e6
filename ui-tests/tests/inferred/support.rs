//! The parts of the cases.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// The events, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Rc<RefCell<Vec<String>>>);

impl Log {
    pub(crate) fn note(&self, event: impl Into<String>) {
        self.0.borrow_mut().push(event.into());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

/// Waits for one turn.
pub(crate) async fn turn() {
    let mut polled = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
