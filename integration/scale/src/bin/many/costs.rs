//! The costs of a piece: processor time and resident memory of this process.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The sums of a process at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    time: Duration,
    bytes: u64,
}

impl Moment {
    /// Returns the sums up to now.
    pub(crate) fn now() -> Self {
        let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("the clock exists");
        Self {
            time: time.into(),
            bytes: resident_bytes(),
        }
    }

    /// Returns the processor time since an earlier moment, in nanoseconds a piece.
    pub(crate) fn nanos_since(self, earlier: Self, pieces: usize) -> f64 {
        (self.time - earlier.time).as_nanos() as f64 / pieces as f64
    }

    /// Returns the growth of the resident memory since an earlier moment, in bytes a piece.
    pub(crate) fn bytes_since(self, earlier: Self, pieces: usize) -> f64 {
        self.bytes.saturating_sub(earlier.bytes) as f64 / pieces as f64
    }
}

fn resident_bytes() -> u64 {
    bytes_of_line("/proc/self/status", "VmRSS:")
}

/// Returns the slab memory of the kernel, in which sockets, files and items of epoll are.
pub(crate) fn kernel_bytes() -> u64 {
    bytes_of_line("/proc/meminfo", "Slab:")
}

fn bytes_of_line(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(file).expect("it is readable");
    let line = text.lines().find(|line| line.starts_with(name));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.expect("the line has a number") * 1024
}
