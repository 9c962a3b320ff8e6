//! The other ends of channels: the tasks from which an awaited message may come.

use std::cmp::Reverse;
use std::fmt::Write;

use super::rules::{Found, Rules, titled};
use crate::machine::{Local, State};
use crate::runtime::dump::place::{last_argument, period};
#[cfg(feature = "inspect")]
use crate::task::machine_tables;
use crate::task::{Lifecycle, TaskInfo};

/// The number of tasks that a text names because of their end of a channel.
const MAX_ENDS: usize = 3;

/// The parts of a path that name a module of channels.
const MODULES: [&str; 7] = [
    "mpsc",
    "mpmc",
    "oneshot",
    "broadcast",
    "watch",
    "flume",
    "kanal",
];

/// An end of a channel, by the name of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ChannelEnd {
    sends: bool,
    /// The type of the messages, without paths.
    message: String,
}

impl<'a> Rules<'a> {
    /// Returns the text about the other ends of the channel for which the tasks of a finding wait.
    ///
    /// A machine reports the types of its arguments and locals. So a task with an end of the
    /// opposite direction and the same type of messages is named. Without such a task, those that
    /// wait for a channel of the same crate are named.
    pub(super) fn channel_ends_of(&self, found: &Found<'a>) -> String {
        let group = found.group.expect("the tasks are in one group");
        let mut awaited = self.grouping.awaited(group);
        let Some(channel) = awaited.find(|place| is_channel(place.name)) else {
            return String::new();
        };
        let other = ChannelEnd::of(channel.name).map(OtherEnd::of);
        let is_found = |task: &TaskInfo| found.tasks.iter().any(|found| found.id == task.id);
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let mut ends: Vec<_> = tasks
            .filter(|(task, _)| task.lifecycle == Lifecycle::Idle && !is_found(task))
            .filter_map(|(task, places)| {
                let other = other.as_ref()?;
                let (local, end) = (other.local_of(task)?, other.end.name());
                let text = format!("may have the {end} `{local}`, and has waited");
                Some((task, places.group, text))
            })
            .collect();
        if ends.is_empty() {
            ends = self.waits_for_channels(crate_of(channel.name), &is_found);
        }
        let does_not = match &other {
            Some(OtherEnd { end, .. }) if !end.sends => "receive",
            _ => "send",
        };
        self.ends_text(ends, does_not)
    }

    /// Returns the tasks that have waited for long for a channel of a crate.
    fn waits_for_channels(
        &self,
        name: &str,
        is_found: &dyn Fn(&TaskInfo) -> bool,
    ) -> Vec<(&'a TaskInfo, u32, String)> {
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let is_idle = |task: &TaskInfo| task.lifecycle == Lifecycle::Idle && self.is_long(task);
        let waits = tasks.filter(|(task, places)| {
            let mut awaited = self.grouping.awaited(places.group as usize);
            is_idle(task)
                && !is_found(task)
                && awaited.any(|place| is_channel(place.name) && crate_of(place.name) == name)
        });
        let waits: Vec<_> = waits.collect();
        let text = match waits.len() {
            1 => format!(
                "is the only other task that waits for a channel of {name}, so it may own the \
                 sender, and has waited"
            ),
            _ => format!("has waited for a channel of {name}, too,"),
        };
        let waits = waits.into_iter();
        waits
            .map(|(task, places)| (task, places.group, text.clone()))
            .collect()
    }

    /// Returns the text about tasks that may have the other end, with the lines to which a path
    /// without a send or receive may lead.
    fn ends_text(&self, mut ends: Vec<(&TaskInfo, u32, String)>, does_not: &str) -> String {
        ends.sort_by_key(|(task, ..)| Reverse(self.dump.time_since(task)));
        let mut text = String::new();
        for (task, group, verb) in ends.iter().take(MAX_ENDS) {
            let time = period(self.dump.time_since(task));
            let place = self.grouping.place_text(*group as usize);
            _ = write!(text, "; {} {verb} for {time} at {place}", titled(task));
            let traced = !self.grouping.trace(*group as usize).is_empty();
            let line = self.grouping.place(*group as usize).line;
            if traced && line > 0 {
                _ = write!(
                    text,
                    "; it waits itself, so look for a path to line {line} that does not {does_not}"
                );
            }
        }
        if ends.len() > MAX_ENDS {
            _ = write!(text, "; and {} more such tasks", ends.len() - MAX_ENDS);
        }
        text
    }
}

