//! Backtraces of other threads, by a signal.
//!
//! A requester sends `SIGURG` to a thread. The handler on that thread stores the addresses of the
//! active functions in a static array, and the requester copies them and finds their names. There
//! is one request at a time.
//!
//! ```text
//!                requester                 handler
//! idle ──► requested(thread) ──► writing(thread) ──► done(thread) ──► idle
//!               │ time limit                                           ▲
//!               └──────────────────────────────────────────────────────┘
//! ```
//!
//! The word of the state contains the thread. So a signal that arrives after the time limit of its
//! request never answers a request for another thread.
//!
//! The handler calls only functions that are safe in a signal handler: it takes no lock, and
//! allocates nothing. The unwinder of the system reads the list of loaded libraries. On systems
//! with glibc before 2.35 it takes a recursive lock for that, which `dlopen` holds as well.

use std::io;
use std::mem;
use std::ptr;
use std::time::{Duration, Instant};

use crate::loom::PerProcess;
use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::loom::sync::atomic::{AtomicU64, AtomicUsize};
use crate::loom::thread;

/// The signal. By default a process ignores it, so a late signal does no harm.
const SIGNAL: libc::c_int = libc::SIGURG;

/// The number of functions that a backtrace has at most. The outermost ones are left out.
const MAX_FRAMES: usize = 128;

/// The time after which a request ends without an answer.
const LIMIT: Duration = Duration::from_millis(100);

const IDLE: u64 = 0;
const REQUESTED: u64 = 1;
const WRITING: u64 = 2;
const DONE: u64 = 3;

/// The state of the request in the upper half and the thread in the lower half.
static STATE: AtomicU64 = AtomicU64::new(IDLE);
static FRAMES: [AtomicUsize; MAX_FRAMES] = [const { AtomicUsize::new(0) }; MAX_FRAMES];
static LEN: AtomicUsize = AtomicUsize::new(0);

/// Held during a request.
static REQUEST: PerProcess<()> = PerProcess::new();

/// `true` if the handler is installed.
static INSTALLED: PerProcess<bool> = PerProcess::new();

fn word(state: u64, thread: u32) -> u64 {
    state << 32 | u64::from(thread)
}

/// Installs the handler of the signal.
///
/// # Errors
///
/// Returns an error if the process has another handler of the signal.
pub(crate) fn install_backtrace_handler() -> io::Result<()> {
    let mut is_installed = INSTALLED.lock();
    // SAFETY: an all-zero `sigaction` is valid: the default action, an empty mask and no flags.
    let (mut before, mut action): (libc::sigaction, libc::sigaction) = unsafe { mem::zeroed() };
    // SAFETY: both pointers are null or valid.
    if unsafe { libc::sigaction(SIGNAL, ptr::null(), &raw mut before) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let handler: Handler = store_backtrace;
    let handler = handler as libc::sighandler_t;
    let is_free = [libc::SIG_DFL, libc::SIG_IGN, handler].contains(&before.sa_sigaction);
    if !is_free {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "another handler of the signal SIGURG exists, which backtraces of long polls need",
        ));
    }
    action.sa_sigaction = handler;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
    // SAFETY: the handler is safe to call in a signal, and has the type for `SA_SIGINFO`.
    if unsafe { libc::sigaction(SIGNAL, &raw const action, ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    *is_installed = true;
    Ok(())
}

type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

/// The handler of the signal.
extern "C" fn store_backtrace(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the pointer is valid on each thread.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    // SAFETY: the call has no arguments.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) } as u32;
    let (requested, writing) = (word(REQUESTED, thread), word(WRITING, thread));
    // ORDERING: Acquire, pairs with the Release of `thread_backtrace`.
    if STATE
        .compare_exchange(requested, writing, Acquire, Relaxed)
        .is_ok()
    {
        let interrupted = interrupted_address(context.cast());
        if store_frames(interrupted) == 0 {
            store_frames(None);
        }
        // ORDERING: Release: the requester reads the frames after it has seen this state.
        STATE.store(word(DONE, thread), Release);
    }
    // SAFETY: as above.
    unsafe { *errno = before };
}

/// Returns the address of the instruction that the signal has interrupted, where it is known.
fn interrupted_address(context: *const libc::ucontext_t) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the system passes a valid context to the handler.
    return Some(unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] } as usize);
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the system passes a valid context to the handler.
    return Some(unsafe { (*context).uc_mcontext.pc } as usize);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = context;
        None
    }
}

/// Stores the addresses of the active functions, from the interrupted one on. Returns their number,
/// which is zero if the interrupted one is not among them.
fn store_frames(interrupted: Option<usize>) -> usize {
    let (mut len, mut is_handler) = (0, interrupted.is_some());
    let store = |frame: &backtrace::Frame| {
        let address = frame.ip().addr();
        is_handler &= interrupted != Some(address);
        if is_handler {
            return true;
        }
        let Some(slot) = FRAMES.get(len) else {
            return false;
        };
        slot.store(address, Relaxed);
        len += 1;
        true
    };
    // SAFETY: the function must not run on two threads at once without the lock of its crate. The
    // lock protects functions that find names; the unwinder of the system needs none.
    unsafe { backtrace::trace_unsynchronized(store) };
    LEN.store(len, Relaxed);
    len
}

/// Returns the addresses of the functions that are active on a thread of this process, the
/// innermost first. The list is empty if the thread does not answer within 100 milliseconds.
pub(in crate::scheduler) fn thread_backtrace(thread: u32) -> Vec<usize> {
    if !*INSTALLED.lock() {
        return Vec::new();
    }
    let _one_request = REQUEST.lock();
    let requested = word(REQUESTED, thread);
    // ORDERING: Release, pairs with the Acquire of the handler. A handler that has not returned
    // since the last request keeps the array.
    let began = STATE.compare_exchange(IDLE, requested, Release, Relaxed);
    if began.is_err() || !send_signal(thread) {
        let _ = STATE.compare_exchange(requested, IDLE, Relaxed, Relaxed);
        return Vec::new();
    }
    let begin = Instant::now();
    // ORDERING: Acquire, pairs with the Release of the handler.
    while STATE.load(Acquire) != word(DONE, thread) {
        let is_late = begin.elapsed() > LIMIT;
        let ends = || STATE.compare_exchange(requested, IDLE, Relaxed, Relaxed);
        if is_late && (ends().is_ok() || begin.elapsed() > 2 * LIMIT) {
            return Vec::new();
        }
        thread::yield_now();
    }
    let frames = FRAMES.iter().take(LEN.load(Relaxed));
    let frames = frames.map(|frame| frame.load(Relaxed)).collect();
    STATE.store(IDLE, Relaxed);
    frames
}

/// Sends the signal to a thread of this process. Returns `false` if there is no such thread.
fn send_signal(thread: u32) -> bool {
    let process = std::process::id() as libc::pid_t;
    let thread = thread as libc::pid_t;
    // SAFETY: the call reads no memory.
    unsafe { libc::syscall(libc::SYS_tgkill, process, thread, SIGNAL) == 0 }
}
