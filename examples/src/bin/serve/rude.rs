//! Clients that behave badly, to show that other clients are not affected.

use std::io;
use std::net::SocketAddr;

use volt::net::{TcpStream, connect};

/// Sends what is no request, and returns what the server makes of it.
#[volt::state_machine]
pub(crate) async fn talk_rubbish(server: SocketAddr) -> io::Result<String> {
    let stream: TcpStream = connect(server).await?;
    let rubbish: &'static [u8] = b"\x16\x03\x01 this is no HTTP\r\n\r\n";
    stream.write_all(rubbish).await?;
    let mut answer: [u8; 256] = [0; 256];
    let count = stream.read(&mut answer).await?;
    let text = String::from_utf8_lossy(&answer[..count]).into_owned();
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Hangs up in the middle of a request.
#[volt::state_machine]
pub(crate) async fn hang_up(server: SocketAddr) -> io::Result<()> {
    let stream: TcpStream = connect(server).await?;
    stream.write_all(b"GET /half").await?;
    Ok(())
}

/// Connects, sends no request, and stays until the server closes the connection.
#[volt::state_machine]
pub(crate) async fn stay_silent(server: SocketAddr) -> io::Result<usize> {
    let stream: TcpStream = connect(server).await?;
    let mut byte: [u8; 1] = [0; 1];
    stream.read(&mut byte).await
}
