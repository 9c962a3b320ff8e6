//! Futures of tokio with borrowed buffers, awaited in native machines without a box.
#![cfg(not(any(loom, shuttle)))]

use std::io;
use std::pin::pin;
use std::task::{Context, Waker};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::Mutex;

/// Polls a future until it is ready. The futures here need no other thread.
fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

#[volt::state_machine]
async fn echo(mut stream: DuplexStream) -> io::Result<usize> {
    let mut buf = [0; 7];
    let mut total = 0;
    loop {
        let read = stream.read(&mut buf).await?;
        if read == 0 {
            return Ok(total);
        }
        total += read;
        stream.write_all(&buf[..read]).await?;
    }
}

#[volt::state_machine]
async fn lines(mut stream: DuplexStream) -> io::Result<Vec<String>> {
    stream.write_all(b"one\ntwo\nthree and more\n").await?;
    let mut reader = BufReader::new(&mut stream);
    let (mut found, mut line) = (Vec::new(), String::new());
    while found.len() < 3 {
        let text = &mut line;
        reader.read_line(text).await?;
        found.push(text.trim_end().to_owned());
        text.clear();
    }
    Ok(found)
}

#[volt::state_machine]
async fn both() -> (io::Result<usize>, io::Result<Vec<String>>) {
    let (near, far) = tokio::io::duplex(32);
    tokio::join!(echo(far), lines(near))
}

#[test]
fn buffers_are_borrowed_across_awaits() {
    let (sent, found) = run(both());
    assert_eq!(sent.expect("the stream is whole"), 23);
    let found = found.expect("the stream is whole");
    assert_eq!(found, ["one", "two", "three and more"]);
}

#[volt::state_machine]
async fn count(numbers: &Mutex<Vec<u32>>, rounds: u32) {
    for round in 0..rounds {
        let mut numbers = numbers.lock().await;
        let last = numbers.last_mut();
        tokio::task::yield_now().await;
        if let Some(last) = last {
            *last += round;
        }
    }
}

#[volt::state_machine]
async fn count_twice(numbers: &Mutex<Vec<u32>>) {
    tokio::join!(count(numbers, 3), count(numbers, 4));
}

#[test]
fn guards_are_kept_across_awaits() {
    let numbers = Mutex::new(vec![1]);
    run(count_twice(&numbers));
    assert_eq!(numbers.into_inner(), [1 + 3 + 6]);
}

#[test]
fn cancelled_machine_leaves_the_queue_of_a_lock() {
    let numbers = Mutex::new(vec![1]);
    let held = numbers.try_lock().expect("the lock is free");
    {
        let mut waiting = pin!(count(&numbers, 3));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut cx).is_pending());
    }
    drop(held);
    assert!(numbers.try_lock().is_ok());
}
