//! Runs the mirror to each of its ends.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

/// The end of the output if no request is left.
const CLEAN: &str = ", 0 connections open";

fn mirror(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mirror"));
    command.args(arguments).stdout(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, .. } = mirror(arguments).output().expect("it starts");
    let text = String::from_utf8(stdout).expect("text");
    assert!(text.contains(CLEAN), "{text}");
    (status.code(), text)
}

#[test]
fn every_page_is_mirrored_once_in_spite_of_moods() {
    let (code, text) = run(&["--pages", "120"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("mirror: all 120 pages,"), "{text}");
}

#[test]
fn page_with_permanent_error_stops_the_mirror() {
    let (code, text) = run(&["--pages", "60", "--broken"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("stopped by an error (HTTP/1.0 404 Gone)"),
        "{text}"
    );
}

#[test]
fn deadline_stops_it() {
    let (code, text) = run(&["--delay", "100", "--deadline", "250", "--at-a-time", "2"]);
    assert_eq!(code, Some(124), "{text}");
    assert!(text.contains("stopped at the deadline after"), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_it() {
    let mut child = mirror(&["--delay", "20000"]).spawn().expect("it starts");
    let mut text = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    text.read_line(&mut line).expect("a line");
    assert!(line.contains("a site of 200 pages"), "{line}");
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill starts").success());
    let status = child.wait().expect("it is ours");
    text.read_to_string(&mut line).expect("text");
    assert_eq!(status.code(), Some(130), "{line}");
    assert!(line.contains("interrupted after 0 pages"), "{line}");
    assert!(line.contains(CLEAN), "{line}");
}
