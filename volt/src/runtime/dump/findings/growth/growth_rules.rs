//! The rules about large groups of tasks, and about those that grow.

use std::collections::HashSet;
use std::time::Duration;

#[cfg(feature = "inspect")]
use crate::runtime::dump::dump::Growth;
use crate::runtime::dump::findings::advice::NOT_GROWING;
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::Rules;
use crate::runtime::dump::groups::GroupEntry;
#[cfg(feature = "inspect")]
use crate::runtime::dump::place::counted;
use crate::runtime::dump::place::period;
use crate::task::{Lifecycle, TaskInfo};

/// The number of locals that a text names.
const MAX_LOCALS: usize = 3;

impl Rules<'_> {
    /// Finds groups of many idle tasks.
    pub(in crate::runtime::dump::findings) fn many_at_one_place(&self) -> Vec<Finding> {
        let groups = self.grouping.groups.iter().enumerate();
        let large = groups.filter(|(_, group)| group.by_state[0] >= self.limits.many);
        let finding = |(index, group): (usize, &GroupEntry)| {
            let last_spawn = self.last_spawn_of(group);
            let text = format!(
                "many tasks: {} at {}{}{}; {}{last_spawn}{}",
                group.count,
                self.grouping.place_text(index),
                self.spawn_of(index),
                self.notifications_of(index),
                arrivals_of(group),
                self.locals_of(index),
            );
            let advice = match last_spawn.is_empty() {
                true => FindingKind::ManyAtOnePlace.advice(),
                false => NOT_GROWING,
            };
            Finding {
                advice,
                ..self.group_finding(FindingKind::ManyAtOnePlace, index, text)
            }
        };
        large.map(finding).collect()
    }

    /// Returns the place of the spawn of a group whose text does not name it, if it has one, and
    /// whether the handles of the tasks are stored.
    fn spawn_of(&self, group: usize) -> String {
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let of_group = tasks.filter(|(_, places)| places.group as usize == group);
        let tasks: Vec<_> = of_group.map(|(task, _)| task).collect();
        self.grouping.spawn_text(group) + self.handles_of(&tasks)
    }

    /// Returns the text about the handles of tasks.
    fn handles_of(&self, tasks: &[&TaskInfo]) -> &'static str {
        if tasks.iter().all(|task| task.detached) {
            return ", without a handle";
        }
        if tasks.iter().any(|task| task.detached) {
            return "";
        }
        let awaited = self.dump.tasks.iter().flat_map(|task| &task.waits_for);
        let awaited: HashSet<_> = awaited.collect();
        match tasks.iter().any(|task| awaited.contains(&task.id)) {
            true => "",
            false => ", whose handles are stored and not awaited",
        }
    }

    /// Returns the time since the last spawn at the place of a group, if it is known and long.
    ///
    /// A task that was polled once was spawned at about the time of this poll.
    fn last_spawn_of(&self, group: &GroupEntry) -> String {
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let of_place = tasks.filter(|(_, places)| places.spawned == group.spawned);
        let mut last = Duration::MAX;
        for (task, _) in of_place {
            if task.polls != 1 || task.lifecycle != Lifecycle::Idle {
                return String::new();
            }
            last = last.min(self.dump.time_since(task));
        }
        match last {
            Duration::MAX => String::new(),
            last if last < self.limits.long => String::new(),
            last => format!("; none was spawned there for {}", period(last)),
        }
    }

    /// Returns the text about the locals that the tasks of a group store.
    fn locals_of(&self, group: usize) -> String {
        let sample = self.grouping.groups[group].sample.first();
        let mut tasks = self.dump.tasks.iter();
        let task = tasks.find(|task| sample.is_some_and(|(_, id)| task.id == *id));
        let state = task.and_then(|task| task.position.last());
        let locals = state.map_or(&[][..], |state| state.locals).iter();
        let locals = locals.map(|local| format!("`{}: {}`", local.name, local.ty));
        let locals: Vec<_> = locals.take(MAX_LOCALS).collect();
        match locals[..] {
            [] => String::new(),
            _ => format!("; each stores {}", locals.join(", ")),
        }
    }

    /// Finds groups that have grown since an earlier dump, and have not shrunk meanwhile.
    #[cfg(feature = "inspect")]
    pub(in crate::runtime::dump::findings) fn growing(&self) -> Vec<Finding> {
        let growth = self.dump.growth.iter();
        growth
            .filter_map(|growth| self.growing_group(growth))
            .collect()
    }

    /// Returns `None` if the tasks of the group were removed from the dump.
    #[cfg(feature = "inspect")]
    fn growing_group(&self, growth: &Growth) -> Option<Finding> {
        let mut groups = self.grouping.groups.iter();
        let index = groups.position(|group| group.key == growth.key)?;
        let count = self.grouping.groups[index].count;
        let text = format!(
            "growing: {}, {} more than {} ago, at {}{}",
            counted(count),
            count.saturating_sub(growth.before),
            period(growth.elapsed),
            self.grouping.place_text(index),
            self.spawn_of(index),
        );
        Some(self.group_finding(FindingKind::Growing, index, text))
    }
}

