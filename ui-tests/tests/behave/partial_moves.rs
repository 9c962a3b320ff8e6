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
    pub(crate) things: Vec<D>,
    pub(crate) inner: Option<Box<Bag>>,
    pub(crate) left: u32,
}

impl Bag {
    pub(crate) fn of(left: u32) -> Self {
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
    list
}
