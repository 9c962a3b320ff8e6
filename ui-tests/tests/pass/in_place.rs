//! Large locals of written types, and of lengths that only the compiler knows.
#![deny(warnings)]
#![forbid(unsafe_code)]

use volt::machine::StateMachine;
use volt::task::yield_now;

pub const SIZE: usize = 512;

#[derive(Debug)]
pub struct Index {
    pub counts: [u64; 64],
    pub total: u64,
}

#[volt::state_machine]
pub async fn count(#[in_place] mut index: Index, times: u8) -> u64 {
    let mut bytes: [u8; SIZE] = [0; SIZE];
    let mut left: u8 = times;
    while left > 0 {
        #[in_place]
        let more: Index = Index {
            counts: [1; 64],
            total: 0,
        };
        yield_now().await;
        bytes[usize::from(left)] = left;
        yield_now().await;
        index.total += more.counts[3] + u64::from(bytes[1]);
        left -= 1;
    }
    {
        #[in_place]
        let none: Index = Index {
            counts: [0; 64],
            total: 0,
        };
        index.total += none.total;
    }
    index.counts[0] + index.total
}

#[volt::state_machine]
pub async fn fold<'a, T: Clone + Into<u64>, const N: usize>(items: &'a [T]) -> [u64; N] {
    let mut sums: [u64; N] = [0; N];
    let mut at: usize = 0;
    while at < items.len() {
        yield_now().await;
        sums[at % N] += items[at].clone().into();
        at += 1;
    }
    sums
}

fn main() {
    let index = Index {
        counts: [1; 64],
        total: 0,
    };
    assert_eq!(volt::block_on(count(index, 2)), 4);
    assert_eq!(volt::block_on(fold::<u8, 2>(&[1, 2, 3])), [4, 2]);
    assert_eq!(Count::STATES[1].locals.len(), 4);
    assert!(Some(size_of::<Count>()) < Count::NATIVE_SIZE);
}
