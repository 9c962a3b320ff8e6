//! One wait in each form in which a program can hold a future: the tree and the inspection poll
//! that show its line, and the forms in which they do not.
#![cfg(feature = "inspect")]

mod wait_views;

use wait_views::{AwaitLines, ByPoll, ByTree, Not, assert_shown};

mod prelude {
    pub(super) use std::pin::{Pin, pin};
    pub(super) use std::sync::Arc;
    pub(super) use std::time::Duration;

    pub(super) use futures::StreamExt as _;
    pub(super) use futures::stream::FuturesUnordered;
    pub(super) use tokio::sync::Notify;
    pub(super) use volt::future::{FutureExt as _, FutureGroup, FuturesExt as _, join_all, scope};
    pub(super) use volt::runtime::Runtime;
    pub(super) use volt::time::{TimeoutExt as _, sleep, timeout};
    pub(super) use volt::{Current, Group};

    pub(super) const HOUR: Duration = Duration::from_secs(3600);
}

const LINES: AwaitLines = AwaitLines {
    wait: line!() + 11,
    block: line!() + 177,
};

/// Declares a module with the forms, whose functions have this attribute.
macro_rules! forms {
    ($module:ident $(#[$machine:meta])?) => {
        mod $module {
            use super::prelude::*;

            $(#[$machine])?
            async fn wait(notify: Arc<Notify>) { notify.notified().await }

            $(#[$machine])?
            async fn hour() {
                sleep(HOUR).await;
            }

            $(#[$machine])?
            async fn nested(notify: Arc<Notify>) {
                wait(notify).await;
            }

            $(#[$machine])?
            async fn generic<F: Future>(inner: F) -> F::Output {
                inner.await
            }

            $(#[$machine])?
            async fn dyn_box(notify: Arc<Notify>) {
                let inner: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(wait(notify));
                inner.await;
            }

            $(#[$machine])?
            async fn inspect_box(notify: Arc<Notify>) {
                let inner = wait(notify).boxed();
                inner.await;
            }

            $(#[$machine])?
            async fn join_of_two(notify: Arc<Notify>) {
                (wait(notify), hour()).join().await;
            }

            $(#[$machine])?
            async fn join_of_one(notify: Arc<Notify>) {
                (wait(notify),).join().await;
            }

            $(#[$machine])?
            async fn join_of_five(notify: Arc<Notify>) {
                join_all((0..5).map(|_| wait(notify.clone()))).await;
            }

            $(#[$machine])?
            async fn race_of_two(notify: Arc<Notify>) {
                (wait(notify), hour()).race().await;
            }

            $(#[$machine])?
            async fn select_of_two(notify: Arc<Notify>) {
                let mut select = pin!((wait(notify), hour()).select());
                let _first = select.as_mut().next().await;
            }

            $(#[$machine])?
            async fn within_timeout(notify: Arc<Notify>) {
                let _late = timeout(HOUR, wait(notify)).await;
            }

            $(#[$machine])?
            async fn within_chain(notify: Arc<Notify>) {
                let _late = wait(notify).map(|()| 1).timeout(HOUR).await;
            }

            $(#[$machine])?
            async fn future_group(notify: Arc<Notify>) {
                let mut group = FutureGroup::new();
                group.insert(wait(notify));
                let _first = group.next().await;
            }

            $(#[$machine])?
            async fn group_owner(notify: Arc<Notify>) {
                let mut group = Group::new(Current);
                group.spawn(wait(notify));
                let _all = group.wait().await;
            }

            $(#[$machine])?
            async fn within_scope(notify: Arc<Notify>) {
                scope(async |_scope| wait(notify).await).await;
            }

            $(#[$machine])?
            async fn scope_child(notify: Arc<Notify>) {
                scope(async |scope| {
                    let _child = scope.spawn(wait(notify));
                })
                .await;
            }

            $(#[$machine])?
            async fn tokio_select(notify: Arc<Notify>) {
                tokio::select! {
                    () = wait(notify) => {}
                    () = sleep(HOUR) => {}
                }
            }

            $(#[$machine])?
            async fn futures_join(notify: Arc<Notify>) {
                futures::join!(wait(notify), hour());
            }

            $(#[$machine])?
            async fn futures_unordered(notify: Arc<Notify>) {
                let mut all = FuturesUnordered::new();
                all.push(wait(notify));
                let _first = all.next().await;
            }

            $(#[$machine])?
            async fn buffered(notify: Arc<Notify>) {
                let items = futures::stream::iter(0..3);
                let mut all = pin!(items.map(|_| wait(notify.clone())).buffered(2));
                let _first = all.next().await;
            }

            $(#[$machine])?
            async fn async_block(notify: Arc<Notify>) {
                async { wait(notify).await }.await;
            }

            $(#[$machine])?
            async fn joined_async_blocks(notify: Arc<Notify>) {
                let (first, second) = (async { wait(notify).await }, async { hour().await });
                (first, second).join().await;
            }

            #[async_trait::async_trait]
            trait Waits: Send + Sync {
                async fn waits(&self, notify: Arc<Notify>);
            }

            struct Waiter;

            #[async_trait::async_trait]
            impl Waits for Waiter {
                async fn waits(&self, notify: Arc<Notify>) {
                    wait(notify).await;
                }
            }

            $(#[$machine])?
            async fn boxed_by_async_trait(notify: Arc<Notify>) {
                let waiter: Arc<dyn Waits> = Arc::new(Waiter);
                waiter.waits(notify).await;
            }

            $(#[$machine])?
            async fn dormant(notify: Arc<Notify>) {
                let mut first = std::pin::pin!(wait(notify.clone()));
                let _late = timeout(Duration::from_millis(10), first.as_mut()).await;
                hour().await;
                first.await;
            }

            pub(super) fn spawn_all(runtime: &Runtime, notify: &Arc<Notify>) {
                macro_rules! spawn {
                    ($name:literal: |$n:ident| $future:expr) => {{
                        let $n = notify.clone();
                        runtime.handle().spawn_named($name, $future).detach();
                    }};
                }
                spawn!("function": |n| wait(n));
                spawn!("function in a function": |n| nested(n));
                spawn!("async block, spawned": |n| async move { n.notified().await });
                spawn!("function in a spawned async block": |n| async move { wait(n).await });
                spawn!("Box::pin, spawned": |n| Box::pin(wait(n)));
                spawn!("dyn box, spawned": |n| {
                    let boxed: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(wait(n));
                    boxed
                });
                spawn!("race, spawned": |n| (wait(n), hour()).race());
                spawn!("type parameter": |n| generic(wait(n)));
                spawn!("dyn box": |n| dyn_box(n));
                spawn!("boxed()": |n| inspect_box(n));
                spawn!("join of two": |n| join_of_two(n));
                spawn!("join of one": |n| join_of_one(n));
                spawn!("join_all of five": |n| join_of_five(n));
                spawn!("race": |n| race_of_two(n));
                spawn!("select": |n| select_of_two(n));
                spawn!("timeout": |n| within_timeout(n));
                spawn!("map and timeout": |n| within_chain(n));
                spawn!("FutureGroup": |n| future_group(n));
                spawn!("Group, owner": |n| group_owner(n));
                spawn!("scope, body": |n| within_scope(n));
                spawn!("scope, child": |n| scope_child(n));
                spawn!("tokio::select!": |n| tokio_select(n));
                spawn!("futures::join!": |n| futures_join(n));
                spawn!("FuturesUnordered": |n| futures_unordered(n));
                spawn!("buffered": |n| buffered(n));
                spawn!("async block": |n| async_block(n));
                spawn!("async blocks, joined": |n| joined_async_blocks(n));
                spawn!("async_trait": |n| boxed_by_async_trait(n));
                spawn!("pinned, dormant": |n| dormant(n));
            }
        }
    };
}

forms!(machines #[volt::state_machine]);
forms!(plain);

#[test]
fn wait_of_a_machine_is_shown() {
    let rows = [
        ("function", ByTree),
        ("function in a function", ByTree),
        ("async block, spawned", ByPoll),
        ("function in a spawned async block", ByPoll),
        ("Box::pin, spawned", ByTree),
        ("dyn box, spawned", ByPoll),
        ("race, spawned", ByTree),
        ("type parameter", ByTree),
        ("dyn box", ByTree),
        ("boxed()", ByTree),
        ("join of two", ByTree),
        ("join of one", ByTree),
        ("join_all of five", ByTree),
        ("race", ByTree),
        ("select", ByTree),
        ("timeout", ByTree),
        ("map and timeout", ByTree),
        ("FutureGroup", ByTree),
        ("Group, owner", ByTree),
        ("scope, body", ByPoll),
        ("scope, child", ByTree),
        ("tokio::select!", ByTree),
        ("futures::join!", ByTree),
        ("FuturesUnordered", Not),
        ("buffered", Not),
        ("async block", ByTree),
        ("async blocks, joined", ByTree),
        ("async_trait", ByPoll),
        ("pinned, dormant", ByTree),
    ];
    assert_shown(machines::spawn_all, &rows, LINES);
}

#[test]
fn wait_of_a_plain_function_is_shown() {
    let rows = [
        ("function", ByPoll),
        ("function in a function", ByPoll),
        ("async block, spawned", ByPoll),
        ("function in a spawned async block", ByPoll),
        ("Box::pin, spawned", ByPoll),
        ("dyn box, spawned", ByPoll),
        ("race, spawned", ByPoll),
        ("type parameter", ByPoll),
        ("dyn box", ByPoll),
        ("boxed()", ByPoll),
        ("join of two", ByPoll),
        ("join of one", ByPoll),
        ("join_all of five", ByPoll),
        ("race", ByPoll),
        ("select", ByPoll),
        ("timeout", ByPoll),
        ("map and timeout", ByPoll),
        ("FutureGroup", ByPoll),
        ("Group, owner", Not),
        ("scope, body", ByPoll),
        ("scope, child", ByPoll),
        ("tokio::select!", ByPoll),
        ("futures::join!", ByPoll),
        ("FuturesUnordered", Not),
        ("buffered", Not),
        ("async block", ByPoll),
        ("async blocks, joined", ByPoll),
        ("async_trait", ByPoll),
        ("pinned, dormant", Not),
    ];
    assert_shown(plain::spawn_all, &rows, LINES);
}
