//! Cases of temporaries that live to the end of their block, and of what is promoted to a constant.

use super::log::*;

/// Something without a destructor.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) x: u32,
    pub(crate) next: Option<&'static Point>,
}

/// A unit struct: an expression without operands.
#[derive(Debug)]
pub(crate) struct Unit;

/// One number, by itself.
#[derive(Debug)]
pub(crate) struct Number(u32);

pub(crate) trait Named {
    fn name(&self) -> &'static str;
}

impl Named for Unit {
    fn name(&self) -> &'static str {
        note("name");
        "unit"
    }
}

fn point(x: u32) -> Point {
    note("point");
    Point { x, next: None }
}

doubted! {
    async fn extended_before_an_await(c: bool, n: u32) -> u32 {
        let some = Some(&point(n));
        let chosen = if c { &point(2) } else { &point(3) };
        let last = { note("within"); &point(4) };
        let arm = match c { true => &point(5), false => loop { break &Point { x: 6, next: None } } };
        let pinned = std::pin::pin!(point(7));
        let tuple = &(n, Number(n));
        let text = format_args!("{}", point(8).x).to_string();
        let sum: u32 = some.map_or(0, |p| p.x) + chosen.x + last.x + arm.x + pinned.x + tuple.1.0;
        tick("one").await;
        note(text);
        sum
    }
}

subject! {
    async fn promoted_across_an_await() -> u32 {
        let named: &'static dyn Named = &Unit;
        let some: Option<&'static Point> = Some(&Point { x: 1, next: None });
        let number: &'static Number = &Number(2);
        let list: &'static [Number] = &[Number(3), Number(4)];
        let both: (&'static Unit, &'static Option<String>) = (&Unit, &None);
        tick("one").await;
        note(named.name());
        tick("two").await;
        let last: u32 = list.iter().map(|number| number.0).sum();
        let next = some.and_then(|point| point.next);
        some.map_or(0, |p| p.x) + next.map_or(0, |p| p.x) + number.0 + last + both.1.as_ref().map_or(0, |text| text.len() as u32)
    }
}

/// A trait with associated constants.
pub(crate) trait Limited {
    const LIMIT: u32;
    const NAME: &'static str;
}

impl Limited for Unit {
    const LIMIT: u32 = 4;
    const NAME: &'static str = "limited";
}

/// A variant without a destructor, of a type that has others with one.
#[derive(Debug)]
pub(crate) enum Kind {
    Empty,
    #[allow(dead_code, reason = "it is there for its destructor")]
    Full(D),
}

impl Kind {
    fn is_empty(&self) -> bool {
        matches!(self, Kind::Empty)
    }
}

const LIMIT: u32 = 3;
const NAMES: [&str; 2] = ["first", "second"];
const POINT: Point = Point { x: 9, next: None };
static QUEUE: std::sync::Mutex<Vec<D>> = std::sync::Mutex::new(Vec::new());

fn sum_of(numbers: &[u32], more: &u32) -> u32 {
    note("sum");
    numbers.iter().sum::<u32>() + more
}

subject! {
    async fn constants_before_an_await<T: Limited>(index: usize, unit: T) -> u32 {
        let limit = &LIMIT;
        let negative = &-1;
        let name = &NAMES[index];
        let x = &POINT.x;
        let own = &T::LIMIT;
        let of_type = &<T as Limited>::NAME;
        let queue = &QUEUE;
        let kind = &Kind::Empty;
        let range = &(LIMIT..9);
        let sum: u32 = sum_of(&[1, LIMIT, index as u32], &point(3).x) + *limit;
        let made: u32 = sum_of(&[1], &2);
        let held: &'static std::sync::Mutex<Vec<D>> = queue;
        note(format!("{name} {x} {own} {of_type} {negative} {} {range:?}", kind.is_empty()));
        let queued = held.lock().unwrap().len();
        note(format!("{queued} queued"));
        tick("one").await;
        let last: usize = step::<usize>("two", 1, held.lock_len(&LIMIT)).await;
        held.lock().unwrap().clear();
        drop(unit);
        sum + made + last as u32
    }
}

/// A length that is computed under a lock, whose guard is dropped within the call.
pub(crate) trait LockLen {
    fn lock_len(&self, more: &u32) -> usize;
}

impl LockLen for std::sync::Mutex<Vec<D>> {
    fn lock_len(&self, more: &u32) -> usize {
        self.lock().unwrap().len() + *more as usize
    }
}

subject! {
    async fn extended_behind_the_last_await(c: bool) -> u32 {
        tick("one").await;
        let some = Some(&D("some"));
        let chosen = if c { &D("yes") } else { &D("no") };
        let pinned = std::pin::pin!(D("pinned"));
        note("end");
        look(chosen);
        1
    }
}

#[allow(non_upper_case_globals, reason = "names that look like those of locals")]
mod small {
    pub(crate) const most: u32 = 2;
    pub(crate) const couple: (u32, Option<u32>) = (1, None);
    pub(crate) static both: [u32; 2] = [1, 2];

    pub(crate) fn double(n: u32) -> u32 {
        n * 2
    }
}
use small::{couple, double, most};

subject! {
    async fn small_letters(n: u32) -> u32 {
        let low = &most;
        let list = &small::both;
        tick("one").await;
        match most.max(n) { 2 => tick("limit").await, _ => {} }
        match couple.1.is_none() { true => tick("none").await, _ => {} }
        match small::both[1] == n { true => {} , _ => tick("other").await }
        match double(couple.0) { 2 => tick("double").await, _ => {} }
        if let Some(m) = Some(n) && let Some(k) = m.checked_add(1) {
            match k.max(m) { 2 => tick("bound").await, _ => {} }
        }
        for item in 0..small::both.len() {
            if let Some(found) = small::both.get(item) { tick("found").await; }
        }
        n
    }
}