impl ChannelEnd {
    /// Returns the end of a channel in the name of a type, such as `Receiver<u8>`, or a future of
    /// it, such as `async_channel::Recv<'_, u8>`.
    fn of(type_name: &str) -> Option<Self> {
        let begins = type_name.match_indices('<');
        let mut ends = begins.filter_map(|(begin, _)| {
            let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
            let before = &type_name[..begin];
            let name = before.rsplit(|letter| !is_of_name(letter)).next()?;
            let is_end = |words: [&str; 2]| words.iter().any(|word| name.ends_with(word));
            let sends = match (is_end(["Send", "Sender"]), is_end(["Recv", "Receiver"])) {
                (true, _) => true,
                (_, true) => false,
                _ => return None,
            };
            let message = last_argument(&type_name[begin + 1..])?;
            Some(Self { sends, message })
        });
        ends.next()
    }

    fn name(&self) -> &'static str {
        if self.sends { "sender" } else { "receiver" }
    }

    /// Returns the first of some locals that is this end.
    fn among(&self, locals: &[Local]) -> Option<String> {
        let is_end = |local: &&Local| Self::of(local.ty).as_ref() == Some(self);
        let local = locals.iter().find(is_end)?;
        Some(format!("{}: {}", local.name, local.ty))
    }
}

/// The other end of a channel.
struct OtherEnd {
    end: ChannelEnd,
    /// The machines with an argument that is such an end: name, file and argument.
    machines: Vec<(&'static str, &'static str, String)>,
}

impl OtherEnd {
    fn of(end: ChannelEnd) -> Self {
        let end = ChannelEnd {
            sends: !end.sends,
            ..end
        };
        let machines = start_states().filter_map(|start| {
            let argument = end.among(start.locals)?;
            Some((start.machine, start.file, argument))
        });
        let machines = machines.collect();
        Self { end, machines }
    }

    /// Returns a local or an argument of the machines of a task that is this end.
    fn local_of(&self, task: &TaskInfo) -> Option<String> {
        let mut states = task.position.iter();
        states.find_map(|state| {
            let mut machines = self.machines.iter();
            let machine =
                machines.find(|(name, file, _)| (*name, *file) == (state.machine, state.file));
            let argument = || machine.map(|(_, _, argument)| argument.clone());
            self.end.among(state.locals).or_else(argument)
        })
    }
}

/// Returns the first state of each registered machine, whose locals are its arguments.
#[cfg(feature = "inspect")]
pub(super) fn start_states() -> impl Iterator<Item = &'static State> {
    machine_tables().filter_map(|tables| tables.states.first())
}

#[cfg(not(feature = "inspect"))]
pub(super) fn start_states() -> impl Iterator<Item = &'static State> {
    std::iter::empty()
}

/// Returns `true` for the name of a future of a channel.
fn is_channel(type_name: &str) -> bool {
    let mut parts = type_name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.any(|part| MODULES.contains(&part) || part.ends_with("channel"))
}

