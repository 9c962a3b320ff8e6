//! Groups in a linked list, by their `next`.
//!
//! The owner of a chain may change the links of its groups.

use super::block::{Group, Head, Link, NO_LINK};

/// Reverses a chain; returns its first group.
#[inline]
pub(super) fn reverse(head: &Head, mut rest: Link) -> Link {
    let mut reversed = NO_LINK;
    while let Some(group) = head.linked(rest) {
        (reversed, rest) = (rest, group.next.replace(reversed));
    }
    reversed
}

/// Sorts a chain by the numbers of its groups; returns its first and its last group.
///
/// Merges runs that double in length, so that it takes neither memory nor more than n log n steps.
pub(super) fn sort(head: &Head, mut rest: Link) -> (Link, Link) {
    // `runs[n]` is empty, or sorted and of two to the n groups.
    let mut runs = [NO_LINK; Link::BITS as usize];
    while let Some(group) = head.linked(rest) {
        let mut run = rest;
        rest = group.next.replace(NO_LINK);
        for sorted in &mut runs {
            let other = core::mem::replace(sorted, NO_LINK);
            if other == NO_LINK {
                *sorted = run;
                break;
            }
            run = merge(head, run, other);
        }
    }
    let merge = |a, b| merge(head, a, b);
    let first = runs.into_iter().fold(NO_LINK, merge);
    (first, last(head, first))
}

/// Merges two sorted chains; returns the first. Takes a step for each group up to the end of one.
pub(super) fn merge(head: &Head, mut a: Link, mut b: Link) -> Link {
    let mut merged = Merged::default();
    while let (Some(of_a), Some(of_b)) = (head.linked(a), head.linked(b)) {
        let (from, group) = if a < b {
            (&mut a, of_a)
        } else {
            (&mut b, of_b)
        };
        *from = group.next.get();
        merged.append(group);
    }
    let rest = if a == NO_LINK { b } else { a };
    match merged.last {
        None => rest,
        Some(last) => {
            last.next.set(rest);
            merged.first
        }
    }
}

#[derive(Default)]
struct Merged<'a> {
    first: Link,
    last: Option<&'a Group>,
}

impl<'a> Merged<'a> {
    fn append(&mut self, group: &'a Group) {
        match self.last.replace(group) {
            None => self.first = group.link(),
            Some(last) => last.next.set(group.link()),
        }
    }
}

fn last(head: &Head, mut rest: Link) -> Link {
    let mut last = NO_LINK;
    while let Some(group) = head.linked(rest) {
        (last, rest) = (rest, group.next.get());
    }
    last
}
