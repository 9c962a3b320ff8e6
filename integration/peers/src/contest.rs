//! The rows, and the processes of the contestants.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};

use crate::client::{Client, length_of_answer};
use crate::contestants::{self, ALL, BODY, Contestant, REQUEST, Reads};
use crate::processor_time;
use crate::table::{Cost, Line};

/// The time in which a server is loaded before it is measured, and the time of the measurement.
const WARM_UP: Duration = Duration::from_millis(100);
const MEASURED: Duration = Duration::from_millis(600);

const FILE_SIZE: u64 = 64 << 20;

enum Row {
    Echo {
        connections: usize,
        bytes: usize,
        threads: usize,
    },
    Http {
        connections: usize,
        threads: usize,
    },
    Read {
        bytes: usize,
        tasks: usize,
        count: usize,
    },
}

const ROWS: [Row; 11] = [
    Row::Echo {
        connections: 64,
        bytes: 64,
        threads: 1,
    },
    Row::Echo {
        connections: 4,
        bytes: 1 << 16,
        threads: 1,
    },
    Row::Echo {
        connections: 1024,
        bytes: 64,
        threads: 1,
    },
    Row::Echo {
        connections: 64,
        bytes: 64,
        threads: 2,
    },
    Row::Echo {
        connections: 4,
        bytes: 1 << 16,
        threads: 2,
    },
    Row::Echo {
        connections: 1024,
        bytes: 64,
        threads: 2,
    },
    Row::Http {
        connections: 64,
        threads: 1,
    },
    Row::Http {
        connections: 64,
        threads: 2,
    },
    Row::Http {
        connections: 1024,
        threads: 2,
    },
    Row::Read {
        bytes: 4 << 10,
        tasks: 32,
        count: 500,
    },
    Row::Read {
        bytes: 64 << 10,
        tasks: 32,
        count: 100,
    },
];

impl Row {
    fn name(&self) -> String {
        match self {
            Self::Echo {
                connections,
                bytes,
                threads,
            } => format!("echo {connections}x{bytes}, threads: {threads}"),
            Self::Http {
                connections,
                threads,
            } => format!("hyper {connections}, threads: {threads}"),
            Self::Read { bytes, tasks, .. } => format!("read {tasks}x{bytes} of a cached file"),
        }
    }
}

pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["serve", name, address, bytes, threads] => serve(name, address, bytes, threads),
        ["http", name, address, threads] => serve_http(name, address, threads),
        ["read", name, path, bytes, tasks, count] => read(name, path, bytes, tasks, count),
        ["--rounds", rounds] => compare(number(rounds), ""),
        ["--rounds", rounds, filter] => compare(number(rounds), filter),
        [filter] => compare(7, filter),
        [] => compare(7, ""),
        _ => Err(io::Error::other("expected: [--rounds N] [FILTER]")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn number(word: &str) -> usize {
    word.parse()
        .unwrap_or_else(|_| panic!("`{word}` is not a number"))
}

fn contestant(name: &str) -> io::Result<&'static Contestant> {
    contestants::find(name)
        .ok_or_else(|| io::Error::other(format!("no contestant is named `{name}`")))
}

fn serve(name: &str, address: &str, bytes: &str, threads: &str) -> io::Result<()> {
    let address = address.parse().map_err(io::Error::other)?;
    (contestant(name)?.serve)(address, number(bytes), number(threads))
}

fn serve_http(name: &str, address: &str, threads: &str) -> io::Result<()> {
    let address = address.parse().map_err(io::Error::other)?;
    let serve = contestant(name)?.serve_http;
    let serve = serve.ok_or_else(|| io::Error::other(format!("`{name}` has no adapter")))?;
    serve(address, number(threads))
}

/// Reads twice, and prints the cost of the second pass.
fn read(name: &str, path: &str, bytes: &str, tasks: &str, count: &str) -> io::Result<()> {
    let (bytes, tasks, count) = (number(bytes), number(tasks), number(count));
    let reads = Reads {
        path: path.into(),
        size: FILE_SIZE,
        bytes,
        tasks,
        count,
    };
    let run = contestant(name)?.read;
    run(Reads {
        count: 1,
        ..reads.clone()
    })?;
    let (start, before) = (Instant::now(), own_processor_time());
    run(reads)?;
    let (elapsed, processor) = (start.elapsed(), own_processor_time() - before);
    println!("{} {}", elapsed.as_nanos(), processor.as_nanos());
    Ok(())
}

