//! Single requests, each over a connection of its own.

use std::fs;
use std::io::{Read, Write};
use std::process::Command;

use crate::process::{Staying, folder, run, text};

#[test]
fn bad_request_gets_a_status_and_affects_no_other() {
    let folder = folder("stay");
    fs::write(folder.join("page"), "hello").unwrap();
    let server = Staying::start(&[folder.to_str().unwrap()]);
    let mut bystander = server.connect();
    bystander.write_all(b"GET /page HT").unwrap();

    let closing = b"GET /page HTTP/1.1\r\nconnection: close\r\n\r\n";
    assert!(server.ask(closing).ends_with("\r\n\r\nhello"));
    assert!(
        server
            .ask(b"GET /other HTTP/1.0\r\n\r\n")
            .starts_with("HTTP/1.1 404")
    );
    assert!(
        server
            .ask(b"POST /page HTTP/1.1\r\n\r\n")
            .starts_with("HTTP/1.1 405")
    );
    assert!(
        server
            .ask(b"\x00\x01\x02\r\n\r\n")
            .starts_with("HTTP/1.1 400")
    );
    let endless = [b"GET /page HTTP/1.1\r\nx: ".as_slice(), &[b'a'; 20_000]].concat();
    assert!(server.ask(&endless).starts_with("HTTP/1.1 431"));
    drop(server.connect());

    bystander
        .write_all(b"TP/1.1\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut answer = Vec::new();
    bystander.read_to_end(&mut answer).unwrap();
    assert!(text(&answer).ends_with("hello"));
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let folder = folder("pipelined");
    fs::write(folder.join("a"), "first").unwrap();
    fs::write(folder.join("b"), "second").unwrap();
    let server = Staying::start(&[folder.to_str().unwrap()]);
    let both = b"GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nconnection: close\r\n\r\n";
    let answer = server.ask(both);
    let (first, second) = (
        answer.find("first").unwrap(),
        answer.find("second").unwrap(),
    );
    assert!(first < second);
}

#[test]
fn vanished_file_fails_only_its_request() {
    let folder = folder("vanishing");
    fs::write(folder.join("gone"), "soon").unwrap();
    fs::write(folder.join("here"), "still").unwrap();
    let server = Staying::start(&[folder.to_str().unwrap()]);
    fs::remove_file(folder.join("gone")).unwrap();
    let requests = b"GET /gone HTTP/1.1\r\n\r\nGET /here HTTP/1.1\r\nconnection: close\r\n\r\n";
    let answer = server.ask(requests);
    assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
    assert!(answer.ends_with("still"), "{answer}");
}

#[cfg(unix)]
#[test]
fn special_files_are_refused_and_listed() {
    use std::os::unix::fs::symlink;
    let folder = folder("special");
    fs::write(folder.join("page"), "hello").unwrap();
    symlink(folder.join("page"), folder.join("link")).unwrap();
    symlink(folder.join("nowhere"), folder.join("dangling")).unwrap();
    symlink(&folder, folder.join("circle")).unwrap();
    let secret = self::folder("special-secret").join("secret");
    fs::write(&secret, "secret").unwrap();
    symlink(&secret, folder.join("outside")).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());

    let server = Staying::start(&[folder.to_str().unwrap()]);
    for (address, status) in [
        ("/page", "200"),
        ("/link", "200"),
        ("/dangling", "404"),
        ("/circle", "403"),
        ("/outside", "403"),
        ("/pipe", "403"),
    ] {
        let request = format!("GET {address} HTTP/1.1\r\nconnection: close\r\n\r\n");
        let answer = server.ask(request.as_bytes());
        let start = format!("HTTP/1.1 {status}");
        assert!(answer.starts_with(&start), "{address}: {answer}");
    }
    drop(server);

    let folder = folder.to_str().unwrap();
    let output = run(&["--clients", "1", "--requests", "4", folder]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("2 files"), "{said}");
    for refused in ["/dangling", "/circle", "/outside", "/pipe"] {
        let mut lines = said.lines();
        assert!(
            lines.any(|line| line.contains(refused) && line.contains("no file")),
            "{refused}: {said}"
        );
    }
}

/// A link that was named itself is served, wherever it leads.
#[cfg(unix)]
#[test]
fn named_link_is_resolved_once_at_start() {
    use std::os::unix::fs::symlink;
    let (folder, other) = (folder("linked"), folder("linked-other"));
    fs::write(other.join("page"), "hello").unwrap();
    symlink(other.join("page"), folder.join("named")).unwrap();
    fs::write(other.join("secret"), "secret").unwrap();
    fs::write(other.join("changing"), "at first").unwrap();
    let server = Staying::start(&[
        folder.join("named").to_str().unwrap(),
        other.join("changing").to_str().unwrap(),
    ]);
    let ask = |address: &str| {
        let request = format!("GET {address} HTTP/1.1\r\nconnection: close\r\n\r\n");
        server.ask(request.as_bytes())
    };
    assert!(ask("/named").ends_with("hello"));
    assert!(ask("/changing").ends_with("at first"));
    fs::remove_file(other.join("changing")).unwrap();
    symlink(other.join("secret"), other.join("changing")).unwrap();
    let answer = ask("/changing");
    assert!(
        answer.starts_with("HTTP/1.1 500") && !answer.contains("secret"),
        "{answer}"
    );
}

