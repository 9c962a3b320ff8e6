//! A task that waits for a message which its bearer has lost.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Poll, Waker};
use std::thread;

use volt::Runtime;

/// A letter. Only the postman has the waker of the task that waits for it.
struct Letter {
    postman: Sender<Waker>,
}

impl Future for Letter {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // A postman that has lost the letter has also lost the waker.
        _ = self.postman.send(cx.waker().clone());
        Poll::Pending
    }
}

#[volt::state_machine]
async fn read_post(letter: Letter) {
    letter.await; // It hangs here.
}

pub(crate) fn begin(runtime: &Runtime) {
    let (postman, bag) = channel();
    let task = read_post(Letter { postman });
    runtime.handle().spawn_named("reader", task).detach();
    let errand = thread::spawn(move || drop(bag.recv()));
    _ = errand.join();
}
