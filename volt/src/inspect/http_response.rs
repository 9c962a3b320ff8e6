//! `HttpResponse`: a response with the headers that protect the page.

use std::fmt::Write;
use std::time::Duration;

/// The inspection page, without its nonce.
pub(super) const PAGE: &str = include_str!("page.html");

/// The text in the page that the nonce of a response replaces.
const NONCE: &str = "NONCE";

/// The answer at `/` for clients that accept no HTML.
const MANUAL: &str = "\
Inspection server of a volt runtime. Open this URL in a browser, or request:

/dump.txt             findings, groups and tasks, as text
/dump.txt?task=ID     one task
/dump.txt?group=KEY   the tasks of one group
/dump.json            all tasks, as JSON
/dump.json?shallow    all tasks, without the futures that they await
/dump.json?task=ID    one task, with the values of its locals where they are enabled
/dump.json?group=KEY  the tasks of one group
/groups.json          findings, groups, workers and timers, without the tasks
/diagram.json?machine=NAME   the states of a machine and the transitions between them

Libraries may have pages of their own, at /NAME/; their names are at /pages.json. An action of such
a page is a POST, and requires that the server has a token.

By POST, because these poll each idle task once (`curl -X POST`):

/by-poll.txt          all tasks, with the functions that wait in async blocks and other crates
/by-poll.json         the same as JSON
?within_ms=1000&limit=10000&task=ID   the time, the number of tasks, the only task
?orphans              tasks without a waker too; they stay without one

Send a token, if the server requires one, in the header `Authorization: Bearer TOKEN`.
";

/// The headers of each response. No other site can read a response, embed it or sniff its type.
const PROTECTION: &str = "\
Connection: close\r\n\
Cache-Control: no-store\r\n\
Referrer-Policy: no-referrer\r\n\
X-Content-Type-Options: nosniff\r\n\
X-Frame-Options: DENY\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n";

/// A status line, with the type and the contents of a response.
#[derive(Debug)]
pub(super) struct HttpResponse {
    status: &'static str,
    content_type: ContentType,
    body: String,
    /// Further headers, each with its line end.
    extra: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentType {
    Text,
    Json,
}

impl ContentType {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text/plain; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

impl HttpResponse {
    pub(super) fn ok(content_type: ContentType, body: String) -> Self {
        Self {
            status: "200 OK",
            content_type,
            body,
            extra: String::new(),
        }
    }

    pub(super) fn manual() -> Self {
        Self::ok(ContentType::Text, MANUAL.to_owned())
    }

    /// Returns the response to a request whose dump has panicked.
    pub(super) fn panicked() -> Self {
        Self::error("500 Internal Server Error", "The dump has panicked.")
    }

    /// Returns a response with an error status. The body is the text and a line end.
    pub(super) fn error(status: &'static str, text: &str) -> Self {
        Self {
            status,
            ..Self::ok(ContentType::Text, format!("{text}\n"))
        }
    }

    /// Adds a header, which ends with `\r\n`.
    pub(super) fn with_header(mut self, header: &str) -> Self {
        self.extra.push_str(header);
        self
    }

    /// Adds the time that the server has worked for this response. The page requests the data less
    /// often if this time is long.
    pub(super) fn with_timing(self, time: Duration) -> Self {
        let milliseconds = time.as_secs_f64() * 1e3;
        self.with_header(&format!("Server-Timing: render;dur={milliseconds:.1}\r\n"))
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        let policy = "default-src 'none'; frame-ancestors 'none'";
        let name = self.content_type.name();
        encode(self.status, name, policy, &self.extra, &self.body)
    }
}

/// Returns the response with a page. Only its own script and its own style, which
/// have the nonce of this response, have an effect.
pub(super) fn page(html: &str, nonce: u64) -> Vec<u8> {
    let nonce = format!("{nonce:016x}");
    let body = html.replace(NONCE, &nonce);
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    encode("200 OK", "text/html; charset=utf-8", &policy, "", &body)
}

fn encode(status: &str, name: &str, policy: &str, extra: &str, body: &str) -> Vec<u8> {
    let mut head = String::with_capacity(1024 + body.len());
    let written = write!(
        head,
        "HTTP/1.1 {status}\r\nContent-Type: {name}\r\nContent-Length: {}\r\n{PROTECTION}\
         Content-Security-Policy: {policy}\r\n{extra}\r\n{body}",
        body.len(),
    );
    written.expect("a string accepts all text");
    head.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{HttpResponse, NONCE, PAGE, page};

    #[test]
    fn error_has_status_and_protection() {
        let bytes = HttpResponse::error("403 Forbidden", "no").into_bytes();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("HTTP/1.1 403 Forbidden\r\n"));
        assert!(text.contains("\r\nContent-Length: 3\r\n"));
        assert!(text.contains("\r\nX-Content-Type-Options: nosniff\r\n"));
        assert!(text.contains("\r\nContent-Security-Policy: default-src 'none';"));
        assert!(text.ends_with("\r\n\r\nno\n"));
        assert!(!text.contains("Access-Control"));
    }

    #[test]
    fn page_uses_its_nonce() {
        assert_eq!(PAGE.matches(NONCE).count(), 2, "one script and one style");
        let text = String::from_utf8(page(PAGE, 0xabc)).unwrap();
        assert!(text.contains("script-src 'nonce-0000000000000abc'"));
        assert!(text.contains("<script nonce=\"0000000000000abc\">"));
        assert!(!text.contains(NONCE));
    }

    #[test]
    fn page_loads_nothing_from_elsewhere() {
        let local = ["http://www.w3.org/2000/svg", "url(#arrow)"];
        let page = local
            .iter()
            .fold(PAGE.to_owned(), |page, name| page.replace(name, ""));
        for foreign in ["http:", "https:", "//cdn", "src=", "@import", "url("] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}
