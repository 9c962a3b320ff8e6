//! Talks to the keeper of keys, byte by byte.
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
        let mut child = Command::new(env!("CARGO_BIN_EXE_redis"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let address = line.trim().rsplit(' ').next().expect("an address");
        let address = address.to_owned();
        Self {
            child,
            output,
            address,
        }
    }

    fn client(&self) -> Client {
        let stream = TcpStream::connect(&self.address).expect("connected");
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).expect("set");
        Client(stream)
    }

    /// Sends ctrl-c, and returns the last output.
    fn ends(mut self) -> String {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.expect("kill starts").success());
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("text");
        assert!(self.child.wait().expect("it is ours").success(), "{text}");
        text
    }
}

impl Drop for Server {
    /// A test that failed, or that did not end it, leaves nothing behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client(TcpStream);

impl Client {
    fn sends(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).expect("sent");
    }

    fn hears(&mut self, expected: impl AsRef<[u8]>) {
        let expected = expected.as_ref();
        let mut heard = vec![0; expected.len()];
        self.0.read_exact(&mut heard).expect("as many bytes");
        assert!(
            heard == expected,
            "{} and not {}",
            start_of(&heard),
            start_of(expected)
        );
    }

    /// Sends a command, and compares the reply.
    fn asks(&mut self, words: &[&[u8]], expected: impl AsRef<[u8]>) {
        self.sends(request(words));
        self.hears(expected);
    }

    fn hears_the_end(&mut self) {
        let mut rest = Vec::new();
        // A client that was cut off while it sent may see a reset.
        let _ = self.0.read_to_end(&mut rest);
        assert!(rest.is_empty(), "{}", start_of(&rest));
    }
}

fn start_of(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(80)].escape_ascii().to_string()
}

fn request(words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend_from_slice(&bulk(word));
    }
    bytes
}

fn bulk(word: &[u8]) -> Vec<u8> {
    let mut bytes = format!("${}\r\n", word.len()).into_bytes();
    bytes.extend_from_slice(word);
    bytes.extend_from_slice(b"\r\n");
    bytes
}

#[test]
fn values_are_kept_counted_and_removed() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.asks(&[b"PING"], "+PONG\r\n");
    client.asks(&[b"get", b"milk"], "$-1\r\n");
    client.asks(&[b"SET", b"milk", b"two\r\nlitres"], "+OK\r\n");
    client.asks(&[b"GET", b"milk"], bulk(b"two\r\nlitres"));
    client.asks(
        &[b"INCR", b"milk"],
        "-ERR value is not an integer or out of range\r\n",
    );
    client.asks(&[b"INCR", b"visits"], ":1\r\n");
    client.asks(&[b"INCR", b"visits"], ":2\r\n");
    client.asks(&[b"EXISTS", b"milk", b"none", b"visits"], ":2\r\n");
    client.asks(&[b"TTL", b"milk"], ":-1\r\n");
    client.asks(&[b"TTL", b"none"], ":-2\r\n");
    client.asks(&[b"SET", b"brief", b"x", b"ex", b"1000"], "+OK\r\n");
    client.asks(&[b"TTL", b"brief"], ":1000\r\n");
    client.asks(&[b"DBSIZE"], ":3\r\n");
    client.asks(&[b"DEL", b"milk", b"none", b"brief"], ":2\r\n");
    client.asks(&[b"SET", b"a", b"b", b"EX"], "-ERR syntax error\r\n");
    client.asks(
        &[b"GET"],
        "-ERR wrong number of arguments for 'get' command\r\n",
    );
    client.asks(&[b"FROB"], "-ERR unknown command 'frob'\r\n");
    // A person at a terminal.
    client.sends("\r\n  echo   hello \r\n");
    client.hears(bulk(b"hello"));
    client.asks(&[b"QUIT"], "+OK\r\n");
    client.hears_the_end();
    assert_eq!(server.ends(), "redis: 1 clients\n");
}

