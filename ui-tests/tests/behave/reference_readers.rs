//! Cases of methods that borrow a reference itself, as a reader of a `&[u8]` does.

use std::future::Future;

use super::log::*;

/// Takes numbers from the front of a source.
pub(crate) trait Take {
    fn take_front(&mut self, count: usize) -> impl Future<Output = usize>;
}

impl Take for &[usize] {
    async fn take_front(&mut self, count: usize) -> usize {
        let (taken, left) = self.split_at(count.min(self.len()));
        tick("take").await;
        *self = left;
        taken.iter().sum()
    }
}

subject! {
    async fn taken_once(list: Vec<usize>) -> usize {
        let mut source = list.as_slice();
        source.take_front(2).await
    }
}

subject! {
    async fn taken_in_a_loop(lists: Vec<Vec<usize>>) -> usize {
        let mut sum = 0;
        for list in &lists {
            let mut source = list.as_slice();
            sum += source.take_front(1).await;
        }
        sum
    }
}

subject! {
    async fn taken_in_a_pattern(list: Vec<usize>) -> usize {
        let kept = D("kept");
        if let Some(mut source) = list.get(1..) {
            return source.take_front(9).await;
        }
        look(&kept);
        0
    }
}

subject! {
    async fn taken_from_an_argument(mut source: &[usize]) -> usize {
        source.take_front(1).await + source.take_front(1).await
    }
}

subject! {
    async fn taken_from_a_borrowed_place(list: Vec<usize>) -> usize {
        (&list[1..]).take_front(1).await + (&*list).take_front(9).await
    }
}

async fn filled(slot: &mut Option<u32>) -> u32 {
    tick("filled").await;
    *slot.get_or_insert(3)
}

subject! {
    async fn constant_is_lent(limit: u32) -> u32 {
        filled(&mut None).await + limit
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "taken_once", taken_once(vec![1, 2, 3]));
    case!(list, "taken_in_a_loop", taken_in_a_loop(vec![vec![1], vec![2, 3]]));
    case!(list, "taken_in_a_pattern", taken_in_a_pattern(vec![1, 2, 3]));
    case!(list, "taken_in_a_pattern none", taken_in_a_pattern(vec![]));
    case!(list, "taken_from_an_argument", async { taken_from_an_argument(&[1, 2]).await });
    case!(list, "taken_from_a_borrowed_place", taken_from_a_borrowed_place(vec![1, 2, 3]));
    case!(list, "constant_is_lent", constant_is_lent(2));
    list
}
