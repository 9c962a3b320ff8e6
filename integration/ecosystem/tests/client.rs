//! reqwest's futures in machines, which hold what these borrow and need no box.

mod support;

use std::time::Duration;

use reqwest::{Client, Response, Result};
use volt::net::{TcpListener, TcpStream};
use volt::time::timeout;

use support::in_time;

/// Waits for futures that borrow the client, the address, and the answer, a local of the machine.
#[volt::state_machine(explicit)]
async fn download(client: &Client, url: &str, into: &mut Vec<u8>) -> Result<u16> {
    let mut answer = client.get(url).send().await?;
    let status = answer.status().as_u16();
    while let Some(part) = answer.chunk().await? {
        into.extend_from_slice(&part);
    }
    Ok(status)
}

/// Takes what was read into a buffer of its own, by a machine that borrows both.
#[volt::state_machine(native)]
async fn length(client: &Client, url: &str) -> Result<usize> {
    let mut answer = client.get(url).send().await?;
    let mut buffer = [0; 8];
    let mut length = 0;
    loop {
        match fill(&mut answer, &mut buffer).await? {
            0 => return Ok(length),
            read => length += read,
        }
    }
}

#[volt::state_machine(native)]
async fn fill(answer: &mut Response, buffer: &mut [u8]) -> Result<usize> {
    let Some(part) = answer.chunk().await? else {
        return Ok(0);
    };
    let read = part.len().min(buffer.len());
    buffer[..read].copy_from_slice(&part[..read]);
    Ok(read)
}

/// Answers each request with these parts of a body. Keeps the connection open after the last one if
/// `ends` is `false`.
async fn answer(stream: TcpStream, parts: &[&str], ends: bool) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).await.unwrap_or(0) == 0 {
            return;
        }
        head.extend_from_slice(&byte);
    }
    let begin = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    stream.write_all(begin.as_bytes()).await.unwrap();
    for part in parts {
        let part = format!("{:x}\r\n{part}\r\n", part.len());
        stream.write_all(part.as_bytes()).await.unwrap();
        volt::time::sleep(Duration::from_millis(2)).await;
    }
    if ends {
        stream.write_all(b"0\r\n\r\n").await.unwrap();
    } else {
        // Reads until the client closes the connection.
        while stream.read(&mut byte).await.unwrap_or(0) > 0 {}
    }
}

fn run<F: Future>(future: F) -> F::Output {
    let runtime = volt::Runtime::builder().tokio_context().build().unwrap();
    runtime.block_on(in_time(future))
}

/// Serves so many requests; the address, and the end of it.
fn serve(requests: usize, ends: bool) -> (String, volt::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let serving = volt::spawn(async move {
        for _ in 0..requests {
            let (stream, _) = listener.accept().await.unwrap();
            answer(stream, &["one,", "two,", "three"], ends).await;
        }
    });
    (url, serving)
}

#[test]
fn body_is_read_part_by_part_into_a_borrowed_buffer() {
    run(async {
        let (url, serving) = serve(2, true);
        let (client, mut body) = (Client::new(), Vec::new());
        let status = download(&client, &url, &mut body).await.unwrap();
        assert_eq!((status, &body[..]), (200, &b"one,two,three"[..]));
        assert_eq!(length(&client, &url).await.unwrap(), 13);
        serving.await.unwrap();
    });
}

#[test]
fn dropped_machine_closes_its_connection() {
    run(async {
        let (url, serving) = serve(1, false);
        let (client, mut body) = (Client::new(), Vec::new());
        let download = download(&client, &url, &mut body);
        let cut = timeout(Duration::from_millis(200), download).await;
        assert!(cut.is_err(), "the body does not end");
        assert!(b"one,two,three".starts_with(&body[..]));
        serving.await.unwrap();
    });
}