#[test]
fn large_values_and_many_requests_come_back_whole() {
    let server = Server::start(&[]);
    let value: Vec<u8> = (0..3_000_000_u32)
        .map(|n| (n.wrapping_mul(n) >> 7) as u8)
        .collect();
    let mut client = server.client();
    client.asks(&[b"SET", b"large", &value], "+OK\r\n");
    client.asks(&[b"GET", b"large"], bulk(&value));
    // A thousand requests before the first answer is read.
    let mut requests = Vec::new();
    let mut answers = Vec::new();
    for n in 0..1000_u32 {
        let text = n.to_string().repeat(n as usize % 50);
        requests.extend(request(&[b"SET", b"it", text.as_bytes()]));
        requests.extend(request(&[b"GET", b"it"]));
        answers.extend(b"+OK\r\n");
        answers.extend(bulk(text.as_bytes()));
    }
    client.sends(&requests);
    client.hears(&answers);
    // One byte at a time.
    for byte in request(&[b"ECHO", b"slow"]) {
        client.sends([byte]);
    }
    client.hears(bulk(b"slow"));
}

#[test]
fn value_expires() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.asks(&[b"SET", b"brief", b"x", b"PX", b"40"], "+OK\r\n");
    client.asks(&[b"SET", b"long", b"y", b"PX", b"3600000"], "+OK\r\n");
    std::thread::sleep(Duration::from_millis(41));
    client.asks(&[b"GET", b"brief"], "$-1\r\n");
    client.asks(&[b"GET", b"long"], bulk(b"y"));
}

#[test]
fn published_message_reaches_subscribers() {
    let server = Server::start(&[]);
    let (mut ann, mut bob, mut speaker) = (server.client(), server.client(), server.client());
    ann.asks(
        &[b"SUBSCRIBE", b"news", b"sport"],
        "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n*3\r\n$9\r\nsubscribe\r\n$5\r\nsport\r\n:2\r\n",
    );
    bob.asks(
        &[b"SUBSCRIBE", b"news"],
        "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n",
    );
    let message = |channel: &[u8], text: &[u8]| request(&[b"message", channel, text]);
    speaker.asks(&[b"PUBLISH", b"news", b"one"], ":2\r\n");
    speaker.asks(&[b"PUBLISH", b"sport", b"two"], ":1\r\n");
    speaker.asks(&[b"PUBLISH", b"nothing", b"three"], ":0\r\n");
    ann.hears(message(b"news", b"one"));
    ann.hears(message(b"sport", b"two"));
    bob.hears(message(b"news", b"one"));
    ann.asks(
        &[b"UNSUBSCRIBE", b"news"],
        "*3\r\n$11\r\nunsubscribe\r\n$4\r\nnews\r\n:1\r\n",
    );
    speaker.asks(&[b"PUBLISH", b"news", b"four"], ":1\r\n");
    bob.hears(message(b"news", b"four"));
    // A disconnected client is no longer counted once the server has noticed it.
    drop(bob);
    let mut left = false;
    for _ in 0..400 {
        speaker.sends(request(&[b"PUBLISH", b"news", b"five"]));
        let mut answer = [0; 4];
        speaker.0.read_exact(&mut answer).expect("an answer");
        left = answer == *b":0\r\n";
        if left {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(left);
    ann.asks(
        &[b"UNSUBSCRIBE"],
        "*3\r\n$11\r\nunsubscribe\r\n$5\r\nsport\r\n:0\r\n",
    );
    assert_eq!(server.ends(), "redis: 3 clients\n");
}

#[test]
fn nonsense_is_answered_once_and_the_connection_ends() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.asks(&[b"PING"], "+PONG\r\n");
    client.sends("*1\r\n:3\r\n");
    client.hears("-ERR Protocol error: expected '$'\r\n");
    client.hears_the_end();
}

#[test]
fn client_over_the_limit_waits_for_its_turn() {
    let server = Server::start(&["--clients", "1"]);
    let mut first = server.client();
    first.asks(&[b"PING"], "+PONG\r\n");
    let mut second = server.client();
    second.sends(request(&[b"INCR", b"turn"]));
    std::thread::sleep(Duration::from_millis(50));
    first.asks(&[b"GET", b"turn"], "$-1\r\n");
    drop(first);
    second.hears(":1\r\n");
}

#[test]
fn ends_at_ctrl_c_with_clients_connected() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.asks(
        &[b"SUBSCRIBE", b"x"],
        "*3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1\r\n",
    );
    assert_eq!(server.ends(), "redis: 1 clients\n");
    client.hears_the_end();
}
