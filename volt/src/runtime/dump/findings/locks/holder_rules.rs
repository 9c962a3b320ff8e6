//! The rule about owners of guards that wait for a lock.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::lock_places::{LockPlace, MAX_PLACES, crate_of, is_lock, is_permit, may_belong};
use super::passed_awaits::{LikelyOwner, OwnerKind};
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules, titled};
use crate::runtime::dump::place::{counted, period};
use crate::task::{Lifecycle, TaskInfo};

/// The number of tasks that a text names because they own a guard and wait for another event.
const MAX_OTHERS: usize = 3;

/// The tasks that own guards of the locks of one crate, or wait for them.
#[derive(Default)]
struct GuardFamily<'a> {
    /// The tasks that own a guard and have waited for long for a lock, by their groups.
    holders: BTreeMap<u32, Vec<&'a TaskInfo>>,
    /// The tasks that own a guard and do something else, each with its group.
    others: Vec<(u32, &'a TaskInfo)>,
    /// The tasks without a known guard that wait for a lock, by their places.
    victims: BTreeMap<LockPlace, Vec<(u32, &'a TaskInfo)>>,
}

impl<'a> Rules<'a> {
    /// Finds tasks that own a guard of a lock while they wait for a lock of the same crate.
    ///
    /// The locks themselves are not known. If each known owner of a guard waits for a lock, the
    /// owners most likely wait for each other.
    pub(in crate::runtime::dump::findings) fn may_hold(&self) -> Vec<Finding> {
        let places = self.grouping.places.places().iter();
        let is_lock: Vec<_> = places.map(|place| is_lock(place.name)).collect();
        if !is_lock.contains(&true) {
            return Vec::new();
        }
        let mut families = BTreeMap::<&str, GuardFamily<'a>>::new();
        for (task, places) in self.dump.tasks.iter().zip(&self.grouping.tasks) {
            let group = places.group;
            let is_stuck = task.lifecycle == Lifecycle::Idle && self.is_long(task);
            if let Some((_, ty)) = self.guard_of_same_family(task)
                && is_stuck
            {
                let family = families.entry(crate_of(ty)).or_default();
                family.holders.entry(group).or_default().push(task);
                continue;
            }
            let mut guards = self.dump.forest.guards(task).peekable();
            if guards.peek().is_some() {
                for (_, ty) in guards {
                    let family = families.entry(crate_of(ty)).or_default();
                    family.others.push((group, task));
                }
            } else if let Some(at) = self.lock_place(task, places.spawned, &is_lock) {
                let name = self.grouping.places.get(at.lock).name;
                let family = families.entry(crate_of(name)).or_default();
                family.victims.entry(at).or_default().push((group, task));
            }
        }
        let found = families.into_values();
        found
            .filter_map(|family| self.guard_family(family))
            .collect()
    }

    fn guard_family(&self, family: GuardFamily<'a>) -> Option<Finding> {
        let only_group = family.holders.keys().next().copied();
        let only_group = only_group.filter(|_| family.holders.len() == 1);
        let mut texts = Vec::new();
        let mut tasks = Vec::new();
        let mut holders: Vec<_> = family.holders.into_iter().collect();
        // The text begins with the first task of the finding.
        holders.sort_by_key(|(_, tasks)| {
            let times = tasks.iter().map(|task| self.dump.time_since(task));
            Reverse(times.max())
        });
        for (group, holders) in holders {
            tasks.extend(holders.iter().copied());
            texts.push(self.holders_text(&Found {
                tasks: holders,
                group: Some(group as usize),
            }));
        }
        if texts.len() > MAX_PLACES {
            let more = texts.split_off(MAX_PLACES).len();
            texts.push(format!("and {more} more places"));
        }
        let relation = match tasks.len() {
            0 => return None,
            1 => "it may wait for a lock of its own",
            _ => "they most likely wait for each other",
        };
        let mut text = format!("may hold a lock: {}", texts.join("; "));
        if family.others.is_empty() {
            _ = write!(
                text,
                "; no other task is known to own such a guard, so {relation}"
            );
        } else {
            text.push_str(&self.other_owners(&family.others));
        }
        text.push_str(&self.victims_text(family.victims));
        let found = Found {
            tasks,
            group: only_group.map(|group| group as usize),
        };
        Some(self.finding(FindingKind::MayHold, found, text))
    }

    fn holders_text(&self, found: &Found<'a>) -> String {
        let longest = self.longest_of(found);
        let guard = self.guard_of_same_family(longest);
        let (name, ty) = guard.expect("each of the tasks has one");
        format!(
            "{} {} the guard `{name}: {ty}` and {} for a lock at {}",
            self.counted_with_example(found),
            found.verb("has", "have"),
            found.verb("waits", "wait"),
            self.place_of(found),
        )
    }

    /// Returns the tasks that own a guard and wait for no lock of its crate.
    fn other_owners(&self, others: &[(u32, &TaskInfo)]) -> String {
        let named = others.iter().take(MAX_OTHERS).map(|(group, task)| {
            let place = self.grouping.place_text(*group as usize);
            format!(
                "; {} owns such a guard, too, and is at {place}",
                titled(task)
            )
        });
        let mut text: String = named.collect();
        if others.len() > MAX_OTHERS {
            _ = write!(text, "; and {} more such tasks", others.len() - MAX_OTHERS);
        }
        text
    }

    /// Returns the tasks that own a guard which may belong to one of these locks, those in their
    /// state for longest first. None of them waits for such a lock.
    pub(super) fn guard_owners(&self, locks: &[&str]) -> Vec<LikelyOwner> {
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let mut owners: Vec<_> = tasks
            .filter_map(|(task, places)| {
                let mut guards = self.dump.forest.guards(task);
                let belongs = |ty: &str| locks.iter().any(|lock| may_belong(ty, lock));
                let guard = guards.find(|(_, ty)| belongs(ty))?;
                Some((task, places.group, guard))
            })
            .collect();
        owners.sort_by_key(|(task, ..)| Reverse(self.dump.time_since(task)));
        let more = owners.len().saturating_sub(MAX_OTHERS);
        let owners = owners.into_iter().take(MAX_OTHERS).enumerate();
        let owners = owners.map(|(nth, (task, group, (local, ty)))| {
            let (time, place) = (
                period(self.dump.time_since(task)),
                self.place_with_await(group as usize),
            );
            let kind = if is_permit(ty) { "permit" } else { "guard" };
            let mut clause = format!(
                "{} has the {kind} `{local}: {ty}`, and has waited for {time} at {place}",
                titled(task)
            );
            if nth + 1 == MAX_OTHERS && more > 0 {
                _ = write!(clause, "; and {more} more such tasks");
            }
            LikelyOwner {
                clause,
                task: task.id,
                kind: OwnerKind::Guard,
            }
        });
        owners.collect()
    }

    fn victims_text(&self, victims: BTreeMap<LockPlace, Vec<(u32, &'a TaskInfo)>>) -> String {
        let count: usize = victims.values().map(Vec::len).sum();
        if count == 0 {
            return String::new();
        }
        let verb = if count == 1 { "waits" } else { "wait" };
        let places: Vec<_> = victims.into_iter().collect();
        let places = self.lock_places_text(&places);
        let count = counted(count);
        format!("; {count} without a known guard {verb} for a lock, too: {places}")
    }

    /// Returns a guard that a task owns while it waits for a lock of the same crate.
    pub(super) fn guard_of_same_family(
        &self,
        task: &TaskInfo,
    ) -> Option<(&'static str, &'static str)> {
        let forest = &self.dump.forest;
        let mut guards = forest.guards(task).peekable();
        guards.peek()?;
        let mut leaf = None;
        forest.trace(task, |place| leaf = Some(place));
        let leaf = forest.places.get(leaf?).name;
        if !is_lock(leaf) {
            return None;
        }
        guards.find(|(_, ty)| crate_of(ty) == crate_of(leaf))
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node};

    use crate::runtime::FindingKind;
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::findings::advice::KNOWN_GUARD;
    use crate::runtime::dump::sample::{dump, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    const LOCK: &str = "tokio::sync::mutex::Mutex<i64>::lock";
    const GUARD: &str = "tokio::sync::mutex::MutexGuard<'_, i64>";

    /// Adds a task that has waited for two seconds for a future of this type.
    fn add(dump: &mut Dump, leaf: &'static str, guard: Option<&'static str>) {
        let states = task(1, 0).position;
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::of_state(states[1]), |inspector| {
                if let Some(ty) = guard {
                    inspector.local("source", ty);
                }
                inspector.node(&Node::new(leaf), |_| ());
            });
        });
        let slot = dump.tasks.len() as u64 + 1;
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..task(slot, 2_000)
        });
    }

    #[test]
    fn owner_without_a_wait_for_the_lock_is_first() {
        let mut dump = dump(Vec::new());
        add(&mut dump, LOCK, None);
        add(&mut dump, LOCK, None);
        let other = "tokio::sync::mutex::MutexGuard<'_, u8>";
        add(&mut dump, "Sleep", Some(other));
        let unknown = only_finding(&dump);
        assert!(!unknown.text.contains("guard"), "{unknown}");
        add(&mut dump, "Sleep", Some(GUARD));
        let finding = only_finding(&dump);
        let begin = "locks that are not released: task 4.1 has the guard `source: \
            tokio::sync::mutex::MutexGuard<'_, i64>`, and has waited for 2.0 s at ReadFrame at \
            await poll_fn, src/frame.rs:31:14 in Sleep; 2 tasks have waited for up to 2.0 s for a \
            lock of tokio: ";
        assert!(finding.text.starts_with(begin), "{finding}");
        assert_eq!(finding.kind, FindingKind::LockWaits);
        assert_eq!((finding.count, finding.tasks.len()), (3, 3));
        assert_eq!(finding.tasks[0], dump.tasks[3].id);
        assert_eq!(finding.advice(), KNOWN_GUARD);
    }

    fn text(dump: &Dump) -> String {
        let finding = only_finding(dump);
        assert_eq!(finding.kind, FindingKind::MayHold);
        finding.to_string()
    }

    #[test]
    fn waiting_owners_are_one_finding() {
        let mut dump = dump(Vec::new());
        add(&mut dump, LOCK, Some(GUARD));
        let own =
            "; no other task is known to own such a guard, so it may wait for a lock of its own";
        assert!(text(&dump).ends_with(own), "{}", text(&dump));
        add(&mut dump, LOCK, Some(GUARD));
        add(&mut dump, LOCK, None);
        let each_other = "; no other task is known to own such a guard, so they most likely wait \
            for each other; 1 task without a known guard waits for a lock, too: task 3.1 at ";
        assert!(text(&dump).contains(each_other), "{}", text(&dump));
    }

    #[test]
    fn owner_without_a_wait_for_locks_is_named() {
        let mut dump = dump(Vec::new());
        add(&mut dump, LOCK, Some(GUARD));
        add(&mut dump, "Sleep", Some(GUARD));
        let other = "; task 2.1 owns such a guard, too, and is at ReadFrame at await poll_fn, ";
        assert!(text(&dump).contains(other), "{}", text(&dump));
        assert!(!text(&dump).contains("each other"), "{}", text(&dump));
    }
}
