//! Cases of locals whose type an earlier value determines, of jumps out of returned expressions, of
//! borrowed temporaries, and of operands that an awaited call moves next to borrowed ones.
//!
//! `subject!` decides what they become.

use super::log::*;

fn small(n: u32) -> u32 {
    note("small");
    n
}

async fn number(n: u32) -> u32 {
    tick("number").await;
    n
}

async fn seen<T>(value: &T) -> usize {
    tick("seen").await;
    size_of_val(value)
}

subject! {
    async fn literal_behind_an_await(_a: D) -> u32 {
        let mut left = number(2).await;
        note(&left.to_string());
        tick("before").await;
        left = 0;
        tick("one").await;
        note(&format!("{}", !left));
        1
    }
}

subject! {
    async fn literal_behind_a_call(_a: D) -> u32 {
        let mut left = small(1);
        tick("one").await;
        note("between");
        left = 0;
        tick("two").await;
        note(&format!("{}", !left));
        1
    }
}

subject! {
    async fn parsed_behind_an_await(text: &'static str, _a: D) -> u32 {
        let (first, mut second) = (1, 2_u32);
        number(first + second).await;
        second = text.parse().unwrap_or_default();
        tick("one").await;
        second.pow(2)
    }
}

subject! {
    async fn written_type_behind_an_await(text: &'static str, _a: D) -> u32 {
        let mut second: u32 = 2;
        number(second).await;
        second = text.parse().unwrap_or_default();
        tick("one").await;
        second.pow(2)
    }
}

subject! {
    async fn continue_out_of_what_is_returned(turns: u32, a: D) -> u32 {
        for turn in 0..turns {
            let within = D("within");
            tick("turn").await;
            if turn > 0 {
                return match small(turn) {
                    2 => 20,
                    _ => continue,
                };
            }
            look(&within);
        }
        look(&a);
        1
    }
}

subject! {
    async fn break_out_of_a_returned_call(leaves: bool, a: D) -> u32 {
        loop {
            let within = D("within");
            tick("turn").await;
            look(&within);
            return small(if leaves { break } else { 3 });
        }
        look(&a);
        1
    }
}

subject! {
    async fn break_out_of_an_else(first: Option<u32>, second: Option<u32>, a: D) -> u32 {
        loop {
            tick("turn").await;
            let Some(_first) = first else {
                return match second {
                    Some(second) => second,
                    None => break,
                };
            };
            return 2;
        }
        look(&a);
        1
    }
}

subject! {
    async fn reference_to_a_cast(count: u32, a: D) -> usize {
        let size = seen(&(count as u64)).await;
        look(&a);
        size
    }
}

subject! {
    async fn reference_to_a_range(count: u32, a: D) -> usize {
        let size = seen(&(0..count)).await;
        look(&a);
        size
    }
}

subject! {
    async fn reference_to_a_condition(count: u32, a: D) -> usize {
        let size = seen(&(count > 1 && count < 9)).await;
        look(&a);
        size
    }
}

subject! {
    async fn reference_to_a_reference(a: D) -> usize {
        let size = seen(&&a).await;
        look(&a);
        size
    }
}

subject! {
    async fn reference_to_a_cast_that_stays(count: u32, a: D) -> usize {
        let cast = &(count as u16);
        tick("one").await;
        look(&a);
        usize::from(*cast)
    }
}

subject! {
    async fn reference_to_a_constant(a: D) -> usize {
        let size = seen(&(1_u64 + 2)).await;
        look(&a);
        size
    }
}

fn bumped(n: &mut u32) -> u32 {
    *n += 1;
    note("bumped");
    *n
}

async fn added(first: u32, second: D) -> u32 {
    tick("added").await;
    look(&second);
    first
}

subject! {
    async fn taken_by_a_method_behind_a_call(a: Option<D>, b: D) -> u32 {
        let mut n = 1;
        let _held = D("held");
        let sum = added(bumped(&mut n), a.unwrap()).await;
        look(&b);
        sum + n
    }
}

subject! {
    async fn element_beside_what_is_lent(list: Vec<u32>, _a: D) -> usize {
        let mut n = 3;
        tick("one").await;
        number(std::mem::replace(&mut n, list[0])).await;
        tick("two").await;
        list.len() + n as usize
    }
}

subject! {
    #[allow(unreachable_code, reason = "that nothing comes behind the loop is what is looked at")]
    async fn block_that_a_loop_ends(turns: u32, a: D) -> u32 {
        let mut left = turns;
        let nothing = {
            let within = D("within");
            loop {
                look(&within);
                if left == 0 {
                    look(&a);
                    return 4;
                }
                left -= 1;
                tick("turn").await;
            }
        };
        nothing
    }
}

/// Returns the first operand. The second one is a closure or an `async` block.
fn beside<F>(kept: D, _never: F) -> D {
    kept
}

