//! Locals that borrow from others, across awaits.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn bound_and_never_named(limit: u64) -> u64 {
        let mut turns = 0;
        while turns < 2 && limit < 99 {
            turns += 1;
            if let Some(_bound) = step("one", 1, Some(7u32)).await {
                match step("two", 1, Some([5u32; 20])).await {
                    Some(_numbers) => note("some"),
                    None => {}
                }
            }
        }
        limit
    }
}

subject! {
    async fn iterator_over_a_local(a: D, b: D) -> usize {
        let list = vec![a, b];
        let mut sum = 0;
        for item in list.iter() {
            tick("one").await;
            look(item);
            sum += item.0.len();
        }
        tick("two").await;
        sum
    }
}

subject! {
    async fn iterator_that_changes(a: D, b: D) -> usize {
        let mut list = vec![a, b];
        let mut spare = vec![D("c"), D("d")];
        for item in list.iter_mut() {
            tick("one").await;
            if let Some(next) = spare.pop() {
                *item = next;
            }
        }
        tick("two").await;
        list.len()
    }
}

subject! {
    async fn slice_of_an_array(a: D) -> u32 {
        let numbers = [1_u32, 2, 3, 4];
        let some = &numbers[1..];
        tick("one").await;
        let first = some.first();
        tick("two").await;
        look(&a);
        first.copied().unwrap_or(0) + total(some)
    }
}

subject! {
    async fn output_that_borrows(a: D) -> usize {
        let mut bag = Bag { first: a, list: vec![D("x"), D("y")] };
        let item = bag.find("one", 1).await;
        tick("two").await;
        let n = match item {
            Some(item) => {
                look(item);
                tick("three").await;
                item.0.len()
            }
            None => 0,
        };
        tick("four").await;
        n + bag.weigh()
    }
}

subject! {
    async fn output_that_rides_along(a: D) -> usize {
        let bag = Bag { first: a, list: vec![D("x")] };
        let mut count = 3;
        let first = bag.first("one").await;
        let n = measure(first, &mut count).await;
        tick("two").await;
        n + count
    }
}

subject! {
    async fn plain_value_that_is_borrowed(a: D) -> u32 {
        let number = 7_u32;
        let shown = show(&number);
        tick("one").await;
        look(&a);
        let n = shown.twice();
        tick("two").await;
        n
    }
}

subject! {
    async fn borrowed_and_then_moved(a: D) -> usize {
        let bag = Bag { first: a, list: vec![D("x")] };
        let first = bag.front();
        tick("one").await;
        look(first);
        let n = bag.weigh();
        let m = bag.take("two").await;
        tick("three").await;
        n + m
    }
}

subject! {
    async fn early_return_drops_in_order(a: D, away: bool) -> usize {
        let bag = Bag { first: a, list: vec![D("x")] };
        let guard = Guard { of: &bag, name: "guard" };
        let n = guard.of.weigh();
        if away {
            return n;
        }
        tick("one").await;
        let again = guard.again("again");
        tick("two").await;
        look(&again.of.first);
        n
    }
}

subject! {
    async fn guard_in_a_loop(a: D) -> usize {
        let mut sum = 0;
        let mut bag = Bag { first: a, list: vec![D("x"), D("y"), D("z")] };
        loop {
            let last = bag.list.pop();
            let Some(item) = last else { break };
            let guard = guard_of(&item, "inner");
            tick("one").await;
            if item.0 == "y" {
                continue;
            }
            sum += guard.weigh();
            tick("two").await;
        }
        sum
    }
}

subject! {
    async fn argument_that_is_borrowed(mut list: Vec<D>, c: D) -> usize {
        let first = list.first_mut();
        tick("one").await;
        if let Some(first) = first {
            *first = D("new");
        }
        tick("two").await;
        list.len()
    }
}

subject! {
    async fn exclusive_reference(list: &mut Vec<D>, c: D) -> usize {
        let room = list.get_mut(0);
        tick("one").await;
        if let Some(room) = room {
            *room = D("new");
        }
        list.push(D("pushed"));
        tick("two").await;
        list.len()
    }
}

subject! {
    async fn looked_at_without_a_type(a: D) -> usize {
        let bag = Bag { first: a, list: vec![] };
        let n = bag.weigh();
        tick("one").await;
        let m = bag.weigh();
        tick("two").await;
        let l = bag.take("three").await;
        tick("four").await;
        n + m + l
    }
}

