//! Tasks without a fault: timers, and connections of which some are quiet.

use std::io;
use std::time::Duration;

use volt::net::{TcpListener, TcpStream};
use volt::time::sleep;
use volt::{Handle, spawn};

const TIMERS: u64 = 40;
const CONNECTIONS: u64 = 20;
const QUIET_CONNECTIONS: u64 = 5;

#[volt::state_machine]
async fn tick(pace: Duration) {
    loop {
        sleep(pace).await;
    }
}

#[volt::state_machine]
async fn echo(stream: TcpStream) -> io::Result<()> {
    let mut buffer = [0; 64];
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        stream.write_all(&buffer[..count]).await?;
    }
}

#[volt::state_machine]
async fn accept(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _peer) = listener.accept().await?;
        Handle::current()
            .spawn_named("session", echo(stream))
            .detach();
    }
}

#[volt::state_machine]
async fn talk(stream: TcpStream, pace: Duration) -> io::Result<()> {
    let mut buffer = [0; 64];
    loop {
        stream.write_all(b"hello").await?;
        let _count = stream.read(&mut buffer).await?;
        sleep(pace).await;
    }
}

/// Starts all tasks.
pub(crate) async fn start() -> io::Result<()> {
    for index in 0..TIMERS {
        let pace = Duration::from_millis(100 + 20 * index);
        Handle::current().spawn_named("tick", tick(pace)).detach();
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    spawn(accept(listener)).detach();
    for index in 0..CONNECTIONS + QUIET_CONNECTIONS {
        let stream = TcpStream::connect(address).await?;
        let pace = if index < CONNECTIONS {
            Duration::from_millis(250)
        } else {
            Duration::from_secs(3600)
        };
        Handle::current()
            .spawn_named("client", talk(stream, pace))
            .detach();
    }
    Ok(())
}
