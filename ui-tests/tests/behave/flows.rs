//! Cases of locals that get a borrow of another local later, by an assignment, a jump or another
//! name; and of values in branches that wait and are coerced to the type that is written for the
//! whole.
//!
//! `subject!` decides what they become.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::log::*;

fn fixed() -> &'static str {
    "fixed"
}

async fn number(n: u32) -> u32 {
    tick("number").await;
    n
}

fn trimmed(text: &str) -> &str {
    text.trim()
}

fn plus(n: u32) -> u32 {
    n + 1
}

fn twice(n: u32) -> u32 {
    n * 2
}

/// Gives what it is given to another one's list.
struct To<'to, 't> {
    list: &'to mut Vec<&'t str>,
}

impl<'t> To<'_, 't> {
    fn add(&mut self, text: &'t str) {
        self.list.push(text);
    }
}

subject! {
    async fn text_that_a_path_replaces(text: String, replaces: bool) -> usize {
        let mut name = "anonymous";
        if replaces {
            name = &text;
        }
        tick("one").await;
        name.len()
    }
}

subject! {
    async fn longest_of_all(names: Vec<String>) -> usize {
        let mut best = "";
        for name in &names {
            if name.len() > best.len() {
                best = name;
            }
        }
        tick("one").await;
        best.len()
    }
}

subject! {
    async fn found_by_a_pattern(pairs: Vec<(String, String)>) -> usize {
        let mut found = "none";
        for (key, value) in &pairs {
            if key == "name" {
                found = value;
            }
        }
        tick("one").await;
        found.len()
    }
}

subject! {
    async fn texts_of_a_pair(text: String) -> usize {
        let mut pair = ("a", 1);
        if text.len() > 1 {
            pair = (&text, 2);
        }
        tick("one").await;
        pair.0.len() + pair.1
    }
}

subject! {
    async fn assigned_in_a_pattern(text: String) -> usize {
        let (mut part, mut n) = (fixed(), 1);
        tick("one").await;
        note(part);
        if text.len() > 1 {
            (part, n) = (&text, 2);
        }
        tick("two").await;
        part.len() + n
    }
}

subject! {
    async fn given_by_a_break(text: String) -> usize {
        let part = loop {
            if text.is_empty() {
                break fixed();
            }
            tick("one").await;
            if text.len() > 1 {
                break trimmed(&text);
            }
            break "short";
        };
        tick("two").await;
        part.len()
    }
}

subject! {
    async fn given_by_a_labelled_break(text: String) -> usize {
        let part: &str = 'part: {
            if text.len() > 1 {
                tick("one").await;
                break 'part &text;
            }
            "short"
        };
        tick("two").await;
        part.len()
    }
}

subject! {
    async fn number_that_a_branch_refers_to(a: D, n: u32) -> String {
        let shown: &dyn Debug = if n > 2 {
            tick("one").await;
            &a
        } else {
            &n
        };
        tick("two").await;
        format!("{shown:?}")
    }
}

subject! {
    async fn elements_that_a_branch_refers_to(list: [u32; 3], n: u32) -> u32 {
        let left = if n > 2 { list.iter() } else { [].iter() };
        tick("one").await;
        left.sum()
    }
}

subject! {
    async fn given_by_an_entry(text: String) -> usize {
        let mut map = BTreeMap::new();
        for word in text.split(' ') {
            let entry = map.entry(word.len()).or_insert_with(Vec::new);
            entry.push(word);
        }
        tick("one").await;
        map.len()
    }
}

subject! {
    async fn given_by_an_element(text: String) -> usize {
        let mut list = vec!["a"];
        for part in &mut list {
            *part = &text;
        }
        tick("one").await;
        list[0].len()
    }
}

subject! {
    async fn given_by_a_reference(text: String) -> usize {
        let mut list = Vec::new();
        {
            let last = &mut list;
            last.push(text.as_str());
        }
        tick("one").await;
        list[0].len()
    }
}

