//! `PollingThread`: a thread in a long poll or blocking job, as the system sees it.

use std::fmt;
use std::time::{Duration, Instant};

use crate::scheduler::SchedulerHandle;
use crate::task::{Lifecycle, TaskId, TaskInfo};

/// The shortest poll whose thread is inspected. Most polls end before a reader could use the
/// result.
const LONG: Duration = Duration::from_millis(20);

/// The shortest poll of which a dump takes several backtraces.
const ENDLESS: Duration = Duration::from_millis(500);

/// The number of further backtraces of such a poll.
const FURTHER_BACKTRACES: usize = 20;

/// The time after which no further backtrace is taken. On a busy machine, a thread may answer each
/// request late.
const FURTHER_TIME: Duration = Duration::from_millis(400);

/// The time before each of them.
const INTERVAL: Duration = Duration::from_millis(1);

/// A thread that is in one poll or blocking job for at least 20 milliseconds, in a
/// [`Dump`](crate::runtime::Dump).
///
/// A dump has the threads of the 16 blocking jobs that have run for the longest time.
/// The activity of the thread separates two kinds of slow polls: code that computes is
/// [`Running`](ThreadActivity::Running), and code that blocks its worker is
/// [`Blocked`](ThreadActivity::Blocked), for example in the lock of a mutex.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PollingThread {
    /// The task that is polled, or the job.
    pub task: TaskId,
    /// The index of the worker, or `None` for a blocking job.
    pub worker: Option<usize>,
    /// The id of the thread in the system, as debuggers and `top -H` show it. Known on Linux.
    pub thread_id: Option<u32>,
    /// The activity of the thread when the dump was taken. Known on Linux.
    pub activity: Option<ThreadActivity>,
    /// The address at which the thread waits in the system call futex. Threads that wait for one
    /// lock have equal addresses.
    pub(super) futex: Option<usize>,
    /// The addresses of the functions that are active on the thread, the innermost first.
    #[cfg_attr(
        not(feature = "inspect"),
        expect(dead_code, reason = "only the feature finds their names")
    )]
    pub(super) addresses: Vec<usize>,
    /// Later backtraces of the same poll, if it has lasted for long and the thread computes.
    #[cfg_attr(
        not(feature = "inspect"),
        expect(dead_code, reason = "only the feature finds their names")
    )]
    pub(super) further_addresses: Vec<Vec<usize>>,
    /// The type of the future or closure.
    #[cfg_attr(
        not(feature = "inspect"),
        expect(dead_code, reason = "only the feature finds their names")
    )]
    pub(super) type_name: &'static str,
    /// The file of the spawn.
    #[cfg_attr(
        not(feature = "inspect"),
        expect(dead_code, reason = "only the feature finds their names")
    )]
    pub(super) spawned_in: &'static str,
}

/// The activity of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThreadActivity {
    /// The thread computes, or is ready to.
    Running,
    /// The thread waits in the kernel.
    Blocked {
        /// The system call in which it waits: its name, or its number. `None` if the system does
        /// not show it.
        system_call: Option<String>,
        /// The function of the kernel in which it waits. `None` if the system does not show it.
        wait_channel: Option<String>,
    },
}

/// Inspects the thread of a task that a worker has polled for a long time, or of a job that has run
/// for a long time on the thread with this id.
pub(super) fn inspect_thread(
    scheduler: &SchedulerHandle,
    task: &TaskInfo,
    job_thread: Option<u32>,
    running_for: Duration,
) -> Option<PollingThread> {
    if task.lifecycle != Lifecycle::Running || running_for < LONG {
        return None;
    }
    let worker = task.worker.map(usize::from);
    let thread_id = match worker {
        Some(worker) => scheduler.thread_id_of(worker),
        None => Some(job_thread?),
    };
    // The signal of a backtrace changes the activity.
    let (activity, futex) = thread_id.and_then(activity_of).unzip();
    let backtrace = || thread_id.map_or_else(Vec::new, |id| scheduler.backtrace_of(id));
    let progress = || Some(*scheduler.progress().get(worker?)?);
    let before = progress().filter(|before| before.running == Some(task.id));
    let addresses = backtrace();
    let is_endless = running_for >= ENDLESS && activity == Some(ThreadActivity::Running);
    let mut further_addresses = Vec::new();
    if is_endless && before.is_some() && !addresses.is_empty() {
        further_addresses = further_backtraces(backtrace);
        // The poll may have ended meanwhile.
        if progress() != before {
            further_addresses.clear();
        }
    }
    Some(PollingThread {
        task: task.id,
        worker,
        thread_id,
        activity,
        futex: futex.flatten(),
        addresses,
        further_addresses,
        type_name: task.type_name,
        spawned_in: task.location.file(),
    })
}

/// Takes several backtraces, one after another.
fn further_backtraces(backtrace: impl Fn() -> Vec<usize>) -> Vec<Vec<usize>> {
    let end = Instant::now() + FURTHER_TIME;
    let mut further = Vec::with_capacity(FURTHER_BACKTRACES);
    while further.len() < FURTHER_BACKTRACES && Instant::now() < end {
        std::thread::sleep(INTERVAL);
        further.push(backtrace());
    }
    further
}

