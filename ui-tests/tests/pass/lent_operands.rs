//! Futures that borrow, handed on to combinators.
#![deny(warnings)]
#![forbid(unsafe_code)]

use std::time::Duration;

use volt::future::{FuturesExt, join, race, try_join};
use volt::task::{shielded, yield_now};
use volt::time::{sleep, timeout};

#[volt::state_machine]
async fn length(text: &str) -> usize {
    yield_now().await;
    text.len()
}

#[volt::state_machine]
async fn fill(list: &mut Vec<u32>, count: u32) -> u32 {
    yield_now().await;
    list.push(count);
    count
}

#[volt::state_machine]
async fn check(text: &str, least: usize) -> Result<usize, String> {
    yield_now().await;
    if text.len() < least { Err(format!("{text} is short")) } else { Ok(text.len()) }
}

#[volt::state_machine]
async fn named<'a>(text: &'a str) -> usize {
    yield_now().await;
    text.len()
}

#[volt::state_machine]
async fn soon(text: String) -> usize {
    timeout(Duration::from_secs(9), length(&text)).await.unwrap_or(0)
}

#[volt::state_machine]
async fn both(first: &str, second: String) -> usize {
    let (a, b) = join(length(first), length(&second)).await;
    a + b + second.len()
}

#[volt::state_machine]
async fn of_one(text: &String) -> usize {
    let (a, b): (usize, usize) = join(length(text), length(text)).await;
    a + b
}

struct Lists {
    odd: Vec<u32>,
    even: Vec<u32>,
}

#[volt::state_machine]
async fn apart(lists: &mut Lists) -> u32 {
    let (a, b): (u32, u32) = join(fill(&mut lists.odd, 1), fill(&mut lists.even, 2)).await;
    let owned: Vec<u32> = vec![7];
    let mut other: Vec<u32> = owned;
    let (c, d) = join(fill(&mut other, 3), fill(&mut lists.odd, 4)).await;
    a + b + c + d + other.len() as u32 + lists.odd.len() as u32
}

#[volt::state_machine]
async fn nested(text: String) -> usize {
    let limit: Duration = Duration::from_secs(9);
    let late: Duration = Duration::from_secs(9);
    let both = timeout(limit, join(length(&text), race(length(&text), length("other")))).await;
    let (a, b): (usize, usize) = { both }.unwrap_or((0, 0));
    let (c, ()) = join(shielded(length(&text)), sleep(late / 9000)).await;
    a + b + c
}

#[volt::state_machine]
async fn fails(text: String) -> Result<usize, String> {
    let (a, b) = try_join(check(&text, 1), check(&text[1..], 2)).await?;
    Ok(a + b)
}

#[volt::state_machine]
async fn several(text: String, mut list: Vec<u32>) -> usize {
    let (a, b, c): (usize, u32, usize) = (length(&text), fill(&mut list, 2), length("three")).join().await;
    let first: usize = (length(&text), length(&text[1..]), length(&text[2..])).race().await;
    let settled = (check(&text, 1), check(&text, 9)).settle().await;
    let errors: usize = { settled }.map_or_else(|errors| errors.len(), |_| 0);
    let one = (check(&text, 90), check(&text, 2), check(&text, 91)).race_ok().await;
    let one: usize = { one }.unwrap_or(0);
    let all = (check(&text, 1), check(&text, 2), check(&text, 3)).try_join().await;
    a + b as usize + c + first + errors + one + all.map_or(0, |all| all.0) + list.len()
}

#[volt::state_machine]
async fn of_named<'a>(text: &'a str) -> usize {
    timeout(Duration::from_secs(9), named(text)).await.unwrap_or(0) + text.len()
}

#[volt::state_machine]
async fn generic<F: Future<Output = usize>>(future: F, text: &str) -> usize {
    race(future, length(text)).await
}

#[volt::state_machine]
async fn boxed(text: &str) -> usize {
    let (a, b) = join(Box::pin(length(text)), length(text)).await;
    a + b
}

pub struct Client {
    name: String,
    seen: u32,
}

#[volt::state_machine]
impl Client {
    async fn fetch(&self, id: u32) -> usize {
        yield_now().await;
        self.name.len() + id as usize
    }

    async fn count(&mut self) -> u32 {
        yield_now().await;
        self.seen += 1;
        self.seen
    }

    pub async fn soon(&self, id: u32) -> usize {
        timeout(Duration::from_secs(9), self.fetch(id)).await.unwrap_or(0)
    }

    async fn twice(&mut self) -> usize {
        let (a, b): (usize, usize) = join(self.fetch(1), self.fetch(2)).await;
        let counted: u32 = timeout(Duration::from_secs(9), self.count()).await.unwrap_or(0);
        a + b + counted as usize
    }

    async fn owned(self) -> usize {
        let mut client: Client = self;
        let (a, b): (usize, usize) = join(client.fetch(1), length(&client.name)).await;
        let counted = timeout(Duration::from_secs(9), client.count()).await.unwrap_or(0);
        a + b + counted as usize
    }
}

/// As private as the method that gives it.
struct Row(u32);

pub struct Table {
    rows: Vec<u32>,
}

#[volt::state_machine]
impl Table {
    async fn row(&self, n: usize) -> Row {
        yield_now().await;
        Row(self.rows[n])
    }

    pub async fn sum(&self) -> u32 {
        let (a, b): (Row, Row) = join(self.row(0), Table::row(self, 1)).await;
        let third = timeout(Duration::from_secs(9), self.row(2)).await;
        a.0 + b.0 + third.map_or(0, |row| row.0)
    }
}

fn main() {
    assert_eq!(volt::block_on(soon("abc".into())), 3);
    assert_eq!(volt::block_on(both("ab", "cde".into())), 8);
    assert_eq!(volt::block_on(of_one(&"ab".into())), 4);
    let mut lists = Lists { odd: vec![], even: vec![] };
    assert_eq!(volt::block_on(apart(&mut lists)), 1 + 2 + 3 + 4 + 2 + 2);
    assert_eq!(volt::block_on(nested("abc".into())), 9);
    assert_eq!(volt::block_on(fails("abc".into())), Ok(5));
    assert_eq!(volt::block_on(fails("ab".into())), Err("b is short".into()));
    assert_eq!(volt::block_on(several("abc".into(), vec![])), 3 + 2 + 5 + 3 + 1 + 3 + 3 + 1);
    assert_eq!(volt::block_on(of_named("ab")), 4);
    assert_eq!(volt::block_on(generic(std::future::pending(), "ab")), 2);
    assert_eq!(volt::block_on(boxed("ab")), 4);
    let mut client = Client { name: "abc".into(), seen: 0 };
    assert_eq!(volt::block_on(client.soon(2)), 5);
    assert_eq!(volt::block_on(client.twice()), 4 + 5 + 1);
    assert_eq!(volt::block_on(client.owned()), 4 + 3 + 2);
    assert_eq!(volt::block_on(Table { rows: vec![1, 2, 3] }.sum()), 6);
}
