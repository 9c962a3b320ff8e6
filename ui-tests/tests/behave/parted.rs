//! Locals that an await has borrowed, and of which a part, or all, is moved later.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn whole_or_part(mut bag: Bag) -> Vec<D> {
        let mut room = [0u8; 8];
        let n = bag.read("one", &mut room).await;
        if n > 1 {
            bag.open()
        } else {
            tick("two").await;
            bag.things.into_iter().rev().collect()
        }
    }
}

subject! {
    async fn parts_by_branch(mut bag: Bag) -> Vec<D> {
        let mut room = [0u8; 8];
        let n = bag.read("one", &mut room).await;
        let keep = D("keep");
        if n > 1 {
            let things = bag.things;
            look(&keep);
            things
        } else {
            tick("two").await;
            bag.things
        }
    }
}

subject! {
    async fn copied_parts(mut bag: Bag) -> (usize, u32) {
        let mut room = [0u8; 8];
        let n = bag.read("one", &mut room).await;
        bag.left += n as u32;
        (bag.things.len(), bag.left)
    }
}

subject! {
    async fn down_a_chain(mut bag: Bag) -> Bag {
        while let Some(inner) = bag.inner {
            tick("one").await;
            bag = *inner;
        }
        bag
    }
}

subject! {
    async fn rest_of_a_struct(mut bag: Bag) -> Bag {
        let mut room = [0u8; 1];
        bag.read("one", &mut room).await;
        Bag { left: 7, ..bag }
    }
}

subject! {
    async fn rest_behind_another_await(mut bag: Bag) -> Bag {
        let mut room = [0u8; 1];
        bag.read("one", &mut room).await;
        tick("two").await;
        Bag { left: 7, ..bag }
    }
}

subject! {
    async fn matched_part(mut bag: Bag) -> Option<u32> {
        let mut room = [0u8; 1];
        let _n: usize = bag.read("one", &mut room).await;
        match bag.inner {
            Some(inner) => Some(inner.left),
            None => {
                drop(bag.things);
                None
            }
        }
    }
}

subject! {
    async fn apart_in_a_loop(mut bag: Bag) -> usize {
        let mut room = [0u8; 1];
        loop {
            let n: usize = bag.read("one", &mut room).await;
            if n < 1 {
                let Bag { things, inner, left } = bag;
                look(&things[0]);
                return things.len() + inner.map_or(0, |inner| inner.things.len()) + left as usize;
            }
            bag.left -= 1;
        }
    }
}

subject! {
    async fn into_a_closure(mut bag: Bag) -> usize {
        let mut room = [0u8; 1];
        bag.read("one", &mut room).await;
        tick("two").await;
        let count = move || bag.things.len();
        count()
    }
}

subject! {
    async fn taken_within_a_closure(mut bag: Bag) -> usize {
        let mut room = [0u8; 1];
        bag.read("one", &mut room).await;
        tick("two").await;
        let open = || bag.open().len();
        open()
    }
}

subject! {
    async fn looked_at_within_a_closure(mut bag: Bag) -> usize {
        let mut room = [0u8; 1];
        bag.read("one", &mut room).await;
        tick("two").await;
        (0..3).filter(|i| *i < bag.weigh()).count()
    }
}

subject! {
    async fn made_anew(mut bag: Bag) -> Bag {
        let mut room = [0u8; 1];
        for turn in 0..3u32 {
            bag.read("one", &mut room).await;
            tick("two").await;
            if turn == 1 {
                drop(bag);
                bag = Bag::of(turn);
            }
        }
        bag
    }
}

subject! {
    async fn beside_a_borrowed_part(mut bag: Bag) -> usize {
        let mut room = [0u8; 1];
        let n = bag.read("one", &mut room).await;
        finish(&bag.left, bag.things) + n
    }
}

subject! {
    async fn behind_a_borrowed_part(mut bag: Bag) -> (Vec<D>, u32) {
        let left = bump("one", &mut bag.left).await;
        let things = bag.things;
        (things, *left)
    }
}

subject! {
    async fn through_a_box(mut bag: Box<Bag>) -> Vec<D> {
        let mut room = [0u8; 1];
        let n = bag.read("one", &mut room).await;
        if n == 7 {
            return Vec::new();
        }
        bag.things
    }
}

subject! {
    async fn out_of_a_box(mut bag: Box<Bag>) -> usize {
        let mut room = [0u8; 1];
        let n = bag.read("one", &mut room).await;
        let bag = *bag;
        bag.things.len() + n
    }
}

subject! {
    async fn behind_a_dropped_output(mut bag: Bag) -> Vec<D> {
        bag.give("one").await;
        let keep = D("keep");
        let all = Bag { left: 7, ..bag };
        look(&keep);
        all.things
    }
}

