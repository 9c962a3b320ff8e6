//! Blocks and loops as statements: their value is evaluated, and dropped at the end of the
//! statement.
//!
//! `subject!` decides what the cases become.

use super::log::*;

fn made(name: &'static str) -> D {
    note(format!("made-{name}"));
    D(name)
}

fn part_of(_: &D, name: &'static str) -> D {
    made(name)
}

subject! {
    async fn call_ends_a_loop(turns: u32) -> u32 {
        let mut sum = 0;
        loop {
            let guard = made("guard");
            tick("turn").await;
            sum += 1;
            if sum > turns {
                break consume(guard);
            }
        }
        tick("behind").await;
        sum
    }
}

subject! {
    async fn assignment_ends_a_loop(turns: u32) -> u32 {
        let mut sum = 0;
        loop {
            tick("turn").await;
            sum += 1;
            if sum == turns {
                break sum = 7;
            }
        }
        sum
    }
}

subject! {
    async fn method_ends_a_loop() -> usize {
        let mut list = vec![];
        'all: loop {
            tick("turn").await;
            if list.len() > 2 {
                loop {
                    tick("inner").await;
                    break 'all list.clear();
                }
            }
            list.push(D("listed"));
        }
        list.len()
    }
}

subject! {
    async fn call_ends_a_block(early: bool) -> u32 {
        'block: {
            let _guard = made("guard");
            tick("one").await;
            if early {
                break 'block note("early");
            }
            note("late")
        }
        tick("two").await;
        1
    }
}

subject! {
    async fn value_ends_a_block(early: bool) -> u32 {
        'block: {
            let guard = made("guard");
            tick("one").await;
            if early {
                break 'block part_of(&guard, "early");
            }
            part_of(&guard, "late")
        };
        tick("two").await;
        {
            let guard = made("other guard");
            tick("three").await;
            part_of(&guard, "value")
        };
        2
    }
}

subject! {
    async fn value_ends_a_branch(way: u32) -> u32 {
        if way > 1 {
            let guard = made("guard");
            tick("one").await;
            part_of(&guard, "then")
        } else {
            made("otherwise")
        };
        match way {
            0 => return 5,
            1 => {
                let guard = made("arm's guard");
                tick("two").await;
                part_of(&guard, "arm")
            }
            _ => made("other arm"),
        };
        note("end");
        3
    }
}

subject! {
    async fn list_of_a_local(kept: D, listed: D) -> u32 {
        let list = vec![listed];
        tick("one").await;
        look(&kept);
        list.len() as u32
    }
}

trait Pair {
    fn first(self) -> std::future::Ready<D>;
    async fn longer(&self) -> usize;
}

impl Pair for (D, D) {
    fn first(self) -> std::future::Ready<D> {
        std::future::ready(self.0)
    }

    async fn longer(&self) -> usize {
        tick("longer").await;
        self.0.0.len().max(self.1.0.len())
    }
}

subject! {
    async fn method_of_a_tuple_ends_a_block() -> D {
        let chosen: D = 'block: {
            break 'block (made("left"), made("right")).first().await;
        };
        tick("one").await;
        chosen
    }
}

subject! {
    async fn branches_end_a_block(way: u32) -> Option<usize> {
        let length: usize = 'block: {
            let other = made("other");
            match step("way", 1, way).await {
                0 => return None,
                1 => break 'block (other, made("right")).longer().await,
                2 => {
                    tick("two").await;
                    break 'block 2;
                }
                _ => break 'block (made("left"), other).longer().await,
            }
        };
        tick("behind").await;
        Some(length)
    }
}

subject! {
    async fn branches_end_a_function(way: u32) -> usize {
        if way == 0 {
            return (made("left"), made("right")).longer().await;
        } else {
            tick("else").await;
            return step("step", 1, 7).await;
        };
    }
}

fn stop() -> ! {
    note("stop");
    panic!("stopped")
}

subject! {
    async fn moved_before_the_end(d: String, other: String, way: u32) -> u32 {
        if way == 0 {
            drop(d);
            stop();
        }
        tick("one").await;
        match way {
            1 => {
                drop(other);
                panic!("gone");
            }
            2 => {
                drop(other);
                stop()
            }
            _ => {}
        }
        tick("two").await;
        note(&*d);
        note(&*other);
        way
    }
}

subject! {
    async fn overflows(x: i32, list: [i32; 3]) -> i32 {
        tick("one").await;
        let y = x;
        let mut sum = match x {
            0 => 10 / x,
            1 => i32::MAX + y,
            2 => list[x as usize + y as usize],
            i32::MIN => -x,
            n => n - 1,
        };
        tick("two").await;
        sum += y;
        sum -= step("three", 1, i32::MAX).await;
        sum * list[0]
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "call_ends_a_loop", call_ends_a_loop(2));
    case!(list, "assignment_ends_a_loop", assignment_ends_a_loop(2));
    case!(list, "method_ends_a_loop", method_ends_a_loop());
    case!(list, "call_ends_a_block early", call_ends_a_block(true));
    case!(list, "call_ends_a_block late", call_ends_a_block(false));
    case!(list, "value_ends_a_block early", value_ends_a_block(true));
    case!(list, "value_ends_a_block late", value_ends_a_block(false));
    case!(list, "value_ends_a_branch 0", value_ends_a_branch(0));
    case!(list, "value_ends_a_branch 1", value_ends_a_branch(1));
    case!(list, "value_ends_a_branch 2", value_ends_a_branch(2));
    case!(list, "method_of_a_tuple_ends_a_block", method_of_a_tuple_ends_a_block());
    case!(list, "branches_end_a_block 0", branches_end_a_block(0));
    case!(list, "branches_end_a_block 1", branches_end_a_block(1));
    case!(list, "branches_end_a_block 2", branches_end_a_block(2));
    case!(list, "branches_end_a_block 3", branches_end_a_block(3));
    case!(list, "branches_end_a_function 0", branches_end_a_function(0));
    case!(list, "branches_end_a_function 1", branches_end_a_function(1));
    case!(list, "list_of_a_local", list_of_a_local(D("kept"), D("listed")));
    case!(list, "moved_before_the_end 0", moved_before_the_end("d".into(), "other".into(), 0));
    case!(list, "moved_before_the_end 1", moved_before_the_end("d".into(), "other".into(), 1));
    case!(list, "moved_before_the_end 2", moved_before_the_end("d".into(), "other".into(), 2));
    case!(list, "moved_before_the_end 3", moved_before_the_end("d".into(), "other".into(), 3));
    case!(list, "overflows 0", overflows(0, [1, 2, 3]));
    case!(list, "overflows 1", overflows(1, [1, 2, 3]));
    case!(list, "overflows 2", overflows(2, [1, 2, 3]));
    case!(list, "overflows 3", overflows(i32::MIN, [1, 2, 3]));
    case!(list, "overflows 4", overflows(i32::MAX - 7, [i32::MAX, 2, 3]));
    case!(list, "overflows 5", overflows(-9, [i32::MAX, 2, 3]));
    list
}
