//! The combinators in machines: found by their path, or written as the type of a local.
#![deny(warnings)]

use std::future::{Ready, poll_fn, ready};
use std::pin::Pin;
use std::time::Duration;

use volt::future::{
    FutureExt, FutureGroup, FuturesExt, Join, Map, RaceOk, Select, Settle, TryJoin, compose, join,
    join_all, race, select_all, settle_all, try_join,
};
use volt::task::yield_now;
use volt::time::{sleep, timeout};

#[volt::state_machine]
async fn fetch(id: u32) -> u32 {
    yield_now().await;
    id
}

#[volt::state_machine]
async fn check(id: u32) -> Result<u32, String> {
    yield_now().await;
    if id < 10 { Ok(id) } else { Err(format!("{id} is too much")) }
}

#[volt::state_machine]
async fn by_their_path() -> u32 {
    let first: u32 = race(fetch(1), fetch(1)).await;
    let (a, b): (u32, u32) = join(fetch(2), fetch(3)).await;
    let both: Result<(u32, u32), String> = try_join(check(4), check(5)).await;
    let (c, d): (u32, u32) = both.unwrap_or_default();
    let in_time: bool = timeout(Duration::from_secs(9), fetch(6)).await.is_ok();
    let late: bool = timeout(Duration::ZERO, sleep(Duration::from_secs(9))).await.is_err();
    let nested: u32 = race(race(fetch(7), fetch(7)), fetch(8)).await;
    first + a + b + c + d + nested + u32::from(in_time) + u32::from(late)
}

#[volt::state_machine]
async fn by_a_path_of_several() -> u32 {
    let one: Ready<u32> = ready(1);
    let (a, b): (u32, u32) = volt::future::join(one, self::fetch(2)).await;
    a + b
}

#[volt::state_machine]
async fn generic<A: Future<Output = u32>, B: Future<Output = u32>>(a: A, b: B) -> u32 {
    race(a, b).await
}

#[volt::state_machine]
async fn of_many(ids: Vec<u32>) -> u32 {
    let fetches: Vec<fetch> = ids.into_iter().map(fetch).collect();
    let sum: u32 = join_all(fetches).await.iter().sum();
    let checks: Vec<check> = [1, 11, 12].map(check).into();
    let errors: usize = settle_all(checks).await.map_or_else(|errors| errors.len(), |_| 0);
    sum + errors as u32
}

type Doubled = volt::future::Compose<Map<fetch, fn(u32) -> u32>>;

#[volt::state_machine]
async fn by_their_type() -> u32 {
    let three: Join<[fetch; 3]> = [fetch(1), fetch(2), fetch(3)].join();
    let sum: u32 = three.await.iter().sum();
    let mixed: TryJoin<(check, Ready<Result<u32, String>>)> = (check(4), ready(Ok(5))).try_join();
    let (a, b): (u32, u32) = mixed.await.unwrap_or_default();
    let settled: Settle<Vec<check>> = vec![check(6), check(20)].settle();
    let failed: usize = settled.await.map_or_else(|errors| errors.len(), |_| 0);
    let first: RaceOk<[check; 2]> = [check(30), check(7)].race_ok();
    let c: u32 = first.await.unwrap_or_default();
    let doubled: Doubled = fetch(4).map((|n| n * 2) as fn(u32) -> u32);
    sum + a + b + failed as u32 + c + doubled.await
}

#[volt::state_machine]
async fn one_at_a_time() -> u32 {
    let mut selected: Pin<Box<Select<Vec<fetch>>>> = Box::pin(select_all([1, 2, 3].map(fetch)));
    let mut group: FutureGroup<fetch> = [4, 5].map(fetch).into_iter().collect();
    let mut sum: u32 = 0;
    while let Some((_, id)) = poll_fn(|cx| selected.as_mut().poll_next(cx)).await {
        sum += id;
    }
    while let Some((_, id)) = poll_fn(|cx| group.poll_next(cx)).await {
        sum += id;
    }
    sum
}

/// A machine of one's own that has the name of a combinator.
mod own {
    #[volt::state_machine]
    pub async fn join(a: u32, b: u32) -> u32 {
        super::yield_now().await;
        a + b
    }

    #[volt::state_machine]
    pub async fn uses(a: u32) -> u32 {
        self::join(a, a).await + join(1, 2).await
    }
}

fn main() {
    assert_eq!(volt::block_on(by_their_path()), 1 + 5 + 9 + 7 + 2);
    assert_eq!(volt::block_on(by_a_path_of_several()), 3);
    assert_eq!(volt::block_on(generic(fetch(3), fetch(3))), 3);
    assert_eq!(volt::block_on(of_many(vec![1, 2, 3])), 6 + 2);
    assert_eq!(volt::block_on(by_their_type()), 6 + 9 + 1 + 7 + 8);
    assert_eq!(volt::block_on(one_at_a_time()), 15);
    assert_eq!(volt::block_on(own::uses(2)), 7);
    assert_eq!(volt::block_on(compose(fetch(1)).map(|n| n + 1)), 2);
}