/// Returns the activity of a thread, and the address at which it waits in the system call futex.
#[cfg(target_os = "linux")]
fn activity_of(thread_id: u32) -> Option<(ThreadActivity, Option<usize>)> {
    let read = |file| std::fs::read_to_string(format!("/proc/self/task/{thread_id}/{file}")).ok();
    if is_running(&read("stat")?)? {
        return Some((ThreadActivity::Running, None));
    }
    let wait_channel = read("wchan").filter(|name| !name.is_empty() && name != "0");
    let call = read("syscall");
    let futex = call.as_deref().and_then(futex);
    let system_call = call.as_deref().and_then(system_call);
    let blocked = ThreadActivity::Blocked {
        system_call,
        wait_channel,
    };
    Some((blocked, futex))
}

#[cfg(not(target_os = "linux"))]
fn activity_of(_thread_id: u32) -> Option<(ThreadActivity, Option<usize>)> {
    None
}

/// Reads the state of `/proc/../stat`. It follows the name of the thread, which is in parentheses
/// and may contain any byte.
#[cfg(target_os = "linux")]
fn is_running(stat: &str) -> Option<bool> {
    let (_, rest) = stat.rsplit_once(')')?;
    Some(rest.trim_start().starts_with('R'))
}

/// Reads `/proc/../syscall`: the number of the call and its arguments, or `running`.
#[cfg(target_os = "linux")]
fn system_call(text: &str) -> Option<String> {
    let number: libc::c_long = text.split_whitespace().next()?.parse().ok()?;
    let known = BLOCKING_CALLS.iter().find(|(known, _)| *known == number);
    Some(known.map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned()))
}

/// Returns the address at which a thread waits in the system call futex, from `/proc/../syscall`.
#[cfg(target_os = "linux")]
fn futex(text: &str) -> Option<usize> {
    let mut words = text.split_whitespace();
    let number: libc::c_long = words.next()?.parse().ok()?;
    let address = words.next().filter(|_| number == libc::SYS_futex)?;
    usize::from_str_radix(address.strip_prefix("0x")?, 16).ok()
}

/// The calls in which threads usually wait.
#[cfg(target_os = "linux")]
const BLOCKING_CALLS: &[(libc::c_long, &str)] = &[
    (libc::SYS_futex, "futex"),
    (libc::SYS_clock_nanosleep, "clock_nanosleep"),
    (libc::SYS_nanosleep, "nanosleep"),
    (libc::SYS_read, "read"),
    (libc::SYS_write, "write"),
    (libc::SYS_recvfrom, "recvfrom"),
    (libc::SYS_recvmsg, "recvmsg"),
    (libc::SYS_sendto, "sendto"),
    (libc::SYS_connect, "connect"),
    (libc::SYS_accept4, "accept4"),
    (libc::SYS_ppoll, "ppoll"),
    (libc::SYS_epoll_pwait, "epoll_pwait"),
    (libc::SYS_flock, "flock"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_wait4, "wait4"),
    (libc::SYS_waitid, "waitid"),
];

impl fmt::Display for PollingThread {
    /// Writes `thread 4711 is blocked in the system call futex (futex_wait_queue)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.thread_id, self.worker) {
            (Some(id), _) => write!(f, "thread {id}")?,
            (None, Some(worker)) => write!(f, "thread of worker {worker}")?,
            (None, None) => f.write_str("its thread")?,
        }
        match &self.activity {
            None => f.write_str(" polls it"),
            Some(ThreadActivity::Running) => f.write_str(" computes"),
            Some(ThreadActivity::Blocked {
                system_call,
                wait_channel,
            }) => {
                f.write_str(" is blocked")?;
                if let Some(call) = system_call {
                    write!(f, " in the system call {call}")?;
                }
                if let Some(channel) = wait_channel {
                    write!(f, " ({channel})")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{futex, is_running, system_call};

    #[test]
    fn state_follows_any_thread_name() {
        assert_eq!(is_running("17 (volt-worker-0) R 1 2"), Some(true));
        assert_eq!(is_running("17 (a) R (b) S 1 2"), Some(false));
        assert_eq!(is_running("17"), None);
    }

    #[test]
    fn system_call_has_its_name() {
        let futex = format!("{} 0x1 0x2", libc::SYS_futex);
        assert_eq!(system_call(&futex).as_deref(), Some("futex"));
        assert_eq!(system_call("9999 0x1").as_deref(), Some("9999"));
        assert_eq!(system_call("running\n"), None);
    }

    #[test]
    fn futex_has_its_address() {
        let call = |number: libc::c_long| format!("{number} 0x7f12 0x80 0x2 0x0");
        assert_eq!(futex(&call(libc::SYS_futex)), Some(0x7f12));
        assert_eq!(futex(&call(libc::SYS_read)), None);
        assert_eq!(futex("running\n"), None);
    }
}
