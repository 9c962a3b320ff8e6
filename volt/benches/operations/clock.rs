//! A clock that depends on the number of its calls alone.
//!
//! A worker reads the clock at each tick, and the time of a tick determines the length of the next
//! one. So the number of instructions would depend on the load of the machine. The function of this
//! file replaces that of the C library, because the linker prefers symbols of the program.
#![cfg(target_os = "linux")]

use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use libc::{c_int, clockid_t, timespec};

/// The time by which each call moves the clock.
const STEP: i64 = 2_000;

const SECOND: i64 = 1_000_000_000;

static NANOSECONDS: AtomicI64 = AtomicI64::new(0);

// SAFETY: The function has the signature and the contract of the C library's one.
#[unsafe(no_mangle)]
extern "C" fn clock_gettime(_: clockid_t, time: *mut timespec) -> c_int {
    // ORDERING: Relaxed: each call needs a later time, and the time publishes nothing.
    let now = SECOND + NANOSECONDS.fetch_add(STEP, Relaxed);
    let now = timespec {
        tv_sec: now / SECOND,
        tv_nsec: now % SECOND,
    };
    // SAFETY: The caller passes a pointer to memory for one `timespec`.
    unsafe { time.write(now) };
    0
}
