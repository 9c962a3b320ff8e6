//! Cases of combinators whose futures borrow locals.
//!
//! `subject!` decides what they become.

use std::time::Duration;

use volt::future::{FuturesExt, join, race, try_join};
use volt::task::shielded;
use volt::time::{Elapsed, timeout};

use super::log::*;

/// Is pending once, and wakes its task.
fn turn(name: &'static str) -> Turn {
    note(format!("turn-{name}"));
    Turn { name, over: false }
}

/// The future of [`turn`](fn@turn).
#[allow(
    dead_code,
    non_camel_case_types,
    reason = "the machine finds it under the name of its function"
)]
type turn = Turn;

#[derive(Debug)]
struct Turn {
    name: &'static str,
    over: bool,
}

impl Future for Turn {
    type Output = ();

    fn poll(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<()> {
        note(format!("poll-{}", self.name));
        cx.waker().wake_by_ref();
        match std::mem::replace(&mut self.over, true) {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        note(format!("~turn-{}", self.name));
    }
}

#[derive(Debug)]
struct Pair {
    a: D,
    b: D,
    count: u32,
}

subject! {
    async fn looks(d: &D, times: u32) -> u32 {
        let _own: D = D("own");
        let mut n: u32 = 0;
        while n < times {
            turn("looks").await;
            look(d);
            n += 1;
        }
        n
    }
}

subject! {
    async fn changes(n: &mut u32, d: D) -> D {
        *n += 1;
        turn("changes").await;
        *n += 10;
        d
    }
}

subject! {
    async fn fails(d: &D, ok: bool) -> Result<u32, D> {
        turn("fails").await;
        look(d);
        if ok { Ok(1) } else { Err(D("error")) }
    }
}

subject! {
    async fn in_time(d: D) -> Result<u32, Elapsed> {
        let limit: Duration = Duration::from_secs(3600);
        let first: u32 = timeout(limit, looks(&d, 2)).await?;
        look(&d);
        Ok(first)
    }
}

subject! {
    async fn too_late(d: D) -> bool {
        let late: Result<u32, Elapsed> = timeout(Duration::ZERO, looks(&d, 2)).await;
        turn("behind").await;
        late.is_err()
    }
}

subject! {
    async fn both(d: D, e: D) -> u32 {
        let _last: D = D("last");
        let (a, b): (u32, u32) = join(looks(&d, 1), looks(&e, 3)).await;
        consume(e);
        turn("behind").await;
        a + b
    }
}

subject! {
    async fn of_one(d: D) -> (u32, u32) {
        join(looks(&d, 2), looks(&d, 1)).await
    }
}

subject! {
    async fn lent_on(d: &D, n: &mut u32) -> (u32, D) {
        join(looks(d, 1), changes(n, D("given"))).await
    }
}

subject! {
    async fn lends(d: D) -> u32 {
        let mut n: u32 = 1;
        let (a, back): (u32, D) = lent_on(&d, &mut n).await;
        look(&back);
        a + n
    }
}

subject! {
    async fn first(d: D) -> u32 {
        let e: D = D("e");
        let winner: u32 = race(looks(&d, 3), looks(&e, 1)).await;
        turn("behind").await;
        look(&d);
        winner
    }
}

subject! {
    async fn tried(ok: bool) -> Result<u32, D> {
        let d: D = D("d");
        let (a, b): (u32, u32) = try_join(fails(&d, true), fails(&d, ok)).await?;
        turn("behind").await;
        Ok(a + b)
    }
}

subject! {
    async fn fields(mut pair: Pair) -> u32 {
        let (n, back): (u32, D) = join(looks(&pair.a, 2), changes(&mut pair.count, D("moved"))).await;
        pair.b = back;
        turn("behind").await;
        n + pair.count
    }
}

subject! {
    async fn nested(d: D, f: Step<u32>) -> u32 {
        let e: D = D("e");
        let mut n: u32 = 0;
        let (a, b): (u32, Result<(u32, D), Elapsed>) = join(
            race(looks(&d, 2), f),
            timeout(Duration::from_secs(3600), join(shielded(looks(&e, 1)), changes(&mut n, D("in")))),
        )
        .await;
        turn("behind").await;
        a + n + u32::from(b.is_ok())
    }
}

subject! {
    async fn several(d: D) -> u32 {
        let mut n: u32 = 0;
        let (a, back, b): (u32, D, u32) =
            (looks(&d, 1), changes(&mut n, D("three")), looks(&d, 2)).join().await;
        let raced: u32 = (looks(&d, 3), looks(&back, 1), looks(&d, 2)).race().await;
        let settled = (fails(&d, true), fails(&back, false)).settle().await;
        let errors: usize = { settled }.map_or_else(|errors| errors.len(), |_| 0);
        let found = (fails(&d, false), fails(&back, true), fails(&d, false)).race_ok().await;
        let found: u32 = { found }.unwrap_or(0);
        let all = (fails(&d, true), fails(&d, true), fails(&back, true)).try_join().await;
        a + b + n + raced + errors as u32 + found + { all }.map_or(0, |all| all.2)
    }
}

subject! {
    async fn owned() -> u32 {
        let f: Step<u32> = step("f", 0, 2);
        let (a, (), b): (u32, (), u32) = (f, turn("two"), step::<u32>("three", 0, 1)).join().await;
        a + b
    }
}

subject! {
    async fn looped(d: D) -> u32 {
        let mut sum: u32 = 0;
        let mut tick: Step<u32> = step("kept", 3, 7);
        loop {
            let winner: u32 = race(&mut tick, looks(&d, 1)).await;
            sum += winner;
            if winner == 7 {
                break;
            }
        }
        sum
    }
}

subject! {
    async fn borrowed(future: &mut Step<u32>, d: &D) -> u32 {
        let first: Result<u32, Elapsed> = timeout(Duration::ZERO, &mut *future).await;
        look(d);
        let first: u32 = { first }.unwrap_or(5);
        first + race(future, looks(d, 1)).await
    }
}

subject! {
    async fn borrows() -> u32 {
        let d: D = D("d");
        let mut future: Step<u32> = step("far", 9, 7);
        borrowed(&mut future, &d).await
    }
}

subject! {
    async fn boxed(d: D) -> u32 {
        let (a, b): (u32, u32) = join(Box::pin(looks(&d, 1)), looks(&d, 2)).await;
        a + b
    }
}

subject! {
    async fn moved_on_a_path(d: D, gone: bool) -> u32 {
        let e: D = D("e");
        if gone {
            consume(e);
        }
        let (a, b): (u32, u32) = join(looks(&d, 1), looks(&d, 2)).await;
        a + b
    }
}

subject! {
    async fn in_place(d: D) -> u32 {
        let mut list: [u32; 200] = [1; 200];
        let (a, back): (u32, D) = join(looks(&d, 2), changes(&mut list[7], D("back"))).await;
        look(&back);
        a + list[7] + list[8]
    }
}

subject! {
    impl Pair {
        async fn of_a(&self, times: u32) -> u32 {
            looks(&self.a, times).await
        }

        async fn counts(&mut self) -> u32 {
            self.count += 1;
            turn("counts").await;
            self.count
        }

        async fn twice(&self) -> u32 {
            let (a, b): (u32, u32) = join(self.of_a(1), self.of_a(2)).await;
            a + b
        }

        async fn counted(&mut self) -> u32 {
            let n: u32 = timeout(Duration::from_secs(3600), self.counts()).await.unwrap_or(0);
            let (a, b): (u32, u32) = join(self.of_a(1), looks(&self.b, 1)).await;
            n + a + b
        }

        async fn own(self) -> u32 {
            let mut pair: Pair = self;
            let (a, b): (u32, u32) = join(pair.of_a(1), looks(&pair.b, 2)).await;
            let n: u32 = timeout(Duration::from_secs(3600), pair.counts()).await.unwrap_or(0);
            a + b + n
        }
    }
}

subject! {
    async fn of_methods(mut pair: Pair) -> u32 {
        pair.twice().await + pair.counted().await + { pair }.own().await
    }
}

fn pair() -> Pair {
    Pair { a: D("a"), b: D("b"), count: 1 }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "in_time", in_time(D("d")));
    case!(list, "too_late", too_late(D("d")));
    case!(list, "both", both(D("d"), D("e")));
    case!(list, "of_one", of_one(D("d")));
    case!(list, "lends", lends(D("d")));
    case!(list, "first", first(D("d")));
    case!(list, "tried ok", tried(true));
    case!(list, "tried err", tried(false));
    case!(list, "fields", fields(pair()));
    case!(list, "nested", nested(D("d"), step("f", 3, 9)));
    case!(list, "several", several(D("d")));
    case!(list, "owned", owned());
    case!(list, "looped", looped(D("d")));
    case!(list, "borrows", borrows());
    case!(list, "boxed", boxed(D("d")));
    case!(list, "moved", moved_on_a_path(D("d"), true));
    case!(list, "not moved", moved_on_a_path(D("d"), false));
    case!(list, "in_place", in_place(D("d")));
    case!(list, "of_methods", of_methods(pair()));
    list
}
