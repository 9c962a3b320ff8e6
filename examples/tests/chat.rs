//! Talks in the chat, and ends it.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chat"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let address = line
            .trim()
            .rsplit(' ')
            .next()
            .expect("an address")
            .to_owned();
        Self {
            child,
            output,
            address,
        }
    }

    fn client(&self, name: &str) -> Client {
        let stream = TcpStream::connect(&self.address).expect("connected");
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("set");
        let mut client = Client(BufReader::new(stream));
        client.hears("* your name?");
        client.says(name);
        client
    }

    /// Ctrl-c.
    fn interrupt(&self) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.expect("kill starts").success());
    }

    /// Returns the last output of the server, which has to end without an error.
    fn ends(mut self) -> String {
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("text");
        assert!(self.child.wait().expect("it is ours").success(), "{text}");
        text
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn says(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.0.get_mut().write_all(line.as_bytes()).expect("sent");
    }

    fn hears(&mut self, expected: &str) {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a line");
        assert_eq!(line.trim_end_matches('\n'), expected);
    }

    fn hears_the_end(&mut self) {
        let mut rest = String::new();
        assert_eq!(self.0.read_line(&mut rest).ok(), Some(0), "{rest}");
    }
}

#[test]
fn message_reaches_members_of_its_room() {
    let server = Server::start(&[]);
    let mut ada = server.client("ada");
    ada.hears("* ada comes in");
    let mut grace = server.client("grace");
    for client in [&mut ada, &mut grace] {
        client.hears("* grace comes in");
    }
    grace.says("hello");
    for client in [&mut ada, &mut grace] {
        client.hears("grace: hello");
    }
    let mut third = server.client("ada");
    third.hears("* this name is taken");
    third.hears_the_end();

    ada.says("/join engines");
    grace.hears("* ada goes to engines");
    ada.hears("* ada comes in");
    ada.says("is anybody here?");
    ada.hears("ada: is anybody here?");
    ada.says("/who");
    ada.hears("* in engines: ada");
    grace.says("/join engines");
    grace.hears("* grace comes in");
    ada.hears("* grace comes in");
    // In pieces, and several in one.
    ada.0.get_mut().write_all(b"one").expect("sent");
    std::thread::sleep(Duration::from_millis(20));
    ada.0
        .get_mut()
        .write_all(b" line\ntwo lines\n")
        .expect("sent");
    for client in [&mut ada, &mut grace] {
        client.hears("ada: one line");
        client.hears("ada: two lines");
    }
    grace.says("/quit");
    grace.hears("* goodbye");
    grace.hears_the_end();
    ada.hears("* grace is gone");

    server.interrupt();
    ada.hears("* the server is going down");
    ada.hears_the_end();
    assert_eq!(server.ends(), "chat: 3 sessions, 0 cut off\n");
}

#[test]
fn silent_client_has_to_go() {
    let server = Server::start(&["--idle", "400"]);
    let mut silent = server.client("silent");
    silent.hears("* silent comes in");
    silent.hears("* you were silent for too long");
    silent.hears_the_end();
    server.interrupt();
    assert_eq!(server.ends(), "chat: 1 sessions, 0 cut off\n");
}

#[test]
fn client_without_reads_does_not_delay_others() {
    let server = Server::start(&["--grace", "300", "--patience", "600000"]);
    let deaf = server.client("deaf");
    let mut loud = server.client("loud");
    loud.hears("* loud comes in");
    // More than the system keeps for one who does not read.
    let line = "x".repeat(1000);
    let mut heard = loud
        .0
        .get_ref()
        .try_clone()
        .map(BufReader::new)
        .expect("a clone");
    let reading = std::thread::spawn(move || {
        let mut count = 0;
        let mut line = String::new();
        while heard.read_line(&mut line).is_ok_and(|len| len > 0) {
            count += 1;
            line.clear();
        }
        count
    });
    for _ in 0..20_000 {
        loud.says(&line);
    }
    loud.says("/quit");
    assert!(reading.join().expect("no panic") >= 20_000);
    server.interrupt();
    let text = server.ends();
    // Its mailbox was full at some time; whether its session was stuck by then is up to the system.
    let ends = [
        "chat: 2 sessions, 0 cut off\n",
        "chat: 2 sessions, 1 cut off\n",
    ];
    assert!(ends.contains(&text.as_str()), "{text}");
    drop(deaf);
}
