//! The inspection server, over its sockets.
#![cfg(feature = "inspect")]

mod inspecting;

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use inspecting::{get, runtime, send};
use volt::runtime::{InspectAddress, Runtime};

/// An address that no other test binds, so that a port stays free after it is closed. Systems other
/// than Linux have one loopback address.
const OWN_ADDRESS: [u8; 4] = match cfg!(target_os = "linux") {
    true => [127, 0, 0, 2],
    false => [127, 0, 0, 1],
};

#[test]
fn page_and_manual_depend_on_accept() {
    let (_runtime, address) = runtime(0);
    let page = get(address, "/", "Accept: text/html,*/*;q=0.8\r\n");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("Content-Type: text/html"));
    assert!(page.head.contains("script-src 'nonce-"));
    for accept in ["", "Accept: */*\r\n", "Accept: text/plain\r\n"] {
        let manual = get(address, "/", accept);
        assert!(manual.head.contains("Content-Type: text/plain"), "{accept}");
        assert!(manual.body.contains("/dump.json?task=ID"), "{accept}");
    }
    assert_eq!(get(address, "/favicon.ico", "").status, 404);
}

#[test]
fn server_answers_while_the_worker_is_blocked() {
    let (runtime, address) = runtime(0);
    let ((started, has_started), (release, released)) = (channel(), channel());
    let blocked = runtime.handle().spawn_named("blocked", async move {
        started.send(()).unwrap();
        released.recv().unwrap();
    });
    has_started.recv().unwrap();
    let dump = get(address, "/dump.txt", "");
    assert_eq!(dump.status, 200);
    assert!(
        dump.body.contains("\"blocked\": running for"),
        "{}",
        dump.body
    );
    release.send(()).unwrap();
    runtime.block_on(blocked).unwrap();
}

#[test]
fn server_ends_with_its_runtime() {
    let (first, address) = runtime(SocketAddr::from((OWN_ADDRESS, 0)));
    drop(first);
    let refused = TcpStream::connect(address).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    let (second, same) = runtime(address);
    assert_eq!(same, address);
    second.shutdown_background();
    assert!(TcpStream::connect(address).is_err());
    let local = volt::Builder::new().inspect(address).build_local().unwrap();
    assert_eq!(get(address, "/dump.txt", "").status, 200);
    drop(local);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn waiting_shutdown_can_be_inspected() {
    let (runtime, address) = runtime(0);
    let ((started, has_started), (release, released)) = (channel(), channel());
    let job = runtime.spawn_blocking(move || {
        started.send(()).unwrap();
        released.recv().unwrap();
    });
    has_started.recv().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || drop(runtime));
        let dump = get(address, "/dump.txt", "");
        assert!(dump.body.contains("blocking job"), "{}", dump.body);
        release.send(()).unwrap();
    });
    drop(job);
}

#[test]
fn end_does_not_wait_for_open_connections() {
    let (runtime, address) = runtime(0);
    let mut silent = TcpStream::connect(address).unwrap();
    silent.write_all(b"GET /").unwrap();
    // A second connection makes sure that the first is accepted.
    assert_eq!(get(address, "/dump.txt", "").status, 200);
    let before = Instant::now();
    drop(runtime);
    assert!(before.elapsed() < Duration::from_secs(10));
    let end = silent.read(&mut [0]);
    assert!(matches!(end, Ok(0) | Err(_)), "the connection is closed");
}

#[test]
fn errors_of_the_address_are_errors_of_build() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().map(|address| (taken, address)).unwrap();
    let build = |address: InspectAddress| {
        let built = Runtime::builder()
            .worker_threads(1)
            .inspect(address)
            .build();
        built.expect_err("the address cannot be bound")
    };
    let in_use = build(taken.1.into());
    assert_eq!(in_use.kind(), ErrorKind::AddrInUse);
    assert!(
        in_use.to_string().contains(&taken.1.to_string()),
        "{in_use}"
    );
    assert_eq!(build("no address".into()).kind(), ErrorKind::InvalidInput);
    let any = SocketAddr::from(([0, 0, 0, 0], 0));
    assert_eq!(build(any.into()).kind(), ErrorKind::InvalidInput);
    let weak = InspectAddress::exposed(any, "short");
    assert_eq!(build(weak).kind(), ErrorKind::InvalidInput);
}

#[test]
fn handle_starts_one_server() {
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let handle = runtime.handle().clone();
    assert_eq!(handle.inspect_endpoint(), None);
    let endpoint = handle.inspect(0).unwrap();
    assert_eq!(handle.inspect_endpoint(), Some(endpoint));
    let second = handle.inspect(0).unwrap_err();
    assert_eq!(second.kind(), ErrorKind::AlreadyExists);
    drop(runtime);
    assert_eq!(handle.inspect_endpoint(), None);
    let late = handle.inspect(0).unwrap_err();
    assert_eq!(late.kind(), ErrorKind::NotConnected);
    assert_eq!(handle.inspect_endpoint(), None);
}

