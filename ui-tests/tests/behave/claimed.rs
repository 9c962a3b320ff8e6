//! Cases of parts that are copied, borrowed or moved, which only types distinguish. `subject!`
//! decides their layout.

use super::log::*;

subject! {
    async fn copied_part(page: Page) -> u32 {
        let id = page.id;
        tick("one").await;
        look(&page.title);
        tick("two").await;
        id + page.id
    }
}

subject! {
    async fn copied_part_of_a_lent_local(mut page: Page) -> u32 {
        let seen: u32 = page.change(page.id).await;
        let id = page.id;
        tick("one").await;
        id + seen
    }
}

subject! {
    async fn moved_part(page: Page) -> u32 {
        consume(page.title);
        tick("one").await;
        page.id
    }
}

subject! {
    async fn part_that_a_method_borrows(page: Page) -> usize {
        let length = page.title.length();
        tick("one").await;
        length
    }
}

subject! {
    async fn part_that_a_method_takes(page: Page) -> usize {
        let length = page.title.end();
        tick("one").await;
        length
    }
}

subject! {
    async fn part_that_a_future_borrows(page: Page) -> usize {
        let length: usize = page.title.wait().await;
        tick("one").await;
        length
    }
}

subject! {
    async fn part_behind_a_box(page: Box<Page>) -> u32 {
        let id = (*page).id;
        tick("one").await;
        id + page.other.map_or(0, |other| other)
    }
}

subject! {
    async fn plain_part_matched(page: Page) -> u32 {
        let id = match page.kind {
            Kind::Numbered(id) => id,
            Kind::None => 0,
        };
        tick("one").await;
        id
    }
}

subject! {
    async fn taken_apart(page: Wrapped) -> u32 {
        let Wrapped(d, n) = page;
        tick("one").await;
        look(&d);
        tick("two").await;
        n
    }
}

subject! {
    async fn taken_apart_with_a_destructor(page: Guarded) -> u32 {
        let Guarded(n) = page;
        tick("one").await;
        n
    }
}

subject! {
    async fn taken_apart_and_dropped_first(page: Wrapped, last: D) -> u32 {
        let Wrapped(d, n) = page;
        consume(d);
        tick("one").await;
        look(&last);
        n
    }
}

subject! {
    async fn rest_is_left(page: Page) -> u32 {
        let Page { title, id, .. } = page;
        tick("one").await;
        look(&title);
        id
    }
}

subject! {
    async fn argument_with_a_destructor(first: D, Guarded(n): Guarded, last: D) -> u32 {
        tick("one").await;
        n
    }
}

subject! {
    async fn argument_with_a_rest(first: D, Page { id, kind, .. }: Page, last: D) -> u32 {
        tick("one").await;
        look(&last);
        match kind {
            Kind::Numbered(n) => n + id,
            Kind::None => id,
        }
    }
}

subject! {
    async fn argument_of_a_reference(Page { title, id, .. }: &Page, _: D, (a, b): (D, D)) -> u32 {
        tick("one").await;
        look(title);
        consume(b);
        tick("two").await;
        *id
    }
}

subject! {
    async fn argument_that_is_the_value(Wrapped(d, _n): Wrapped) -> D {
        tick("one").await;
        d
    }
}

subject! {
    async fn argument_with_a_tail(Wrapped(d, n): Wrapped) -> usize {
        tick("one").await;
        D("tail").length()
    }
}

subject! {
    async fn copied_and_used_again(start: u32) -> u32 {
        let next = start.wrapping_add(1);
        let sum = added(next, next).await;
        tick("one").await;
        sum + next
    }
}

subject! {
    async fn borrowed_and_used_again(text: String) -> usize {
        let part = text.trim();
        let n = measured(part).await;
        tick("one").await;
        n + part.len()
    }
}

subject! {
    async fn reborrowed(mut page: Page) -> u32 {
        let part = page.change_later();
        changed(part).await;
        tick("one").await;
        *part
    }
}

subject! {
    async fn number_moved_after_a_call(page: Page) -> u32 {
        let id = page.id + 1;
        let after = D("after");
        let sum = summed(&page.title, counted(), id).await;
        look(&after);
        tick("one").await;
        sum + page.id
    }
}

