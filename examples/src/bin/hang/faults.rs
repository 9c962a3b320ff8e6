//! The list of faults, in the order of the book's pages.

use volt::Runtime;

use crate::{locks, waits, wakers, workers};

/// A program with one fault.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// The number of workers of its runtime.
    pub(crate) workers: usize,
    /// `true` if all tasks wait for ever after a few polls.
    pub(crate) is_quick: bool,
    pub(crate) begin: fn(&Runtime),
}

const fn quick(name: &'static str, title: &'static str, begin: fn(&Runtime)) -> Fault {
    Fault {
        is_quick: true,
        ..slow(name, title, begin)
    }
}

const fn slow(name: &'static str, title: &'static str, begin: fn(&Runtime)) -> Fault {
    Fault {
        name,
        title,
        workers: 2,
        is_quick: false,
        begin,
    }
}

pub(crate) const ALL: [Fault; 16] = [
    quick("forgotten", "a forgotten waker", wakers::forgotten::begin),
    quick(
        "own-lock",
        "a lock that its owner requests again",
        locks::own_lock::begin,
    ),
    quick(
        "cancelled",
        "a cancelled task that does not end",
        waits::cancelled::begin,
    ),
    quick("lost", "a lost message", wakers::lost::begin),
    slow(
        "crossed-locks",
        "two locks in opposite order",
        locks::crossed::begin,
    ),
    slow(
        "held-guard",
        "a lock that is held across an await",
        locks::held_guard::begin,
    ),
    slow(
        "held-future",
        "a future that is held and not polled",
        locks::held_future::begin,
    ),
    slow(
        "held-group",
        "a group of futures that is not polled",
        locks::held_group::begin,
    ),
    slow("cycle", "tasks that await each other", waits::cycle::begin),
    slow(
        "blocking-lock",
        "a blocking lock in async code",
        workers::blocking_lock::begin,
    ),
    Fault {
        workers: 1,
        ..slow(
            "endless-loop",
            "a loop that never ends",
            workers::endless_loop::begin,
        )
    },
    slow(
        "slow-polls",
        "one poll in a hundred is slow",
        workers::slow_polls::begin,
    ),
    slow("leak", "tasks that are never released", wakers::leak::begin),
    slow(
        "far-timer",
        "a timer that is far away",
        waits::far_timer::begin,
    ),
    slow(
        "missing-reply",
        "a request that is not answered",
        waits::missing_reply::begin,
    ),
    slow(
        "silent-peer",
        "a peer that does not answer",
        waits::silent_peer::begin,
    ),
];

pub(crate) fn find(name: &str) -> Option<&'static Fault> {
    ALL.iter().find(|fault| fault.name == name)
}
