//! `cargo volt dump`, `top` and `diff` on the sample dump of volt's own tests.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::mpsc;
use std::thread;

use serde_json::Value;

/// A dump that volt's tests compare with the JSON that the library writes.
fn sample() -> PathBuf {
    stored("sample.json")
}

/// A file of volt's tests.
fn stored(name: &str) -> PathBuf {
    let volt = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../volt");
    volt.join("src/runtime/dump/json/tests").join(name)
}

fn sample_value() -> Value {
    let text = fs::read_to_string(sample()).expect("the sample");
    serde_json::from_str(&text).expect("it is JSON")
}

fn word(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Starts a server that answers requests with the sample, and sends the head of each request.
fn server(status: &'static str) -> (SocketAddr, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (send, requests) = mpsc::channel();
    let body = fs::read_to_string(sample()).expect("the sample");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client");
            let mut request = Vec::new();
            let mut chunk = [0; 512];
            while !request.ends_with(b"\r\n\r\n") {
                let read = stream.read(&mut chunk).expect("a request");
                request.extend_from_slice(&chunk[..read]);
            }
            let answer = format!("HTTP/1.1 {status}\r\nConnection: close\r\n\r\n{body}");
            stream
                .write_all(answer.as_bytes())
                .expect("the client reads");
            let request = String::from_utf8(request).expect("a text");
            if send.send(request).is_err() {
                return;
            }
        }
    });
    (address, requests)
}

fn cargo_volt(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-volt"));
    command.args(arguments).env_remove("VOLT_INSPECT_TOKEN");
    command.output().expect("the command starts")
}

fn success(arguments: &[&str]) -> String {
    let output = cargo_volt(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).expect("a text")
}

#[test]
fn dump_by_poll_is_requested_by_post() {
    let (address, requests) = server("200 OK");
    let address = address.to_string();
    success(&["dump", &address, "--by-poll", "--task", "7.1"]);
    let head = requests.recv().expect("a request");
    assert!(
        head.starts_with("POST /by-poll.txt?task=7.1 HTTP/1.1\r\n"),
        "{head}"
    );
    success(&["dump", &address, "--by-poll", "--task", "7.1", "--orphans"]);
    let head = requests.recv().expect("a request");
    assert!(
        head.starts_with("POST /by-poll.txt?task=7.1&orphans HTTP/1.1\r\n"),
        "{head}"
    );
    let groups = success(&["dump", &address, "--by-poll", "--groups"]);
    assert!(groups.contains("shortest  place"), "{groups}");
    let head = requests.recv().expect("a request");
    assert!(head.starts_with("POST /by-poll.json HTTP/1.1"), "{head}");
    let once = success(&["top", &address, "--once", "--by-poll"]);
    assert!(once.contains("shortest  place"), "{once}");
    let head = requests.recv().expect("a request");
    assert!(head.starts_with("POST /by-poll.json HTTP/1.1"), "{head}");
    success(&["dump", &address, "--by-poll", "--json"]);
    let head = requests.recv().expect("a request");
    assert!(
        head.starts_with("POST /by-poll.json HTTP/1.1\r\n"),
        "{head}"
    );
    let file = sample();
    let file = file.to_str().expect("a path");
    let output = cargo_volt(&["dump", file, "--by-poll"]);
    assert_ne!(output.status.code(), Some(0));
}

#[test]
fn json_file_is_a_dump_for_diff() {
    let (address, _requests) = server("200 OK");
    let address = address.to_string();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("json_file");
    fs::create_dir_all(&folder).expect("a folder");
    let (dump, diff) = (folder.join("dump.json"), folder.join("diff.json"));
    let json = |file: &Path| format!("--json={}", file.display());
    let text = success(&["dump", &address, "--groups", &json(&dump)]);
    assert!(text.contains("process "), "{text}");
    let dump = dump.to_str().expect("a path");
    let text = success(&["diff", dump, dump, &json(&diff)]);
    assert!(text.contains("between the dumps"), "{text}");
    let value = fs::read_to_string(&diff).expect("the difference");
    let value: Value = serde_json::from_str(&value).expect("it is JSON");
    assert_eq!(value["elapsed_ms"], 0);
}

#[test]
fn groups_are_printed_with_findings() {
    let (address, requests) = server("200 OK");
    let address = address.to_string();
    let page = success(&["dump", &address, "--groups", "--token", "secret"]);
    let request = requests.recv().expect("a request");
    assert!(
        request.starts_with("GET /groups.json HTTP/1.1\r\nHost: localhost\r\n"),
        "{request}"
    );
    assert!(
        request.contains("\r\nAuthorization: Bearer secret\r\n"),
        "{request}"
    );
    let data = sample_value();
    let head = format!(
        "{} \"{}\", process {}: {} tasks, ",
        word(&data["runtime"]),
        word(&data["name"]),
        data["pid"],
        data["stats"]["alive"]
    );
    assert!(page.starts_with(&head), "{page}");
    let finding = word(&data["findings"][0]["text"]);
    let finding = finding.split("; ").next().expect("a clause");
    assert!(page.contains(finding), "{finding} is not in {page}");
    let innermost = "ReadFrame at await poll_fn, src/frame.rs:31 < Session at";
    assert!(page.contains(innermost), "{page}");
    let thread = "thread main: in block_on for 2.3 s, called at volt/src/runtime/dump/sample.rs:";
    assert!(page.contains(thread), "{page}");
    assert!(!page.contains('\u{1b}'), "{page}");
    let coloured = success(&["dump", &address, "--groups", "--color", "always"]);
    assert!(coloured.contains('\u{1b}'), "{coloured}");
    assert_eq!(success(&["top", &address, "--once"]), page);
}

