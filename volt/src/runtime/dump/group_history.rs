//! `GroupHistory`: the numbers of tasks that earlier dumps have found at each place.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::dump::{Dump, Growth};
use super::groups::Grouping;

/// The number of tasks up to which a dump is recorded. A larger dump has groups that are findings
/// by their size.
const MAX_TASKS: usize = 20_000;

/// The least growth of a group that is a finding, in tasks.
const MIN_TASKS: usize = 10;

/// The least growth of a group that is a finding, as a part of its size.
const MIN_SHARE: usize = 10;

/// The least time between the two dumps.
const MIN_TIME: Duration = Duration::from_secs(1);

/// The groups of the last dump, each with its size since which it has not shrunk.
#[derive(Debug, Default)]
pub(in crate::runtime) struct GroupHistory(HashMap<u64, GroupRecord>);

#[derive(Clone, Copy, Debug)]
struct GroupRecord {
    first: usize,
    first_at: Instant,
    last: usize,
}

impl GroupHistory {
    /// Adds the growth of the groups since the earlier dumps, and records their sizes.
    pub(in crate::runtime) fn record(&mut self, dump: &mut Dump, now: Instant) {
        if dump.tasks.len() > MAX_TASKS {
            self.0.clear();
            return;
        }
        let mut records = HashMap::new();
        for group in &Grouping::of(dump).groups {
            let new = GroupRecord {
                first: group.count,
                first_at: now,
                last: group.count,
            };
            let earlier = self.0.get(&group.key).copied();
            let earlier = earlier.filter(|earlier| earlier.last <= group.count);
            let record = earlier.map_or(new, |earlier| GroupRecord {
                last: group.count,
                ..earlier
            });
            dump.growth.extend(record.growth(group.key, now));
            records.insert(group.key, record);
        }
        self.0 = records;
    }
}

impl GroupRecord {
    fn growth(self, key: u64, now: Instant) -> Option<Growth> {
        let elapsed = now.saturating_duration_since(self.first_at);
        let growth = self.last - self.first;
        let is_large = growth >= MIN_TASKS && growth * MIN_SHARE >= self.first;
        (is_large && elapsed >= MIN_TIME).then_some(Growth {
            key,
            before: self.first,
            elapsed,
        })
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::GroupHistory;
    use crate::runtime::FindingKind;
    use crate::runtime::dump::sample::{dump, task};
    use std::time::{Duration, Instant};

    /// Returns the texts of the findings for sizes of a group at intervals of 600 ms.
    fn findings(sizes: &[u64]) -> Vec<String> {
        let mut history = GroupHistory::default();
        let (begin, interval) = (Instant::now(), Duration::from_millis(600));
        let mut findings = Vec::new();
        for (nth, size) in (0..).zip(sizes) {
            let mut dump = dump((1..=*size).map(|slot| task(slot, 10)).collect());
            history.record(&mut dump, begin + interval * nth);
            let found = dump.findings().into_iter();
            let found = found.filter(|finding| finding.kind == FindingKind::Growing);
            findings.extend(found.map(|finding| finding.to_string()));
        }
        findings
    }

    #[test]
    fn growing_group_is_a_finding() {
        let found = findings(&[41, 45, 51]);
        assert_eq!(found.len(), 1, "{found:?}");
        let begin = "growing: 51 tasks, 10 more than 1.2 s ago, at ReadFrame at await poll_fn, ";
        assert!(found[0].starts_with(begin), "{found:?}");
    }

    #[test]
    fn shrinking_group_or_little_growth_is_none() {
        assert_eq!(findings(&[41, 45, 50]), [""; 0]);
        assert_eq!(findings(&[41, 51]), [""; 0]);
        assert_eq!(findings(&[41, 30, 51]), [""; 0]);
        assert_eq!(findings(&[201, 210, 220]), [""; 0]);
        assert_eq!(findings(&[0, 0, 30]), [""; 0]);
    }
}
