//! Running to the end.

use super::support::{Probe, Queue, ready};

#[test]
fn spawn_and_run_gives_output() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, 7_u64);
    let mut handle = queue.spawn(probe);
    assert_eq!(counts.polls.get(), 0);
    assert_eq!(queue.run_all(), 1);
    assert_eq!(counts.polls.get(), 1);
    assert_eq!(counts.drops.get(), 1);
    assert_eq!(ready(&mut handle).unwrap(), 7);
    assert_eq!(queue.allocated(), 0);
}
