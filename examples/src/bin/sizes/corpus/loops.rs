//! Awaits in loops.

use std::time::Duration;
use std::vec::IntoIter;

use volt::task::yield_now;
use volt::time::sleep;

use crate::world::{Problem, Record, answer, checksum};

subject! {
    async fn count_down(from: u32) -> u32 {
        let mut left: u32 = from;
        while left > 0 {
            yield_now().await;
            left -= 1;
        }
        left
    }
}

subject! {
    async fn range_by_hand(to: u32) -> u64 {
        let mut sum: u64 = 0;
        let mut at: u32 = 0;
        while at < to {
            yield_now().await;
            sum += u64::from(at);
            at += 1;
        }
        sum
    }
}

subject! {
    async fn range(to: u32) -> u64 {
        let mut sum: u64 = 0;
        for at in 0..to {
            yield_now().await;
            sum += u64::from(at);
        }
        sum
    }
}

subject! {
    async fn short_range(to: u32) -> u32 {
        let mut sum: u32 = 0;
        for at in 0..to {
            yield_now().await;
            sum ^= at;
        }
        sum
    }
}

subject! {
    async fn every_record(records: Vec<Record>) -> u64 {
        let mut sum: u64 = 0;
        for record in records {
            let record: Record = record;
            yield_now().await;
            sum += record.total();
        }
        sum
    }
}

subject! {
    async fn total(records: Vec<Record>) -> u64 {
        let mut sum: u64 = 0;
        let mut rest: IntoIter<Record> = {records}.into_iter();
        while let Some(record) = rest.next() {
            let record: Record = record;
            yield_now().await;
            sum += record.total();
        }
        sum
    }
}

subject! {
    async fn retry(mut tries: u32, pause: Duration) -> Result<u32, Problem> {
        loop {
            let found: Option<u32> = answer::<Option<u32>>(None).await;
            if let Some(found) = found {
                return Ok(found);
            }
            if tries == 0 {
                return Err(Problem::Full);
            }
            tries -= 1;
            sleep(pause).await;
        }
    }
}

subject! {
    async fn back_off(limit: Duration) -> u32 {
        let mut pause: Duration = Duration::from_millis(1);
        let mut rounds: u32 = 0;
        while pause < limit {
            sleep(pause).await;
            pause *= 2;
            rounds += 1;
        }
        rounds
    }
}

subject! {
    async fn page_kept_in_a_loop(rounds: u32) -> u32 {
        let mut page: [u8; 1024] = [0; 1024];
        let mut round: u32 = 0;
        while round < rounds {
            page[round as usize % 1024] += 1;
            yield_now().await;
            round += 1;
        }
        checksum(&page)
    }
}

subject! {
    async fn page_made_in_a_loop(rounds: u32) -> u32 {
        let mut sum: u32 = 0;
        let mut round: u32 = 0;
        while round < rounds {
            let page: [u8; 1024] = [round as u8; 1024];
            sum += checksum(&page);
            yield_now().await;
            round += 1;
        }
        sum
    }
}

subject! {
    async fn grid(rows: u16, columns: u16) -> u32 {
        let mut filled: u32 = 0;
        let mut row: u16 = 0;
        'rows: while row < rows {
            let mut column: u16 = 0;
            while column < columns {
                yield_now().await;
                if filled > 1000 {
                    break 'rows;
                }
                filled += 1;
                column += 1;
            }
            row += 1;
        }
        filled
    }
}

subject! {
    async fn until_quiet(mut pending: Vec<u32>) -> Vec<u32> {
        let mut done: Vec<u32> = Vec::new();
        while let Some(next) = pending.pop() {
            let next: u32 = next;
            let more: Option<u32> = answer::<Option<u32>>(next.checked_sub(10)).await;
            pending.extend(more);
            done.push(next);
        }
        done
    }
}

measure![
    count_down(_),
    range_by_hand(_),
    range(_),
    short_range(_),
    every_record(_),
    total(_),
    retry(_, _),
    back_off(_),
    page_kept_in_a_loop(_),
    page_made_in_a_loop(_),
    grid(_, _),
    until_quiet(_),
];