subject! {
    async fn given_by_a_field(text: String) -> usize {
        let mut list = Vec::new();
        To { list: &mut list }.add(&text);
        tick("one").await;
        list[0].len()
    }
}

subject! {
    async fn cloned_borrows(text: String) -> usize {
        let list = vec![text.as_str()];
        let again = list.clone();
        drop(list);
        tick("one").await;
        again.len()
    }
}

subject! {
    async fn coerced_in_a_pair(text: String, n: u32) -> usize {
        let part: (u32, &str) = if n > 2 {
            tick("one").await;
            (1, &text)
        } else {
            (3, "short")
        };
        tick("two").await;
        part.1.len()
    }
}

subject! {
    async fn boxed_in_a_branch(a: D, n: u32) -> String {
        let shown: Option<Box<dyn Debug>> = if n > 2 {
            tick("one").await;
            Some(Box::new('a'))
        } else {
            Some(Box::new(n))
        };
        tick("two").await;
        format!("{shown:?}")
    }
}

subject! {
    async fn boxed_in_a_block(a: D, n: u32) -> String {
        let shown: Result<Box<dyn Debug>, u32> = {
            let n = number(n).await;
            if n > 2 {
                Ok(Box::new('a'))
            } else {
                tick("one").await;
                Ok(Box::new(n))
            }
        };
        tick("two").await;
        format!("{shown:?}")
    }
}

subject! {
    async fn boxed_by_a_loop(_a: D, n: u32) -> Result<Box<dyn Debug>, u32> {
        loop {
            tick("one").await;
            if n > 2 {
                break Ok(Box::new('a'));
            }
            break Ok(Box::new(n));
        }
    }
}

subject! {
    async fn closures_of_branches(n: u32) -> usize {
        let measure: Box<dyn Fn(&str) -> usize> = if n > 2 {
            tick("one").await;
            Box::new(|text| text.len())
        } else {
            Box::new(|text| text.trim().len())
        };
        tick("two").await;
        measure(" ab ")
    }
}

subject! {
    async fn functions_of_branches(n: u32) -> u32 {
        let change = if n > 2 {
            tick("one").await;
            plus
        } else {
            twice
        };
        tick("two").await;
        change(n)
    }
}

subject! {
    async fn given_by_a_cell(text: String) -> usize {
        let name = text + "!";
        let cell = std::cell::RefCell::new(Vec::new());
        register(&cell, &name);
        tick("kept").await;
        let all = cell.borrow();
        all.iter().map(|name| name.len()).sum()
    }
}

fn register<'n>(cell: &std::cell::RefCell<Vec<&'n str>>, name: &'n str) {
    cell.borrow_mut().push(name);
}

subject! {
    async fn boxed_by_a_loop_of_a_branch(d: D, n: u32) -> Result<Box<dyn Debug>, D> {
        match n {
            0 => Err(d),
            1 => loop {
                tick("turn").await;
                if d.0 == "a" { break Ok(Box::new('a')) } else { break Ok(Box::new(n)) }
            },
            _ => 'block: {
                tick("in a block").await;
                if n > 2 { break 'block Ok(Box::new('b')) }
                Ok(Box::new(n))
            },
        }
    }
}

async fn shown_box(boxed: impl Future<Output = Result<Box<dyn Debug>, D>>) -> String {
    boxed.await.map_or_else(|d| d.0.to_owned(), |value| format!("{value:?}"))
}

pub(crate) struct Switch(D, bool);

impl std::ops::Not for Switch {
    type Output = bool;

    fn not(self) -> bool {
        look(&self.0);
        !self.1
    }
}

