//! Locals that are gone, or as good as gone, before the await.

use std::sync::{Mutex, PoisonError};

use volt::task::yield_now;

use crate::world::{Pool, Scratch, checksum};

subject! {
    async fn borrowed_but_dead() -> u32 {
        let page: [u8; 1024] = [1; 1024];
        let sum: u32 = checksum(&page);
        yield_now().await;
        sum
    }
}

subject! {
    async fn guard_dropped_before<'a>(pool: &'a Pool) -> u64 {
        let mut scratch: Scratch<'a> = pool.take();
        scratch.fill(7);
        let sum: u64 = u64::from(checksum(scratch.bytes()));
        drop(scratch);
        yield_now().await;
        sum + u64::from(pool.taken())
    }
}

subject! {
    async fn guard_in_a_block<'a>(counter: &'a Mutex<u64>) -> u64 {
        let before: u64 = {
            let mut guard = counter.lock().unwrap_or_else(PoisonError::into_inner);
            *guard += 1;
            *guard
        };
        yield_now().await;
        let guard = counter.lock().unwrap_or_else(PoisonError::into_inner);
        *guard - before
    }
}

subject! {
    async fn guard_across<'a>(pool: &'a Pool) -> u32 {
        let mut scratch: Scratch<'a> = pool.take();
        scratch.fill(7);
        yield_now().await;
        checksum(scratch.bytes())
    }
}

subject! {
    async fn text_joined(left: String, right: String) -> String {
        let joined: String = format!("{left}{right}");
        drop(left);
        drop(right);
        yield_now().await;
        joined
    }
}

subject! {
    async fn table_then_result() -> [u8; 16] {
        let mut table: [u16; 256] = [0; 256];
        for (at, slot) in table.iter_mut().enumerate() {
            *slot = at as u16 ^ 0x5a;
        }
        let mut key: [u8; 16] = [0; 16];
        for (at, byte) in key.iter_mut().enumerate() {
            *byte = table[at * 16] as u8;
        }
        yield_now().await;
        key
    }
}

subject! {
    async fn sent_away(job: Vec<u8>, id: u32) -> u32 {
        let length: u32 = job.len() as u32;
        let handed: Vec<u8> = job;
        drop(handed);
        yield_now().await;
        id + length
    }
}

subject! {
    async fn kept_or_not(flag: bool, text: String) -> usize {
        if flag {
            yield_now().await;
            return text.len();
        }
        drop(text);
        yield_now().await;
        0
    }
}

measure![
    borrowed_but_dead(),
    guard_dropped_before(_),
    guard_in_a_block(_),
    guard_across(_),
    text_joined(_, _),
    table_then_result(),
    sent_away(_, _),
    kept_or_not(_, _),
];