fn crate_of(type_name: &str) -> &str {
    type_name.split("::").next().unwrap_or_default()
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node};

    use super::{ChannelEnd, OtherEnd, is_channel};
    use crate::machine::{Local, State};
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::sample::{dump, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    const LOCALS: &[Local] = &[
        Local::new("blocks", "Receiver<u64>"),
        Local::new("done", "Sender<u64>"),
    ];
    static SAVE: State = State::new("Save", 1, "await recv", ("src/save.rs", 16, 36), LOCALS);
    static DISK: State = State::new("Disk", 1, "await recv", ("src/save.rs", 23, 36), LOCALS);

    /// Returns a dump of a cancelled task and another one, which wait for futures of these types.
    fn dump_of(leaves: [&'static str; 2], position: &[&'static State]) -> Dump {
        let mut dump = dump(Vec::new());
        for (slot, (state, leaf)) in (1..).zip([&SAVE, &DISK].into_iter().zip(leaves)) {
            let added = dump.forest.add(ValueLimit::None, |visitor| {
                Inspector::new(visitor).node(&Node::of_state(state), |inspector| {
                    inspector.node(&Node::new(leaf), |_| ());
                });
            });
            dump.tasks.push(TaskInfo {
                tree: added.unwrap().1,
                position: position.into(),
                cancelled: slot == 1,
                shield: 1,
                ..task(slot, 1_500)
            });
        }
        dump
    }

    fn text(dump: &Dump) -> String {
        only_finding(dump).to_string()
    }

    #[test]
    fn task_with_the_other_end_is_named() {
        let leaf = "async_channel::Recv<'_, u64>";
        let text = text(&dump_of([leaf; 2], &[&DISK]));
        let end = "; task 2.1 may have the sender `done: Sender<u64>`, and has waited for \
                   1.5 s at Disk at await recv, src/save.rs:23:36 in async_channel::Recv<'_, u64>; \
                   it waits itself, so look for a path to line 23 that does not send";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn argument_of_a_machine_is_named() {
        static WAITS: State = State::new("Disk", 2, "await sleep", ("src/save.rs", 24, 9), &[]);
        let end = ChannelEnd::of("Sender<u64>").expect("it is an end");
        let argument = "done: Sender<u64>".to_owned();
        let mut other = OtherEnd {
            end,
            machines: vec![("Disk", "src/save.rs", argument.clone())],
        };
        let waits = TaskInfo {
            position: [&WAITS].into(),
            ..task(1, 10)
        };
        assert_eq!(other.local_of(&waits), Some(argument));
        other.machines[0].1 = "src/other.rs";
        assert_eq!(other.local_of(&waits), None);
    }

    #[test]
    fn wait_for_the_same_crate_is_named() {
        let module = "async_channel::poll_with_strategy";
        let only = "; task 2.1 is the only other task that waits for a channel of async_channel, \
                    so it may own the sender, and has waited for 1.5 s at Disk";
        let mut same = dump_of([module; 2], &[]);
        assert!(text(&same).contains(only), "{}", text(&same));
        let another = TaskInfo {
            id: task(3, 0).id,
            ..same.tasks[1].clone()
        };
        same.tasks.push(another);
        let begin = "; task 2.1 has waited for a channel of async_channel, too, for 1.5 s at Disk";
        assert!(text(&same).contains(begin), "{}", text(&same));
        let other = text(&dump_of([module, "tokio::sync::mpsc::chan"], &[]));
        assert!(!other.contains("task 2.1"), "{other}");
    }

    #[test]
    fn end_has_a_direction_and_a_message() {
        let end = |sends, message: &str| {
            let message = format!("<{message}>");
            Some(ChannelEnd { sends, message })
        };
        let names = [
            ("async_channel::Recv<'_, u64>", end(false, "u64")),
            ("Option<mpsc::Sender<app::Block>>", end(true, "Block")),
            (
                "tokio::sync::mpsc::bounded::Receiver<alloc::vec::Vec<u8>>::recv::{{closure}}",
                end(false, "Vec<u8>"),
            ),
            ("Sender<(u8, fn() -> u8)>", end(true, "(u8,fn()->u8)")),
            ("Box<dyn Future<Output = u8> + Send>", None),
            ("Sender", None),
        ];
        for (name, expected) in names {
            assert_eq!(ChannelEnd::of(name), expected, "{name}");
        }
    }

    #[test]
    fn channel_is_known_by_its_module() {
        assert!(is_channel("async_channel::Recv<'_, u64>"));
        assert!(is_channel("tokio::sync::oneshot::Receiver<u8>"));
        assert!(is_channel("futures::Next<'_, futures::mpsc::Receiver<u8>>"));
        assert!(!is_channel("app::Watchdog"));
        assert!(!is_channel("tokio::sync::mutex::Mutex<u8>::lock"));
    }
}
