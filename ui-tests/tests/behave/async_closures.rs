//! Functions whose coroutine the compiler cannot prove to be `Send`, or fails to: `async` closures
//! that borrow, and bounds that name a lifetime.

use super::log::*;

async fn call(f: impl AsyncFn()) {
    f().await
}

async fn call_with(f: impl AsyncFn(u32) -> u32) -> u32 {
    f(1).await
}

async fn call_by_reference(f: &impl AsyncFn(u32) -> u32) -> u32 {
    f(1).await + f(2).await
}

subject! {
    async fn borrows_local(n: u32) -> u32 {
        let s = n + 1;
        call(async || {
            tick("in").await;
            note(format!("{s}"));
        })
        .await;
        s
    }
}

subject! {
    async fn lends_closure(n: u32) -> u32 {
        let f = async |k| {
            tick("in").await;
            n + k
        };
        call_by_reference(&f).await + call_by_reference(&f).await
    }
}

pub(crate) struct Number(u32);

pub(crate) struct Page(u32);

pub(crate) struct Connection(u32);

fn read(connection: &mut Connection, page: &Page) {
    connection.0 += page.0;
    note(format!("read {}", connection.0));
}

impl Number {
    async fn each<F>(&self, mut f: F)
    where
        F: AsyncFnMut(&mut Connection),
    {
        let mut connection = Connection(self.0);
        f(&mut connection).await;
        tick("between").await;
        f(&mut connection).await;
    }
}

subject! {
    impl Number {
        async fn borrows_self(&self) -> u32 {
            call_with(async |k| {
                tick("in").await;
                self.0 + k
            })
            .await
        }

        pub(crate) async fn all(&self, page: &Page) {
            self.each(async |connection| read(connection, page)).await;
        }
    }
}

pub(crate) struct Retry(u32);

impl Retry {
    async fn run<T, E>(&self, mut f: impl AsyncFnMut(u32) -> Result<T, E>) -> Result<T, E> {
        let mut k = 0;
        loop {
            match f(k).await {
                Ok(value) => return Ok(value),
                Err(error) if k == self.0 => return Err(error),
                Err(_) => {
                    k += 1;
                    tick("wait").await;
                }
            }
        }
    }
}

subject! {
    async fn retries(url: &str, mut log: Vec<u32>) -> Result<usize, String> {
        let n = Retry(2)
            .run(async |k| {
                log.push(k);
                tick("try").await;
                match k < 2 {
                    true => Err(format!("{url} {k}")),
                    false => Ok(url.len()),
                }
            })
            .await?;
        Ok(n + log.len())
    }
}

pub(crate) trait Kept {
    type Of<'a>
    where
        Self: 'a;
}

impl<T> Kept for T {
    type Of<'a>
        = ()
    where
        Self: 'a;
}

async fn keeps<'a, T: Kept + 'a>(_: T, value: T::Of<'a>) -> T::Of<'a> {
    tick("in").await;
    std::future::ready(value).await
}

subject! {
    async fn lends_to_a_bound() -> u32 {
        let x = 1u32;
        keeps(&x, ()).await;
        x
    }
}

subject! {
    async fn maps_by_reference(names: Vec<String>) -> usize {
        let mut sum = 0;
        for wait in names.iter().map(|name| async move {
            tick("map").await;
            name.len()
        }) {
            sum += wait.await;
        }
        sum
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "borrows_local", borrows_local(3));
    case!(list, "lends_closure", lends_closure(3));
    case!(list, "borrows_self", async { Number(3).borrows_self().await });
    case!(list, "all", async { Number(3).all(&Page(4)).await });
    case!(list, "retries", async { retries("abc", vec![]).await });
    case!(list, "lends_to_a_bound", lends_to_a_bound());
    case!(list, "maps_by_reference", maps_by_reference(vec!["a".into(), "bc".into()]));
    list
}
