//! Cases of arguments that are patterns; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn between(x: D, (a, _, _): (D, D, D), y: D, _: D) -> u32 {
        tick("one").await;
        look(&a);
        tick("two").await;
        look(&x);
        look(&y);
        1
    }
}

subject! {
    async fn changed(_: D, (mut a, b): (D, D), mut last: D) -> &'static str {
        tick("one").await;
        a = D("new");
        last = D("last");
        look(&a);
        tick("two").await;
        consume(b);
        tick("three").await;
        last.0
    }
}

subject! {
    async fn nested(((a, _), b, ..): ((D, D), u32, D, D), name: &str, &number: &u32) -> u32 {
        tick("one").await;
        look(&a);
        note(name);
        b + number
    }
}

subject! {
    async fn of_any_type(
        &number: &u32,
        shown: impl std::fmt::Debug,
        (log, mut held): (impl Fn(&str), Option<Borrowed<'_>>),
    ) -> u32 {
        tick("one").await;
        log(&format!("{shown:?}"));
        tick("two").await;
        held.take().map_or(number, |held| held.0.0.len() as u32)
    }
}

subject! {
    async fn bound_whole(
        first: D,
        Wrapped(a): Wrapped,
        b: D,
        (mut c, d): (D, D),
        _: D,
        last: D,
    ) -> usize {
        tick("one").await;
        look(&a);
        c = D("new");
        consume(d);
        tick("two").await;
        look(&b);
        let n: usize = c.0.len();
        n
    }
}

#[derive(Debug)]
pub(crate) struct Wrapped(D);

/// Has a lifetime that the signature leaves out.
#[derive(Debug)]
pub(crate) struct Borrowed<'a>(&'a D);

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        note(format!("~borrowed-{}", self.0.0));
    }
}

pub(crate) struct Pair {
    left: D,
    right: u32,
}

pub(crate) struct Both(D, D);

subject! {
    async fn structs(Pair { left, right }: Pair, Both(one, two): Both, after: D) -> u32 {
        let left: D = left;
        let right: u32 = right;
        look(&two);
        let one: D = one;
        consume(two);
        tick("kept").await;
        look(&left);
        look(&one);
        look(&after);
        right
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(
        list,
        "between",
        between(D("x"), (D("a"), D("b"), D("c")), D("y"), D("_"))
    );
    case!(
        list,
        "of_any_type",
        of_any_type(
            &1,
            D("shown"),
            (
                |text: &str| note(text),
                Some(Borrowed(Box::leak(Box::new(D("leaked")))))
            )
        )
    );
    case!(list, "changed", changed(D("_"), (D("a"), D("b")), D("z")));
    case!(
        list,
        "nested",
        nested(((D("a"), D("b")), 2, D("c"), D("d")), "name", &3)
    );
    case!(
        list,
        "structs",
        structs(
            Pair {
                left: D("left"),
                right: 5
            },
            Both(D("one"), D("two")),
            D("after")
        )
    );
    case!(
        list,
        "bound_whole",
        bound_whole(D("first"), Wrapped(D("a")), D("b"), (D("c"), D("d")), D("ignored"), D("last"))
    );
    list
}
