//! A job holds a lock of the standard library while it waits, and tasks need the lock.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use volt::Runtime;
use volt::time::sleep;

type Cache = Arc<Mutex<HashMap<u64, String>>>;

fn look_up(cache: &Cache, key: u64) -> Option<String> {
    let entries = cache.lock().unwrap_or_else(PoisonError::into_inner); // It hangs here.
    entries.get(&key).cloned()
}

#[volt::state_machine]
async fn serve(cache: Cache, first: u64) {
    let mut key: u64 = first;
    loop {
        sleep(Duration::from_millis(50)).await;
        let _found = look_up(&cache, key);
        key += 1;
    }
}

/// Waits for ten pages with the lock held.
fn fill(cache: &Cache, pages: &Receiver<String>) {
    let mut entries = cache.lock().unwrap_or_else(PoisonError::into_inner);
    for key in 0..10 {
        entries.insert(key, pages.recv().unwrap_or_default());
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let cache = Cache::default();
    for number in 0..4 {
        let task = serve(Arc::clone(&cache), number * 10);
        runtime.handle().spawn_named("serve", task).detach();
    }
    let (send, pages) = channel();
    for number in 0..9 {
        send.send(format!("page {number}"))
            .expect("the job receives it");
    }
    // The tenth page never comes, and the channel stays open.
    std::mem::forget(send);
    runtime
        .spawn_blocking(move || fill(&cache, &pages))
        .detach();
}
