//! Cases of closures and `async` blocks that capture a local, a part of one, or only name it.
//!
//! `subject!` decides what they become.

use super::log::*;

/// Has a part that can be copied out of it.
#[derive(Debug)]
pub(crate) struct Permit {
    id: u32,
    held: D,
}

fn permit(id: u32) -> Permit {
    Permit { id, held: D("permit") }
}

/// Has a field of the name that locals have here.
#[derive(Debug)]
pub(crate) struct Row {
    held: u32,
}

/// Calls it, and drops it.
fn call<T>(job: impl FnOnce() -> T) -> T {
    job()
}

async fn called(job: impl FnOnce() -> u32) -> u32 {
    tick("before").await;
    job()
}

subject! {
    async fn loop_in_a_closure(a: D) -> u32 {
        let last = D("last");
        let count = |n: u32| loop {
            if n > 2 {
                break 3;
            }
            break 4;
        };
        let n = count(1);
        tick("one").await;
        n
    }
}

subject! {
    async fn loop_in_a_call(a: D) -> usize {
        let last = D("last");
        let list = [1, 2].map(|n: u32| loop {
            if n > 1 {
                return 5;
            }
            break 3;
        });
        tick("one").await;
        list.len()
    }
}

subject! {
    async fn field_of_another(held: D) -> u32 {
        let row: Row = Row { held: 7 };
        let n: u32 = call(move || row.held);
        tick("one").await;
        n
    }
}

subject! {
    async fn shadowed_inside(held: D) -> u8 {
        call(move || {
            let held: D = D("inner");
            drop(held);
        });
        tick("one").await;
        call(move || (|held: D| drop(held))(D("argument")));
        tick("two").await;
        1
    }
}

subject! {
    async fn copied_part(held: Permit) -> u32 {
        let n: u32 = call(move || held.id);
        tick("one").await;
        n
    }
}

subject! {
    async fn discarded_inside(held: D) -> u8 {
        call(move || {
            let _ = held;
            note("called");
        });
        tick("one").await;
        2
    }
}

subject! {
    async fn captured_whole(held: Permit, other: D) -> u32 {
        let n: u32 = call(move || {
            look(&held.held);
            held.id + { held }.id
        });
        tick("one").await;
        n
    }
}

subject! {
    async fn in_a_block(held: D, row: Row) -> u32 {
        let job: std::pin::Pin<Box<dyn Future<Output = u32>>> = Box::pin(async move { row.held });
        let n: u32 = job.await;
        tick("one").await;
        n
    }
}

subject! {
    async fn captured_on_a_path(held: D, row: Row, way: u8) -> u32 {
        let n: u32 = match way {
            0 => call(move || row.held),
            1 => call(move || {
                look(&held);
                1
            }),
            _ => call(move || {
                drop(held);
                2
            }),
        };
        tick("one").await;
        n
    }
}

/// Has one way to be made.
#[allow(dead_code, reason = "it is dropped")]
#[derive(Debug)]
pub(crate) enum Only {
    Pair { id: u32, held: D },
}

/// Has nothing, and a destructor.
#[derive(Debug)]
pub(crate) struct Unit;

impl Drop for Unit {
    fn drop(&mut self) {
        note("~unit");
    }
}

subject! {
    async fn words_in_strings(held: D) -> u8 {
        call(move || note(format!("{{held}}")));
        tick("one").await;
        call(move || note(format!("{}", "{held}")));
        tick("two").await;
        call(move || note(format!("{held}", held = 5)));
        tick("three").await;
        call(move || note(stringify!(held)));
        tick("four").await;
        1
    }
}

subject! {
    async fn string_that_captures(held: D, other: D) -> u8 {
        call(move || note(format!("{held:?} {:1$}", 1, other.0.len())));
        tick("one").await;
        1
    }
}

subject! {
    async fn only_variant(held: Only) -> u32 {
        let n: u32 = call(move || match held {
            Only::Pair { id, .. } => id,
        });
        tick("one").await;
        n
    }
}

subject! {
    async fn one_of_two_variants(held: Result<D, u32>) -> u32 {
        let n: u32 = call(move || match held {
            Result::Ok(_) => 1,
            Result::Err(n) => n,
        });
        tick("one").await;
        n
    }
}

doubted! {
    async fn unit_struct(held: Unit) -> u32 {
        let n: u32 = call(move || match held {
            Unit => 3,
        });
        tick("one").await;
        n
    }
}

subject! {
    #[allow(unused_parens, reason = "odd on purpose")]
    async fn nothing_of_it(held: D) -> u32 {
        call(move || {
            let _ = (held);
            _ = (held);
        });
        tick("one").await;
        let n: u32 = call(move || {
            fn held() -> u32 {
                3
            }
            held()
        });
        tick("two").await;
        n
    }
}

subject! {
    async fn part_that_a_closure_copies(a: D) -> u32 {
        let couple = (3_u32, a);
        let n = (move || couple.0 + 1)();
        tick("one").await;
        let other = (4_u32, D("other"));
        (move || {
            std::hint::black_box(&other.0);
        })();
        tick("two").await;
        n
    }
}

