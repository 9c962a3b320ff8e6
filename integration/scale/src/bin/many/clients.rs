//! The other ends of the connections, in a process of their own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The process of the clients.
#[derive(Debug)]
pub(crate) struct Clients {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Clients {
    /// Starts the process, and returns after it has made its connections.
    pub(crate) fn connect(address: SocketAddr, count: usize) -> Self {
        let program = std::env::current_exe().expect("the program has a path");
        let mut command = Command::new(program);
        command.args(["clients", &address.to_string(), &count.to_string()]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut clients = Self {
            input: child.stdin.take().expect("it is piped"),
            output: BufReader::new(child.stdout.take().expect("it is piped")),
            child,
        };
        clients.await_line();
        clients
    }

    /// Sends a byte on each connection, and awaits all answers.
    pub(crate) fn exchange(&mut self) {
        writeln!(self.input, "go").expect("the clients read");
        self.await_line();
    }

    fn await_line(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it is text");
        assert_eq!(line, "done\n", "the clients ended");
    }
}

impl Drop for Clients {
    fn drop(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it was killed");
    }
}

/// The program of the process.
pub(crate) fn main(address: &str, count: &str) {
    let address: SocketAddr = address.parse().expect("it is an address");
    let count: usize = count.parse().expect("it is a number");
    let mut streams: Vec<_> = (0..count)
        .map(|_| TcpStream::connect(address).expect("the server accepts"))
        .collect();
    println!("done");
    for line in std::io::stdin().lines() {
        line.expect("the server is there");
        for stream in &mut streams {
            stream.write_all(&[1]).expect("the server reads");
        }
        for stream in &mut streams {
            stream.read_exact(&mut [0]).expect("the server answers");
        }
        println!("done");
    }
}