subject! {
    async fn behind_a_dropped_result(mut bag: Bag) -> Result<Vec<D>, D> {
        bag.try_give("one").await?;
        let Bag { things, .. } = bag;
        Ok(things)
    }
}

subject! {
    async fn in_front_of_an_operator(mut bag: Bag) -> u32 {
        let mut room = [0u8; 1];
        let n = bag.read("one", &mut room).await;
        look(&bag.things[n]);
        bag.left + 1
    }
}

subject! {
    async fn filled_again(mut bag: Bag) -> Vec<D> {
        bag.show("one").await;
        let mut things = bag.things;
        bag.things = vec![D("new")];
        bag.show("two").await;
        things.append(&mut bag.things);
        things
    }
}

subject! {
    async fn one_of_two(bags: (Bag, Bag)) -> (Vec<D>, u32) {
        bags.0.show("one").await;
        let first = bags.0;
        first.show("two").await;
        bags.1.show("three").await;
        (first.things, bags.1.left)
    }
}

#[derive(Debug)]
pub(crate) struct Bag {
    things: Vec<D>,
    inner: Option<Box<Bag>>,
    left: u32,
}

impl Bag {
    fn of(left: u32) -> Self {
        Self {
            things: vec![D("first"), D("second")],
            inner: left.checked_sub(1).map(|left| Box::new(Self::of(left))),
            left,
        }
    }

    async fn read(&mut self, name: &'static str, room: &mut [u8]) -> usize {
        tick(name).await;
        room[0] = 1;
        self.left as usize
    }

    async fn give(&mut self, name: &'static str) -> D {
        tick(name).await;
        self.left += 1;
        D("given")
    }

    async fn try_give(&mut self, name: &'static str) -> Result<D, D> {
        tick(name).await;
        match self.left {
            0 => Err(D("empty")),
            _ => Ok(D("given")),
        }
    }

    async fn show(&self, name: &'static str) {
        look(&self.things[0]);
        tick(name).await;
    }

    fn weigh(&self) -> usize {
        self.things.len()
    }

    fn open(self) -> Vec<D> {
        self.things
    }
}

async fn bump<'n>(name: &'static str, number: &'n mut u32) -> &'n u32 {
    tick(name).await;
    *number += 1;
    number
}

fn finish(left: &u32, things: Vec<D>) -> usize {
    things.len() + *left as usize
}

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
    case!(list, "whole_or_part 1", whole_or_part(Bag::of(1)));
    case!(list, "whole_or_part 2", whole_or_part(Bag::of(2)));
    case!(list, "parts_by_branch 1", parts_by_branch(Bag::of(1)));
    case!(list, "parts_by_branch 2", parts_by_branch(Bag::of(2)));
    case!(list, "copied_parts", copied_parts(Bag::of(1)));
    case!(list, "down_a_chain", down_a_chain(Bag::of(2)));
    case!(list, "rest_of_a_struct", rest_of_a_struct(Bag::of(1)));
    case!(list, "rest_behind_another_await", rest_behind_another_await(Bag::of(1)));
    case!(list, "matched_part 0", matched_part(Bag::of(0)));
    case!(list, "matched_part 1", matched_part(Bag::of(1)));
    case!(list, "apart_in_a_loop", apart_in_a_loop(Bag::of(1)));
    case!(list, "into_a_closure", into_a_closure(Bag::of(1)));
    case!(list, "taken_within_a_closure", taken_within_a_closure(Bag::of(1)));
    case!(list, "looked_at_within_a_closure", looked_at_within_a_closure(Bag::of(1)));
    case!(list, "made_anew", made_anew(Bag::of(1)));
    case!(list, "beside_a_borrowed_part", beside_a_borrowed_part(Bag::of(1)));
    case!(list, "behind_a_borrowed_part", behind_a_borrowed_part(Bag::of(1)));
    case!(list, "through_a_box", through_a_box(Box::new(Bag::of(1))));
    case!(list, "out_of_a_box", out_of_a_box(Box::new(Bag::of(1))));
    case!(list, "behind_a_dropped_output", behind_a_dropped_output(Bag::of(1)));
    case!(list, "behind_a_dropped_result 0", behind_a_dropped_result(Bag::of(0)));
    case!(list, "behind_a_dropped_result 1", behind_a_dropped_result(Bag::of(1)));
    case!(list, "in_front_of_an_operator", in_front_of_an_operator(Bag::of(1)));
    case!(list, "filled_again", filled_again(Bag::of(0)));
    case!(list, "one_of_two", one_of_two((Bag::of(0), Bag::of(1))));
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
