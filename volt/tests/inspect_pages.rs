//! Pages of libraries on the inspection server.
#![cfg(feature = "inspect")]

mod inspecting;

use std::net::SocketAddr;

use inspecting::{Reply, get, runtime, send};
use volt::runtime::{InspectAddress, LibraryPage, LibraryRequest, add_inspect_page};

const TOKEN: &str = "Authorization: Bearer secret-of-the-test\r\n";

/// A page that answers with its parameters.
struct EchoPage;

impl LibraryPage for EchoPage {
    fn html(&self) -> &'static str {
        "<script nonce=\"NONCE\">1</script>"
    }

    fn data(&self, request: &LibraryRequest) -> Option<String> {
        let name = request.parameter("name")?;
        let values = request.shows_values();
        (request.path() == "list.json").then(|| format!("[\"{name}\",{values}]"))
    }

    fn act(&self, request: &LibraryRequest) -> Option<String> {
        (request.path() == "end").then(|| "\"ended\"".to_owned())
    }
}

fn post(address: SocketAddr, path: &str, headers: &str) -> Reply {
    let request = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    send(address, &request)
}

#[test]
fn page_has_data_and_a_nonce() {
    add_inspect_page("echo", EchoPage);
    let (_runtime, address) = runtime(InspectAddress::from(0).show_values(true));
    let page = get(address, "/echo/", "");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("script-src 'nonce-"), "{}", page.head);
    assert!(!page.body.contains("NONCE"), "{}", page.body);
    let names = get(address, "/pages.json", "").body;
    assert!(names.contains("\"echo\""), "{names}");
    let list = get(address, "/echo/list.json?name=a%20b", "");
    assert_eq!((list.status, &*list.body), (200, "[\"a b\",true]"));
    for missing in [
        "/echo/list.json",
        "/echo/other?name=a",
        "/no-page/",
        "/echo",
    ] {
        assert_eq!(get(address, missing, "").status, 404, "{missing}");
    }
}

#[test]
fn action_requires_post_and_a_token() {
    add_inspect_page("actions", EchoPage);
    let (_open, address) = runtime(0);
    let refused = post(address, "/actions/end", "");
    assert_eq!(refused.status, 403);
    assert!(
        refused.body.contains("VOLT_INSPECT_TOKEN"),
        "{}",
        refused.body
    );
    let (_runtime, address) = runtime(InspectAddress::from(0).token("secret-of-the-test"));
    for headers in ["", "Authorization: Bearer wrong\r\n"] {
        assert_eq!(post(address, "/actions/end", headers).status, 401);
        let list = get(address, "/actions/list.json?name=a", headers);
        assert_eq!(list.status, 401);
    }
    let foreign = format!("{TOKEN}Sec-Fetch-Site: cross-site\r\n");
    assert_eq!(post(address, "/actions/end", &foreign).status, 403);
    assert_eq!(get(address, "/actions/end", TOKEN).status, 404);
    assert_eq!(post(address, "/actions/end", TOKEN).body, "\"ended\"");
    let list = get(address, "/actions/list.json?name=a", TOKEN);
    assert_eq!(list.body, "[\"a\",false]");
}

#[test]
#[should_panic(expected = "lower-case letters and hyphens")]
fn name_of_a_page_is_checked() {
    add_inspect_page("a/b", EchoPage);
}
