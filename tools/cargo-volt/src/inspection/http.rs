//! A request to the inspection server: a `GET` or a `POST`, over TCP or a Unix socket.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::context::{Context, Outcome};

/// The time limit of connecting, and of each read and write.
const LIMIT: Duration = Duration::from_secs(10);

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    /// For paths that poll the tasks of the program.
    Post,
}

/// The place of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerPlace {
    /// `127.0.0.1:6680`.
    Tcp(String),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

/// Returns the body of the answer.
pub(super) fn send(
    place: &ServerPlace,
    method: Method,
    path: &str,
    token: Option<&str>,
) -> Outcome<String> {
    let method = match method {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n{}Connection: close\r\n\r\n",
        authorization.unwrap_or_default()
    );
    let answer = match place {
        ServerPlace::Tcp(address) => tcp(address, &request),
        ServerPlace::Unix(socket) => unix(socket, &request),
    };
    body(&answer?)
}

fn tcp(address: &str, request: &str) -> Outcome<Vec<u8>> {
    let doing = || format!("connecting to {address}");
    let mut addresses = address.to_socket_addrs().context(doing)?;
    let first = addresses
        .next()
        .ok_or_else(|| format!("{address} has no address"))?;
    let stream = TcpStream::connect_timeout(&first, LIMIT).context(doing)?;
    let limits = stream
        .set_read_timeout(Some(LIMIT))
        .and_then(|()| stream.set_write_timeout(Some(LIMIT)));
    limits.context(doing)?;
    exchange(stream, request).context(|| format!("reading from {address}"))
}

#[cfg(unix)]
fn unix(socket: &Path, request: &str) -> Outcome<Vec<u8>> {
    let doing = || format!("connecting to {}", socket.display());
    let stream = std::os::unix::net::UnixStream::connect(socket).context(doing)?;
    let limits = stream
        .set_read_timeout(Some(LIMIT))
        .and_then(|()| stream.set_write_timeout(Some(LIMIT)));
    limits.context(doing)?;
    exchange(stream, request).context(|| format!("reading from {}", socket.display()))
}

#[cfg(not(unix))]
fn unix(socket: &Path, _request: &str) -> Outcome<Vec<u8>> {
    Err(format!(
        "{}: this system has no Unix sockets",
        socket.display()
    ))
}

fn exchange(mut stream: impl Read + Write, request: &str) -> std::io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}

/// Returns the body of a successful answer, or the text of the error.
fn body(answer: &[u8]) -> Outcome<String> {
    let answer = String::from_utf8_lossy(answer);
    let no_server = || "the answer is not that of an inspection server".to_owned();
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(no_server)?;
    let status = head.strip_prefix("HTTP/1.").ok_or_else(no_server)?;
    let status = status.split(' ').nth(1).unwrap_or_default();
    if status == "200" {
        return Ok(body.to_owned());
    }
    let advice = match status {
        "401" => "; name the token by --token or VOLT_INSPECT_TOKEN",
        _ => "",
    };
    Err(format!(
        "the server refuses with status {status}: {}{advice}",
        body.trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::body;

    #[test]
    fn body_of_success_is_returned() {
        let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}\n";
        assert_eq!(body(answer).expect("a body"), "{}\n");
    }

    #[test]
    fn refusal_is_an_error_with_its_text() {
        let answer = b"HTTP/1.1 401 Unauthorized\r\n\r\na token is needed\n";
        let error = body(answer).expect_err("a refusal");
        assert!(
            error.contains("status 401: a token is needed; name"),
            "{error}"
        );
        assert!(body(b"SSH-2.0-x\r\n\r\n").is_err());
    }
}
