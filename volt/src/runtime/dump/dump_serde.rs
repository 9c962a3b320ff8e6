//! `Serialize` for dumps.

use serde::{Serialize, Serializer};

use super::dump::{Dump, lifecycle};
use crate::machine::State;
use crate::task::TaskInfo;

impl Serialize for Dump {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.tasks().iter().map(|task| Task::of(self, task)))
    }
}

#[derive(Serialize)]
struct Task<'a> {
    id: String,
    name: Option<&'a str>,
    spawned_at: Place,
    lifecycle: &'static str,
    worker: Option<usize>,
    thread: Option<&'a str>,
    polls: u32,
    milliseconds_since: u128,
    blocking: bool,
    waits_for: Vec<String>,
    cancelled: bool,
    shield: u16,
    orphaned: bool,
    wakers: Option<u64>,
    future: &'static str,
    future_size: usize,
    position: Vec<Position>,
    within: Vec<Vec<Position>>,
}

#[derive(Serialize)]
struct Position {
    machine: &'static str,
    state: &'static str,
    at: Place,
}

#[derive(Serialize)]
struct Place {
    file: &'static str,
    line: u32,
    column: u32,
}

impl<'a> Task<'a> {
    fn of(dump: &Dump, task: &'a TaskInfo) -> Self {
        let spawn = task.location;
        Self {
            id: task.id.to_string(),
            name: task.name.as_deref(),
            spawned_at: Place {
                file: spawn.file(),
                line: spawn.line(),
                column: spawn.column(),
            },
            lifecycle: lifecycle(task),
            worker: task.worker,
            thread: task.thread.as_deref(),
            polls: task.polls,
            milliseconds_since: dump.time_since(task).as_millis(),
            blocking: task.blocking,
            waits_for: task.waits_for.iter().map(ToString::to_string).collect(),
            cancelled: task.cancelled,
            shield: task.shield,
            orphaned: task.orphaned,
            wakers: task.wakers,
            future: task.type_name,
            future_size: task.future_size,
            position: Position::all(&task.position),
            within: task
                .within
                .iter()
                .map(|states| Position::all(states))
                .collect(),
        }
    }
}

impl Position {
    fn all(states: &[&'static State]) -> Vec<Self> {
        states.iter().map(|state| Self::of(state)).collect()
    }

    fn of(state: &'static State) -> Self {
        Self {
            machine: state.machine,
            state: state.name,
            at: Place {
                file: state.file,
                line: state.line,
                column: state.column,
            },
        }
    }
}