subject! {
    async fn value_moved_after_a_call(page: Page) -> u32 {
        let early = D("early");
        let after = D("after");
        let sum = swallowed_with(&after, counted(), early).await;
        look(&after);
        tick("one").await;
        sum + page.id
    }
}

subject! {
    async fn new_value_in_a_loop(count: u32) -> usize {
        let mut last = None;
        for n in 0..count {
            tick("turn").await;
            last = Some(D("last"));
        }
        last.map_or(0, |last: D| last.length())
    }
}

subject! {
    async fn new_value_of_a_moved_local(names: [&'static str; 3]) -> usize {
        let mut next = D("first");
        for name in names {
            swallowed(next).await;
            next = D(name);
        }
        next.length()
    }
}

subject! {
    async fn old_value_is_dropped_late(fails: bool) -> u32 {
        let mut held = D("old");
        look(&held);
        tick("one").await;
        note("before");
        held = D("new");
        note("behind");
        tick("two").await;
        1
    }
}

pub(crate) struct Page {
    title: D,
    id: u32,
    kind: Kind,
    other: Option<u32>,
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Numbered(u32),
    None,
}

pub(crate) struct Wrapped(D, u32);

pub(crate) struct Guarded(u32);

impl Drop for Guarded {
    fn drop(&mut self) {
        note(format!("~guarded-{}", self.0));
    }
}

trait Ends: Sized {
    fn length(&self) -> usize;
    fn end(self) -> usize;
    fn wait(&self) -> impl Future<Output = usize>;
}

impl Ends for D {
    fn length(&self) -> usize {
        self.0.len()
    }

    fn end(self) -> usize {
        note("end");
        self.0.len()
    }

    async fn wait(&self) -> usize {
        tick("wait").await;
        self.0.len()
    }
}

impl Page {
    async fn change(&mut self, by: u32) -> u32 {
        tick("change").await;
        self.id += by;
        self.id
    }

    fn change_later(&mut self) -> &mut u32 {
        &mut self.id
    }
}

async fn added(one: u32, other: u32) -> u32 {
    tick("add").await;
    one + other
}

fn counted() -> u32 {
    note("counted");
    5
}

async fn summed(d: &D, one: u32, other: u32) -> u32 {
    tick("sum").await;
    look(d);
    one + other
}

async fn swallowed_with(d: &D, number: u32, taken: D) -> u32 {
    tick("swallow").await;
    look(d);
    consume(taken);
    number
}

async fn measured(text: &str) -> usize {
    tick("measure").await;
    text.len()
}

async fn changed(number: &mut u32) {
    tick("change").await;
    *number += 1;
}

async fn swallowed(d: D) {
    tick("swallow").await;
    consume(d);
}

fn page() -> Page {
    Page {
        title: D("title"),
        id: 2,
        kind: Kind::Numbered(3),
        other: Some(4),
    }
}

fn wrapped() -> Wrapped {
    Wrapped(D("wrapped"), 5)
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    macro_rules! each {
        ($($name:ident($($arg:expr),*);)*) => { $(list.push((stringify!($name), (|| shown($name($($arg),*))) as Case));)* };
    }
    each! {
        copied_part(page());
        copied_part_of_a_lent_local(page());
        moved_part(page());
        part_that_a_method_borrows(page());
        part_that_a_method_takes(page());
        part_that_a_future_borrows(page());
        part_behind_a_box(Box::new(page()));
        plain_part_matched(Page { kind: Kind::None, ..page() });
        taken_apart(wrapped());
        taken_apart_with_a_destructor(Guarded(1));
        taken_apart_and_dropped_first(wrapped(), D("z"));
        rest_is_left(page());
        argument_with_a_destructor(D("a"), Guarded(1), D("z"));
        argument_with_a_rest(D("a"), page(), D("z"));
        argument_that_is_the_value(wrapped());
        argument_with_a_tail(wrapped());
        copied_and_used_again(1);
        borrowed_and_used_again(" text ".to_owned());
        reborrowed(page());
        number_moved_after_a_call(page());
        value_moved_after_a_call(page());
        new_value_in_a_loop(3);
        new_value_of_a_moved_local(["a", "b", "c"]);
        old_value_is_dropped_late(true);
    }
    list.push(("argument_of_a_reference", || {
        shown(async {
            let page = page();
            argument_of_a_reference(&page, D("_"), (D("a"), D("b"))).await
        })
    }));
    list
}