#[test]
fn file_is_read_as_a_dump() {
    let sample = sample().display().to_string();
    let page = success(&["dump", &sample, "--task", "2.1"]);
    assert!(page.contains("2.1   queued"), "{page}");
    assert!(!page.contains("3.1   running"), "{page}");
}

#[test]
fn refusal_and_missing_server_are_errors() {
    let (address, _requests) = server("401 Unauthorized");
    let output = cargo_volt(&["dump", &address.to_string()]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("status 401"), "{error}");
    let own = std::process::id().to_string();
    let output = cargo_volt(&["dump", &own]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("no inspection server of the process"),
        "{error}"
    );
    assert_eq!(cargo_volt(&["dump", "server"]).status.code(), Some(2));
}

#[test]
fn diff_of_two_files_has_both_counts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let before = sample().display().to_string();
    let mut changed = sample_value();
    let columns = changed["columns"].as_array().expect("columns").clone();
    let column = |name: &str| {
        columns
            .iter()
            .position(|one| one == name)
            .expect("a column")
    };
    // One task was polled, and one was replaced by a new one.
    let polls = column("polls");
    let before_polls = changed["tasks"][0][polls].as_u64().expect("a number");
    changed["tasks"][0][polls] = (before_polls + 1).into();
    let gone = changed["tasks"][1][column("id")].clone();
    changed["tasks"][1][column("id")] = "99.1".into();
    let moved = changed["tasks"][0][column("id")].clone();
    let group = changed["groups"].as_array().expect("groups").len() - 1;
    let before_count = changed["groups"][group]["count"].clone();
    changed["groups"][group]["count"] = 987.into();
    let after = folder.join("after.json");
    fs::write(&after, changed.to_string()).expect("a file");
    let after = after.display().to_string();
    let value = success(&["diff", &before, &after, "--json"]);
    let value: Value = serde_json::from_str(&value).expect("it is JSON");
    let lists = ["gone", "new", "moved"].map(|key| value[key][0].clone());
    assert_eq!(lists, [gone, "99.1".into(), moved]);
    let group = &value["groups"][0];
    assert_eq!(
        (&group["before"], &group["after"]),
        (&before_count, &987.into())
    );
    let page = success(&["diff", &before, &after]);
    let row = format!(
        "{:>6}    987           0  ReadFrame at await poll_fn",
        before_count.to_string()
    );
    assert!(page.contains(&row), "{page}");
    changed["instance"] = "2-0-beef".into();
    fs::write(&after, changed.to_string()).expect("a file");
    assert_eq!(
        cargo_volt(&["diff", &before, &after]).status.code(),
        Some(1)
    );
}

#[test]
fn diff_has_the_json_of_the_library() {
    let paths = ["sample.json", "after.json"].map(|name| stored(name).display().to_string());
    let written = success(&["diff", &paths[0], &paths[1], "--json"]);
    let written: Value = serde_json::from_str(&written).expect("it is JSON");
    let library = fs::read_to_string(stored("diff.json")).expect("the diff");
    let library: Value = serde_json::from_str(&library).expect("it is JSON");
    assert_eq!(written, library);
    let for_nothing = word(&library["polled_for_nothing"][0]);
    let page = success(&["diff", &paths[0], &paths[1]]);
    let row = format!("\n{for_nothing:<18}");
    assert!(
        page.contains("\npolled for nothing ") && page.contains(&row),
        "{page}"
    );
    let page = success(&["diff", &paths[0], &paths[1], "--tasks", "0"]);
    assert!(
        page.contains("\n1 more tasks were polled for nothing\n"),
        "{page}"
    );
}

#[test]
fn group_of_a_file_has_only_its_tasks() {
    let sample = sample().display().to_string();
    let key = sample_value()["groups"][1]["key"].clone();
    let page = success(&["dump", &sample, "--group", word(&key)]);
    let tasks = page
        .lines()
        .filter(|line| line.contains(" idle ") || line.contains(" running "));
    assert_eq!(
        tasks.count() as u64,
        sample_value()["groups"][1]["count"],
        "{page}"
    );
}

#[test]
fn task_of_a_file_has_its_futures() {
    let sample = sample().display().to_string();
    let page = success(&["dump", &sample, "--task", "4.1"]);
    assert!(
        page.contains("in Race\n  [0] Sleep, waits for a timer in 2.5s\n"),
        "{page}"
    );
}

#[test]
fn unknown_option_names_the_similar_one() {
    let output = cargo_volt(&["sizes", "--sumary"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("'--summary'"), "{error}");
}

#[test]
fn other_schema_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, schema) in [("later.json", Value::from(2)), ("none.json", Value::Null)] {
        let mut value = sample_value();
        value["schema"] = schema;
        let file = folder.join(name);
        fs::write(&file, value.to_string()).expect("a file");
        let output = cargo_volt(&["dump", &file.display().to_string(), "--groups"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
    }
}
