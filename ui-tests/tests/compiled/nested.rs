//! Machines that call each other twenty levels deep, under the default recursion limit.

use super::run::{run, turn};

macro_rules! levels {
    ($($name:ident $below:ident)*) => { $(
        #[volt::state_machine(explicit)]
        async fn $name(depth: u32) -> u32 {
            let found = $below(depth + 1).await;
            found + 1
        }
    )* };
}

#[volt::state_machine(explicit)]
async fn lowest(depth: u32) -> u32 {
    turn().await;
    depth
}

levels! {
    level_0 level_1
    level_1 level_2
    level_2 level_3
    level_3 level_4
    level_4 level_5
    level_5 level_6
    level_6 level_7
    level_7 level_8
    level_8 level_9
    level_9 level_10
    level_10 level_11
    level_11 level_12
    level_12 level_13
    level_13 level_14
    level_14 level_15
    level_15 level_16
    level_16 level_17
    level_17 level_18
    level_18 level_19
    level_19 lowest
}

#[test]
fn machines_twenty_levels_deep_compile_and_run() {
    assert_eq!(run(level_0(0)), (40, 2));
}
