//! The rules about tasks that wait for a socket.

use volt_inspect::Direction;

use super::exception_rules::SpawnedTasks;
use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::runtime::dump::waits::SocketWait;
use crate::task::{Lifecycle, TaskInfo};

impl<'a> Rules<'a> {
    /// Finds tasks that have waited for long to read from a socket, while most other tasks that
    /// were spawned at the same place make progress.
    ///
    /// A client may be silent for a good reason, so connections that a listener has accepted are no
    /// finding. Others are one only if they are an exception at their place.
    pub(super) fn silent_peers(&self) -> Vec<Finding> {
        if self.dump.socket_waits.is_empty() {
            return Vec::new();
        }
        let found = self.by_spawn().into_iter();
        found.filter_map(|tasks| self.silent_peer(&tasks)).collect()
    }

    /// Finds tasks that have waited for long to write to a connected socket.
    ///
    /// A socket is writable unless its buffers are full. A task that connects also waits to write,
    /// but its socket has no peer.
    pub(super) fn stalled_writes(&self) -> Vec<Finding> {
        if self.dump.socket_waits.is_empty() {
            return Vec::new();
        }
        let is_stalled = |task: &TaskInfo| self.stalled_write(task).is_some();
        self.tree_findings(FindingKind::StalledWrite, is_stalled, |found| {
            let longest = self.longest_of(found);
            let wait = self.stalled_write(longest);
            let peer = wait
                .and_then(|wait| wait.peer.as_deref())
                .unwrap_or("a peer");
            format!(
                "stalled write: {} {} for {} to write to {peer}, at {}",
                self.counted_with_example(found),
                found.verb("has waited", "have waited"),
                self.time_of(found),
                self.place_of(found),
            )
        })
    }

    fn stalled_write(&self, task: &TaskInfo) -> Option<&'a SocketWait> {
        let mut waits = self.dump.socket_waits_of(task).iter();
        waits.find(|wait| wait.direction == Direction::Write && wait.peer.is_some())
    }

    fn silent_peer(&self, tasks: &SpawnedTasks<'a>) -> Option<Finding> {
        let exceptions = self.exceptions(tasks)?;
        let mut long = exceptions.long.iter();
        if !long.all(|(_, task)| self.waits_for_server(task)) {
            return None;
        }
        let found = Self::found_of(&exceptions.long);
        let longest = self.longest_of(&found);
        let wait = self.dump.socket_waits_of(longest).first()?;
        let from = match &wait.peer {
            Some(peer) => peer.clone(),
            None => format!("descriptor {}", wait.descriptor),
        };
        let text = format!(
            "silent peer: {} {} for {} to read from {from}{}; {}",
            self.counted_with_example(&found),
            found.verb("waits", "wait"),
            self.time_of(&found),
            self.known_place_of(&found),
            exceptions.others_text(),
        );
        Some(self.finding(FindingKind::SilentPeer, found, text))
    }

    /// Returns the place at which tasks wait, if they have one other than the place of the spawn.
    fn known_place_of(&self, found: &Found<'a>) -> String {
        let traced = |group: &usize| !self.grouping.trace(*group).is_empty();
        let group = found.group.filter(traced);
        group.map_or_else(String::new, |group| {
            format!(", at {}", self.place_with_await(group))
        })
    }

    /// Returns `true` if the task waits to read from a socket that no listener has accepted.
    fn waits_for_server(&self, task: &TaskInfo) -> bool {
        let waits = self.dump.socket_waits_of(task);
        let reads = |wait: &SocketWait| wait.direction == Direction::Read && !wait.is_accepted;
        task.lifecycle == Lifecycle::Idle && waits.iter().any(reads)
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::Direction;

    use super::{FindingKind, SocketWait};
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::sample::{dump, task};

    /// Returns a dump of clients that have waited for so many milliseconds.
    fn dump_of_clients(ages: &[u32]) -> Dump {
        let ages = (1..).zip(ages);
        let mut dump = dump(ages.map(|(slot, age)| task(slot, *age)).collect());
        let waits = dump.tasks.iter().map(|client| SocketWait {
            task: client.id,
            direction: Direction::Read,
            descriptor: 3,
            is_accepted: false,
            peer: None,
        });
        dump.socket_waits = waits.collect();
        dump
    }

    #[test]
    fn writer_to_a_full_socket_is_a_finding() {
        let mut dump = dump_of_clients(&[1_001, 999, 1_001, 1_001]);
        for (wait, peer) in dump
            .socket_waits
            .iter_mut()
            .zip([Some("[::1]:80"), Some("b"), None])
        {
            (wait.direction, wait.is_accepted) = (Direction::Write, true);
            wait.peer = peer.map(str::to_owned);
        }
        let findings = dump.findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].kind, FindingKind::StalledWrite);
        assert_eq!(findings[0].tasks, [task(1, 0).id]);
        assert!(findings[0].text.contains("1.0 s to write to [::1]:80, at "));
    }

    #[test]
    fn silent_peer_has_the_place_of_its_wait() {
        let text = |dump: &Dump| dump.findings()[0].to_string();
        let mut dump = dump_of_clients(&[1_001, 20, 30, 499]);
        let traced = "silent peer: task 1.1 waits for 1.0 s to read from descriptor 3, at ReadFrame \
            at await poll_fn, src/frame.rs:31:14, awaited by Session at await read_frame, \
            src/session.rs:52:30; the other 3 tasks spawned at ";
        assert!(text(&dump).starts_with(traced), "{}", text(&dump));
        dump.tasks[0].position = [].into();
        let untraced = "to read from descriptor 3; the other 3 tasks spawned at ";
        assert!(text(&dump).contains(untraced), "{}", text(&dump));
        assert!(
            text(&dump).contains(" have waited for at most 499 ms"),
            "{}",
            text(&dump)
        );
    }

    #[test]
    fn silent_peer_is_an_exception_at_its_place() {
        let findings = dump_of_clients(&[1_001, 20, 30, 499]).findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].kind, FindingKind::SilentPeer);
        assert_eq!(findings[0].tasks, [task(1, 0).id]);
        let almost_as_long = dump_of_clients(&[1_001, 999, 30, 40]);
        assert_eq!(almost_as_long.findings(), []);
    }
}
