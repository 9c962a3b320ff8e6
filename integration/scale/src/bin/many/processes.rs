//! The processes of one count. A limit of descriptors is one of a process, so many connections
//! need several processes with a runtime each.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::costs::kernel_bytes;

/// The line of a process whose pieces all wait.
const WAITING: &str = "waiting";

/// Costs a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    /// Growth of the resident memory of the processes.
    pub(crate) bytes: f64,
    /// Growth of the kernel's slab memory, of which clients and other programs are a part.
    pub(crate) kernel_bytes: f64,
    /// Processor time of the begin, in nanoseconds.
    pub(crate) begin: f64,
    /// Processor time of the end, in nanoseconds.
    pub(crate) end: f64,
}

/// A process that counts a part of the pieces.
#[derive(Debug)]
struct Part {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pieces: usize,
}

/// Reports that all pieces wait, and returns when the pieces of all processes do.
pub(crate) fn await_other_parts() {
    println!("{WAITING}");
    std::io::stdin()
        .read_line(&mut String::new())
        .expect("the parent is there");
}

/// Counts with as many processes as the limit of pieces for each requires.
pub(crate) fn count(runtime: &str, row: &str, pieces: usize, limit: usize) -> Figures {
    let before = kernel_bytes();
    let mut parts: Vec<_> = sizes(pieces, limit)
        .map(|pieces| Part::start(runtime, row, pieces))
        .collect();
    parts.iter_mut().for_each(Part::await_begin);
    let growth = kernel_bytes().saturating_sub(before);
    parts.iter_mut().for_each(Part::begin_end);
    let mut sums = [0.0; 3];
    for part in &mut parts {
        let figures = part.figures();
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure * part.pieces as f64;
        }
    }
    let [bytes, begin, end] = sums.map(|sum| sum / pieces as f64);
    let kernel_bytes = growth as f64 / pieces as f64;
    Figures {
        bytes,
        kernel_bytes,
        begin,
        end,
    }
}

/// Returns the pieces of each process, which differ by one at most.
pub(crate) fn sizes(pieces: usize, limit: usize) -> impl Iterator<Item = usize> {
    let parts = pieces.div_ceil(limit);
    (0..parts).map(move |part| pieces * (part + 1) / parts - pieces * part / parts)
}

impl Part {
    fn start(runtime: &str, row: &str, pieces: usize) -> Self {
        let program = std::env::current_exe().expect("the program has a path");
        let mut command = Command::new(program);
        command.args(["count", runtime, row, &pieces.to_string()]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        Self {
            input: child.stdin.take().expect("it is piped"),
            output: BufReader::new(child.stdout.take().expect("it is piped")),
            child,
            pieces,
        }
    }

    fn await_begin(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it is text");
        assert_eq!(line.trim_end(), WAITING, "a process ended");
    }

    fn begin_end(&mut self) {
        writeln!(self.input, "go").expect("the process reads");
    }

    /// Returns bytes, begin and end when the process has ended.
    fn figures(&mut self) -> [f64; 3] {
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("it is text");
        self.child.wait().expect("it is a child");
        let words = text.split_whitespace();
        let figures: Vec<f64> = words
            .map(|word| word.parse().expect("it is a number"))
            .collect();
        figures.try_into().expect("a process prints three figures")
    }
}
