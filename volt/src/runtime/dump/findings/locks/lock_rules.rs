//! The rule about tasks that wait for locks, and whose guards are not known.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::lock_places::{LockPlace, crate_of, is_lock, is_semaphore};
use super::passed_awaits::{LikelyOwner, OwnerKind};
use crate::runtime::dump::findings::advice::{
    KNOWN_GUARD, LATER_WAIT, ORDER_OF_LOCKS, STORED_FUTURE,
};
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules};
use crate::runtime::dump::place::counted;
use crate::task::{Lifecycle, TaskInfo};

/// The tasks that wait for locks of one crate.
#[derive(Default)]
struct LockFamily<'a> {
    /// The tasks that have waited for long, by their places, each with its group.
    long: BTreeMap<LockPlace, Vec<(u32, &'a TaskInfo)>>,
    /// `true` if another task has waited for a short time, or owns a known guard.
    is_other: bool,
}

impl<'a> Rules<'a> {
    /// Finds tasks that have waited for long for locks of a crate, none of which was passed on.
    ///
    /// A task that owns a known guard is in the finding `may_hold`. A task may wait for another
    /// event too, such as a timeout: the lock was not passed on to it either.
    pub(in crate::runtime::dump::findings) fn lock_waits(&self) -> Vec<Finding> {
        let places = self.grouping.places.places().iter();
        let is_lock: Vec<_> = places.map(|place| is_lock(place.name)).collect();
        if !is_lock.contains(&true) {
            return Vec::new();
        }
        let mut families = BTreeMap::<&str, LockFamily<'a>>::new();
        for (task, places) in self.dump.tasks.iter().zip(&self.grouping.tasks) {
            let Some(at) = self.lock_place(task, places.spawned, &is_lock) else {
                continue;
            };
            let lock = self.grouping.places.get(at.lock).name;
            let family = families.entry(crate_of(lock)).or_default();
            let is_idle = task.lifecycle == Lifecycle::Idle;
            if is_idle && self.is_long(task) && self.guard_of_same_family(task).is_none() {
                let tasks = family.long.entry(at).or_default();
                tasks.push((places.group, task));
            } else {
                family.is_other = true;
            }
        }
        let stuck = families.into_iter().filter(|(_, family)| !family.is_other);
        stuck
            .map(|(name, family)| self.stuck_family(name, family))
            .collect()
    }

    /// Returns `true` if a task has waited for long for a lock, a permit or a notification.
    pub(in crate::runtime::dump::findings) fn has_contention(&self) -> bool {
        let places = self.grouping.places.places().iter();
        let is_shared: Vec<_> = places.map(|place| is_shared(place.name)).collect();
        let mut tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        is_shared.contains(&true)
            && tasks.any(|(task, places)| {
                let is_long = task.lifecycle == Lifecycle::Idle && self.is_long(task);
                is_long && self.lock_place(task, places.spawned, &is_shared).is_some()
            })
    }

