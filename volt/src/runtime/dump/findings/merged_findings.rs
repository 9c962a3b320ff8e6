//! The merge of findings that have one cause: a future that is not polled, or a poll that does not
//! end.

use std::fmt::Write;

use super::advice::{KNOWN_GUARD, LATER_WAIT};
use super::finding::{Finding, FindingKind};

/// Adds the waits for locks to the finding about a future that is not polled in one of these tasks,
/// and the overdue timers to that about a poll that does not end.
///
/// Waits of the same tasks are not repeated.
/// The number of wakers of a task is a weaker sign of such a future. So it is no finding of its own
/// if its tasks are in another one.
pub(super) fn merge_findings(findings: &mut Vec<Finding>) {
    // A woken future of a group that is dormant is in both.
    merge(findings, FindingKind::Dormant, |woken, dormant| {
        let is_woken = woken.kind == FindingKind::WokenNotPolled;
        let mut tasks = dormant.tasks.iter();
        (is_woken && tasks.all(|id| woken.tasks.contains(id))).then(String::new)
    });
    merge(findings, FindingKind::LockWaits, |held, waits| {
        let is_cause = matches!(
            held.kind,
            FindingKind::Dormant | FindingKind::WokenNotPolled
        );
        let is_shared = held.tasks.iter().any(|id| waits.tasks.contains(id));
        let are_others =
            waits.count > held.tasks.len() || waits.tasks.iter().any(|id| !held.tasks.contains(id));
        (is_cause && is_shared).then(|| match are_others {
            true => meanwhile(waits),
            false => String::new(),
        })
    });
    merge(findings, FindingKind::OverdueTimers, |blocked, timers| {
        let is_cause = matches!(
            blocked.kind,
            FindingKind::BlockedWorker | FindingKind::NeverGivesWay
        );
        // The further clauses name the polls that the other finding is about.
        is_cause.then(|| {
            let text = meanwhile(timers);
            let end = text[2..].find("; ").map_or(text.len(), |end| 2 + end);
            text[..end].to_owned()
        })
    });
    merge(
        findings,
        FindingKind::MoreWakersThanLeaves,
        |other, more| {
            // The owner of the lock is known.
            if [KNOWN_GUARD, LATER_WAIT].contains(&other.advice) {
                return Some(String::new());
            }
            if !more.tasks.iter().all(|id| other.tasks.contains(id)) {
                return None;
            }
            match other.kind {
                FindingKind::Dormant | FindingKind::WokenNotPolled => Some(String::new()),
                FindingKind::LockWaits => Some(held_future_text(more)),
                _ => None,
            }
        },
    );
}

/// Returns the text of a consequence, for the finding of its cause.
fn meanwhile(consequence: &Finding) -> String {
    let (_, text) = consequence.text.split_once(": ").unwrap_or_default();
    format!("; meanwhile {text}")
}

/// Returns the text about tasks that may hold a future, for a finding with their places.
fn held_future_text(more: &Finding) -> String {
    let mut ids = String::new();
    for (nth, id) in more.tasks.iter().take(3).enumerate() {
        _ = write!(ids, "{}{id}", if nth == 0 { "" } else { ", " });
    }
    let (task, verb) = match more.count {
        1 => ("task", "has"),
        _ => ("tasks", "have"),
    };
    format!(
        "; {task} {ids} {verb} more wakers than waits, so a variable there may store a future that \
         is the next in the queue of the lock, and is not polled"
    )
}