subject! {
    async fn closure_that_panics(a: D) -> u32 {
        let _kept = beside(a, |n: u32| -> u32 { panic!("called with {n}") });
        tick("one").await;
        1
    }
}

subject! {
    async fn block_that_panics(a: D) -> u32 {
        let _kept = beside(a, |_: u32| async {
            unreachable!("nobody calls it");
        });
        tick("one").await;
        1
    }
}

subject! {
    async fn parts_of_a_changed_pair(n: u32, a: D) -> u32 {
        let mut pair = (n, a);
        changes(&mut pair).await
    }
}

subject! {
    async fn changes(pair: &mut (u32, D)) -> u32 {
        tick("before").await;
        let (count, d) = pair;
        *count += 1;
        tick("between").await;
        look(d);
        *count
    }
}

subject! {
    async fn matched_in_an_operand(found: Option<String>, a: D) -> usize {
        let length = text_of(match found {
            Some(text) => text,
            None => String::new(),
        })
        .await;
        look(&a);
        length
    }
}

subject! {
    async fn parted_in_an_operand(pair: (String, D), a: D) -> usize {
        let length = text_of({
            let (text, _) = pair;
            text
        })
        .await;
        look(&a);
        length
    }
}

async fn text_of(text: String) -> usize {
    tick("text").await;
    text.len()
}

async fn second<T>(_: u32, value: T) -> T {
    tick("second").await;
    value
}

subject! {
    #[allow(unreachable_code, reason = "that an operand leaves is what is looked at")]
    async fn operand_that_leaves(early: bool, a: D, b: D) -> u32 {
        tick("one").await;
        if early {
            second(return 3, a).await;
        }
        tick("two").await;
        look(&b);
        1
    }
}

subject! {
    async fn part_named_where_it_is_gone(a: (D, u32)) -> u32 {
        tick("one").await;
        drop(a.0);
        tick("two").await;
        let _ = a.0;
        tick("three").await;
        a.1
    }
}

subject! {
    async fn named_where_it_is_gone(a: D) -> u32 {
        tick("one").await;
        drop(a);
        tick("two").await;
        let _ = a;
        tick("three").await;
        _ = a;
        1
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "literal_behind_an_await", literal_behind_an_await(D("a")));
    case!(list, "literal_behind_a_call", literal_behind_a_call(D("a")));
    case!(list, "parsed_behind_an_await", parsed_behind_an_await("7", D("a")));
    case!(list, "written_type_behind_an_await", written_type_behind_an_await("7", D("a")));
    case!(list, "continue_out_of_what_is_returned", continue_out_of_what_is_returned(4, D("a")));
    case!(list, "break_out_of_a_returned_call yes", break_out_of_a_returned_call(true, D("a")));
    case!(list, "break_out_of_a_returned_call no", break_out_of_a_returned_call(false, D("a")));
    case!(list, "break_out_of_an_else none", break_out_of_an_else(None, None, D("a")));
    case!(list, "break_out_of_an_else some", break_out_of_an_else(None, Some(3), D("a")));
    case!(list, "reference_to_a_cast", reference_to_a_cast(3, D("a")));
    case!(list, "reference_to_a_range", reference_to_a_range(3, D("a")));
    case!(list, "reference_to_a_condition", reference_to_a_condition(3, D("a")));
    case!(list, "reference_to_a_reference", reference_to_a_reference(D("a")));
    case!(list, "reference_to_a_cast_that_stays", reference_to_a_cast_that_stays(3, D("a")));
    case!(list, "reference_to_a_constant", reference_to_a_constant(D("a")));
    case!(list, "taken_by_a_method_behind_a_call", taken_by_a_method_behind_a_call(Some(D("a")), D("b")));
    case!(list, "element_beside_what_is_lent", element_beside_what_is_lent(vec![7, 8], D("a")));
    case!(list, "block_that_a_loop_ends", block_that_a_loop_ends(2, D("a")));
    case!(list, "closure_that_panics", closure_that_panics(D("a")));
    case!(list, "block_that_panics", block_that_panics(D("a")));
    case!(list, "parts_of_a_changed_pair", parts_of_a_changed_pair(3, D("a")));
    case!(list, "matched_in_an_operand some", matched_in_an_operand(Some("text".to_owned()), D("a")));
    case!(list, "matched_in_an_operand none", matched_in_an_operand(None, D("a")));
    case!(list, "operand_that_leaves early", operand_that_leaves(true, D("a"), D("b")));
    case!(list, "operand_that_leaves late", operand_that_leaves(false, D("a"), D("b")));
    case!(list, "part_named_where_it_is_gone", part_named_where_it_is_gone((D("a"), 3)));
    case!(list, "parted_in_an_operand", parted_in_an_operand(("text".to_owned(), D("d")), D("a")));
    case!(list, "named_where_it_is_gone", named_where_it_is_gone(D("a")));
    list
}
