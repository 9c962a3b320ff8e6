//! `HttpRequest`: the head of an HTTP/1.1 request, parsed strictly.
//!
//! The server needs the method, the target and four headers. So a parser by hand is smaller than a
//! dependency, contains no `unsafe`, and rejects all syntax that the server does not need.

/// The maximum size of the head of a request, in bytes.
pub(super) const MAX_HEAD: usize = 8 * 1024;

/// The maximum number of headers.
const MAX_HEADERS: usize = 64;

/// The method of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HttpMethod {
    #[default]
    Get,
    Post,
}

/// A request without a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HttpRequest {
    pub(super) method: HttpMethod,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) host: Option<String>,
    pub(super) accept: Option<String>,
    pub(super) authorization: Option<String>,
    pub(super) fetch_site: Option<String>,
}

/// The reason why a request has no valid head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadRequest {
    /// The bytes are not an HTTP/1.1 request, or one with a body.
    Syntax,
    /// The method is neither `GET` nor `POST`.
    Method,
    /// The head has more than [`MAX_HEAD`] bytes or [`MAX_HEADERS`] headers.
    TooLarge,
}

impl HttpRequest {
    /// Parses the bytes that have arrived. Returns `None` if the head is not complete yet.
    pub(super) fn parse(bytes: &[u8]) -> Option<Result<Self, BadRequest>> {
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            return (bytes.len() >= MAX_HEAD).then_some(Err(BadRequest::TooLarge));
        };
        if end + 4 > MAX_HEAD {
            return Some(Err(BadRequest::TooLarge));
        }
        let head = std::str::from_utf8(&bytes[..end]);
        Some(head.map_or(Err(BadRequest::Syntax), Self::parse_head))
    }

    fn parse_head(head: &str) -> Result<Self, BadRequest> {
        let mut lines = head.split("\r\n");
        let mut request = Self::parse_first_line(lines.next().unwrap_or_default())?;
        for (index, line) in lines.enumerate() {
            if index == MAX_HEADERS {
                return Err(BadRequest::TooLarge);
            }
            request.add_header(line)?;
        }
        Ok(request)
    }

    fn parse_first_line(line: &str) -> Result<Self, BadRequest> {
        let mut parts = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(BadRequest::Syntax);
        };
        if !is_name(method) || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
            return Err(BadRequest::Syntax);
        }
        let method = match method {
            "GET" => HttpMethod::Get,
            "POST" => HttpMethod::Post,
            _ => return Err(BadRequest::Method),
        };
        if !target.starts_with('/') || !target.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadRequest::Syntax);
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Ok(Self {
            method,
            path: path.to_owned(),
            query: query.to_owned(),
            ..Self::default()
        })
    }

    fn add_header(&mut self, line: &str) -> Result<(), BadRequest> {
        let (name, value) = line.split_once(':').ok_or(BadRequest::Syntax)?;
        if !is_name(name) || value.bytes().any(|byte| byte < b' ' && byte != b'\t') {
            return Err(BadRequest::Syntax);
        }
        let value = value.trim_matches([' ', '\t']);
        let field = match &*name.to_ascii_lowercase() {
            "host" => &mut self.host,
            "accept" => &mut self.accept,
            "authorization" => &mut self.authorization,
            "sec-fetch-site" => &mut self.fetch_site,
            "transfer-encoding" => return Err(BadRequest::Syntax),
            "content-length" if value != "0" => return Err(BadRequest::Syntax),
            _ => return Ok(()),
        };
        match field.replace(value.to_owned()) {
            Some(_) => Err(BadRequest::Syntax),
            None => Ok(()),
        }
    }

    /// Returns the value of a key of the query, decoded. A key without `=` has an empty value.
    pub(super) fn parameter(&self, key: &str) -> Option<String> {
        let found = self.pairs().find(|(name, _)| *name == key);
        found.map(|(_, value)| decode(value))
    }

    /// Returns the keys and the decoded values of the query.
    pub(super) fn parameters(&self) -> Vec<(String, String)> {
        let pairs = self.pairs();
        pairs
            .map(|(name, value)| (name.to_owned(), decode(value)))
            .collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.query.split('&').filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
    }
}

