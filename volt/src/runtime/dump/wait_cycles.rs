//! Tasks that wait for each other in a circle.

use std::collections::{HashMap, HashSet};

use crate::task::TaskId;

/// The circles among tasks each of which waits for some others; each circle once, from its smallest
/// id on. None of two that share a task is found with certainty but one.
pub(super) fn wait_cycles(waits: &HashMap<TaskId, &[TaskId]>) -> Vec<Vec<TaskId>> {
    let mut starts: Vec<_> = waits.keys().copied().collect();
    starts.sort_unstable();
    let mut done = HashSet::new();
    let mut found = Vec::new();
    for start in starts {
        walk(start, waits, &mut done, &mut found);
    }
    found
}

/// Goes everywhere from `start` where nobody was before.
fn walk(
    start: TaskId,
    waits: &HashMap<TaskId, &[TaskId]>,
    done: &mut HashSet<TaskId>,
    found: &mut Vec<Vec<TaskId>>,
) {
    // The way from `start` on, where each task on it stands, and how many of its waits were followed.
    let mut way = Vec::new();
    let mut places = HashMap::new();
    let mut next = Some(start);
    loop {
        if let Some(task) = next.filter(|task| !done.contains(task)) {
            match places.get(&task) {
                Some(&begin) => found.push(turned(&way[begin..])),
                None => {
                    places.insert(task, way.len());
                    way.push((task, 0));
                }
            }
        }
        let Some((task, followed)) = way.last_mut() else {
            return;
        };
        next = waits.get(task).and_then(|it| it.get(*followed)).copied();
        *followed += 1;
        if next.is_none() {
            done.insert(*task);
            places.remove(task);
            way.pop();
        }
    }
}

fn turned(circle: &[(TaskId, usize)]) -> Vec<TaskId> {
    let mut circle: Vec<_> = circle.iter().map(|(task, _)| *task).collect();
    let smallest = circle.iter().min();
    let smallest = smallest.and_then(|it| circle.iter().position(|other| other == it));
    circle.rotate_left(smallest.unwrap_or(0));
    circle
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::wait_cycles;
    use crate::task::TaskId;
    use std::collections::HashMap;

    /// The circles among tasks with these numbers.
    fn found(waits: &[(u64, &[u64])]) -> Vec<Vec<u64>> {
        let id = |number: &u64| TaskId::from_bits(*number);
        let lists: Vec<(TaskId, Vec<TaskId>)> = waits
            .iter()
            .map(|(from, to)| (id(from), to.iter().map(id).collect()))
            .collect();
        let map: HashMap<_, _> = lists.iter().map(|(from, to)| (*from, &to[..])).collect();
        let circles = wait_cycles(&map).into_iter();
        circles
            .map(|circle| circle.into_iter().map(TaskId::to_bits).collect())
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
