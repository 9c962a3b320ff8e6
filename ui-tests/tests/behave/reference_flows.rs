//! References that reach a local by an assignment, a list, a call or a cast, across awaits.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn given_to_a_list(a: D) -> usize {
        let names = vec![a, D("b")];
        let mut found = Vec::new();
        for name in names.iter() {
            found.push(name);
        }
        tick("one").await;
        found.extend(names.iter());
        tick("two").await;
        let n = found.len();
        tick("three").await;
        look(found[0]);
        n
    }
}

subject! {
    async fn given_within_a_loop(a: D) -> usize {
        let names = vec![a, D("b")];
        let (mut found, mut more) = (Vec::new(), Vec::new());
        for name in names.iter() {
            if let Some(first) = name.0.get(..1) {
                found.push(first);
            }
            let whole = &name.0;
            more.push(whole);
        }
        names.iter().for_each(|name| found.push(name.0));
        tick("one").await;
        found.len() + more.len()
    }
}

subject! {
    async fn given_by_an_assignment(a: D) -> usize {
        let (one, other) = (vec![a], vec![D("b"), D("c")]);
        let mut each = one.iter();
        tick("one").await;
        look(&one[0]);
        each = other.iter();
        tick("two").await;
        each.map(|it| it.0.len()).sum()
    }
}

subject! {
    async fn given_by_a_call(a: D) -> usize {
        let name = a;
        let mut found = None;
        set(&mut found, &name);
        tick("one").await;
        found.map_or(0, |it| it.0.len())
    }
}

fn set<'d>(place: &mut Option<&'d D>, d: &'d D) {
    note("set");
    *place = Some(d);
}

pub(crate) trait Weighs {
    fn weigh(&mut self) -> usize;
}

impl Weighs for D {
    fn weigh(&mut self) -> usize {
        look(self);
        self.0.len()
    }
}

async fn weighed(what: &mut (dyn Weighs + '_)) -> usize {
    tick("weighed").await;
    what.weigh()
}

subject! {
    async fn cast_to_a_trait_object(a: D) -> usize {
        let mut own = a;
        let object = &mut own as &mut dyn Weighs;
        let mut sum = 0;
        for _ in 0..2 {
            sum += weighed(object).await;
        }
        sum
    }
}

subject! {
    async fn cast_to_a_box(a: D) -> usize {
        let mut object = Box::new(a) as Box<dyn Weighs>;
        let n = object.weigh();
        let other = D("other");
        tick("one").await;
        look(&other);
        n
    }
}

subject! {
    async fn array_that_may_be_changed(a: D) -> u32 {
        let n = fill(&mut [0; 4]).await;
        let m = fill(&mut [n; 2]).await;
        look(&a);
        n + m
    }
}

async fn fill(numbers: &mut [u32]) -> u32 {
    tick("fill").await;
    numbers[0] += 1;
    numbers.iter().sum()
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "given_to_a_list", given_to_a_list(D("a")));
    case!(list, "given_within_a_loop", given_within_a_loop(D("a")));
    case!(list, "given_by_an_assignment", given_by_an_assignment(D("a")));
    case!(list, "given_by_a_call", given_by_a_call(D("a")));
    case!(list, "cast_to_a_trait_object", cast_to_a_trait_object(D("a")));
    case!(list, "cast_to_a_box", cast_to_a_box(D("a")));
    case!(list, "array_that_may_be_changed", array_that_may_be_changed(D("a")));
    list
}