/// Returns the times of the first and the last task of a group.
fn arrivals_of(group: &GroupEntry) -> String {
    format!(
        "the first one has waited for {}, the last one for {}",
        period(group.longest()),
        period(group.shortest),
    )
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node};

    use crate::machine::{Local, State};
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::sample::{dump, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    const LOCALS: &[Local] = &[Local::new("enough", "Arc<Notify>")];
    static NOTE: State = State::new("Note", 1, "await notified", ("src/a.rs", 13, 23), LOCALS);

    /// Returns a dump of a thousand tasks that wait for a future of this type.
    fn crowd(leaf: &'static str, detached: bool) -> Dump {
        let mut dump = dump(Vec::new());
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::of_state(&NOTE), |inspector| {
                inspector.node(&Node::new(leaf), |_| ());
            });
        });
        let tree = added.unwrap().1;
        let tasks = (0..1_000).map(|slot| TaskInfo {
            tree: tree.clone(),
            position: [&NOTE].into(),
            detached,
            ..task(slot, 1_500 + slot as u32)
        });
        dump.tasks = tasks.collect();
        dump.runtime.stats.spawned = 1_002;
        dump.runtime.stats.alive = 1_000;
        dump
    }

    fn text(dump: &Dump) -> String {
        only_finding(dump).to_string()
    }

    #[test]
    fn crowd_has_its_spawn_times_and_locals() {
        let text = text(&crowd("tokio::sync::notify::Notified<'_>", true));
        let begin = "many tasks: 1000 at Note at await notified, src/a.rs:13:23 in \
                     tokio::sync::notify::Notified<'_>, spawned at ";
        let end = ", without a handle; no other task is known to have a value of `Arc<Notify>`; \
                   `notify_one` wakes one of them, and `notify_waiters` only tasks that wait \
                   already, so tasks that wait later stay asleep; the first one has waited for \
                   2.5 s, the last one for 1.5 s; each stores `enough: Arc<Notify>`";
        assert!(text.starts_with(begin), "{text}");
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn tasks_with_one_poll_have_the_last_spawn() {
        let mut dump = crowd("app::Reply", true);
        let last = "; none was spawned there for 1.5 s; ";
        assert!(!text(&dump).contains("none was spawned"));
        let grows = |dump: &Dump| only_finding(dump).advice().contains("If the number grows");
        assert!(grows(&dump));
        dump.tasks.iter_mut().for_each(|task| task.polls = 1);
        assert!(text(&dump).contains(last), "{}", text(&dump));
        assert!(!grows(&dump));
        let asleep = "; each was polled once, so none of them has been woken";
        let mut notified = crowd("tokio::sync::notify::Notified<'_>", true);
        assert!(!text(&notified).contains(asleep));
        notified.tasks.iter_mut().for_each(|task| task.polls = 1);
        assert!(text(&notified).contains(asleep), "{}", text(&notified));
        dump.tasks.push(TaskInfo {
            polls: 0,
            ..task(2_000, 0)
        });
        assert!(!text(&dump).contains("none was spawned"));
    }

    #[test]
    fn crowd_with_handles_says_whether_one_is_awaited() {
        let stored = ", whose handles are stored and not awaited; ";
        let mut dump = crowd("app::Reply", false);
        let with_handles = text(&dump);
        assert!(with_handles.contains(stored), "{with_handles}");
        assert!(!with_handles.contains("notify"), "{with_handles}");
        let awaited = dump.tasks[0].id;
        dump.tasks[7].waits_for = vec![awaited];
        let awaited = text(&dump);
        assert!(!awaited.contains("handle"), "{awaited}");
    }
}