macro_rules! println {
    ($guard:expr) => {
        look(&$guard)
    };
}

doubted! {
    async fn macros_that_declare_nothing(n: u32) -> u32 {
        println!(D("shown"));
        assert!(n > 0, "no");
        debug_assert_eq!(n, 1);
        thread_local! {
            static COUNT: u32 = 3;
        }
        tick("one").await;
        let list: Vec<Box<dyn std::fmt::Debug>> = vec![Box::new(n), Box::new("text")];
        let is_one: bool = matches!(n, 1);
        let text: &'static str = concat!("a", "b");
        tick("two").await;
        look(&D(text));
        step::<u32>("given", 1, line!().min(1) + u32::from(cfg!(all()))).await
    }
}

fn named(n: u32) -> (D, String) {
    (D("named"), n.to_string())
}

subject! {
    async fn extended_in_branches(n: u32) -> usize {
        let text: &str = match n { 0 => "zero", n => &n.to_string() };
        tick("one").await;
        let other: &str = if n > 0 { &named(n).1 } else { "none" };
        tick("two").await;
        let last: &[u32] = { &vec![n, 2] };
        tick("three").await;
        text.len() + other.len() + last.len()
    }
}

subject! {
    async fn extended_parts(n: u32) -> usize {
        let part = &mut named(n).1;
        tick("one").await;
        part.push('a');
        let element = &[named(n)][0];
        tick("two").await;
        let slice = &vec![n, n][1..];
        let whole: &str = &step::<(D, String)>("three", 1, named(n)).await.1;
        tick("four").await;
        look(&element.0);
        part.len() + slice.len() + whole.len()
    }
}

async fn renamed(d: &mut D) {
    tick("rename").await;
    d.0 = "renamed";
}

async fn same(d: &D) -> &D {
    tick("same").await;
    d
}

subject! {
    async fn extended_into_an_await(n: u32) -> usize {
        let one = &mut D("one");
        renamed(one).await;
        let two: &D = &D("two");
        let count = same(two).await.0.len();
        let pair = (&D("three"), n);
        same(pair.0).await;
        let ref four = D("four");
        same(four).await;
        let ref mut five = D("five");
        renamed(five).await;
        count
    }
}

subject! {
    async fn declared_before_it_is_lent(n: u32) -> usize {
        let one;
        one = D("one");
        let lent = &one;
        same(lent).await.0.len() + n as usize
    }
}

subject! {
    async fn reference_of_a_branch(d: D, c: bool) -> usize {
        let chosen: &D = if c { &d } else { same(&d).await };
        let next: &D = match c { true => same(chosen).await, false => chosen };
        next.0.len()
    }
}

subject! {
    async fn ended_with_a_macro(n: u32) -> String {
        note(shout(format!("{n} {}", D("within").weighed().await)));
        shout(n.to_string())
    }
}

trait Weighed {
    async fn weighed(&self) -> usize;
}

impl Weighed for D {
    async fn weighed(&self) -> usize {
        tick("weigh").await;
        self.0.len()
    }
}

fn shout(text: String) -> String {
    note(format!("shout {text}"));
    text
}

subject! {
    async fn kept_for_nobody(n: u32) -> u32 {
        let local = D("local");
        let kept: &D = &D("kept");
        let _ = &D("nameless");
        let text: &str = &D("part").0;
        let list: [&D; 1] = [&D("listed")];
        let unused = Some(D("some")).as_ref().map(|d| d.0);
        tick("one").await;
        n
    }
}

fn add(left: u32, right: u32) -> u32 {
    note("add");
    left + right
}

fn counted(d: D) -> u32 {
    d.0.len() as u32
}

subject! {
    async fn left_of_an_operand(n: u32) -> u32 {
        let local = D("local");
        let sum = add(
            match step::<Result<u32, D>>("one", 1, Err(D("error"))).await {
                Ok(n) => step("two", 1, n).await,
                Err(_) => 3,
            },
            counted(D("counted")),
        );
        let more = match step("three", 1, Some(D("some"))).await { Some(ref d) => 1, None => step("four", 1, 2).await } + sum;
        tick("five").await;
        more + n
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "extended_before yes",
        extended_before_an_await(true, 1)
    );
    case!(
        list,
        "extended_before no",
        extended_before_an_await(false, 1)
    );
    case!(list, "promoted_across", promoted_across_an_await());
    case!(list, "constants_before", constants_before_an_await(1, Unit));
    case!(
        list,
        "extended_behind",
        extended_behind_the_last_await(true)
    );
    case!(list, "small_letters", small_letters(1));
    case!(
        list,
        "macros_that_declare_nothing",
        macros_that_declare_nothing(1)
    );
    case!(list, "extended_in_branches 0", extended_in_branches(0));
    case!(list, "extended_in_branches 1", extended_in_branches(1));
    case!(list, "extended_parts", extended_parts(1));
    case!(list, "extended_into", extended_into_an_await(1));
    case!(list, "ended_with", ended_with_a_macro(1));
    case!(list, "kept_for_nobody", kept_for_nobody(1));
    case!(list, "left_of", left_of_an_operand(1));
    case!(list, "declared_before", declared_before_it_is_lent(1));
    case!(list, "reference_of yes", reference_of_a_branch(D("d"), true));
    case!(list, "reference_of no", reference_of_a_branch(D("d"), false));
    list
}
