//! The subjects. The macro `subject!` compiles them as plain functions or as machines.

use crate::leaf::{now, turn};
use crate::workload::{Subject, subject_of};

subject! {
    async fn straight(from: u64) -> u64 {
        turn().await;
        let double: u64 = from.wrapping_mul(2);
        turn().await;
        let sum: u64 = double.wrapping_add(from);
        turn().await;
        let mixed: u64 = sum ^ double;
        turn().await;
        mixed
    }
}

subject! {
    async fn turns(times: u64) -> u64 {
        let mut sum: u64 = 0;
        let mut at: u64 = 0;
        while at < times {
            turn().await;
            sum = sum.wrapping_mul(31).wrapping_add(at);
            at += 1;
        }
        sum
    }
}

subject! {
    async fn ready_at_once(times: u64) -> u64 {
        let mut sum: u64 = 0;
        let mut at: u64 = 0;
        while at < times {
            let more: u64 = now(at).await;
            sum = sum.wrapping_mul(31).wrapping_add(more);
            at += 1;
        }
        sum
    }
}

subject! {
    async fn fifth(times: u64) -> u64 {
        turns(times).await ^ 5
    }
}

subject! {
    async fn fourth(times: u64) -> u64 {
        fifth(times).await ^ 4
    }
}

subject! {
    async fn third(times: u64) -> u64 {
        fourth(times).await ^ 3
    }
}

subject! {
    async fn second(times: u64) -> u64 {
        third(times).await ^ 2
    }
}

subject! {
    async fn nested(times: u64) -> u64 {
        second(times).await ^ 1
    }
}

subject! {
    async fn branches(times: u64) -> u64 {
        let mut sum: u64 = 0;
        let mut at: u64 = 0;
        while at < times {
            let step: u64 = match at % 4 {
                0 => 1,
                1 => {
                    turn().await;
                    at ^ 2
                }
                2 => now(at).await,
                _ => {
                    let half: u64 = at / 2;
                    turn().await;
                    now(3).await + half
                }
            };
            if step > 7 {
                turn().await;
            }
            sum = sum.wrapping_mul(31).wrapping_add(step);
            at += 1;
        }
        sum
    }
}

subject! {
    async fn page_in_a_loop(times: u64) -> u64 {
        let mut page: [u8; 1024] = [0; 1024];
        let mut at: u64 = 0;
        while at < times {
            page[at as usize % 1024] = at as u8;
            turn().await;
            at += 1;
        }
        u64::from(page[7]) + u64::from(page[1023])
    }
}

subject! {
    async fn page_through_states(seed: u64) -> u64 {
        let mut page: [u8; 1024] = [seed as u8; 1024];
        turn().await;
        page[1] = 1;
        turn().await;
        page[2] = page[1] + 1;
        turn().await;
        page[3] = page[2] + 1;
        turn().await;
        u64::from(page[3]) + u64::from(page[1023])
    }
}

subject! {
    async fn page_as_argument(page: [u8; 1024]) -> u64 {
        turn().await;
        turn().await;
        u64::from(page[3]) + u64::from(page[1023])
    }
}

subject! {
    async fn checked(from: u64) -> Result<u64, String> {
        turn().await;
        from.checked_add(1).ok_or_else(|| String::from("full"))
    }
}

subject! {
    async fn try_chain(from: u64) -> Result<u64, String> {
        let first: u64 = checked(from).await?;
        let second: u64 = checked(first).await?;
        let third: u64 = checked(second).await?;
        let fourth: u64 = checked(third).await?;
        Ok(fourth)
    }
}

subject! {
    async fn fill(bytes: &mut [u8], with: u8) {
        let mut at: usize = 0;
        while at < bytes.len() {
            bytes[at] = with;
            turn().await;
            at += 1;
        }
    }
}

subject! {
    async fn borrowed_local(with: u64) -> u64 {
        let mut bytes: [u8; 32] = [0; 32];
        fill(&mut bytes, with as u8).await;
        u64::from(bytes[0]) + u64::from(bytes[31])
    }
}

subject! {
    async fn text(from: u64) -> u64 {
        let name: String = String::from("name");
        turn().await;
        let other: String = String::from("other");
        turn().await;
        from + name.len() as u64 + other.len() as u64
    }
}

/// Returns all subjects with their names, in the order of the table.
pub(crate) fn all() -> Vec<Subject> {
    vec![
        subject_of("straight line", || straight(7)),
        subject_of("loop", || turns(64)),
        subject_of("loop, always ready", || ready_at_once(64)),
        subject_of("nested 6 deep", || nested(64)),
        subject_of("branches", || branches(64)),
        subject_of("1 KiB in a loop", || page_in_a_loop(64)),
        subject_of("1 KiB through states", || page_through_states(7)),
        subject_of("1 KiB argument", || page_as_argument([3; 1024])),
        subject_of("`?` chain", || try_chain(7)),
        subject_of("borrowed local", || borrowed_local(7)),
        subject_of("two strings", || text(7)),
    ]
}
