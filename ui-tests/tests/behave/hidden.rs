//! Locals whose written types do not show that they borrow from other locals.
//!
//! `subject!` decides what the cases become.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::pin::Pin;
use std::str::Chars;
use std::sync::{Mutex, MutexGuard};

use super::log::*;

async fn loaded(d: &D) -> u32 {
    tick(d.0).await;
    look(d);
    1
}

type Loaded<'a> = Pin<Box<dyn Future<Output = u32> + 'a>>;

pub(crate) struct View<'a>(&'a D);

subject! {
    async fn guard_by_its_type(d: D) -> u32 {
        let mutex = Mutex::new(d);
        let guard: MutexGuard<D> = mutex.lock().unwrap();
        tick("one").await;
        look(&guard);
        let cell = RefCell::new(D("cell"));
        let seen: Ref<D> = cell.borrow();
        tick("two").await;
        look(&seen);
        1
    }
}

subject! {
    async fn view_by_its_type(d: D) -> u32 {
        let view: View = View(&d);
        tick("one").await;
        let views: Vec<View> = vec![View(&d), view];
        tick("two").await;
        for View(seen) in &views {
            look(seen);
        }
        let text: String = d.0.repeat(2);
        let chars: Chars = text.chars();
        tick("three").await;
        let whole: Cow<str> = Cow::from(&text);
        tick("four").await;
        (chars.count() + whole.len()) as u32
    }
}

subject! {
    async fn boxes_by_their_types(a: D, b: D) -> u32 {
        let futures: Vec<Loaded> = vec![Box::pin(loaded(&a)), Box::pin(loaded(&b))];
        let mut sum = 0;
        for future in futures {
            sum += future.await;
        }
        let show: Box<dyn Fn() -> u32> = Box::new(|| { look(&a); 2 });
        tick("one").await;
        sum + show()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "guard_by_its_type", guard_by_its_type(D("d")));
    case!(list, "view_by_its_type", view_by_its_type(D("d")));
    case!(list, "boxes_by_their_types", boxes_by_their_types(D("a"), D("b")));
    list
}
