//! Arguments of which the body makes nothing.
#![allow(
    unused_variables,
    dead_code,
    clippy::ptr_arg,
    reason = "that is what is tested"
)]

use crate::run::run;

struct Pair(u64, u64);

#[volt::state_machine(explicit)]
async fn ignored(limit: u64, list: &mut Vec<u64>, pair: Pair) {}

#[volt::state_machine(explicit)]
async fn ignored_but_one(limit: u64, list: &mut Vec<u64>, pair: Pair) -> u64 {
    crate::run::turn().await;
    limit
}

#[test]
fn ignored_arguments_do_not_lie_over_others() {
    let mut list = vec![7];
    assert_eq!(
        run(ignored(u64::MAX, &mut list, Pair(u64::MAX, 1))),
        ((), 1)
    );
    let found = run(ignored_but_one(3, &mut list, Pair(u64::MAX, u64::MAX)));
    assert_eq!(found, (3, 2));
}
