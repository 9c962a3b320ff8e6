//! Connections over loopback to an echo server.

use std::sync::{Arc, Mutex};

use crate::executor::Drives;
use crate::workload::{Describe, DriverWorkload, Run, timed_each};

/// Many connections with small messages.
pub(crate) struct EchoSmall;

impl Describe for EchoSmall {
    const NAME: &'static str = "TCP echo, 64 × 64 bytes";
    const ABOUT: &'static str = "64 connections, each with one message of 64 bytes on its way";
    const IN_README: bool = true;
}

impl DriverWorkload for EchoSmall {
    fn prepare<E: Drives>(executor: &E) -> Run {
        run(executor, 64, 64, 50)
    }
}

/// Few connections with large messages.
pub(crate) struct EchoLarge;

impl Describe for EchoLarge {
    const NAME: &'static str = "TCP echo, 4 × 64 KiB";
    const ABOUT: &'static str = "4 connections, each with one message of 64 KiB on its way";
}

impl DriverWorkload for EchoLarge {
    fn prepare<E: Drives>(executor: &E) -> Run {
        run(executor, 4, 1 << 16, 50)
    }
}

/// Returns a run whose cost is the round trip of one message.
fn run<E: Drives>(executor: &E, connections: usize, bytes: usize, messages: usize) -> Run {
    let executor = executor.clone();
    let streams = executor.block_on(E::join(executor.spawn(connect::<E>(connections, bytes))));
    let idle = Arc::new(Mutex::new(streams));
    timed_each(connections * messages, move || {
        let mut streams = idle.lock().expect("no panic");
        let tasks: Vec<_> = streams
            .drain(..)
            .map(|stream| executor.spawn(talk::<E>(stream, bytes, messages)))
            .collect();
        for task in tasks {
            streams.push(executor.block_on(E::join(task)));
        }
    })
}

async fn connect<E: Drives>(connections: usize, bytes: usize) -> Vec<E::Stream> {
    let (listener, address) = E::listen().await;
    let mut streams = Vec::new();
    for _ in 0..connections {
        let client = E::spawn_here(E::connect(address));
        let server = E::accept(&listener).await;
        E::detach(E::spawn_here(echo::<E>(server, bytes)));
        streams.push(E::join(client).await);
    }
    streams
}

async fn echo<E: Drives>(mut stream: E::Stream, bytes: usize) {
    let mut buf = vec![0; bytes];
    loop {
        let count = E::read(&mut stream, &mut buf).await;
        if count == 0 {
            return;
        }
        E::write_all(&mut stream, &buf[..count]).await;
    }
}

async fn talk<E: Drives>(mut stream: E::Stream, bytes: usize, messages: usize) -> E::Stream {
    let mut buf = vec![7; bytes];
    for _ in 0..messages {
        E::write_all(&mut stream, &buf).await;
        E::read_exact(&mut stream, &mut buf).await;
    }
    stream
}