#[test]
fn refusals_have_a_status() {
    let (_runtime, address) = runtime(0);
    let refused = [
        (
            403,
            "GET /dump.json HTTP/1.1\r\nHost: rebound.example\r\n\r\n",
        ),
        (403, "GET / HTTP/1.1\r\n\r\n"),
        (
            403,
            "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        ),
        (
            403,
            "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-site\r\n\r\n",
        ),
        (405, "POST /dump.json HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (404, "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (405, "PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (405, "GET /by-poll.json HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (
            403,
            "POST /by-poll.json HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        ),
        (
            404,
            "POST /by-poll.json?task=9999.9 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ),
        (
            404,
            "POST /by-poll.json?limit=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ),
        (400, "GET /dump.json\r\n\r\n"),
        (
            400,
            "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n",
        ),
        (404, "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (
            404,
            "GET /dump.json?task=9999.9 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ),
        (
            404,
            "GET /diagram.json?machine=None HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ),
    ];
    for (status, request) in refused {
        let reply = send(address, request);
        assert_eq!(reply.status, status, "{request:?}");
        assert!(reply.head.contains("nosniff"), "{request:?}");
        assert!(!reply.head.contains("Access-Control"), "{request:?}");
    }
}

#[test]
fn oversized_request_is_refused_and_drained() {
    let (_runtime, address) = runtime(0);
    let request = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(60_000));
    assert_eq!(send(address, &request).status, 431);
}

#[test]
fn token_protects_data_but_not_the_page() {
    let token = "0123456789abcdef";
    let any = SocketAddr::from(([0, 0, 0, 0], 0));
    for address in [
        InspectAddress::exposed(any, token),
        InspectAddress::from(0).token(token),
    ] {
        let (_runtime, mut address) = runtime(address);
        address.set_ip([127, 0, 0, 1].into());
        assert_eq!(get(address, "/", "").status, 200);
        let paths = [
            "/dump.txt",
            "/dump.json",
            "/groups.json",
            "/diagram.json?machine=A",
            "/x",
        ];
        for path in paths {
            let reply = get(address, path, "");
            assert_eq!(reply.status, 401, "{path}");
            assert!(reply.head.contains("WWW-Authenticate: Bearer"), "{path}");
        }
        let wrong = "Authorization: Bearer 0123456789abcdeg\r\n";
        assert_eq!(get(address, "/dump.txt", wrong).status, 401);
        let by_query = format!("/dump.txt?token={token}");
        assert_eq!(get(address, &by_query, "").status, 401);
        let right = format!("Authorization: Bearer {token}\r\n");
        assert_eq!(get(address, "/dump.txt", &right).status, 200);
    }
}

#[test]
fn silent_connections_do_not_delay_others() {
    let (_runtime, address) = runtime(0);
    let connect = |_| TcpStream::connect(address).unwrap();
    let silent: Vec<_> = (0..100).map(connect).collect();
    let before = Instant::now();
    assert_eq!(get(address, "/dump.txt", "").status, 200);
    assert!(before.elapsed() < Duration::from_millis(1_900));
    for mut stream in silent {
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let end = stream.read(&mut [0]).unwrap_or(0);
        assert_eq!(end, 0, "the server closes it within two seconds");
    }
    assert!(before.elapsed() < Duration::from_secs(60));
}

/// Runs this test alone in a child process with the variables. Returns its standard output and its
/// standard error.
fn run_child(test: &str, variables: &[(&str, &str)]) -> (String, String) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    child.env(CHILD, "1").envs(variables.iter().copied());
    let output = child.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// The variable that marks a child process of a test.
const CHILD: &str = "VOLT_INSPECT_TEST_CHILD";

#[test]
fn environment_starts_a_server() {
    if std::env::var_os(CHILD).is_some() {
        let first = Runtime::new().unwrap();
        let second = Runtime::new().unwrap();
        let third = Runtime::builder().inspect(0).build().unwrap();
        for runtime in [&first, &second, &third] {
            let endpoint = runtime.handle().inspect_endpoint();
            println!(
                "endpoint: {}",
                endpoint.map_or("none".to_owned(), |url| url.to_string())
            );
        }
        return;
    }
    let free = TcpListener::bind((IpAddr::from(OWN_ADDRESS), 0)).unwrap();
    let address = free.local_addr().unwrap().to_string();
    let run = |value| run_child("environment_starts_a_server", &[("VOLT_INSPECT", value)]);
    let endpoints = |output: &str| -> Vec<String> {
        let lines = output
            .lines()
            .filter_map(|line| line.split_once("endpoint: "));
        lines.map(|(_, url)| url.to_owned()).collect()
    };
    // The address is in use: the runtimes start, and each prints the reason.
    let (output, errors) = run(&address);
    assert_eq!(endpoints(&output)[..2], ["none", "none"]);
    assert!(
        errors.contains(&format!("inspection server at {address}")),
        "{errors}"
    );
    drop(free);
    // The first runtime has the server, and the second is silent.
    let (output, errors) = run(&address);
    let urls = endpoints(&output);
    assert_eq!(urls[..2], [&*format!("http://{address}/"), "none"]);
    assert_ne!(urls[2], "none", "the builder's address is used");
    assert_eq!(errors.matches("volt: ").count(), 1, "{errors}");
    // A text that is no address, and an interface without a token.
    for value in ["anything", "0.0.0.0:0"] {
        let (output, errors) = run(value);
        assert_eq!(endpoints(&output)[..2], ["none", "none"], "{value}");
        assert_eq!(errors.matches("volt: ").count(), 2, "{errors}");
    }
}