/// Returns the processor time of this process, with the threads that have ended.
fn own_processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn compare(rounds: usize, filter: &str) -> io::Result<()> {
    let file = TestFile::create()?;
    println!("| row | contestant | time | processor time |\n| --- | --- | ---: | ---: |");
    for row in ROWS.iter().filter(|row| row.name().contains(filter)) {
        let line = |contestant: &Contestant| Line {
            row: row.name(),
            contestant: contestant.name,
            costs: Vec::new(),
        };
        let mut lines: Vec<Line> = ALL.iter().map(line).collect();
        for round in 0..rounds {
            for place in 0..ALL.len() {
                let place = (place + round) % ALL.len();
                match run(row, &ALL[place], &file.0) {
                    Ok(cost) => lines[place].costs.push(cost),
                    Err(error) => eprintln!("{}, {}: {error}", row.name(), ALL[place].name),
                }
            }
        }
        lines.iter().for_each(|line| println!("{line}"));
    }
    Ok(())
}

fn run(row: &Row, contestant: &Contestant, file: &Path) -> io::Result<Cost> {
    match *row {
        Row::Echo {
            connections,
            bytes,
            threads,
        } => echo(contestant, connections, bytes, threads),
        Row::Http {
            connections,
            threads,
        } => http(contestant, connections, threads),
        Row::Read {
            bytes,
            tasks,
            count,
        } => {
            let numbers = [bytes, tasks, count].map(|number| number.to_string());
            let output = command()?
                .arg("read")
                .arg(contestant.name)
                .arg(file)
                .args(numbers)
                .output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            let mut nanoseconds = text
                .split_whitespace()
                .map(|word| Duration::from_nanos(number(word) as u64));
            let (Some(elapsed), Some(processor)) = (nanoseconds.next(), nanoseconds.next()) else {
                return Err(io::Error::other(
                    String::from_utf8_lossy(&output.stderr).into_owned(),
                ));
            };
            Ok(Cost { elapsed, processor }.per((tasks * count) as u64))
        }
    }
}

fn echo(
    contestant: &Contestant,
    connections: usize,
    bytes: usize,
    threads: usize,
) -> io::Result<Cost> {
    let numbers = [bytes, threads].map(|number| number.to_string());
    let server = Server::start("serve", contestant.name, &numbers)?;
    let message = vec![7; bytes];
    let client = Client::connect(server.address, connections, &message, bytes)?;
    load(&server, client)
}

fn http(contestant: &Contestant, connections: usize, threads: usize) -> io::Result<Cost> {
    if contestant.serve_http.is_none() {
        return Err(io::Error::other("it has no adapter for hyper"));
    }
    let server = Server::start("http", contestant.name, &[threads.to_string()])?;
    let answer = length_of_answer(server.address, REQUEST, BODY)?;
    let client = Client::connect(server.address, connections, REQUEST, answer)?;
    load(&server, client)
}

/// Returns the cost of a round trip.
fn load(server: &Server, mut client: Client) -> io::Result<Cost> {
    client.run(WARM_UP)?;
    let (start, before) = (Instant::now(), processor_time::of(server.process.id()));
    let trips = client.run(MEASURED)?;
    let processor = processor_time::of(server.process.id()) - before;
    Ok(Cost {
        elapsed: start.elapsed(),
        processor,
    }
    .per(trips.max(1)))
}

fn command() -> io::Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}

/// The process of a server, which ends with this value.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(service: &str, name: &str, numbers: &[String]) -> io::Result<Self> {
        let address = free_address()?;
        let mut command = command()?;
        command.args([service, name, &address.to_string()]);
        let mut server = Self {
            process: command.args(numbers).spawn()?,
            address,
        };
        let limit = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(address).is_err() {
            if server.process.try_wait()?.is_some() || Instant::now() > limit {
                return Err(io::Error::other("the server did not start"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if the process has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

/// A file that exists as long as this value.
struct TestFile(PathBuf);

impl TestFile {
    fn create() -> io::Result<Self> {
        let file = Self(std::env::temp_dir().join(format!("peers-{}", std::process::id())));
        let block: Vec<u8> = (0..1 << 20).map(|n: u32| n as u8).collect();
        let mut out = std::fs::File::create(&file.0)?;
        (0..FILE_SIZE >> 20).try_for_each(|_| out.write_all(&block))?;
        Ok(file)
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
