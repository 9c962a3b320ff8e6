//! Just enough of HTTP/1.1: heads are parsed by `httparse`, bodies have a length.

use std::fmt;

/// A head longer than this is refused.
pub(crate) const MAX_HEAD: usize = 8 * 1024;

/// The part of a request that a file server needs.
#[derive(Debug)]
pub(crate) struct Request {
    /// The path of the request, without the query.
    pub(crate) path: String,
    /// `HEAD`: all of the answer but its body.
    pub(crate) head_only: bool,
    pub(crate) keep_alive: bool,
}

/// A request that the server rejects. Each variant has a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadRequest {
    Malformed,
    TooLong,
    Method,
    /// A request with a body. No file needs one, and unread bytes would be parsed as the next
    /// request.
    Body,
    /// Its end did not come in time.
    Late,
}

impl BadRequest {
    pub(crate) fn status(self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::TooLong => "431 Request Header Fields Too Large",
            Self::Method => "405 Method Not Allowed",
            Self::Body => "413 Content Too Large",
            Self::Late => "408 Request Timeout",
        }
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.status())
    }
}

/// Parses the head of a request, and returns it with its length. `Ok(None)` requests more bytes.
pub(crate) fn parse_request(bytes: &[u8]) -> Result<Option<(Request, usize)>, BadRequest> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Request::new(&mut headers);
    match head.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => {
            let head_only = match head.method {
                Some("GET") => false,
                Some("HEAD") => true,
                _ => return Err(BadRequest::Method),
            };
            if has_body(head.headers)? {
                return Err(BadRequest::Body);
            }
            let target = head.path.ok_or(BadRequest::Malformed)?;
            // The query is ignored, because a file is the same for each query.
            let path = target.split('?').next().unwrap_or(target).to_owned();
            let keep_alive = head.version == Some(1)
                && header(head.headers, "connection")
                    .is_none_or(|value| !value.eq_ignore_ascii_case(b"close"));
            let request = Request {
                path,
                head_only,
                keep_alive,
            };
            Ok(Some((request, length)))
        }
        Ok(httparse::Status::Partial) if bytes.len() >= MAX_HEAD => Err(BadRequest::TooLong),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(httparse::Error::TooManyHeaders) => Err(BadRequest::TooLong),
        Err(_) => Err(BadRequest::Malformed),
    }
}

/// Parses the head of a response: status, length of the body, length of the head.
pub(crate) fn parse_response(bytes: &[u8]) -> Result<Option<(u16, usize, usize)>, BadRequest> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let Ok(status) = head.parse(bytes) else {
        return Err(BadRequest::Malformed);
    };
    let httparse::Status::Complete(length) = status else {
        return Ok(None);
    };
    let body = header(head.headers, "content-length")
        .and_then(|value| std::str::from_utf8(value).ok()?.parse().ok())
        .ok_or(BadRequest::Malformed)?;
    Ok(Some((head.code.unwrap_or(0), body, length)))
}

/// Returns `true` if the request has a body.
fn has_body(headers: &[httparse::Header<'_>]) -> Result<bool, BadRequest> {
    let mut has_body = header(headers, "transfer-encoding").is_some();
    for header in headers {
        if header.name.eq_ignore_ascii_case("content-length") {
            let text = std::str::from_utf8(header.value).ok();
            let length = text.and_then(|text| text.parse::<u64>().ok());
            has_body |= length.ok_or(BadRequest::Malformed)? > 0;
        }
    }
    Ok(has_body)
}

fn header<'a>(headers: &[httparse::Header<'a>], name: &str) -> Option<&'a [u8]> {
    headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))
        .map(|header| header.value)
}

/// Writes a response. With `head_only` the body is measured, but not sent.
pub(crate) fn response(status: &str, body: Vec<u8>, head_only: bool, keep_alive: bool) -> Vec<u8> {
    let connection = if keep_alive { "keep-alive" } else { "close" };
    let length = body.len();
    let mut response = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\
         content-type: text/plain; charset=utf-8\r\nconnection: {connection}\r\n"
    )
    .into_bytes();
    if status == BadRequest::Method.status() {
        response.extend(b"allow: GET, HEAD\r\n");
    }
    response.extend(b"\r\n");
    if !head_only {
        response.extend(body);
    }
    response
}
