//! Methods that call other methods by their own names. The compiler infers the types of those calls
//! from their uses, and the machines have the auto traits of the plain futures.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use volt::task::yield_now;

use super::{Ask, AskSync, Neither, local_number};

/// A row of a database, whose columns have the types that a caller expects.
struct Row;

impl Row {
    fn get<T: From<u8>>(&self, column: u8) -> T {
        T::from(column)
    }
}

#[derive(Debug, PartialEq)]
struct Account {
    id: u64,
    limit: u32,
}

/// Futures that are polled one after the other.
struct All<F>(Vec<Pin<Box<F>>>);

impl<F: Future<Output = u32>> Future for All<F> {
    type Output = Vec<u32>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<u32>> {
        let ready = self.0.iter_mut().map(|it| it.as_mut().poll(cx));
        let ready = ready.map(|it| match it {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        });
        ready
            .collect::<Option<_>>()
            .map_or(Poll::Pending, Poll::Ready)
    }
}

struct Tree(u32, Vec<Tree>);

#[volt::state_machine]
impl Tree {
    /// Calls itself in a list, and the method of an iterator at its end.
    async fn sum(&self) -> u32 {
        let list = self.1.iter().map(|child| child.sum());
        let sums = All(list.map(Box::pin).collect()).await;
        sums.into_iter().chain([self.0]).sum()
    }
}

struct Store;

#[volt::state_machine]
impl Store {
    async fn collect(&self, text: &str) -> Vec<char> {
        yield_now().await;
        text.chars().collect()
    }

    async fn get(&self, column: u8) -> Vec<Account> {
        let rows = [Row, Row];
        yield_now().await;
        let last = rows[1].get(2);
        let first = Account {
            id: rows[0].get(column),
            limit: rows[0].get(1),
        };
        let rows = rows.iter();
        let mut all: Vec<_> = rows
            .map(|row| Account {
                id: row.get(0),
                limit: row.get(1),
            })
            .collect();
        all.push(first);
        all.push(Account { id: last, limit: 0 });
        all
    }

    async fn into(&self, text: &str) -> (String, Box<str>) {
        yield_now().await;
        (text.into(), text.into())
    }

    async fn default(&self) -> u8 {
        yield_now().await;
        Default::default()
    }

    async fn product(&self) -> Option<u32> {
        let local = local_number(3);
        yield_now().await;
        Some([*local.0, 2].iter().product())
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    volt::block_on(future)
}

#[test]
fn call_of_an_inferred_type_is_no_recursion() {
    assert_eq!(run(Store.collect("ab")), ['a', 'b']);
    let limits = |id, limit| Account { id, limit };
    let expected = [limits(0, 1), limits(0, 1), limits(3, 1), limits(2, 0)];
    assert_eq!(run(Store.get(3)), expected);
    assert_eq!(run(Store::into(&Store, "a")), ("a".to_owned(), "a".into()));
    assert_eq!(run(Store.default()), 0);
    assert_eq!(run(Store.product()), Some(6));
    assert_eq!(auto!(StoreCollect<'static, 'static>), (true, true));
    assert_eq!(auto!(StoreGet<'static>), (true, true));
    assert_eq!(auto!(StoreInto<'static, 'static>), (true, true));
    assert_eq!(auto!(StoreDefault<'static>), (true, true));
    assert_eq!(auto!(StoreProduct<'static>), (false, false));
}

#[test]
fn recursion_beside_an_inferred_type_is_send() {
    let leaf = |value| Tree(value, Vec::new());
    assert_eq!(run(Tree(1, vec![leaf(2), leaf(3)]).sum()), 6);
    assert!(auto!(TreeSum<'static>).0);
}
