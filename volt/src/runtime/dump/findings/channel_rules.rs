//! The other ends of channels: the tasks from which an awaited message may come.

use std::cmp::Reverse;
use std::fmt::Write;

use super::rules::{Found, Rules, titled};
use crate::runtime::dump::place::{period, shown_type};
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
    /// A machine reports the types of its locals. So a task that stores an end of the opposite
    /// direction and the same type is named. Without such a task, those that wait for a channel of
    /// the same crate are named.
    pub(super) fn channel_ends_of(&self, found: &Found<'a>) -> String {
        let group = found.group.expect("the tasks are in one group");
        let mut awaited = self.grouping.awaited(group);
        let Some(channel) = awaited.find(|place| is_channel(place.name)) else {
            return String::new();
        };
        let other = ChannelEnd::of(channel.name).map(ChannelEnd::opposite);
        let is_found = |task: &TaskInfo| found.tasks.iter().any(|found| found.id == task.id);
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let mut ends: Vec<_> = tasks
            .filter(|(task, _)| task.lifecycle == Lifecycle::Idle && !is_found(task))
            .filter_map(|(task, places)| {
                let local = local_of(task, other.as_ref()?)?;
                let text = format!("may store the other end `{local}`, and has waited");
                Some((task, places.group, text))
            })
            .collect();
        if ends.is_empty() {
            ends = self.waits_for_channels(crate_of(channel.name), &is_found);
        }
        self.ends_text(ends)
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
        let text = format!("has waited for a channel of {name}, too,");
        waits
            .map(|(task, places)| (task, places.group, text.clone()))
            .collect()
    }

    fn ends_text(&self, mut ends: Vec<(&TaskInfo, u32, String)>) -> String {
        ends.sort_by_key(|(task, ..)| Reverse(self.dump.time_since(task)));
        let mut text = String::new();
        for (task, group, verb) in ends.iter().take(MAX_ENDS) {
            let time = period(self.dump.time_since(task));
            let place = self.grouping.place_text(*group as usize);
            _ = write!(text, "; {} {verb} for {time} at {place}", titled(task));
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

    fn opposite(self) -> Self {
        Self {
            sends: !self.sends,
            ..self
        }
    }
}

/// Returns the last argument of a list that ends with `>`, without paths.
fn last_argument(list: &str) -> Option<String> {
    let (mut depth, mut begin) = (0_usize, 0);
    for (index, letter) in list.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            ',' if depth == 0 => begin = index + 1,
            '>' if depth == 0 => {
                // The arguments of a type are shown without their paths.
                let shown = shown_type(&format!("<{}>", list[begin..index].trim()));
                return Some(shown.replace(' ', ""));
            }
            '>' if !list[..index].ends_with('-') => depth -= 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Returns a local of the machines of a task that stores this end of a channel.
fn local_of(task: &TaskInfo, end: &ChannelEnd) -> Option<String> {
    let mut locals = task.position.iter().flat_map(|state| state.locals);
    let local = locals.find(|local| ChannelEnd::of(local.ty).as_ref() == Some(end))?;
    Some(format!("{}: {}", local.name, local.ty))
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

    use super::{ChannelEnd, is_channel};
    use crate::machine::{Local, State};
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::sample::{dump, task};
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
        let findings = dump.findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        findings[0].to_string()
    }

    #[test]
    fn task_with_the_other_end_is_named() {
        let leaf = "async_channel::Recv<'_, u64>";
        let text = text(&dump_of([leaf; 2], &[&DISK]));
        let end = "; task 2.1 may store the other end `done: Sender<u64>`, and has waited for \
                   1.5 s at Disk at await recv, src/save.rs:23:36 in async_channel::Recv<'_, u64>";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn wait_for_the_same_crate_is_named() {
        let module = "async_channel::poll_with_strategy";
        let begin = "; task 2.1 has waited for a channel of async_channel, too, for 1.5 s at Disk";
        let same = text(&dump_of([module; 2], &[]));
        assert!(same.contains(begin), "{same}");
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
