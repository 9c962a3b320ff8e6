//! Cases of functions that other macros write, with the fragments that these are given.

use super::log::*;

macro_rules! remaining {
    ($name:ident, $reserved:expr, $Number:ty, $least:literal, $declared:ident, $declare:stmt) => {
        subject! {
            async fn $name(used: $Number) -> $Number {
                $declare
                let free: $Number = 100 - $reserved - used;
                let twice: $Number = step::<$Number>("twice", 1, 2 * $reserved).await;
                if !$reserved < 0 {
                    tick("negative").await;
                }
                let all: Vec<$Number> = vec![$reserved, 3 * $reserved];
                note(format!("{} {}", $reserved, 4 - $reserved));
                free + twice + all[0] - all[1] + $least.abs() + <$Number>::from($declared)
            }
        }
    };
}

remaining!(remaining, 10 + 20, i64, -1i64, declared, let declared: i32 = 5);

macro_rules! matching {
    ($name:ident, $small:pat, $give:expr, $future:expr) => {
        subject! {
            async fn $name(used: &'static u32) -> u32 {
                match used {
                    &$small => $future.await,
                    _ => $give(*used) * $give(1),
                }
            }
        }
    };
}

matching!(matching, 1 | 2, |n: u32| n + 1, step::<u32>("small", 1, 7));

macro_rules! alike {
    ($name:ident, $x:ident, $e:expr, $body:block) => {
        subject! {
            async fn $name($x: D, two: D) -> (u32, D, D) {
                let one = step("three", 1, D("inner one")).await;
                let nine = || 5;
                let n = $e + nine();
                {
                    let two = D("inner two");
                    tick("four").await;
                    look(&two);
                    $body
                }
                tick("five").await;
                (n, one, two)
            }
        }
    };
}

fn nine() -> u32 {
    9
}

alike!(alike, one, nine(), {
    let two = D("user's two");
    tick("six").await;
    drop(one);
    drop(two);
});

macro_rules! labels {
    ($name:ident, $outer:lifetime, $body:block) => {
        subject! {
            async fn $name(n: u32) -> u32 {
                let mut rounds = 0;
                $outer: loop {
                    'round: loop {
                        tick("round").await;
                        rounds += 1;
                        if rounds > 2 {
                            break 'round;
                        }
                        $body
                    }
                    tick("end").await;
                    break;
                }
                rounds + n
            }
        }
    };
}

labels!(labels, 'round, {
    tick("body").await;
    break 'round;
});

macro_rules! printed {
    ($name:ident, $Type:ty, $e:expr, $p:pat, $body:block) => {
        subject! {
            async fn $name(n: u32) -> usize {
                tick(stringify!($Type)).await;
                note(stringify!($e));
                let text = concat!(stringify!($p), ": ", stringify!($body));
                tick(text).await;
                assert!($e);
                text.len()
            }
        }
    };
}

#[rustfmt::skip]
printed!(printed, Option<Vec<(u32, &'static str)>>, (1 + 2).max(7)>=3&&true, Some(3|4), { let y=1; y });

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "operators in fragments", remaining(4));
    case!(list, "first pattern in a fragment", matching(&1));
    case!(list, "second pattern in a fragment", matching(&2));
    case!(list, "closure in a fragment", matching(&3));
    case!(list, "alike", alike(D("one"), D("two")));
    case!(list, "labels", labels(1));
    case!(list, "printed fragments", printed(1));
    list
}