subject! {
    async fn negated_by_its_own(switch: Switch, other: D) -> u32 {
        tick("before").await;
        look(&other);
        if !switch { 1 } else { 2 }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "text_that_a_path_replaces 1", text_that_a_path_replaces("ab".to_owned(), true));
    case!(list, "text_that_a_path_replaces 2", text_that_a_path_replaces("ab".to_owned(), false));
    case!(list, "longest_of_all", longest_of_all(vec!["a".to_owned(), "bcd".to_owned()]));
    case!(list, "found_by_a_pattern", found_by_a_pattern(vec![("name".to_owned(), "v".to_owned())]));
    case!(list, "texts_of_a_pair", texts_of_a_pair("abc".to_owned()));
    case!(list, "assigned_in_a_pattern", assigned_in_a_pattern("abc".to_owned()));
    case!(list, "given_by_a_break 1", given_by_a_break("abc".to_owned()));
    case!(list, "given_by_a_break 2", given_by_a_break("a".to_owned()));
    case!(list, "given_by_a_break 3", given_by_a_break(String::new()));
    case!(list, "given_by_a_labelled_break 1", given_by_a_labelled_break("abc".to_owned()));
    case!(list, "given_by_a_labelled_break 2", given_by_a_labelled_break("a".to_owned()));
    case!(list, "number_that_a_branch_refers_to 1", number_that_a_branch_refers_to(D("a"), 3));
    case!(list, "number_that_a_branch_refers_to 2", number_that_a_branch_refers_to(D("a"), 1));
    case!(list, "elements_that_a_branch_refers_to 1", elements_that_a_branch_refers_to([1, 2, 3], 3));
    case!(list, "elements_that_a_branch_refers_to 2", elements_that_a_branch_refers_to([1, 2, 3], 1));
    case!(list, "given_by_an_entry", given_by_an_entry("a bc d".to_owned()));
    case!(list, "given_by_an_element", given_by_an_element("abc".to_owned()));
    case!(list, "given_by_a_reference", given_by_a_reference("abc".to_owned()));
    case!(list, "given_by_a_field", given_by_a_field("abc".to_owned()));
    case!(list, "cloned_borrows", cloned_borrows("abc".to_owned()));
    case!(list, "coerced_in_a_pair 1", coerced_in_a_pair("abc".to_owned(), 3));
    case!(list, "coerced_in_a_pair 2", coerced_in_a_pair("abc".to_owned(), 1));
    case!(list, "boxed_in_a_branch 1", boxed_in_a_branch(D("a"), 3));
    case!(list, "boxed_in_a_branch 2", boxed_in_a_branch(D("a"), 1));
    case!(list, "boxed_in_a_block 1", boxed_in_a_block(D("a"), 3));
    case!(list, "boxed_in_a_block 2", boxed_in_a_block(D("a"), 1));
    case!(list, "boxed_by_a_loop 1", boxed_by_a_loop(D("a"), 3));
    case!(list, "boxed_by_a_loop 2", boxed_by_a_loop(D("a"), 1));
    case!(list, "closures_of_branches 1", closures_of_branches(3));
    case!(list, "closures_of_branches 2", closures_of_branches(1));
    case!(list, "functions_of_branches 1", functions_of_branches(3));
    case!(list, "functions_of_branches 2", functions_of_branches(1));
    case!(list, "given_by_a_cell", given_by_a_cell("abc".to_owned()));
    case!(list, "boxed_by_a_loop_of_a_branch 1", shown_box(boxed_by_a_loop_of_a_branch(D("a"), 0)));
    case!(list, "boxed_by_a_loop_of_a_branch 2", shown_box(boxed_by_a_loop_of_a_branch(D("b"), 1)));
    case!(list, "boxed_by_a_loop_of_a_branch 3", shown_box(boxed_by_a_loop_of_a_branch(D("a"), 2)));
    case!(list, "boxed_by_a_loop_of_a_branch 4", shown_box(boxed_by_a_loop_of_a_branch(D("a"), 3)));
    case!(list, "negated_by_its_own", negated_by_its_own(Switch(D("s"), true), D("other")));
    list
}
