//! Machines raise no warnings, whatever the user denies, and need no unsafe code.
#![forbid(unsafe_code)]
#![forbid(missing_docs)]
#![deny(warnings, missing_debug_implementations, unreachable_pub, unused)]
#![deny(rust_2018_idioms, explicit_outlives_requirements, single_use_lifetimes, unnameable_types, unused_lifetimes)]
#![deny(impl_trait_redundant_captures, impl_trait_overcaptures)]

use std::future::{Ready, poll_fn, ready};
use std::task::{Context, Poll};

/// Something to read from.
#[derive(Debug)]
pub struct Conn(u8);

impl Conn {
    fn poll_read(&mut self, _: &mut Context<'_>, buf: &mut [u8]) -> Poll<Result<usize, String>> {
        buf[0] = self.0;
        Poll::Ready(Ok(1))
    }
}

/// Reads once.
#[volt::state_machine]
pub async fn read(conn: &mut Conn, buf: &mut [u8]) -> Result<usize, String> {
    poll_fn(|cx| conn.poll_read(cx, buf)).await
}

/// Reads, and checks what was read.
#[volt::state_machine(explicit)]
pub async fn read_checked(conn: &mut Conn, n: usize) -> usize {
    assert!(ready(n).await > 0, "{n}");
    assert_eq!(ready(conn.0).await, ready(1).await);
    assert_ne!(ready(n).await, 2);
    n
}

/// Reads twice.
#[volt::state_machine]
pub async fn read_twice<'a, T: Clone>(conn: &mut Conn, name: &'a str, value: T) -> Result<(usize, &'a str, T), String> {
    let mut buf: [u8; 4] = [0; 4];
    let mut n: usize = read(conn, &mut buf).await?;
    while n < 3 {
        n += read(conn, &mut buf[..2]).await?;
    }
    Ok((n, name, value.clone()))
}

macro_rules! own {
    ($value:expr) => {
        $value
    };
}

fn count(text: &str) -> usize {
    text.len()
}

/// Has names that the twin puts to the compiler, and the end of a block.
#[volt::state_machine]
pub async fn named(names: Vec<String>, first: Ready<Option<u8>>) -> usize {
    let one: usize = own!(names.len());
    let two: usize = usize::max(one, count(&names.concat()));
    if let Some(found) = first.await {
        return usize::from(found);
    }
    let text: String = names.concat();
    private(ready(1)).await;
    text.trim().trim_start().len() + one + two
}

/// A trait that others may implement.
pub trait Get {
    /// Gets it.
    fn get(&self, key: &str) -> impl Future<Output = usize>;
}

/// What implements it.
#[derive(Debug)]
pub struct Map;

#[volt::state_machine]
impl Get for Map {
    async fn get(&self, key: &str) -> usize {
        ready(key.len()).await
    }
}

/// Types without a name, one in the bounds of the other.
#[volt::state_machine]
pub async fn lengths(items: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
    let mut sum = 0;
    for item in items {
        sum += ready(item.as_ref().len()).await;
    }
    sum
}

/// Has a type that only its caller knows.
#[volt::state_machine(native)]
pub async fn of_any_type<T: Clone>(value: &T, count: usize) -> (T, usize) {
    private(ready(1)).await;
    (value.clone(), count)
}

/// Holds a reference, and says so of its type.
#[derive(Debug)]
pub struct Kept<'a, T: ?Sized>(&'a T);

#[volt::state_machine]
impl<'a, T> Kept<'a, T>
where
    T: ?Sized + 'a,
{
    /// Waits for nothing.
    pub async fn size(&self) -> usize {
        private(ready(1)).await;
        size_of_val(self.0)
    }
}

/// Has a level of a lint in front of an argument, in either layout.
#[volt::state_machine(native)]
pub async fn unread(#[allow(unused_variables, reason = "the point")] number: u32, #[allow(unused, reason = "the point")] (a, b): (u8, u8), c: u8) -> u8 {
    private(ready(c)).await
}

/// Gives what has no name.
#[volt::state_machine]
pub async fn numbers(end: u32) -> impl Iterator<Item = u32> {
    private(ready(1)).await;
    0..end
}

#[volt::state_machine]
async fn private(first: Ready<u8>) -> u8 {
    first.await
}

fn main() {
    let mut conn = Conn(1);
    drop(read_twice(&mut conn, "name", 1));
    drop(private(ready(1)));
    drop(Map.get("key"));
    drop(lengths(["one"]));
    drop(of_any_type(&1, 2));
    drop(numbers(3));
    drop(Kept("name").size());
    drop(unread(1, (1, 2), 3));
    drop(named(vec![], ready(None)));
}
