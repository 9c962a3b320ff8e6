//! A local that an await has borrowed may be taken by its last method, where no await follows.
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

struct Io<R>(R);

impl<R> Io<R> {
    fn into_inner(self) -> R {
        self.0
    }

    fn poll_it(&mut self) -> Poll<u32> {
        Poll::Ready(1)
    }

    fn is_open(&self) -> bool {
        true
    }
}

#[volt::state_machine]
async fn taken(mut io: Io<String>) -> String {
    loop {
        let n: u32 = poll_fn(|_| io.poll_it()).await;
        if n > 0 {
            return io.into_inner();
        }
    }
}

#[volt::state_machine]
async fn looked_at(mut io: Io<String>) -> bool {
    poll_fn(|_| io.poll_it()).await;
    io.is_open()
}

#[volt::state_machine]
async fn generic<R: Unpin>(mut io: Io<R>) -> R {
    loop {
        let n: u32 = poll_fn(|_| io.poll_it()).await;
        if n > 0 {
            return io.into_inner();
        }
    }
}

#[volt::state_machine(explicit)]
async fn written<R: Unpin>(mut io: Io<R>) -> R {
    loop {
        let n: u32 = poll_fn(|_| io.poll_it()).await;
        if n > 0 {
            return Io::into_inner(io);
        }
    }
}

#[volt::state_machine]
async fn part(mut io: Io<String>) -> String {
    loop {
        let n: u32 = poll_fn(|_| io.poll_it()).await;
        if n > 0 {
            return io.0;
        }
    }
}

/// The output of a future that is ready at once.
fn now<T>(future: impl Future<Output = T>) -> Poll<T> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn main() {
    assert_eq!(
        now(taken(Io(String::from("a")))),
        Poll::Ready(String::from("a"))
    );
    assert_eq!(now(looked_at(Io(String::new()))), Poll::Ready(true));
    assert_eq!(now(generic(Io(7))), Poll::Ready(7));
    assert_eq!(now(written(Io(7))), Poll::Ready(7));
    let name = String::from("part");
    assert_eq!(now(part(Io(name.clone()))), Poll::Ready(name));
}