    fn stuck_family(&self, name: &str, family: LockFamily<'a>) -> Finding {
        let mut by_place: Vec<_> = family.long.into_iter().collect();
        by_place.sort_by_key(|(_, tasks)| Reverse(tasks.len()));
        let named_first = by_place.first().map(|(_, tasks)| Found {
            tasks: tasks.iter().map(|(_, task)| *task).collect(),
            group: None,
        });
        let named_first = named_first.map(|found| self.longest_of(&found).id);
        let all = by_place.iter().flat_map(|(_, tasks)| tasks);
        let (groups, tasks): (BTreeSet<_>, Vec<_>) = all.copied().unzip();
        let group = groups.first().filter(|_| groups.len() == 1);
        let found = Found {
            tasks,
            group: group.map(|group| *group as usize),
        };
        let mut locks = by_place.iter().map(|(at, _)| at.lock);
        let are_permits = locks.all(|lock| is_semaphore(self.grouping.places.get(lock).name));
        let (title, event) = match are_permits {
            true => ("permits that are not returned", "permit"),
            false => ("locks that are not released", "lock"),
        };
        let waits = format!(
            "{} {} for {} for a {event} of {name}: {}",
            counted(found.tasks.len()),
            found.verb("has waited", "have waited"),
            self.time_of(&found),
            self.lock_places_text(&by_place),
        );
        let owners = self.owners_of(&by_place);
        // A stored future is the cause of another finding, of which these waits become a part.
        let stores = |task: &&TaskInfo| self.has_dormant_future(task) || self.has_woken(task);
        let is_consequence = found.tasks.iter().any(stores);
        let kinds: Vec<_> = owners.iter().map(|owner| owner.kind).collect();
        let advice = match kinds[..] {
            [OwnerKind::Guard, ..] => KNOWN_GUARD,
            [OwnerKind::LaterWait, ..] => LATER_WAIT,
            [OwnerKind::LaterLock, ..] => ORDER_OF_LOCKS,
            [] if found.tasks.iter().any(|task| self.has_more_wakers(task)) => STORED_FUTURE,
            [] => FindingKind::LockWaits.advice(),
        };
        let place = by_place.first().filter(|_| by_place.len() == 1);
        let place = place.map(|(at, _)| self.grouping.places.get(at.place));
        let text = lock_text(title, &owners, &waits, is_consequence);
        let leader = owners.first().filter(|_| !is_consequence);
        let finding = self.finding(FindingKind::LockWaits, found, text);
        let finding = Finding {
            count: finding.count + usize::from(leader.is_some_and(|owner| owner.kind.is_other())),
            place,
            advice,
            ..finding
        };
        finding.led_by(leader.map(|owner| owner.task).or(named_first))
    }

    /// Returns the tasks that own a guard of the locks for which others wait, or else those that
    /// may own one.
    fn owners_of(&self, by_place: &[(LockPlace, Vec<(u32, &'a TaskInfo)>)]) -> Vec<LikelyOwner> {
        let locks = by_place
            .iter()
            .map(|(at, _)| self.grouping.places.get(at.lock));
        let locks: Vec<_> = locks.map(|lock| lock.name).collect();
        let known = self.guard_owners(&locks);
        match known.is_empty() {
            true => self.likely_owners(by_place),
            false => known,
        }
    }
}

/// Returns the text of a finding. It begins with the owners, unless the waits are a consequence.
fn lock_text(title: &str, owners: &[LikelyOwner], waits: &str, is_consequence: bool) -> String {
    let owners = owners.iter().map(|owner| owner.clause.as_str());
    let clauses: Vec<_> = match is_consequence {
        true => std::iter::once(waits).chain(owners).collect(),
        false => owners.chain([waits]).collect(),
    };
    format!("{title}: {}", clauses.join("; "))
}

/// Returns `true` for the name of a future that waits for a lock, a permit or a notification.
fn is_shared(type_name: &str) -> bool {
    is_lock(type_name) || type_name.to_lowercase().contains("notif")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node, Status};

    use crate::runtime::FindingKind;
    use crate::runtime::dump::sample::{dump, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    /// Returns the findings about a task that waits for a timeout, and for a lock with a status.
    fn findings_beside_a_timeout(status: Status) -> Vec<FindingKind> {
        let mut dump = dump(Vec::new());
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::new("Timeout"), |inspector| {
                inspector.as_child(0, Status::Waiting, |inspector| {
                    inspector.node(&Node::new("Sleep"), |_| ());
                });
                inspector.as_child(1, status, |inspector| {
                    inspector.node(&Node::new("tokio::Mutex::lock"), |_| ());
                });
            });
        });
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..task(1, 2_000)
        });
        let findings = dump.findings().into_iter();
        findings.map(|finding| finding.kind).collect()
    }

    #[test]
    fn lock_beside_a_timeout_is_a_finding() {
        let waiting = findings_beside_a_timeout(Status::Waiting);
        assert_eq!(waiting, [FindingKind::LockWaits]);
        assert_eq!(findings_beside_a_timeout(Status::NotStarted), []);
        // A woken future of a lock has got the lock.
        let woken = findings_beside_a_timeout(Status::Woken);
        assert_eq!(woken, [FindingKind::WokenNotPolled]);
    }
}
