//! The loop that steps threads in the order of simulated time.

use std::time::{Duration, Instant};

use nix::libc::{self, user_regs_struct as Registers};
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::time::ClockId;
use nix::unistd::Pid;

use super::caches::Caches;
use super::code::Code;
use super::counts::{Counts, Step};
use super::places::{Place, Places};
use super::process::Process;
use super::system_calls::without_time;

/// The time of a transfer of a line between processors, in instructions.
const TRANSFER: u64 = 100;
/// The time of a system call that does not block.
const CALL: u64 = 600;
/// The time from the event to the first instruction of a thread that slept.
const WAKE: u64 = 6_000;
/// Instructions a nanosecond, for the clock.
const PER_NANOSECOND: u64 = 3;
/// The real time in which a call that does not block returns.
const GRACE: Duration = Duration::from_micros(300);
/// The real time after which sleeping threads are not going to wake.
const QUIET: Duration = Duration::from_millis(4);
/// The real time after which the simulation gives up.
const STUCK: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// It is stopped before an instruction.
    Ready,
    /// It sleeps in the kernel.
    Asleep,
    /// It waits until all other threads sleep.
    AwaitsSleep,
    Ended,
}

#[derive(Debug)]
struct Thread {
    id: Pid,
    mode: Mode,
    /// The simulated time of its next instruction.
    time: u64,
}

/// A subject between its marks.
#[derive(Debug)]
struct Simulation {
    process: Process,
    threads: Vec<Thread>,
    code: Code,
    caches: Caches,
    counts: Counts,
    places: Places,
    /// Simulated time, in instructions since the first stop.
    now: u64,
    /// The time of the real clock at the first stop.
    clock: Duration,
    begun_at: Option<u64>,
    finished: bool,
}

/// Runs a subject, and returns the sums and the places of transfers between its marks.
pub(crate) fn count(arguments: &[String]) -> (Counts, Places) {
    let mut simulation = Simulation::new(Process::start(arguments));
    while !simulation.finished {
        simulation.advance();
    }
    (simulation.counts, simulation.places)
}

impl Simulation {
    fn new(process: Process) -> Self {
        // A thread that was stopped within a system call repeats it with its first step.
        let asleep = |&id: &Pid| {
            ptrace::step(id, None).expect("the thread is stopped");
            Thread {
                id,
                mode: Mode::Asleep,
                time: 0,
            }
        };
        let threads = process.threads.iter().map(asleep).collect();
        Self {
            process,
            threads,
            code: Code::default(),
            caches: Caches::default(),
            counts: Counts::default(),
            places: Places::default(),
            now: 0,
            clock: ClockId::CLOCK_MONOTONIC
                .now()
                .expect("the clock exists")
                .into(),
            begun_at: None,
            finished: false,
        }
    }

    /// Executes one instruction of the thread with the earliest time.
    fn advance(&mut self) {
        self.collect_awake(Duration::ZERO);
        let Some(mut index) = self.earliest() else {
            return self.wait_for_any();
        };
        if self.threads[index].time > self.now + TRANSFER && self.any(Mode::Asleep) {
            // A thread that was just woken may still be on its way to its stop.
            self.collect_awake(GRACE);
            index = self.earliest().expect("one was ready");
        }
        self.now = self.now.max(self.threads[index].time);
        self.step(index);
    }

    fn any(&self, mode: Mode) -> bool {
        self.threads.iter().any(|thread| thread.mode == mode)
    }

    fn earliest(&self) -> Option<usize> {
        let ready = |index: &usize| self.threads[*index].mode == Mode::Ready;
        (0..self.threads.len())
            .filter(ready)
            .min_by_key(|&index| self.threads[index].time)
    }

    /// Collects the stops of threads that slept, for at least as long as given.
    fn collect_awake(&mut self, longest: Duration) -> bool {
        if !self.any(Mode::Asleep) {
            return false;
        }
        let begin = Instant::now();
        let mut collected = false;
        loop {
            for index in 0..self.threads.len() {
                collected |= self.threads[index].mode == Mode::Asleep && self.collect(index);
            }
            if begin.elapsed() >= longest {
                return collected;
            }
            std::thread::yield_now();
        }
    }

    /// Collects the stop of a thread that slept. Returns `false` if it still sleeps.
    fn collect(&mut self, index: usize) -> bool {
        let flags = WaitPidFlag::__WALL | WaitPidFlag::WNOHANG;
        match waitpid(self.threads[index].id, Some(flags)).expect("it is traced") {
            WaitStatus::StillAlive => false,
            status => {
                self.threads[index].mode = Mode::Ready;
                self.threads[index].time = self.now + WAKE;
                self.stopped(index, status);
                true
            }
        }
    }

    /// Waits while no thread is ready, and ends the wait of one that awaits the sleep of others.
    fn wait_for_any(&mut self) {
        if self.collect_awake(QUIET) {
            return;
        }
        let waiting = self
            .threads
            .iter_mut()
            .find(|thread| thread.mode == Mode::AwaitsSleep);
        if let Some(thread) = waiting {
            thread.mode = Mode::Ready;
            thread.time = self.now + 1;
            return;
        }
        let begin = Instant::now();
        while !self.collect_awake(QUIET) {
            assert!(begin.elapsed() < STUCK, "all threads of the subject sleep");
        }
    }