subject! {
    async fn taken_without_a_type(a: D) -> usize {
        let bag = Bag { first: a, list: vec![D("x")] };
        let n = bag.weigh();
        tick("one").await;
        let list = bag.into_list();
        tick("two").await;
        n + list.len()
    }
}

subject! {
    async fn through_an_inner_local(a: D) -> usize {
        let bag = Bag { first: a, list: vec![D("x"), D("y")] };
        let each = bag.list.iter();
        let mut rest = each.skip(1);
        tick("one").await;
        let next = rest.next();
        tick("two").await;
        let n = bag.weigh();
        n + next.map_or(0, |it| it.0.len()) + bag.list.len()
    }
}

subject! {
    async fn beside_a_lend(a: D) -> usize {
        let names = vec![a, D("b")];
        let mut out: Vec<D> = Vec::new();
        let first = &names[0];
        let n = copy(first, &mut out).await;
        let m = copy(&names[1], &mut out).await;
        tick("two").await;
        look(first);
        n + m + out.len()
    }
}

#[derive(Debug)]
pub(crate) struct Bag {
    first: D,
    list: Vec<D>,
}

impl Bag {
    fn weigh(&self) -> usize {
        look(&self.first);
        self.list.len()
    }

    fn into_list(self) -> Vec<D> {
        consume(self.first);
        self.list
    }

    async fn find(&mut self, name: &'static str, index: usize) -> Option<&mut D> {
        tick(name).await;
        self.list.get_mut(index)
    }

    fn front(&self) -> &D {
        &self.first
    }

    async fn first(&self, name: &'static str) -> &D {
        tick(name).await;
        &self.first
    }

    async fn take(self, name: &'static str) -> usize {
        tick(name).await;
        consume(self.first);
        self.list.len()
    }
}

async fn measure(d: &D, count: &mut usize) -> usize {
    tick("measure").await;
    *count += 1;
    d.0.len()
}

async fn copy(d: &D, out: &mut Vec<D>) -> usize {
    tick("copy").await;
    out.push(D("copied"));
    d.0.len()
}

#[derive(Debug)]
pub(crate) struct Shown<'a>(&'a u32);

fn show(number: &u32) -> Shown<'_> {
    Shown(number)
}

impl Shown<'_> {
    fn twice(&self) -> u32 {
        self.0 * 2
    }
}

/// A value that borrows and has a destructor.
#[derive(Debug)]
pub(crate) struct Guard<'a> {
    of: &'a Bag,
    name: &'static str,
}

impl<'a> Guard<'a> {
    fn again(&self, name: &'static str) -> Self {
        Guard { of: self.of, name }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        note(format!("{} of {}", self.name, self.of.first.0));
    }
}

#[derive(Debug)]
pub(crate) struct Looks<'a> {
    of: &'a D,
    name: &'static str,
}

fn guard_of<'a>(of: &'a D, name: &'static str) -> Looks<'a> {
    Looks { of, name }
}

impl Looks<'_> {
    fn weigh(&self) -> usize {
        self.of.0.len()
    }
}

impl Drop for Looks<'_> {
    fn drop(&mut self) {
        note(format!("{} of {}", self.name, self.of.0));
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "bound_and_never_named", bound_and_never_named(3));
    case!(list, "iterator_over_a_local", iterator_over_a_local(D("a"), D("b")));
    case!(list, "iterator_that_changes", iterator_that_changes(D("a"), D("b")));
    case!(list, "slice_of_an_array", slice_of_an_array(D("a")));
    case!(list, "output_that_borrows", output_that_borrows(D("a")));
    case!(list, "output_that_rides_along", output_that_rides_along(D("a")));
    case!(list, "plain_value_that_is_borrowed", plain_value_that_is_borrowed(D("a")));
    case!(list, "borrowed_and_then_moved", borrowed_and_then_moved(D("a")));
    case!(list, "early_return yes", early_return_drops_in_order(D("a"), true));
    case!(list, "early_return no", early_return_drops_in_order(D("a"), false));
    case!(list, "guard_in_a_loop", guard_in_a_loop(D("a")));
    case!(list, "argument_that_is_borrowed", argument_that_is_borrowed(vec![D("a"), D("b")], D("c")));
    case!(list, "exclusive_reference", async { exclusive_reference(&mut vec![D("a")], D("c")).await });
    case!(list, "looked_at_without_a_type", looked_at_without_a_type(D("a")));
    case!(list, "taken_without_a_type", taken_without_a_type(D("a")));
    case!(list, "through_an_inner_local", through_an_inner_local(D("a")));
    case!(list, "beside_a_lend", beside_a_lend(D("a")));
    list
}
