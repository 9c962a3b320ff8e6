//! Helpers for the tests of dumps: workers that block in a poll, and tasks by name.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use volt::Runtime;
use volt::runtime::Dump;
use volt::task::TaskInfo;

/// Blocks workers in a poll until it is released.
#[derive(Clone, Default)]
pub(crate) struct Block {
    entered: Arc<AtomicUsize>,
    release: Arc<AtomicBool>,
}

impl Block {
    pub(crate) fn hold(&self) {
        self.entered.fetch_add(1, Ordering::SeqCst);
        while !self.release.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub(crate) fn wait_for(&self, workers: usize) {
        while self.entered.load(Ordering::SeqCst) < workers {
            thread::yield_now();
        }
    }

    pub(crate) fn release(&self) {
        self.release.store(true, Ordering::SeqCst);
    }
}

/// Returns a runtime whose workers are all blocked, each in a task with this name.
pub(crate) fn blocked(workers: usize, name: &str) -> (Runtime, Block) {
    let runtime = Runtime::builder()
        .worker_threads(workers)
        .thread_name("post")
        .build()
        .unwrap();
    let block = Block::default();
    for _ in 0..workers {
        let held = block.clone();
        runtime
            .handle()
            .spawn_named(name, async move { held.hold() })
            .detach();
    }
    block.wait_for(workers);
    (runtime, block)
}

/// Returns the only task with this name.
pub(crate) fn named<'a>(dump: &'a Dump, name: &str) -> &'a TaskInfo {
    let mut found = dump
        .tasks()
        .iter()
        .filter(|task| task.name.as_deref() == Some(name));
    let task = found
        .next()
        .unwrap_or_else(|| panic!("no {name} in {dump}"));
    assert!(found.next().is_none());
    task
}
