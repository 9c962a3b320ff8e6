//! Temporaries of awaited expressions that methods move, or may seem to move.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn built_in_an_argument(last: D) -> usize {
        let n = deliver(Letter::of("made").with(D("b")).sealed()).await;
        tick("two").await;
        look(&last);
        n
    }
}

subject! {
    async fn built_in_a_condition(last: D) -> usize {
        let mut n = 0;
        if deliver(Letter::of("made").with(D("b")).sealed()).await > 1 {
            tick("within").await;
            n += 1;
        }
        look(&last);
        n
    }
}

subject! {
    async fn built_beside_a_local(last: D) -> usize {
        let n = {
            let other = D("other");
            tick("one").await;
            look(&other);
            Letter::of("made").with(D("b")).sealed().post("sent").await
        };
        look(&last);
        n
    }
}

subject! {
    async fn tail_without_an_await(last: D) -> usize {
        let n = {
            let other = D("other");
            tick("one").await;
            look(&other);
            Letter::of("made").with(D("b")).sealed().weight()
        };
        tick("two").await;
        look(&last);
        n
    }
}

subject! {
    async fn argument_is_moved_too(a: D, last: D) -> usize {
        let n = deliver(Letter::of("made").with(a).sealed()).await;
        tick("two").await;
        look(&last);
        n
    }
}

subject! {
    async fn guard_is_not_moved(a: D, last: D) -> usize {
        let desk = Desk(a);
        let n = number(desk.open("drawer").content()).await;
        tick("two").await;
        look(&last);
        n
    }
}

subject! {
    async fn guard_of_a_copy(a: D, last: D) -> usize {
        let desk = Desk(a);
        let n = number(desk.key().content()).await;
        tick("two").await;
        look(&last);
        n
    }
}

subject! {
    async fn copy_that_the_future_borrows(a: D, last: D) -> usize {
        let n = read(&Key(3).value_of()).await;
        let m = number(Key(4).borrowed().clone_value()).await;
        tick("two").await;
        look(&last);
        n + m
    }
}

subject! {
    async fn reference_is_reborrowed(a: D, last: D) -> usize {
        let mut letter = Letter::of("made");
        let n = number(letter.itself().weight_now()).await;
        tick("two").await;
        look(&last);
        n + letter.parts.len()
    }
}

subject! {
    async fn error_before_the_call(failing: bool, last: D) -> Result<usize, String> {
        let n = deliver(Letter::found(failing)?.with(D("b")).sealed()).await;
        tick("two").await;
        look(&last);
        Ok(n)
    }
}

subject! {
    async fn of_an_awaited_value(last: D) -> usize {
        let n = deliver(fetched("one").await.with(D("b")).sealed()).await;
        tick("two").await;
        look(&last);
        n
    }
}

subject! {
    async fn types_of_the_body(last: D) -> usize {
        struct Page(D);

        impl Page {
            fn name(&self) -> usize {
                note("named");
                self.0.0.len()
            }
        }

        impl Drop for Page {
            fn drop(&mut self) {
                note("page");
            }
        }

        trait Twice {
            fn twice(&self) -> usize;
        }

        impl Twice for usize {
            fn twice(&self) -> usize {
                self * 2
            }
        }

        let page = Page(D("of-page"));
        tick("one").await;
        let n = page.name().twice();
        tick("two").await;
        look(&last);
        n
    }
}

#[derive(Debug)]
pub(crate) struct Letter {
    parts: Vec<D>,
}

impl Letter {
    fn of(name: &'static str) -> Self {
        Self { parts: vec![D(name)] }
    }

    fn found(failing: bool) -> Result<Self, String> {
        match failing {
            true => Err("lost".to_owned()),
            false => Ok(Self::of("found")),
        }
    }

    fn with(mut self, d: D) -> Self {
        note("with");
        self.parts.push(d);
        self
    }

    fn sealed(self) -> Self {
        note("sealed");
        self
    }

    fn weight(self) -> usize {
        note("weighed");
        self.parts.len()
    }

    fn itself(&mut self) -> &mut Self {
        self
    }

    fn weight_now(&mut self) -> usize {
        self.parts.len()
    }

    async fn post(self, name: &'static str) -> usize {
        tick(name).await;
        self.parts.len()
    }
}

async fn deliver(letter: Letter) -> usize {
    tick("delivered").await;
    letter.parts.len()
}

async fn fetched(name: &'static str) -> Letter {
    tick(name).await;
    Letter::of(name)
}

async fn number(n: usize) -> usize {
    tick("number").await;
    n
}

async fn read(n: &usize) -> usize {
    tick("read").await;
    *n
}

#[derive(Debug)]
pub(crate) struct Desk(D);

impl Desk {
    fn open(&self, name: &'static str) -> Drawer<'_> {
        note(format!("open-{name}"));
        Drawer(&self.0)
    }

    fn key(&self) -> Key {
        Key(self.0.0.len())
    }
}

pub(crate) struct Drawer<'a>(&'a D);

impl Drawer<'_> {
    fn content(&self) -> usize {
        self.0.0.len()
    }
}

impl Drop for Drawer<'_> {
    fn drop(&mut self) {
        note("closed");
        look(self.0);
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Key(usize);

impl Key {
    fn content(self) -> usize {
        self.0
    }

    fn value_of(&self) -> usize {
        self.0
    }

    fn borrowed(&self) -> KeyRef<'_> {
        KeyRef(self)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct KeyRef<'a>(&'a Key);

impl KeyRef<'_> {
    fn clone_value(self) -> usize {
        self.0.0
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "built_in_an_argument", built_in_an_argument(D("last")));
    case!(list, "built_in_a_condition", built_in_a_condition(D("last")));
    case!(list, "built_beside_a_local", built_beside_a_local(D("last")));
    case!(list, "tail_without_an_await", tail_without_an_await(D("last")));
    case!(list, "argument_is_moved_too", argument_is_moved_too(D("a"), D("last")));
    case!(list, "guard_is_not_moved", guard_is_not_moved(D("a"), D("last")));
    case!(list, "guard_of_a_copy", guard_of_a_copy(D("a"), D("last")));
    case!(
        list,
        "copy_that_the_future_borrows",
        copy_that_the_future_borrows(D("a"), D("last"))
    );
    case!(list, "reference_is_reborrowed", reference_is_reborrowed(D("a"), D("last")));
    case!(list, "error_before_the_call yes", error_before_the_call(true, D("last")));
    case!(list, "error_before_the_call no", error_before_the_call(false, D("last")));
    case!(list, "of_an_awaited_value", of_an_awaited_value(D("last")));
    case!(list, "types_of_the_body", types_of_the_body(D("last")));
    list
}
