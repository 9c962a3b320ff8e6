//! The program as it runs in tests, and what to give it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) fn serve() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_serve"));
    command.stdin(Stdio::null());
    command
}

pub(crate) fn run(args: &[&str]) -> Output {
    serve().args(args).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A new folder for one test, which is left behind in cargo's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A server that stays, and its address.
pub(crate) struct Staying {
    process: std::process::Child,
    address: String,
}

impl Staying {
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut command = serve();
        command
            .arg("--stay")
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.as_mut().unwrap()).lines();
        let line = lines
            .map(Result::unwrap)
            .find(|line| line.contains("http://"))
            .unwrap();
        let rest = line.split("http://").nth(1).unwrap();
        let address = rest.split('/').next().unwrap().to_owned();
        Self { process, address }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// Sends `request` and returns all that comes back until the server closes.
    pub(crate) fn ask(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        text(&answer)
    }
}

impl Drop for Staying {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
