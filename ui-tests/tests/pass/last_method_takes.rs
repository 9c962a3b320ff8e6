//! A local that an await has borrowed may be taken by its last method, where no await follows.
use std::future::poll_fn;
use std::task::Poll;

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

fn main() {
    use futures_lite::future::block_on;
    assert_eq!(block_on(taken(Io(String::from("a")))), "a");
    assert!(block_on(looked_at(Io(String::new()))));
    assert_eq!(block_on(generic(Io(7))), 7);
}