subject! {
    async fn awaited_block_that_borrows(held: D) -> u32 {
        let job = async {
            look(&held);
            tick("inside").await;
            3
        };
        let n = job.await;
        look(&held);
        n
    }
}

subject! {
    async fn closure_given_to_an_await(held: D, limit: u32) -> u32 {
        let add = || {
            look(&held);
            limit + 1
        };
        called(add).await
    }
}

subject! {
    async fn list_of_blocks(held: D) -> u32 {
        let jobs = vec![async {
            look(&held);
            tick("inside").await;
            4
        }];
        let mut sum = 0;
        for job in jobs {
            sum += job.await;
        }
        look(&held);
        sum
    }
}

subject! {
    async fn taken_by_a_loop(a: D, b: D, times: u32) -> u32 {
        let mut seen = 0;
        let first = step("first", 1, D("first")).await;
        (move || {
            for turn in 0..times {
                if turn > 1 {
                    return;
                }
                look(&first);
            }
        })();
        tick("one").await;
        let second = step("second", 1, D("second")).await;
        (move || {
            if times > 1 {
                look(&second);
            } else {
                look(&a);
            }
        })();
        tick("two").await;
        loop {
            let third = step("third", 1, D("third")).await;
            (move || {
                while seen < times {
                    seen += 1;
                    look(&third);
                }
            })();
            seen += 1;
            if seen > times {
                break;
            }
        }
        tick("three").await;
        look(&b);
        seen
    }
}

fn drop_of(held: D) -> u32 {
    held.0.len() as u32
}

fn look_at(held: &D) -> u32 {
    held.0.len() as u32
}

subject! {
    async fn taken_on_a_path_inside(held: D, wanted: u32) -> u32 {
        tick("one").await;
        let length: u32 = call(|| if wanted == 2 { drop_of(held) } else { look_at(&held) });
        tick("two").await;
        length
    }
}

subject! {
    async fn taken_where_a_loop_inside_ends(held: D, wanted: u32) -> u32 {
        tick("one").await;
        let length: u32 = call(|| loop {
            if look_at(&held) < wanted {
                break drop_of(held);
            }
            if wanted == 3 {
                break look_at(&held);
            }
        });
        tick("two").await;
        length
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "loop_in_a_closure", loop_in_a_closure(D("a")));
    case!(list, "loop_in_a_call", loop_in_a_call(D("a")));
    case!(list, "part_that_a_closure_copies", part_that_a_closure_copies(D("a")));
    case!(list, "field_of_another", field_of_another(D("held")));
    case!(list, "shadowed_inside", shadowed_inside(D("held")));
    case!(list, "copied_part", copied_part(permit(3)));
    case!(list, "discarded_inside", discarded_inside(D("held")));
    case!(list, "captured_whole", captured_whole(permit(4), D("other")));
    case!(list, "in_a_block", in_a_block(D("held"), Row { held: 5 }));
    case!(list, "captured_on_a_path 0", captured_on_a_path(D("held"), Row { held: 6 }, 0));
    case!(list, "captured_on_a_path 1", captured_on_a_path(D("held"), Row { held: 6 }, 1));
    case!(list, "captured_on_a_path 2", captured_on_a_path(D("held"), Row { held: 6 }, 2));
    case!(list, "words_in_strings", words_in_strings(D("held")));
    case!(list, "string_that_captures", string_that_captures(D("held"), D("other")));
    case!(list, "only_variant", only_variant(Only::Pair { id: 4, held: D("held") }));
    case!(list, "one_of_two_variants 1", one_of_two_variants(Ok(D("held"))));
    case!(list, "one_of_two_variants 2", one_of_two_variants(Err(2)));
    case!(list, "unit_struct", unit_struct(Unit));
    case!(list, "nothing_of_it", nothing_of_it(D("held")));
    case!(list, "awaited_block_that_borrows", awaited_block_that_borrows(D("held")));
    case!(list, "closure_given_to_an_await", closure_given_to_an_await(D("held"), 3));
    case!(list, "taken_by_a_loop 0", taken_by_a_loop(D("a"), D("b"), 0));
    case!(list, "taken_by_a_loop 2", taken_by_a_loop(D("a"), D("b"), 2));
    case!(list, "list_of_blocks", list_of_blocks(D("held")));
    case!(list, "taken_on_a_path_inside 1", taken_on_a_path_inside(D("held"), 1));
    case!(list, "taken_on_a_path_inside 2", taken_on_a_path_inside(D("held"), 2));
    case!(list, "taken_on_a_path_inside 3", taken_on_a_path_inside(D("held"), 3));
    case!(list, "taken_where_a_loop_inside_ends 3", taken_where_a_loop_inside_ends(D("held"), 3));
    case!(list, "taken_where_a_loop_inside_ends 9", taken_where_a_loop_inside_ends(D("held"), 9));
    list
}