#[test]
fn body_of_a_request_is_not_the_next_request() {
    let folder = folder("body");
    fs::write(folder.join("page"), "hello").unwrap();
    fs::write(folder.join("other"), "smuggled").unwrap();
    let server = Staying::start(&[folder.to_str().unwrap()]);
    let smuggled = "GET /other HTTP/1.1\r\nconnection: close\r\n\r\n";
    let length = format!("content-length: {}", smuggled.len());
    for header in [&length, "transfer-encoding: chunked"] {
        let request = format!("GET /page HTTP/1.1\r\n{header}\r\n\r\n{smuggled}");
        let answer = server.ask(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
        assert!(!answer.contains("smuggled"), "{answer}");
    }
    let twice = "GET /page HTTP/1.1\r\ncontent-length: 0\r\ncontent-length: 7\r\n\r\n";
    assert!(server.ask(twice.as_bytes()).starts_with("HTTP/1.1 413"));
    let odd = b"GET /page HTTP/1.1\r\ncontent-length: many\r\n\r\n";
    assert!(server.ask(odd).starts_with("HTTP/1.1 400"));
    let none = b"GET /page HTTP/1.1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    assert!(server.ask(none).ends_with("hello"));
}

#[test]
fn partial_requests_keep_no_client_out() {
    let folder = folder("half");
    fs::write(folder.join("page"), "hello").unwrap();
    let server = Staying::start(&[
        "--connections=4",
        "--patience=300",
        folder.to_str().unwrap(),
    ]);
    let slow: Vec<_> = (0..12)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /page HT").unwrap();
            stream
        })
        .collect();
    let answer = server.ask(b"GET /page HTTP/1.1\r\nconnection: close\r\n\r\n");
    assert!(answer.ends_with("hello"), "{answer}");
    for mut stream in slow {
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 408"), "{}", text(&answer));
    }
    // A client without a request receives no status.
    let mut silent = server.connect();
    assert_eq!(silent.read(&mut [0]).unwrap(), 0);
}

#[test]
fn client_without_reads_is_disconnected() {
    const LARGE: usize = 32 << 20;
    let folder = folder("unread");
    fs::write(folder.join("large"), vec![b'x'; LARGE]).unwrap();
    fs::write(folder.join("page"), "hello").unwrap();
    let server = Staying::start(&[
        "--connections=1",
        "--patience=300",
        folder.to_str().unwrap(),
    ]);
    let mut greedy = server.connect();
    greedy.write_all(b"GET /large HTTP/1.1\r\n\r\n").unwrap();
    let answer = server.ask(b"GET /page HTTP/1.1\r\nconnection: close\r\n\r\n");
    assert!(answer.ends_with("hello"), "{answer}");
    let mut received = Vec::new();
    let _reset = greedy.read_to_end(&mut received);
    assert!(received.len() < LARGE);
}

#[test]
fn head_is_answered_without_the_body() {
    let folder = folder("head");
    fs::write(folder.join("page"), "hello").unwrap();
    let server = Staying::start(&[folder.to_str().unwrap()]);
    let answer = server.ask(b"HEAD /page HTTP/1.1\r\nconnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("\r\ncontent-length: 5\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    // A body would be taken for the head of the next answer.
    let both = b"HEAD /none HTTP/1.1\r\n\r\nGET /page HTTP/1.1\r\nconnection: close\r\n\r\n";
    let answer = server.ask(both);
    let (first, second) = answer.split_once("\r\n\r\n").unwrap();
    assert!(first.starts_with("HTTP/1.1 404"), "{answer}");
    assert!(second.starts_with("HTTP/1.1 200"), "{answer}");
    let refused = server.ask(b"POST /page HTTP/1.1\r\n\r\n");
    assert!(refused.contains("\r\nallow: GET, HEAD\r\n"), "{refused}");
}

#[test]
fn query_is_no_part_of_the_name() {
    let folder = folder("query");
    fs::write(folder.join("page"), "hello").unwrap();
    fs::write(folder.join("odd?name"), "odd").unwrap();
    let server = Staying::start(&[folder.to_str().unwrap()]);
    for (address, body) in [
        ("/page?", "hello"),
        ("/page?a=1&b=?2", "hello"),
        ("/odd%3Fname?x", "odd"),
    ] {
        let request = format!("GET {address} HTTP/1.1\r\nconnection: close\r\n\r\n");
        let answer = server.ask(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 200"), "{address}: {answer}");
        assert!(answer.ends_with(body), "{address}: {answer}");
    }
}