    fn step(&mut self, index: usize) {
        let thread = self.threads[index].id;
        let mut registers = ptrace::getregs(thread).expect("the thread is stopped");
        if self.process.clock.contains(&registers.rip) {
            return self.read_clock(index, registers);
        }
        if registers.rip == self.process.operation && self.begun_at.is_some() {
            self.counts.lines += self.caches.take_written(index);
        }
        let decoded = self.code.at(registers.rip, &self.process.memory);
        let mut step = Step::default();
        for access in decoded.accesses(&registers) {
            let transfers = if access.writes {
                self.caches.write(index, access.address)
            } else {
                self.caches.read(index, access.address)
            };
            step.transfers += u64::from(transfers);
            if transfers && self.begun_at.is_some() {
                self.places.add(Place {
                    code: registers.rip.wrapping_sub(self.process.base),
                    line: access.address & !63,
                    writes: access.writes,
                });
            }
            step.stores += u64::from(access.writes && !decoded.atomic);
        }
        step.atomics = u64::from(decoded.atomic);
        let calls = decoded.system_call;
        if self.begun_at.is_some() {
            self.counts += step;
            self.counts.calls += u64::from(calls);
        }
        self.threads[index].time = self.now + 1 + step.transfers * TRANSFER;
        if calls {
            self.call(index, &mut registers)
        } else {
            self.execute(index)
        }
    }

    /// Executes an instruction that does not block.
    fn execute(&mut self, index: usize) {
        let thread = self.threads[index].id;
        ptrace::step(thread, None).expect("the thread is stopped");
        let status = waitpid(thread, Some(WaitPidFlag::__WALL)).expect("it is traced");
        self.stopped(index, status);
    }

    fn call(&mut self, index: usize, registers: &mut Registers) {
        let thread = self.threads[index].id;
        let call = without_time(registers, &self.process.memory);
        if call.changed {
            ptrace::setregs(thread, *registers).expect("the thread is stopped");
        }
        self.threads[index].time = self.now + CALL;
        if !call.blocks {
            return self.execute(index);
        }
        ptrace::step(thread, None).expect("the thread is stopped");
        self.threads[index].mode = Mode::Asleep;
        let begin = Instant::now();
        while begin.elapsed() < GRACE {
            if self.collect(index) {
                self.threads[index].time = self.now + CALL;
                return;
            }
        }
    }

    /// Returns the simulated time from the function that the kernel provides.
    fn read_clock(&mut self, index: usize, mut registers: Registers) {
        const COST: u64 = 60;
        let memory = &self.process.memory;
        let time = self.clock + Duration::from_nanos(self.now / PER_NANOSECOND);
        assert!(registers.rdi < 12, "the function is `clock_gettime`");
        memory.set_word(registers.rsi, time.as_secs());
        memory.set_word(registers.rsi + 8, u64::from(time.subsec_nanos()));
        registers.rax = 0;
        registers.rip = memory.word(registers.rsp);
        registers.rsp += 8;
        ptrace::setregs(self.threads[index].id, registers).expect("the thread is stopped");
        self.threads[index].time = self.now + COST;
        if self.begun_at.is_some() {
            self.counts.instructions += COST;
        }
    }

    /// Handles a stop. A mark or a new thread is no progress: the thread is stepped again.
    fn stopped(&mut self, index: usize, status: WaitStatus) {
        match status {
            WaitStatus::Stopped(_, Signal::SIGUSR1) => self.threads[index].mode = Mode::AwaitsSleep,
            WaitStatus::Stopped(_, Signal::SIGUSR2) => self.mark(),
            WaitStatus::Stopped(_, Signal::SIGTRAP)
            | WaitStatus::PtraceEvent(_, _, libc::PTRACE_EVENT_STOP) => {}
            WaitStatus::PtraceEvent(thread, _, libc::PTRACE_EVENT_CLONE) => self.add(thread),
            WaitStatus::Exited(..) => self.threads[index].mode = Mode::Ended,
            other => panic!("the subject stopped with {other:?}"),
        }
    }

    fn add(&mut self, parent: Pid) {
        let id = ptrace::getevent(parent).expect("the event has a thread");
        let id = Pid::from_raw(id as i32);
        waitpid(id, Some(WaitPidFlag::__WALL)).expect("it is traced");
        self.threads.push(Thread {
            id,
            mode: Mode::Ready,
            time: self.now + WAKE,
        });
    }

    /// Begins the measured region, or ends it.
    fn mark(&mut self) {
        if let Some(begun_at) = self.begun_at {
            self.finished = true;
            self.counts.time = self.now - begun_at;
            for processor in 0..self.caches.processors() {
                self.counts.lines += self.caches.take_written(processor);
            }
        } else {
            self.begun_at = Some(self.now);
            for processor in 0..self.caches.processors() {
                self.caches.take_written(processor);
            }
        }
    }
}
