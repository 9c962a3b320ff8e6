//! Cases of values that are moved while a local that borrowed them is in scope, and of awaited
//! calls that return or move from within a macro.
//!
//! `subject!` decides what they become.

use super::log::*;

/// A value that is moved before an await, while a local that borrowed it is in scope.
fn text() -> String {
    note("text");
    "one two".to_owned()
}

subject! {
    async fn iterator_of_what_is_dropped(_a: D) -> usize {
        let line = text();
        let mut words = line.split_whitespace();
        let first = words.next();
        let length = first.map_or(0, str::len);
        drop(line);
        tick("one").await;
        length
    }
}

subject! {
    async fn reference_to_what_is_moved(_a: D) -> usize {
        let line = text();
        let _looks = &line;
        let moved = line;
        tick("one").await;
        moved.len()
    }
}

subject! {
    async fn list_of_references(_a: D) -> u32 {
        let list = vec![3, 1];
        let mut sorted: Vec<&u32> = list.iter().collect();
        sorted.sort();
        let least = *sorted[0];
        drop(list);
        tick("one").await;
        least
    }
}

async fn said(d: &D, text: String) -> usize {
    look(d);
    tick("said").await;
    text.len()
}

async fn listed(list: Vec<String>) -> usize {
    tick("listed").await;
    list.len()
}

fn number(fails: bool) -> Result<u32, &'static str> {
    note("number");
    if fails { Err("no number") } else { Ok(3) }
}

fn noted(name: &'static str) -> bool {
    note(name);
    false
}

async fn numbered<T>(value: T) -> T {
    tick("numbered").await;
    value
}

subject! {
    async fn question_in_a_format(a: D, fails: bool) -> Result<usize, &'static str> {
        let length = said(&a, format!("{}", number(fails)?)).await;
        look(&a);
        Ok(length)
    }
}

subject! {
    async fn break_in_a_format(a: D, turns: u32) -> usize {
        let mut turn = 0;
        let mut all = 0;
        loop {
            turn += 1;
            all += said(&a, format!("{}", if turn > turns { break } else { turn })).await;
        }
        look(&a);
        all
    }
}

subject! {
    async fn looked_at_and_moved_into_a_list(name: String, _a: D) -> usize {
        listed(vec![format!("hello {name}"), name]).await
    }
}

async fn weighed(d: &D, list: Vec<D>) -> usize {
    look(d);
    tick("weighed").await;
    list.len()
}

fn made(name: &'static str) -> D {
    note("made");
    D(name)
}

subject! {
    async fn moved_into_a_list_behind_a_call(b: D, a: D) -> usize {
        weighed(&a, vec![made("c"), b]).await
    }
}

subject! {
    async fn assigned_in_both_branches(a: Option<D>) -> u32 {
        let v1;
        if matches!(a, Some(D("a"))) | noted("or") {
            tick("one").await;
            v1 = numbered(0).await;
        } else {
            tick("two").await;
            v1 = 0;
            tick("three").await;
        }
        v1
    }
}

subject! {
    async fn taken_from_and_moved_into_a_list(_a: D) -> usize {
        let mut name = text();
        tick("one").await;
        listed(vec![std::mem::take(&mut name), name]).await
    }
}

pub(crate) struct Page {
    id: u32,
    text: String,
}

async fn paged(page: Page) -> u32 {
    tick("paged").await;
    page.id + u32::from(page.text.is_empty())
}

subject! {
    async fn local_called_as_a_field(_a: D) -> u32 {
        let text = text();
        #[allow(unused_variables, reason = "the point")]
        let id = D("id");
        tick("one").await;
        paged(Page { id: 2, text: text.into() }).await
    }
}

subject! {
    async fn block_that_is_left_early(leaves: bool) -> D {
        tick("one").await;
        let kept = D("kept");
        'left: {
            let _within = D("within");
            if leaves { break 'left }
            tick("two").await;
        }
        tick("three").await;
        kept
    }
}

subject! {
    async fn block_with_a_value_that_is_left_early(leaves: bool) -> (D, u32) {
        tick("one").await;
        let kept = D("kept");
        let number = 'left: {
            let _within = D("within");
            if leaves { break 'left 1 }
            tick("two").await;
            2
        };
        tick("three").await;
        (kept, number)
    }
}

subject! {
    async fn block_that_its_last_statement_leaves(a: D) -> u32 {
        'left: {
            let _within = D("within");
            tick("one").await;
            look(&a);
            break 'left made("value");
        };
        3
    }
}

subject! {
    async fn branch_that_its_last_statement_leaves(a: D, early: bool) -> u32 {
        'left: {
            let _within = D("within");
            tick("one").await;
            look(&a);
            if early {
                break 'left made("early");
            } else {
                tick("two").await;
                break 'left made("late");
            }
        };
        3
    }
}

subject! {
    async fn block_left_with_nothing(a: D) -> u32 {
        let nothing = 'left: {
            let _within = D("within");
            tick("one").await;
            look(&a);
            break 'left;
        };
        tick("two").await;
        let () = nothing;
        3
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "iterator_of_what_is_dropped", iterator_of_what_is_dropped(D("a")));
    case!(list, "reference_to_what_is_moved", reference_to_what_is_moved(D("a")));
    case!(list, "list_of_references", list_of_references(D("a")));
    case!(list, "question_in_a_format no", question_in_a_format(D("a"), true));
    case!(list, "question_in_a_format yes", question_in_a_format(D("a"), false));
    case!(list, "break_in_a_format", break_in_a_format(D("a"), 2));
    case!(list, "looked_at_and_moved", looked_at_and_moved_into_a_list("n".to_owned(), D("a")));
    case!(list, "taken_from_and_moved", taken_from_and_moved_into_a_list(D("a")));
    case!(list, "moved_into_a_list_behind_a_call", moved_into_a_list_behind_a_call(D("a"), D("b")));
    case!(list, "assigned_in_both_branches some", assigned_in_both_branches(Some(D("a"))));
    case!(list, "assigned_in_both_branches none", assigned_in_both_branches(None));
    case!(list, "local_called_as_a_field", local_called_as_a_field(D("a")));
    case!(list, "block_that_is_left_early yes", block_that_is_left_early(true));
    case!(list, "block_that_is_left_early no", block_that_is_left_early(false));
    case!(list, "block_that_its_last_statement_leaves", block_that_its_last_statement_leaves(D("a")));
    case!(list, "branch_that_its_last_statement_leaves early", branch_that_its_last_statement_leaves(D("a"), true));
    case!(list, "branch_that_its_last_statement_leaves late", branch_that_its_last_statement_leaves(D("a"), false));
    case!(list, "block_left_with_nothing", block_left_with_nothing(D("a")));
    case!(list, "block_with_a_value yes", block_with_a_value_that_is_left_early(true));
    case!(list, "block_with_a_value no", block_with_a_value_that_is_left_early(false));
    list
}
