//! Awaits that borrow a part of a copied value: of a tuple or an array of numbers.

use super::log::*;

type Pages = (u32, [u32; 4]);

async fn summed(numbers: &[u32]) -> u32 {
    tick("summed").await;
    total(numbers)
}

async fn both(one: &u32, other: &u32) -> u32 {
    tick("both").await;
    one + other
}

async fn raised(number: &mut u32) {
    tick("raised").await;
    *number += 1;
}

subject! {
    async fn part_of_a_pair(pair: (u32, [u32; 4])) -> u32 {
        summed(&pair.1).await
    }
}

subject! {
    async fn part_and_rest(pair: (u32, [u32; 4])) -> u32 {
        let first = pair.0;
        summed(&pair.1).await + first + pair.0
    }
}

subject! {
    async fn element_of_an_array(list: [u32; 4], n: usize) -> u32 {
        let (one, other) = (summed(&list[1..n]).await, both(&list[n], &list[0]).await);
        one + other + list[2]
    }
}

subject! {
    async fn elements_in_a_loop(list: [(u32, u32); 3]) -> u32 {
        let mut sum = 0;
        for at in 0..list.len() {
            sum += both(&list[at].0, &list[at].1).await;
        }
        sum
    }
}

subject! {
    async fn part_of_a_typed_local(pair: (u32, u32)) -> u32 {
        let pair: (u32, (u32, u32)) = (pair.0, pair);
        both(&pair.1.0, &pair.0).await + pair.1.1
    }
}

subject! {
    async fn part_that_changes(mut pair: (u32, u32)) -> u32 {
        both(&pair.0, &pair.1).await;
        raised(&mut pair.1).await;
        both(&pair.0, &pair.1).await + pair.1
    }
}

subject! {
    async fn part_behind_a_reference(pair: &(u32, [u32; 4])) -> u32 {
        summed(&pair.1).await + both(&pair.0, &pair.1[2]).await
    }
}

subject! {
    async fn part_that_is_a_reference(pair: (&u32, u32)) -> u32 {
        both(pair.0, &pair.1).await + both(&pair.1, &*pair.0).await
    }
}

subject! {
    async fn part_of_an_alias(pages: Pages, a: D) -> u32 {
        let n = summed(&pages.1).await;
        look(&a);
        n + pages.0
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "part_of_a_pair", part_of_a_pair((1, [2; 4])));
    case!(list, "part_and_rest", part_and_rest((1, [2; 4])));
    case!(list, "element_of_an_array", element_of_an_array([1, 2, 3, 4], 3));
    case!(list, "elements_in_a_loop", elements_in_a_loop([(1, 2), (3, 4), (5, 6)]));
    case!(list, "part_of_a_typed_local", part_of_a_typed_local((1, 2)));
    case!(list, "part_that_changes", part_that_changes((1, 2)));
    case!(list, "part_behind_a_reference", part_behind_a_reference(&(1, [2; 4])));
    case!(list, "part_that_is_a_reference", part_that_is_a_reference((&1, 2)));
    case!(list, "part_of_an_alias", part_of_an_alias((1, [2; 4]), D("a")));
    list
}
