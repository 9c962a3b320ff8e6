//! Methods with the names `clone`, `len`, `to_owned` and `to_string` that borrow their receiver.
//! Each returns a value of the receiver's type.

#![allow(clippy::all, reason = "odd on purpose")]
use super::log::*;

pub(crate) struct View<'a>(&'a D);

impl Drop for View<'_> {
    fn drop(&mut self) {
        look(self.0);
    }
}

#[allow(dead_code, reason = "each name is one case")]
impl View<'_> {
    fn len(&self) -> View<'_> {
        View(self.0)
    }

    fn clone(&self) -> View<'_> {
        View(self.0)
    }

    fn to_owned(&self) -> View<'_> {
        View(self.0)
    }

    fn to_string(&self) -> View<'_> {
        View(self.0)
    }
}

/// A view that is `Clone`.
#[derive(Clone)]
pub(crate) struct Copied<'a>(&'a D);

impl Copied<'_> {
    fn len(&self) -> Copied<'_> {
        Copied(self.0)
    }
}

macro_rules! of_a_local {
    ($($name:ident: $method:ident)*) => { $(
        subject! {
            async fn $name(d: D) -> usize {
                let view = View(&d);
                let other = view.$method();
                tick("one").await;
                let last = &other;
                look(last.0);
                tick("two").await;
                d.0.len()
            }
        }
    )* };
}

of_a_local! { by_len: len by_clone: clone by_to_owned: to_owned by_to_string: to_string }

subject! {
    async fn of_an_argument(view: View<'_>) -> usize {
        let other = view.len();
        tick("one").await;
        let last = &other;
        tick("two").await;
        last.0.0.len()
    }
}

subject! {
    async fn of_a_clone(d: D) -> usize {
        let view = Copied(&d);
        let other = view.len();
        tick("one").await;
        let again = other.clone();
        tick("two").await;
        again.0.0.len()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "by_len", by_len(D("d")));
    case!(list, "by_clone", by_clone(D("d")));
    case!(list, "by_to_owned", by_to_owned(D("d")));
    case!(list, "by_to_string", by_to_string(D("d")));
    case!(list, "of_an_argument", async {
        let d = D("d");
        of_an_argument(View(&d)).await
    });
    case!(list, "of_a_clone", of_a_clone(D("d")));
    list
}
