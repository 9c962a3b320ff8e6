use std::future::poll_fn;
use std::task::{Context, Poll};

#[volt::state_machine(explicit)]
async fn read(mut socket: Socket) -> usize {
    poll_fn(move |cx| socket.poll_read(cx)).await
}

struct Socket;

impl Socket {
    fn poll_read(&mut self, _: &mut Context<'_>) -> Poll<usize> {
        Poll::Ready(0)
    }
}

fn main() {
    let _ = read(Socket);
}
