//! The traced process: its start, its memory, and the stops of its threads.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// The longest time from the start of a subject to its first mark.
const START: Duration = Duration::from_secs(60);

/// The memory of the process.
#[derive(Debug)]
pub(super) struct Memory(File);

impl Memory {
    /// Reads from an address, and returns the number of bytes that could be read.
    pub(super) fn read(&self, address: u64, bytes: &mut [u8]) -> usize {
        self.0
            .read_at(bytes, address)
            .expect("the address is mapped")
    }

    /// Reads a word.
    pub(super) fn word(&self, address: u64) -> u64 {
        let mut bytes = [0; 8];
        assert_eq!(self.read(address, &mut bytes), 8);
        u64::from_ne_bytes(bytes)
    }

    /// Writes a word.
    pub(super) fn set_word(&self, address: u64, word: u64) {
        self.0
            .write_all_at(&word.to_ne_bytes(), address)
            .expect("the address is mapped");
    }
}

/// A subject whose threads are all stopped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    pub(super) memory: Memory,
    /// The address of the function that each operation of the subject calls.
    pub(super) operation: u64,
    /// The address at which the program is mapped.
    pub(super) base: u64,
    /// The code of the kernel that reads the clock.
    pub(super) clock: Range<u64>,
    pub(super) threads: Vec<Pid>,
}

impl Process {
    /// Starts a subject and lets it run until its first mark.
    pub(super) fn start(arguments: &[String]) -> Self {
        let program = std::env::current_exe().expect("the program has a path");
        let mut command = Command::new(program);
        command
            .arg("subject")
            .args(arguments)
            .env("LD_BIND_NOW", "1");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let process = Pid::from_raw(child.id() as i32);
        let options = Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL;
        ptrace::seize(process, options).expect("a child can be traced");
        let operation = release(&mut child);
        let path = format!("/proc/{process}/mem");
        let memory = OpenOptions::new().read(true).write(true).open(path);
        let memory = Memory(memory.expect("the memory of a traced process can be opened"));
        let clock = mapping(process, "[vdso]");
        let path = std::env::current_exe().expect("the program has a path");
        let base = mapping(process, &path.to_string_lossy()).start;
        let mut started = Self {
            child,
            memory,
            operation,
            base,
            clock,
            threads: vec![process],
        };
        started.run_to_mark();
        started
    }

    /// Runs all threads until one of them sends `SIGUSR1`, and then stops the others.
    fn run_to_mark(&mut self) {
        let begin = Instant::now();
        let flags = WaitPidFlag::__WALL | WaitPidFlag::WNOHANG;
        let marked = loop {
            match waitpid(None, Some(flags)).expect("there are threads") {
                WaitStatus::StillAlive => {
                    assert!(
                        begin.elapsed() < START,
                        "the subject does not reach its mark"
                    );
                    std::thread::sleep(Duration::from_millis(1));
                }
                WaitStatus::Stopped(thread, Signal::SIGUSR1) => break thread,
                WaitStatus::PtraceEvent(parent, _, libc::PTRACE_EVENT_CLONE) => {
                    self.add_child(parent);
                    ptrace::cont(parent, None).expect("the thread is stopped");
                }
                WaitStatus::Stopped(thread, _) | WaitStatus::PtraceEvent(thread, ..) => {
                    self.add_thread(thread);
                    ptrace::cont(thread, None).expect("the thread is stopped");
                }
                other => panic!("the subject ended before its mark: {other:?}"),
            }
        };
        for &thread in self.threads.iter().filter(|&&thread| thread != marked) {
            ptrace::interrupt(thread).expect("the thread is traced");
            waitpid(thread, Some(WaitPidFlag::__WALL)).expect("the thread stops");
        }
    }

    /// Adds the thread that another one begins. Its first stop may be later than the mark.
    fn add_child(&mut self, parent: Pid) {
        let child = ptrace::getevent(parent).expect("the event has a thread");
        self.add_thread(Pid::from_raw(child as i32));
    }

    /// Adds a thread, unless it is known.
    pub(super) fn add_thread(&mut self, thread: Pid) {
        if !self.threads.contains(&thread) {
            self.threads.push(thread);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().expect("the process exists");
        while waitpid(None, Some(WaitPidFlag::__WALL)).is_ok() {}
    }
}

/// Lets the subject begin, and returns the address that it prints.
fn release(child: &mut Child) -> u64 {
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(b"\n").expect("the subject reads");
    let mut line = String::new();
    let output = child.stdout.take().expect("it is piped");
    BufReader::new(output)
        .read_line(&mut line)
        .expect("the subject prints a line");
    line.trim().parse().expect("the line is an address")
}

/// Returns the addresses of the first mapping whose line ends with this name.
fn mapping(process: Pid, name: &str) -> Range<u64> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).expect("it is readable");
    let line = maps
        .lines()
        .find(|line| line.ends_with(name))
        .expect("the kernel maps it");
    let (begin, rest) = line.split_once('-').expect("a range is first");
    let (end, _) = rest.split_once(' ').expect("a blank is after the range");
    let parse = |text| u64::from_str_radix(text, 16).expect("it is hexadecimal");
    parse(begin)..parse(end)
}
