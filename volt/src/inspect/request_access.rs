//! `AccessRules`: the requests that a server answers.
//!
//! The data of a server at a loopback address is for the users of this machine. Their browser also
//! runs the scripts of other sites, which must not read it:
//!
//! - `Sec-Fetch-Site` names requests that another site has started.
//! - A site whose name resolves to 127.0.0.1 (DNS rebinding) is of the same origin as the server
//!   for the browser. Its requests have the name of the site in `Host`.
//! - Responses allow no other origin to read them; see the module `http_response`.

use std::net::{IpAddr, SocketAddr};

use super::http_request::HttpRequest;
use super::http_response::HttpResponse;
use super::inspect_address::InspectEndpoint;

/// The conditions for an answer.
#[derive(Debug)]
pub(super) struct AccessRules {
    hosts: HostRule,
    token: Option<String>,
    shows_values: bool,
}

/// The values of `Host` that a server accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostRule {
    /// Names and addresses of the loopback interface. The port is not compared: a forwarded port
    /// may have another number, and only the name shows DNS rebinding.
    Loopback,
    /// All values: no browser reaches a Unix socket, and an exposed server requires a token.
    Any,
}

impl AccessRules {
    pub(super) fn new(
        endpoint: &InspectEndpoint,
        token: Option<String>,
        shows_values: bool,
    ) -> Self {
        let hosts = match endpoint {
            InspectEndpoint::Tcp(address) if address.ip().is_loopback() => HostRule::Loopback,
            InspectEndpoint::Tcp(_) | InspectEndpoint::Unix(_) => HostRule::Any,
        };
        Self {
            hosts,
            token,
            shows_values,
        }
    }

    /// Returns `true` if the server may show values that the program stores.
    pub(super) fn shows_values(&self) -> bool {
        self.shows_values
    }

    /// Checks a request for an action of a library, which requires a token in any case.
    pub(super) fn check_action(&self) -> Result<(), HttpResponse> {
        if self.token.is_some() {
            return Ok(());
        }
        let text = "Actions require a server with a token: set `VOLT_INSPECT_TOKEN`, \
                    or call `InspectAddress::token`.";
        Err(HttpResponse::error("403 Forbidden", text))
    }

    /// Checks the origin of a request.
    pub(super) fn check_origin(&self, request: &HttpRequest) -> Result<(), HttpResponse> {
        let host = request.host.as_deref();
        if self.hosts == HostRule::Loopback && !host.is_some_and(is_loopback_host) {
            let text = "The header `Host` must name the loopback interface, as `localhost` does.";
            return Err(HttpResponse::error("403 Forbidden", text));
        }
        // A browser sends `none` for a URL that the user has entered. Other clients send nothing.
        match request.fetch_site.as_deref() {
            None | Some("none" | "same-origin") => Ok(()),
            Some(_) => Err(HttpResponse::error(
                "403 Forbidden",
                "Another site has started this request. Enter the URL by hand.",
            )),
        }
    }

    /// Checks the token of a request for data.
    pub(super) fn check_token(&self, request: &HttpRequest) -> Result<(), HttpResponse> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let sent = request.authorization.as_deref().unwrap_or_default();
        let sent = sent.strip_prefix("Bearer ").unwrap_or_default();
        if is_equal(sent.as_bytes(), token.as_bytes()) {
            return Ok(());
        }
        let text = "This server requires its token: send `Authorization: Bearer TOKEN`, \
                    or open the page at `/#token=TOKEN`.";
        let refusal = HttpResponse::error("401 Unauthorized", text);
        Err(refusal.with_header("WWW-Authenticate: Bearer\r\n"))
    }
}

/// Returns `true` if the value of `Host` is a name or an address of the loopback interface.
fn is_loopback_host(host: &str) -> bool {
    if let Ok(address) = host.parse::<SocketAddr>() {
        return address.ip().is_loopback();
    }
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !name.ends_with(':') && !host.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return false;
    }
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let address = bare.unwrap_or(name).parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Compares in a time that depends only on the lengths, so that the time reveals no prefix.
fn is_equal(left: &[u8], right: &[u8]) -> bool {
    let pairs = left.iter().zip(right);
    let difference = pairs.fold(0, |bits, (a, b)| bits | (a ^ b));
    left.len() == right.len() && std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::{AccessRules, InspectEndpoint, is_equal, is_loopback_host};
    use crate::inspect::http_request::HttpRequest;

    fn rules(address: &str, token: Option<&str>) -> AccessRules {
        let endpoint = InspectEndpoint::Tcp(address.parse().unwrap());
        AccessRules::new(&endpoint, token.map(str::to_owned), false)
    }

    #[test]
    fn loopback_hosts_are_accepted() {
        let hosts = [
            "localhost",
            "LocalHost:6680",
            "127.0.0.1",
            "127.0.0.1:6680",
            "127.3.2.1:1",
            "[::1]",
            "[::1]:6680",
        ];
        for host in hosts {
            assert!(is_loopback_host(host), "{host}");
        }
    }

    #[test]
    fn foreign_hosts_are_refused() {
        let hosts = [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil.example:6680",
            "127.0.0.1.evil.example",
            "10.0.0.1:6680",
            "localhost:port",
            "localhost:",
            "localhost:1:2",
            "[::2]:6680",
            "[::1]x",
            "user@localhost",
        ];
        for host in hosts {
            assert!(!is_loopback_host(host), "{host}");
        }
    }

    #[test]
    fn loopback_server_requires_a_loopback_host() {
        let rules = rules("127.0.0.1:6680", None);
        let mut request = HttpRequest::default();
        assert!(rules.check_origin(&request).is_err(), "no host");
        request.host = Some("rebound.example:6680".to_owned());
        assert!(rules.check_origin(&request).is_err());
        request.host = Some("localhost:6680".to_owned());
        assert!(rules.check_origin(&request).is_ok());
    }

    #[test]
    fn request_of_another_site_is_refused() {
        let rules = rules("127.0.0.1:6680", None);
        let of = |site: &str| HttpRequest {
            host: Some("localhost".to_owned()),
            fetch_site: Some(site.to_owned()),
            ..HttpRequest::default()
        };
        for site in ["cross-site", "same-site", "", "None"] {
            assert!(rules.check_origin(&of(site)).is_err(), "{site}");
        }
        for site in ["none", "same-origin"] {
            assert!(rules.check_origin(&of(site)).is_ok(), "{site}");
        }
    }

    #[test]
    fn wrong_token_is_refused() {
        let rules = rules("0.0.0.0:6680", Some("0123456789abcdef"));
        let with = |authorization: &str| HttpRequest {
            authorization: Some(authorization.to_owned()),
            ..HttpRequest::default()
        };
        assert!(rules.check_token(&HttpRequest::default()).is_err());
        let wrong = [
            "Bearer",
            "Bearer ",
            "0123456789abcdef",
            "Basic 0123456789abcdef",
            "Bearer 0123456789abcdeg",
            "Bearer 0123456789abcdef0",
            "Bearer 0123456789abcde",
        ];
        for value in wrong {
            assert!(rules.check_token(&with(value)).is_err(), "{value}");
        }
        let right = with("Bearer 0123456789abcdef");
        assert!(rules.check_token(&right).is_ok());
    }

    #[test]
    fn equality_compares_all_bytes() {
        assert!(is_equal(b"", b""));
        assert!(is_equal(b"abc", b"abc"));
        for other in [&b"xbc"[..], b"axc", b"abx", b"ab", b"abcd", b""] {
            assert!(!is_equal(b"abc", other));
        }
    }
}