/// Returns `true` if the text is a token of RFC 9110: a method or the name of a header.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Decodes the percent signs of a value. An invalid sequence stays as it is.
fn decode(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        rest = match code {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                &tail[2..]
            }
            None => {
                bytes.push(*first);
                tail
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::{BadRequest, HttpMethod, HttpRequest, MAX_HEAD};

    fn parse(text: &str) -> Option<Result<HttpRequest, BadRequest>> {
        HttpRequest::parse(text.as_bytes())
    }

    #[test]
    fn browser_request_parses() {
        let text = "GET /dump.json?task=7.1&deep HTTP/1.1\r\nHost: localhost:6680\r\n\
                    accept:  text/html, */* \r\nX-Other: a\r\n\r\n";
        let request = parse(text).unwrap().unwrap();
        assert_eq!(request.path, "/dump.json");
        assert_eq!(request.host.as_deref(), Some("localhost:6680"));
        assert_eq!(request.accept.as_deref(), Some("text/html, */*"));
        assert_eq!(request.parameter("task").as_deref(), Some("7.1"));
        assert_eq!(request.parameter("deep").as_deref(), Some(""));
        assert_eq!(request.parameter("dee"), None);
    }

    #[test]
    fn post_without_a_body_parses() {
        for length in ["", "Content-Length: 0\r\n"] {
            let request = parse(&format!("POST /a HTTP/1.1\r\n{length}\r\n"));
            assert_eq!(request.unwrap().unwrap().method, HttpMethod::Post);
        }
    }

    #[test]
    fn incomplete_head_is_none() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        for end in 0..text.len() {
            assert_eq!(parse(&text[..end]), None, "{end}");
        }
        assert!(parse(text).unwrap().is_ok());
    }

    #[test]
    fn malformed_head_is_an_error() {
        let heads = [
            "GET /",
            "GET / HTTP/2",
            "GET  / HTTP/1.1",
            "GET / HTTP/1.1 x",
            "GET http://a/ HTTP/1.1",
            "GET * HTTP/1.1",
            "GET /\u{e9} HTTP/1.1",
            "G(T / HTTP/1.1",
            " GET / HTTP/1.1",
            "GET / HTTP/1.1\r\nHost : a",
            "GET / HTTP/1.1\r\n folded",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\nA: b\u{1}",
            "GET / HTTP/1.1\r\nA: b\nC: d",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a",
            "GET / HTTP/1.1\r\nContent-Length: 3",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked",
        ];
        for head in heads {
            let parsed = parse(&format!("{head}\r\n\r\n"));
            assert_eq!(parsed, Some(Err(BadRequest::Syntax)), "{head:?}");
        }
    }

    #[test]
    fn other_method_is_an_error() {
        for method in ["PUT", "HEAD", "OPTIONS", "get", "post"] {
            let parsed = parse(&format!("{method} / HTTP/1.1\r\n\r\n"));
            assert_eq!(parsed, Some(Err(BadRequest::Method)), "{method}");
        }
    }

    #[test]
    fn large_head_is_an_error() {
        let long = format!("GET / HTTP/1.1\r\nA: {}", "b".repeat(MAX_HEAD));
        let endless = parse(&long[..MAX_HEAD]);
        assert_eq!(endless, Some(Err(BadRequest::TooLarge)));
        let complete = parse(&format!("{long}\r\n\r\n"));
        assert_eq!(complete, Some(Err(BadRequest::TooLarge)));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(65));
        assert_eq!(parse(&many), Some(Err(BadRequest::TooLarge)));
    }

    #[test]
    fn parameter_decodes_percent_signs() {
        let text = "GET /a?machine=Read%3CT%3e&x=%zz%4 HTTP/1.1\r\n\r\n";
        let request = parse(text).unwrap().unwrap();
        assert_eq!(request.parameter("machine").as_deref(), Some("Read<T>"));
        assert_eq!(request.parameter("x").as_deref(), Some("%zz%4"));
    }
}
