//! The log of events, and the panic at one of them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use super::script::Script;

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    what: Cow<'static, str>,
    id: u32,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.what, self.id)
    }
}

/// The longest log that is compared; a function with more events is stopped by a panic.
const MOST_EVENTS: usize = 400;

struct Show {
    log: Vec<Event>,
    strikes: u32,
    /// The number of the event that panics.
    strike_at: Option<u32>,
    script: Script,
    size: usize,
    instead: bool,
    is_muted: bool,
}

thread_local! {
    static SHOW: RefCell<Show> = RefCell::new(Show {
        log: Vec::new(),
        strikes: 0,
        strike_at: None,
        script: Script::new(0),
        size: 0,
        instead: false,
        is_muted: false,
    });
}

/// The record of a run.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) log: Vec<Event>,
    /// The number of events that could have panicked.
    pub(crate) strikes: u32,
    /// The size of the future.
    pub(crate) size: usize,
    /// `true` if it stores the compiler's coroutine instead of larger fields.
    pub(crate) instead: bool,
}

/// Resets the log for a run.
pub(crate) fn open(script: u64, strike_at: Option<u32>) {
    SHOW.with_borrow_mut(|show| {
        show.log.clear();
        show.strikes = 0;
        show.strike_at = strike_at;
        show.script = Script::new(script);
        show.size = 0;
        show.instead = false;
    });
}

/// Returns the record of the run.
pub(crate) fn close() -> Record {
    SHOW.with_borrow_mut(|show| Record {
        log: std::mem::take(&mut show.log),
        strikes: show.strikes,
        size: show.size,
        instead: show.instead,
    })
}

/// Notes an event, and panics if it is the one to panic at.
pub fn note(id: u32) {
    event("note", id);
}

/// Notes an event that may panic.
pub(crate) fn event(what: &'static str, id: u32) {
    let struck = SHOW.with_borrow_mut(|show| {
        show.log.push(Event {
            what: Cow::Borrowed(what),
            id,
        });
        show.strikes += 1;
        if show.strike_at == Some(show.strikes) {
            show.strike_at = None;
            return Some("struck");
        }
        (show.log.len() > MOST_EVENTS).then_some("too long")
    });
    if let Some(text) = struck {
        panic!("{text}");
    }
}

/// Notes an event that does not panic: a drop, or what the executor sees.
pub(crate) fn quiet(what: impl Into<Cow<'static, str>>, id: u32) {
    let event = Event {
        what: what.into(),
        id,
    };
    SHOW.with_borrow_mut(|show| {
        if !show.is_muted {
            show.log.push(event);
        }
    });
}

/// Drops values without an event.
pub(crate) fn muted(drop: impl FnOnce()) {
    SHOW.with_borrow_mut(|show| show.is_muted = true);
    drop();
    SHOW.with_borrow_mut(|show| show.is_muted = false);
}

/// Reads a value from the script.
pub(crate) fn ask<T>(question: impl FnOnce(&mut Script) -> T) -> T {
    SHOW.with_borrow_mut(|show| question(&mut show.script))
}

/// Notes the size of the future that is run.
pub(crate) fn measured(size: usize) {
    SHOW.with_borrow_mut(|show| show.size = size);
}

/// Notes whether the future keeps the compiler's coroutine instead of larger fields.
pub(crate) fn kept_instead(instead: bool) {
    SHOW.with_borrow_mut(|show| show.instead = instead);
}
