//! Cases of futures that come from elsewhere: arguments, borrows, boxes.
//!
//! `subject!` decides what they become.

use std::future::Future;
use std::pin::Pin;

use super::log::*;

subject! {
    async fn generic<T: Clone + std::fmt::Debug + Unpin, const N: usize, F>(value: T, f: F) -> String
    where
        F: Future<Output = u32>,
        T: 'static,
    {
        let held: [T; N] = std::array::from_fn(|_| value.clone());
        let n: u32 = f.await;
        tick("after").await;
        format!("{held:?}{n}")
    }
}

subject! {
    async fn anonymous(d: D, f: impl Future<Output = u32>, g: &impl Fn(&D)) -> u32 {
        let n: u32 = f.await;
        g(&d);
        n
    }
}

subject! {
    async fn borrowed_future() -> u32 {
        let mut inner: Step<u32> = step("inner", 2, 8);
        let n: u32 = (&mut inner).await;
        note("still there");
        n
    }
}

subject! {
    async fn held_future(inner: Step<u32>) -> u32 {
        let made: Step<u32> = step("made", 1, 1);
        let n: u32 = inner.await;
        let m: u32 = made.await;
        n + m
    }
}

subject! {
    async fn boxed(depth: u32) -> u32 {
        let _d: D = D("level");
        if depth == 0 {
            return step::<u32>("bottom", 1, 0).await;
        }
        let inner: Pin<Box<dyn Future<Output = u32>>> = Box::pin(boxed(depth - 1));
        inner.await + 1
    }
}

subject! {
    async fn output_of_a_loud_future(way: bool) -> u32 {
        let first: D = step::<D>("first", 1, D("first")).await;
        let second: D = D("second");
        if way {
            drop(second);
        }
        let third: D = step::<D>("third", 1, D("third")).await;
        look(&third);
        1
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "generic", generic::<u8, 2, _>(3, step("given", 1, 6)));
    case!(
        list,
        "anonymous",
        anonymous(D("a"), step("given", 1, 6), &(look as fn(&D)))
    );
    case!(list, "borrowed_future", borrowed_future());
    case!(list, "held_future", held_future(step("arg", 1, 3)));
    case!(list, "boxed", boxed(2));
    case!(list, "loud future yes", output_of_a_loud_future(true));
    case!(list, "loud future no", output_of_a_loud_future(false));
    list
}
