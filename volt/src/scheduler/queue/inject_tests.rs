//! Tests of the size of a batch, of the registrar, and of the memory that is retained.

use super::{BATCH, BatchBuffer, Injector, MIN_CAPACITY};

fn fetched(queued: usize, workers: usize) -> usize {
    let injector = Injector::new(());
    let (mut buffer, _thief) = BatchBuffer::new();
    injector.extend(0..queued);
    let batch = injector.fetch(&buffer, workers);
    let count = usize::from(batch.first.is_some()) + std::iter::from_fn(|| buffer.pop()).count();
    assert_eq!((batch.taken, batch.left), (count, queued - count));
    assert_eq!(injector.len(), batch.left);
    count
}

#[test]
fn fetch_takes_a_fair_share_of_at_most_a_batch() {
    assert_eq!(fetched(0, 4), 0);
    assert_eq!(fetched(1, 4), 1);
    assert_eq!(fetched(8, 4), 3);
    assert_eq!(fetched(40, 4), 11);
    assert_eq!(fetched(40, 1), 20);
    assert_eq!(fetched(1000, 1), BATCH);
    assert_eq!(fetched(1000, 4), BATCH);
    assert_eq!(fetched(60, 65), 1);
}

#[test]
fn fetch_keeps_the_order() {
    let injector = Injector::new(());
    let (mut buffer, _thief) = BatchBuffer::new();
    for n in 0..10 {
        assert_eq!(injector.push(n), n + 1);
    }
    let mut seen = Vec::new();
    while let Some(task) = injector.fetch(&buffer, 2).first {
        seen.push(task);
        seen.extend(std::iter::from_fn(|| buffer.pop()));
    }
    assert_eq!(seen, (0..10).collect::<Vec<_>>());
    assert!(injector.is_empty());
}

#[test]
fn buffered_tasks_can_be_stolen() {
    let injector = Injector::new(());
    let (mut mine, _) = BatchBuffer::new();
    let (buffer, thief) = BatchBuffer::new();
    injector.extend(0..BATCH);
    assert_eq!(injector.fetch(&buffer, 1).first, Some(0));
    assert_eq!((thief.len(), injector.len()), (BATCH / 2 - 1, BATCH / 2));
    assert_eq!(thief.steal_into(&mine), Some(1));
    assert!(mine.pop().is_some() && thief.has_stealable());
}

#[test]
fn rejected_task_is_returned() {
    let injector = Injector::new(1);
    let enter = |n: i32| {
        injector.push_if(n, |left, _| {
            *left -= 1;
            *left >= 0
        })
    };
    assert_eq!((enter(7), enter(8)), (Ok(1), Err(8)));
    assert_eq!((injector.pop(), injector.pop()), (Some(7), None));
    assert!(injector.is_empty() && injector.with_registrar(|left| *left == -1));
}

#[test]
fn memory_of_a_flood_is_freed() {
    const FLOOD: usize = 4 * MIN_CAPACITY;
    let injector = Injector::new(());
    let capacity = || injector.with(|locked| locked.queue.capacity());
    injector.extend(0..FLOOD);
    assert!(capacity() >= FLOOD);
    let (mut buffer, _thief) = BatchBuffer::new();
    while injector.fetch(&buffer, 1).first.is_some() {
        while buffer.pop().is_some() {}
    }
    assert!(capacity() < 2 * MIN_CAPACITY, "{}", capacity());
}
