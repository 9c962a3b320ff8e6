//! Cycles of tasks that wait for each other.

use std::collections::{HashMap, HashSet};

use crate::task::TaskId;

/// Returns the cycles of a wait-for graph. Each cycle begins with its smallest id.
///
/// The search is a depth-first search that visits each task once. So if two cycles share a task, it
/// may find only one of them.
pub(in crate::runtime::dump) fn wait_cycles(
    waits: &HashMap<TaskId, &[TaskId]>,
) -> Vec<Vec<TaskId>> {
    let mut starts: Vec<_> = waits.keys().copied().collect();
    starts.sort_unstable();
    let mut done = HashSet::new();
    let mut found = Vec::new();
    for start in starts {
        visit(start, waits, &mut done, &mut found);
    }
    found
}

/// Visits the tasks that are reachable from `start` and not `done` yet.
fn visit(
    start: TaskId,
    waits: &HashMap<TaskId, &[TaskId]>,
    done: &mut HashSet<TaskId>,
    found: &mut Vec<Vec<TaskId>>,
) {
    // The path from `start`, with the number of edges that were followed from each task, and the
    // index of each task on the path.
    let mut path = Vec::new();
    let mut indices = HashMap::new();
    let mut next = Some(start);
    loop {
        if let Some(task) = next.filter(|task| !done.contains(task)) {
            match indices.get(&task) {
                Some(&begin) => found.push(from_smallest(&path[begin..])),
                None => {
                    indices.insert(task, path.len());
                    path.push((task, 0));
                }
            }
        }
        let Some((task, followed)) = path.last_mut() else {
            return;
        };
        next = waits
            .get(task)
            .and_then(|awaited| awaited.get(*followed))
            .copied();
        *followed += 1;
        if next.is_none() {
            done.insert(*task);
            indices.remove(task);
            path.pop();
        }
    }
}

/// Rotates a cycle so that it begins with its smallest id.
fn from_smallest(cycle: &[(TaskId, usize)]) -> Vec<TaskId> {
    let mut cycle: Vec<_> = cycle.iter().map(|(task, _)| *task).collect();
    let smallest = (0..cycle.len()).min_by_key(|&index| cycle[index]);
    cycle.rotate_left(smallest.unwrap_or(0));
    cycle
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::wait_cycles;
    use crate::task::TaskId;
    use std::collections::HashMap;

    /// Returns the cycles of tasks with these numbers.
    fn found(waits: &[(u64, &[u64])]) -> Vec<Vec<u64>> {
        let id = |number: &u64| TaskId::from_bits(*number);
        let lists: Vec<(TaskId, Vec<TaskId>)> = waits
            .iter()
            .map(|(from, to)| (id(from), to.iter().map(id).collect()))
            .collect();
        let map: HashMap<_, _> = lists.iter().map(|(from, to)| (*from, &to[..])).collect();
        let cycles = wait_cycles(&map).into_iter();
        cycles
            .map(|cycle| cycle.into_iter().map(TaskId::to_bits).collect())
            .collect()
    }

    #[test]
    fn chains_are_not_cycles() {
        assert!(found(&[(1, &[2]), (2, &[3]), (4, &[3]), (3, &[9])]).is_empty());
    }

    #[test]
    fn cycle_is_found_once_from_any_start() {
        assert_eq!(
            found(&[(3, &[1]), (2, &[3]), (1, &[2]), (4, &[2])]),
            [[1, 2, 3]]
        );
        assert_eq!(found(&[(7, &[7])]), [[7]]);
    }

    #[test]
    fn separate_cycles_are_all_found() {
        let waits: &[(u64, &[u64])] = &[(1, &[2, 9]), (2, &[1]), (5, &[6]), (6, &[8, 5])];
        assert_eq!(found(waits), [[1, 2], [5, 6]]);
    }

    #[test]
    fn long_chain_does_not_recurse() {
        let waits: Vec<_> = (1..100_000_u64).map(|n| (n, [n % 99_999 + 1])).collect();
        let waits: Vec<_> = waits.iter().map(|(n, to)| (*n, &to[..])).collect();
        assert_eq!(found(&waits)[0].len(), 99_999);
    }
}