/// Removes each finding of a kind for which `text` returns a text with another finding, to which
/// the text is added.
fn merge(
    findings: &mut Vec<Finding>,
    kind: FindingKind,
    text: impl Fn(&Finding, &Finding) -> Option<String>,
) {
    let mut index = 0;
    while index < findings.len() {
        let part = &findings[index];
        let mut others = findings.iter().enumerate();
        let found = others.find_map(|(other, finding)| Some((other, text(finding, part)?)));
        match found {
            Some((other, text)) if part.kind == kind => {
                findings[other].text.push_str(&text);
                findings.remove(index);
            }
            _ => index += 1,
        }
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use std::time::Duration;

    use super::{LATER_WAIT, merge_findings};
    use crate::runtime::dump::findings::finding::{Finding, FindingKind};
    use crate::runtime::dump::sample::task;

    fn finding(kind: FindingKind, slots: &[u64], text: &str) -> Finding {
        Finding {
            kind,
            count: slots.len(),
            tasks: slots.iter().map(|slot| task(*slot, 0).id).collect(),
            place: None,
            group: None,
            longest: Duration::ZERO,
            jobs: Vec::new(),
            text: text.to_owned(),
            advice: kind.advice(),
        }
    }

    fn merged(mut findings: Vec<Finding>) -> Vec<String> {
        merge_findings(&mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn waits_for_a_lock_join_the_held_future() {
        let dormant = || finding(FindingKind::Dormant, &[1, 2], "dormant future: a");
        let waits = |slots| finding(FindingKind::LockWaits, slots, "locks: 3 tasks wait");
        let more = || finding(FindingKind::MoreWakersThanLeaves, &[1], "more: b");
        assert_eq!(
            merged(vec![dormant(), waits(&[2, 3]), more()]),
            ["dormant future: a; meanwhile 3 tasks wait"]
        );
        let of_same = merged(vec![dormant(), waits(&[2])]);
        assert_eq!(of_same, ["dormant future: a"]);
        let apart = merged(vec![dormant(), waits(&[3])]);
        assert_eq!(apart, ["dormant future: a", "locks: 3 tasks wait"]);
    }

    #[test]
    fn dormant_group_joins_its_woken_future() {
        let woken = || finding(FindingKind::WokenNotPolled, &[1, 2], "woken: b");
        let dormant = |slots| finding(FindingKind::Dormant, slots, "dormant future: a");
        let waits = finding(FindingKind::LockWaits, &[1, 3], "locks: 3 tasks wait");
        let merged_all = merged(vec![dormant(&[2]), woken(), waits]);
        assert_eq!(merged_all, ["woken: b; meanwhile 3 tasks wait"]);
        let apart = merged(vec![dormant(&[2, 3]), woken()]);
        assert_eq!(apart, ["dormant future: a", "woken: b"]);
    }

    #[test]
    fn overdue_timers_join_the_blocked_worker() {
        let timers = || finding(FindingKind::OverdueTimers, &[3], "overdue timers: b; c");
        let worker = finding(FindingKind::BlockedWorker, &[1], "blocked worker: a");
        let joined = merged(vec![worker, timers()]);
        assert_eq!(joined, ["blocked worker: a; meanwhile b"]);
        let endless = finding(FindingKind::NeverGivesWay, &[1], "never gives way: a");
        let joined = merged(vec![endless, timers()]);
        assert_eq!(joined, ["never gives way: a; meanwhile b"]);
        assert_eq!(merged(vec![timers()]), ["overdue timers: b; c"]);
    }

    #[test]
    fn wakers_join_the_waits_for_a_lock() {
        let waits = |slots| finding(FindingKind::LockWaits, slots, "locks: wait");
        let more = || finding(FindingKind::MoreWakersThanLeaves, &[1, 2], "more: b");
        let text = "locks: wait; tasks 1.1, 2.1 have more wakers than waits, so a variable there \
            may store a future that is the next in the queue of the lock, and is not polled";
        assert_eq!(merged(vec![waits(&[1, 2, 3]), more()]), [text]);
        let apart = merged(vec![waits(&[1, 3]), more()]);
        assert_eq!(apart, ["locks: wait", "more: b"]);
        let owned = Finding {
            advice: LATER_WAIT,
            ..waits(&[3])
        };
        assert_eq!(merged(vec![owned, more()]), ["locks: wait"]);
    }
}
