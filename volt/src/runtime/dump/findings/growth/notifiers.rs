//! The tasks that may notify the tasks of a group.

use std::fmt::Write;

use crate::machine::{Local, State};
use crate::runtime::dump::findings::channel_rules::start_states;
use crate::runtime::dump::findings::rules::{Rules, titled};
use crate::runtime::dump::place::Place;
use crate::task::{Lifecycle, TaskInfo};

/// The number of tasks that a text names because they may notify others.
const MAX_NOTIFIERS: usize = 3;

/// A type whose methods end the waits of other tasks.
struct NotifierKind {
    /// The begin of the names of the futures that wait.
    future: &'static str,
    /// The name of the type, without its path.
    name: &'static str,
    methods: &'static str,
}

const KINDS: [NotifierKind; 2] = [
    NotifierKind {
        future: "tokio::sync::notify",
        name: "Notify",
        methods: "`notify_one` wakes one of them, and `notify_waiters` only tasks that wait already, \
             so tasks that wait later stay asleep",
    },
    NotifierKind {
        future: "event_listener",
        name: "Event",
        methods: "`Event::notify(n)` wakes at most `n` of them",
    },
];

impl Rules<'_> {
    /// Returns the methods that end the waits of a group for notifications, and the tasks that may
    /// call them.
    pub(super) fn notifications_of(&self, group: usize) -> String {
        let awaited: Vec<Place> = self.grouping.awaited(group).collect();
        let is_awaited = |kind: &&NotifierKind| {
            let mut names = awaited.iter().map(|place| place.name);
            names.any(|name| name.starts_with(kind.future))
        };
        let Some(kind) = KINDS.iter().find(is_awaited) else {
            return String::new();
        };
        let mut text = String::new();
        let (of_group, others) = self.tasks_by_group(group);
        let states = of_group.first().map_or(&[][..], |task| &task.position);
        let local = states.iter().rev().find_map(|state| {
            let mut locals = state.locals.iter();
            let local = locals.find(|local| contains_word(local.ty, kind.name))?;
            Some((local, *state))
        });
        if let Some((local, state)) = local {
            text.push_str(&notifiers_of(local, state, &others));
        }
        _ = write!(text, "; {}", kind.methods);
        if of_group.iter().all(|task| task.polls == 1) {
            text.push_str("; each was polled once, so none of them has been woken");
        }
        text
    }

    /// Returns the tasks of a group, and the other tasks.
    fn tasks_by_group(&self, group: usize) -> (Vec<&TaskInfo>, Vec<&TaskInfo>) {
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let (of_group, others): (Vec<_>, Vec<_>) =
            tasks.partition(|(_, places)| places.group as usize == group);
        let tasks = |list: Vec<(_, _)>| list.into_iter().map(|(task, _)| task).collect();
        (tasks(of_group), tasks(others))
    }
}

/// Returns the tasks that store a value of the type of a local, or else the machines that take such
/// an argument and of which no task is alive.
fn notifiers_of(local: &Local, state: &State, others: &[&TaskInfo]) -> String {
    let takers: Vec<_> = start_states()
        .filter(|start| (start.machine, start.file) != (state.machine, state.file))
        .filter_map(|start| Some((start, of_type(start.locals, local.ty)?)))
        .collect();
    let mut named = 0;
    let mut text = String::new();
    for task in others {
        let stored = task.position.iter().find_map(|state| {
            let is_taker = |taker: &&(&State, &Local)| {
                (taker.0.machine, taker.0.file) == (state.machine, state.file)
            };
            let stored = of_type(state.locals, local.ty);
            stored.or_else(|| takers.iter().find(is_taker).map(|taker| taker.1))
        });
        let Some(stored) = stored else { continue };
        named += 1;
        if named > MAX_NOTIFIERS {
            continue;
        }
        let place = task.position.last().map(|state| Place::of_state(state));
        let place = place.map_or_else(String::new, |place| format!(", and is at {place}"));
        let (task, name, ty) = (titled(task), stored.name, stored.ty);
        _ = write!(
            text,
            "; {task} may notify them: it has `{name}: {ty}`, too{place}"
        );
    }
    // The machines of a task that is being polled are not known.
    let is_known = |task: &&TaskInfo| task.lifecycle != Lifecycle::Running;
    match named {
        0 if !others.iter().all(is_known) => String::new(),
        0 => without_notifiers(local, &takers),
        1..=MAX_NOTIFIERS => text,
        more => text + &format!("; and {} more such tasks", more - MAX_NOTIFIERS),
    }
}

/// Returns the text about machines that may notify, none of which is in a task.
fn without_notifiers(local: &Local, takers: &[(&State, &Local)]) -> String {
    if takers.is_empty() {
        return format!("; no other task is known to have a value of `{}`", local.ty);
    }
    let mut text = String::new();
    for (start, argument) in takers.iter().take(MAX_NOTIFIERS) {
        let State {
            machine,
            file,
            line,
            ..
        } = start;
        _ = write!(
            text,
            "; {machine} at {file}:{line} has the argument `{}: {}`, too, but no task of it is \
             alive",
            argument.name, argument.ty
        );
    }
    text + ", so no task is known that may notify them"
}

fn of_type<'a>(locals: &'a [Local], ty: &str) -> Option<&'a Local> {
    locals.iter().find(|local| local.ty == ty)
}

/// Returns `true` if a type contains a name as a whole word.
fn contains_word(ty: &str, name: &str) -> bool {
    let mut words = ty.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.any(|word| word == name)
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{contains_word, notifiers_of, without_notifiers};
    use crate::machine::{Local, State};
    use crate::runtime::dump::sample::task;
    use crate::task::TaskInfo;

    const ENOUGH: Local = Local::new("enough", "Arc<Notify>");
    static NOTE: State = State::new("Note", 1, "await notified", ("src/a.rs", 13, 23), &[ENOUGH]);
    static SERVE: State = State::new("Serve", 1, "await sleep", ("src/a.rs", 30, 9), &[ENOUGH]);
    static START: State = State::new("Serve", 0, "start", ("src/a.rs", 21, 1), &[ENOUGH]);

    #[test]
    fn task_with_the_same_type_is_named() {
        let others: Vec<_> = (1..=4)
            .map(|slot| TaskInfo {
                position: [&SERVE].into(),
                ..task(slot, 10)
            })
            .collect();
        let names = |count| {
            let others: Vec<_> = others.iter().take(count).collect();
            notifiers_of(&ENOUGH, &NOTE, &others)
        };
        let one = "; task 1.1 may notify them: it has `enough: Arc<Notify>`, too, and is at Serve at await sleep, \
                   src/a.rs:30:9";
        assert_eq!(names(1), one);
        let four = names(4);
        assert!(four.ends_with("; and 1 more such tasks"), "{four}");
        assert!(!four.contains("task 4.1"), "{four}");
        let running = crate::runtime::dump::sample::running(9, 10);
        assert_eq!(notifiers_of(&ENOUGH, &NOTE, &[&running]), "");
        let none = "; no other task is known to have a value of `Arc<Notify>`";
        assert_eq!(names(0), none);
    }

    #[test]
    fn machine_without_a_task_is_named() {
        let text = without_notifiers(&ENOUGH, &[(&START, &ENOUGH)]);
        let expected = "; Serve at src/a.rs:21 has the argument `enough: Arc<Notify>`, too, but no \
                        task of it is alive, so no task is known that may notify them";
        assert_eq!(text, expected);
    }

    #[test]
    fn type_contains_whole_words() {
        assert!(contains_word("Arc<Notify>", "Notify"));
        assert!(!contains_word("Arc<Notifying>", "Notify"));
    }
}
