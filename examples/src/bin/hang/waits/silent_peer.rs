//! A proxy passes requests to another server, which never answers one of them.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

use volt::Runtime;
use volt::net::TcpStream;
use volt::time::sleep;

#[volt::state_machine]
async fn exchange(stream: &mut TcpStream, request: &[u8], answer: &mut [u8]) -> io::Result<()> {
    stream.write_all(request).await?;
    stream.read_exact(answer).await?; // It hangs here.
    Ok(())
}

#[volt::state_machine]
async fn proxy(upstream: SocketAddr, client: u8) -> io::Result<()> {
    let mut stream: TcpStream = TcpStream::connect(upstream).await?;
    let mut answer = [0; 2];
    let mut round: u8 = 0;
    loop {
        exchange(&mut stream, &[client, round], &mut answer).await?;
        round = round.wrapping_add(1);
        sleep(Duration::from_millis(50)).await;
    }
}

/// Starts a server on threads of its own. It ignores request 7 of client 3.
fn start_other_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("the listener is bound");
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer_all(stream));
        }
    });
    address
}

fn answer_all(mut stream: std::net::TcpStream) {
    let mut request = [0; 2];
    while stream.read_exact(&mut request).is_ok() {
        if request != [3, 7] && stream.write_all(&request).is_err() {
            return;
        }
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let upstream = start_other_server();
    for client in 0..5 {
        // The block has no machine, as in code that does not use the attribute everywhere.
        let task = async move { proxy(upstream, client).await };
        let name = format!("proxy {client}");
        runtime.handle().spawn_named(&name, task).detach();
    }
}
