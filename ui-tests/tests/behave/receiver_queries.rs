//! Methods of which only the compiler knows whether they take their receiver.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn looked_before(a: D) -> usize {
        let bag = Bag::of(a);
        let n = bag.weigh();
        tick("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn taken_before(a: D) -> u32 {
        let bag = Bag::of(a);
        let n = bag.open();
        tick("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn lent_to_the_future(a: D) -> usize {
        let mut bag = Bag::of(a);
        let n = bag.peek("one").await;
        tick("two").await;
        tick("three").await;
        n
    }
}

subject! {
    async fn moved_into_the_future(a: D) -> usize {
        let bag = Bag::of(a);
        let n = bag.send("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn taken_between_what_is_lent(a: &mut D, b: D) -> usize {
        tick("zero").await;
        let bag = Bag::of(b);
        let mut n = bag.open();
        let last = D("last");
        let both = both(a, &mut n, called("one")).await;
        tick("two").await;
        both
    }
}

subject! {
    async fn looked_between_what_is_lent(a: &mut D, b: D) -> usize {
        tick("zero").await;
        let bag = Bag::of(b);
        let mut n = bag.weigh();
        let last = D("last");
        let both = both(a, &mut n, called("one")).await;
        tick("two").await;
        both
    }
}

subject! {
    async fn taken_and_looked_between_what_is_lent(a: &mut D, b: D, c: D) -> usize {
        tick("zero").await;
        let first = Bag::of(b);
        let second = Bag::of(c);
        let mut n = first.weigh();
        let m = second.open();
        let both = both(a, &mut n, called("one")).await;
        tick("two").await;
        both + m as usize
    }
}

subject! {
    async fn lent_and_then_moved(a: D) -> usize {
        let mut bag = Bag::of(a);
        let first = bag.peek("one").await;
        let second = bag.send("two").await;
        tick("three").await;
        first + second
    }
}

subject! {
    async fn lent_twice(a: D) -> usize {
        let mut bag = Bag::of(a);
        let first = bag.peek("one").await;
        let second = bag.stir("two").await;
        tick("three").await;
        first + second
    }
}

subject! {
    async fn beside_what_is_lent(a: D, b: D) -> usize {
        let bag = Bag::of(a);
        let mut list = Vec::new();
        list.push(b);
        let n = bag.send_beside(&mut list).await;
        tick("two").await;
        n + list.len()
    }
}

subject! {
    async fn looked_beside_what_is_lent(a: D, b: D) -> usize {
        let bag = Bag::of(a);
        let mut list = Vec::new();
        list.push(b);
        let n = bag.peek_beside(&mut list).await;
        tick("two").await;
        n + list.len()
    }
}

subject! {
    async fn in_turns(a: D) -> usize {
        let mut sum = 0;
        for turn in 0..3_u32 {
            let bag = Bag::named("turn");
            if turn == 1 {
                continue;
            }
            let n = bag.peek_again("one").await;
            tick("two").await;
            sum += n;
        }
        look(&a);
        sum
    }
}

subject! {
    async fn boxed_receivers(a: D, b: D) -> usize {
        let first = Box::new(Bag::of(a));
        let second = Box::new(Bag::of(b));
        let n = first.unbox("one").await;
        let m = second.send("two").await;
        tick("three").await;
        n + m
    }
}

subject! {
    async fn plain_receivers(a: D) -> u32 {
        let number = Number(4);
        let page = Page { number: 5 };
        let n = number.read("one").await;
        let m = page.read("two").await;
        look(&a);
        tick("three").await;
        n + m
    }
}

subject! {
    async fn behind_references(a: D, b: &mut D) -> usize {
        let shared = std::rc::Rc::new(Bag::of(a));
        let again = shared.clone();
        let n = shared.peek_again("one").await;
        look(b);
        let m = again.weigh();
        tick("two").await;
        n + m
    }
}

subject! {
    async fn to_the_end_of_a_scope(a: D, away: bool) -> usize {
        let first = D("first");
        let n = {
            let bag = Bag::of(a);
            let n = bag.peek_again("one").await;
            if away {
                return n;
            }
            let inner = D("inner");
            tick("two").await;
            look(&inner);
            n
        };
        tick("three").await;
        look(&first);
        n
    }
}

subject! {
    async fn with_a_generic_output(a: D) -> Result<u64, String> {
        let bag = Bag::of(a);
        let n: u64 = bag.as_number(3_u8, |x| x + 1).ok_or_else(|| "none".to_owned())?;
        tick("one").await;
        Ok(n)
    }
}

#[derive(Debug)]
pub(crate) struct Bag {
    first: D,
    count: usize,
}

impl Bag {
    fn of(first: D) -> Self {
        Self { first, count: 2 }
    }

    fn named(name: &'static str) -> Self {
        Self::of(D(name))
    }

    fn weigh(&self) -> usize {
        look(&self.first);
        self.count
    }

    fn open(self) -> u32 {
        consume(self.first);
        9
    }

    fn as_number<T, N: From<T>>(&self, value: T, change: impl Fn(T) -> T) -> Option<N> {
        look(&self.first);
        Some(N::from(change(value)))
    }

    async fn peek(&mut self, name: &'static str) -> usize {
        tick(name).await;
        self.count += 1;
        self.weigh()
    }

    async fn stir(&mut self, name: &'static str) -> usize {
        let inner = D("stirred");
        tick(name).await;
        look(&inner);
        self.count
    }

    async fn peek_again(&self, name: &'static str) -> usize {
        tick(name).await;
        self.weigh()
    }

    async fn send(self, name: &'static str) -> usize {
        tick(name).await;
        consume(self.first);
        7
    }

    async fn unbox(self: Box<Self>, name: &'static str) -> usize {
        tick(name).await;
        self.weigh()
    }

    async fn send_beside(self, list: &mut Vec<D>) -> usize {
        tick("one").await;
        list.push(self.first);
        self.count
    }

    async fn peek_beside(&self, list: &mut Vec<D>) -> usize {
        tick("one").await;
        list.push(D("pushed"));
        self.weigh()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(u32);

impl Number {
    async fn read(self, name: &'static str) -> u32 {
        tick(name).await;
        self.0
    }
}

#[derive(Debug)]
pub(crate) struct Page {
    number: u32,
}

impl Page {
    async fn read(&self, name: &'static str) -> u32 {
        tick(name).await;
        self.number
    }
}

async fn both<T>(a: &mut D, _: &mut T, name: &'static str) -> usize {
    tick(name).await;
    a.0.len()
}

fn called(name: &'static str) -> &'static str {
    note("called");
    name
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "looked_before", looked_before(D("a")));
    case!(list, "taken_before", taken_before(D("a")));
    case!(list, "lent_to_the_future", lent_to_the_future(D("a")));
    case!(list, "moved_into_the_future", moved_into_the_future(D("a")));
    case!(list, "taken_between_what_is_lent", async { taken_between_what_is_lent(&mut D("a"), D("b")).await });
    case!(list, "looked_between_what_is_lent", async { looked_between_what_is_lent(&mut D("a"), D("b")).await });
    case!(
        list,
        "taken_and_looked_between_what_is_lent",
        async { taken_and_looked_between_what_is_lent(&mut D("a"), D("b"), D("c")).await }
    );
    case!(list, "lent_and_then_moved", lent_and_then_moved(D("a")));
    case!(list, "lent_twice", lent_twice(D("a")));
    case!(list, "beside_what_is_lent", beside_what_is_lent(D("a"), D("b")));
    case!(list, "looked_beside_what_is_lent", looked_beside_what_is_lent(D("a"), D("b")));
    case!(list, "in_turns", in_turns(D("a")));
    case!(list, "boxed_receivers", boxed_receivers(D("a"), D("b")));
    case!(list, "plain_receivers", plain_receivers(D("a")));
    case!(list, "behind_references", async { behind_references(D("a"), &mut D("b")).await });
    case!(list, "to_the_end_of_a_scope yes", to_the_end_of_a_scope(D("a"), true));
    case!(list, "to_the_end_of_a_scope no", to_the_end_of_a_scope(D("a"), false));
    case!(list, "with_a_generic_output", with_a_generic_output(D("a")));
    list
}
