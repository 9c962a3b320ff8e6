//! The load: one thread, many connections, on each the next request when the answer has come whole.

use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";

pub(crate) struct Load {
    poll: Poll,
    events: Events,
    connections: Vec<Connection>,
    /// How long an answer is: they are all of one length.
    answer: usize,
}

struct Connection {
    stream: TcpStream,
    missing: usize,
}

impl Load {
    pub(crate) fn connect(address: SocketAddr, count: usize) -> Self {
        let poll = Poll::new().expect("the system has one");
        let connections = (0..count).map(|index| {
            let stream = std::net::TcpStream::connect(address).expect("it listens");
            stream.set_nodelay(true).expect("it is open");
            stream.set_nonblocking(true).expect("it is open");
            let mut stream = TcpStream::from_std(stream);
            let token = Token(index);
            poll.registry()
                .register(&mut stream, token, Interest::READABLE)
                .expect("it is new");
            Connection { stream, missing: 0 }
        });
        let connections: Vec<_> = connections.collect();
        let mut load = Self {
            poll,
            events: Events::with_capacity(count),
            connections,
            answer: 0,
        };
        load.answer = load.first_answer();
        load
    }

    fn first_answer(&mut self) -> usize {
        let stream = &mut self.connections[0].stream;
        stream.write_all(REQUEST).expect("there is room");
        let mut answer = Vec::new();
        let mut chunk = [0; 4096];
        while !answer.ends_with(b"Hello, World!") {
            match stream.read(&mut chunk) {
                Ok(0) => panic!("it hung up"),
                Ok(count) => answer.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => panic!("{error}"),
            }
        }
        answer.len()
    }

    /// Keeps all connections busy for a time, and returns the number of answers a second.
    pub(crate) fn run_for(&mut self, time: Duration) -> f64 {
        let begun = Instant::now();
        let count = self.run(|_| begun.elapsed() < time);
        count as f64 / begun.elapsed().as_secs_f64()
    }

    /// Has so many requests answered.
    pub(crate) fn run_through(&mut self, count: usize) {
        self.run(|begun| begun < count);
    }

    /// Sends requests until `more` returns `false` for their number, and waits for the answers.
    fn run(&mut self, mut more: impl FnMut(usize) -> bool) -> usize {
        let mut begun = 0;
        for connection in &mut self.connections {
            connection.ask(self.answer);
            begun += 1;
        }
        let mut answered = 0;
        while answered < begun {
            match self.poll.poll(&mut self.events, None) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                polled => polled.expect("it waits"),
            }
            for event in &self.events {
                let connection = &mut self.connections[event.token().0];
                if connection.hear() {
                    answered += 1;
                    if more(begun) {
                        connection.ask(self.answer);
                        begun += 1;
                    }
                }
            }
        }
        answered
    }
}

impl Connection {
    fn ask(&mut self, answer: usize) {
        self.stream.write_all(REQUEST).expect("there is room");
        self.missing = answer;
    }

    /// Reads what is there; whether the answer is whole.
    fn hear(&mut self) -> bool {
        let waited = self.missing > 0;
        let mut chunk = [0; 4096];
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => panic!("it hung up"),
                Ok(count) => self.missing -= count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return waited && self.missing == 0;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}
