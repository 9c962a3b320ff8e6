//! Disjoint parts of a local: after an await that borrows one of them, and within its operand.
//!
//! `subject!` decides what the cases become.

use super::log::*;
use super::partial_moves::Bag;

async fn half<'a>(side: &'a mut [u32], name: &'static str) -> Option<&'a mut u32> {
    tick(name).await;
    side.first_mut()
}

struct Sides {
    left: [u32; 2],
    right: [u32; 2],
    all: u32,
}

impl Sides {
    fn sum(&self) -> u32 {
        self.left[0] + self.right[0] + self.all
    }
}

subject! {
    async fn beside_what_is_given(sides: &mut Sides) -> Option<u32> {
        let left = half(&mut sides.left, "left").await?;
        *left += 1;
        sides.right[0] += *left;
        *left += 1;
        let right = half(&mut sides.right, "right").await?;
        *right += 1;
        sides.left[0] += *right;
        *right += sides.all;
        Some(sides.sum())
    }
}

subject! {
    async fn owned_beside_what_is_given(mut sides: Sides) -> Option<u32> {
        *half(&mut sides.left, "left").await? += 1;
        sides.all += sides.sum();
        half(&mut sides.right, "right").await?;
        let left = half(&mut sides.left, "left again").await?;
        *left += 1;
        sides.left[0] += 1;
        Some(sides.sum())
    }
}

async fn both(name: &'static str, left: &mut [u32; 2], right: &mut [u32; 2]) -> u32 {
    tick(name).await;
    left[0] += right[0];
    right[1] += left[0];
    right[1]
}

async fn filled(name: &'static str, things: &mut Vec<D>, count: &u32) -> u32 {
    things.push(D("filled"));
    tick(name).await;
    *count + 1
}

subject! {
    async fn parts_within_an_operand(sides: &mut Sides) -> u32 {
        if sides.all == 0 {
            return 0;
        }
        loop {
            let n = both("both", &mut sides.left, &mut sides.right).await;
            if n > 9 {
                return n;
            }
        }
    }
}

subject! {
    async fn owned_parts_within_an_operand(mut bag: Bag) -> u32 {
        let n = filled("one", &mut bag.things, &bag.left).await;
        tick("two").await;
        bag.left += n;
        let n = filled("three", &mut bag.things, &bag.left).await;
        tick("four").await;
        look(&bag.things[0]);
        n
    }
}

subject! {
    async fn part_of_a_part(bag: &mut Bag) -> u32 {
        let Some(inner) = &mut bag.inner else { return 0 };
        look(&inner.things[0]);
        let n = filled("one", &mut inner.things, &inner.left).await;
        filled("two", &mut bag.things, &n).await + bag.things.len() as u32
    }
}

subject! {
    async fn part_taken_in_front(sides: &mut Sides) -> u32 {
        let right = &mut sides.right;
        right[0] += 1;
        let n = both("both", &mut sides.left, right).await;
        tick("two").await;
        n + sides.sum()
    }
}

fn sides() -> Sides {
    Sides { left: [1, 2], right: [3, 4], all: 5 }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "beside_what_is_given", async {
        let mut sides = Sides { left: [1, 2], right: [3, 4], all: 5 };
        beside_what_is_given(&mut sides).await
    });
    case!(list, "owned_beside_what_is_given", {
        owned_beside_what_is_given(Sides { left: [1, 2], right: [3, 4], all: 5 })
    });
    case!(list, "parts_within_an_operand", async {
        parts_within_an_operand(&mut sides()).await
    });
    case!(list, "owned_parts_within_an_operand", owned_parts_within_an_operand(Bag::of(1)));
    case!(list, "part_of_a_part", async { part_of_a_part(&mut Bag::of(1)).await });
    case!(list, "part_taken_in_front", async { part_taken_in_front(&mut sides()).await });
    list
}
