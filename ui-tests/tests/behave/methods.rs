//! Methods of `impl` blocks; `subject!` decides what the cases become.

use super::log::*;

#[derive(Debug)]
pub(crate) struct Conn<'n, T> {
    name: &'n str,
    left: u32,
    last: T,
    guard: D,
}

const STEP: u32 = 2;

subject! {
    impl<'n, T> Conn<'n, T>
    where
        T: Clone + std::fmt::Debug + 'static,
    {
        const STEPS: u32 = STEP;

        fn new(name: &'n str, left: u32, last: T) -> Self {
            Self { name, left, last, guard: D("guard") }
        }

        async fn read(&mut self, buf: &mut [u32]) -> Option<u32> {
            if self.left == 0 {
                return None;
            }
            self.left -= 1;
            tick("read").await;
            buf[0] = self.left;
            note(format!("{} {}", self.name, self.left));
            Some(self.left)
        }

        async fn peek(&self, more: u32) -> u32 {
            tick("peek").await;
            self.left + more + Self::STEPS
        }

        async fn last(&self) -> &T {
            tick("last").await;
            &self.last
        }

        async fn read_all(&mut self, times: u32) -> u32 {
            let mut buf: [u32; 1] = [0];
            let mut sum: u32 = 0;
            let mut i: u32 = 0;
            while i < times {
                match self.read(&mut buf).await {
                    Some(n) => sum += n + buf[0],
                    None => break,
                }
                i += 1;
            }
            sum + self.peek(1).await
        }

        async fn close(self, why: D) -> &'static str {
            let kept: T = self.last.clone();
            note(format!("{self:?} {{self}}"));
            note(format!("{kept:?}"));
            tick("close").await;
            look(&self.guard);
            why.0
        }

        async fn open(name: &'n str, last: T) -> Self {
            let made: Self = Self::new(name, 2, last);
            tick("open").await;
            made
        }

        async fn with<U: Into<u32>>(&mut self, more: U) -> u32 {
            let more: u32 = U::into(more);
            tick("with").await;
            self.left += more;
            self.left
        }

        async fn use_all(mut self) -> u32 {
            let first: u32 = self.read_all(1).await;
            let more: u32 = self.with::<u8>(3).await;
            first + more
        }
    }
}

subject! {
    async fn whole(name: &'static str) -> u32 {
        let mut conn: Conn<'static, u8> = Conn::<'static, u8>::open(name, 7).await;
        let read: u32 = conn.read_all(2).await;
        let other: u32 = Conn::<'static, u8>::read_all(&mut conn, 1).await;
        let why: &'static str = {conn}.close(D("why")).await;
        read + other + why.len() as u32
    }
}

subject! {
    async fn lent_on(conn: &mut Conn<'static, D2>, buf: &mut [u32]) -> u32 {
        let first: Option<u32> = conn.read(buf).await;
        let sum: u32 = conn.peek(buf[0]).await;
        first.unwrap_or(9) + sum
    }
}

#[derive(Clone, Debug)]
pub(crate) struct D2;

pub(crate) struct Loader<R> {
    rest: R,
    guard: D,
}

subject! {
    impl Loader<D> {
        async fn run(self) -> &'static str {
            tick("load").await;
            look(&self.guard);
            self.rest.0
        }
    }
}

pub(crate) struct Depth {
    left: u32,
    guard: D,
}

subject! {
    impl Depth {
        async fn down(&mut self, why: D) -> u32 {
            if self.left == 0 {
                return 0;
            }
            self.left -= 1;
            tick("down").await;
            note(why.0);
            let below: u32 = Box::pin(self.down(D("below"))).await;
            look(&self.guard);
            below + 1
        }

        async fn up(&self, from: u32) -> u32 {
            tick("up").await;
            if from >= self.left {
                return from;
            }
            Box::pin(Self::up(self, from + 1)).await + 1
        }
    }
}

subject! {
    impl Depth {
        async fn plus(&self, more: &u32) -> u32 {
            tick("plus").await;
            self.left + more
        }

        async fn sum(&self) -> u32 {
            self.plus(&self.left).await + self.up(self.up(0).await).await
        }
    }
}

subject! {
    async fn lent_twice(mut own: Depth, lent: &mut Depth) -> u32 {
        own.left += 1;
        lent.left += 1;
        let first: u32 = own.plus(&own.left).await;
        first + lent.plus(&lent.left).await + own.sum().await
    }
}

subject! {
    async fn lent_down(depth: &mut Depth, times: u32) -> u32 {
        if times == 0 {
            return depth.up(1).await;
        }
        depth.left += 1;
        let below: u32 = Box::pin(lent_down(depth, times - 1)).await;
        tick("lent down").await;
        below + depth.left
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "whole", whole("conn"));
    case!(list, "use_all", Conn::new("mine", 3, "text").use_all());
    case!(list, "open", async { Conn::open("made", 1_u8).await.left });
    case!(list, "close", Conn::new("shut", 1, 5_u64).close(D("end")));
    case!(
        list,
        "lent_on",
        lent_on(
            Box::leak(Box::new(Conn::new("leaked", 2, D2))),
            Box::leak(Box::new([0]))
        )
    );
    case!(list, "last", async {
        *Conn::new("last", 1, 5_u64).last().await
    });
    case!(list, "down", async {
        let mut depth: Depth = Depth { left: 2, guard: D("deep") };
        depth.down(D("first")).await
    });
    case!(list, "lent_twice", async {
        let mut lent: Depth = Depth { left: 1, guard: D("lent") };
        let own: Depth = Depth { left: 1, guard: D("own") };
        lent_twice(own, &mut lent).await
    });
    case!(list, "lent_down", async {
        let mut depth: Depth = Depth { left: 1, guard: D("deeper") };
        lent_down(&mut depth, 2).await
    });
    case!(list, "run", Loader { rest: D("rest"), guard: D("guarded") }.run());
    list
}
