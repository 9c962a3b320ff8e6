//! Futures that `pin!` stores in a native machine, and that the machine does not poll.

use std::future::{Future, pending, ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::Mutex;
use volt::Runtime;
use volt::future::race;
use volt::runtime::{Finding, FindingKind, FindingLimits};
use volt::time::sleep;
use volt_inspect::{Inspector, TreeWriter};

/// Returns the tree of a future without places.
fn tree_of<F: Future>(future: Pin<&mut F>) -> Vec<String> {
    let mut tree = TreeWriter::new(String::new());
    Inspector::new(&mut tree).future(future);
    let written = tree.into_inner();
    let line = |line: &str| match line.split_once(", volt/") {
        Some((before, place)) => match place.split_once(", ") {
            Some((_, status)) => format!("{before}, {status}"),
            None => before.to_owned(),
        },
        None => line.replace("core::future::pending::Pending<()>", "Pending"),
    };
    written.lines().map(line).collect()
}

/// Polls a future a number of times in a runtime, and returns its tree without places.
fn tree_after<F: Future>(polls: usize, make: impl FnOnce() -> F) -> Vec<String> {
    volt::block_on(async {
        let mut future = pin!(make());
        let cx = &mut Context::from_waker(Waker::noop());
        for _ in 0..polls {
            assert!(future.as_mut().poll(cx).is_pending());
        }
        tree_of(future)
    })
}

fn tree<F: Future>(make: impl FnOnce() -> F) -> Vec<String> {
    tree_after(1, make)
}

/// Waits once for a poll, in a future that is not `Unpin`.
#[volt::state_machine(native)]
async fn write(page: u32) -> u32 {
    if page > 0 {
        pending::<()>().await;
    }
    page
}

#[volt::state_machine]
async fn request() -> u32 {
    let mut written = pin!(write(1));
    let first = race(written.as_mut(), ready(0)).await;
    let second = write(2).await;
    first + second + written.await
}

const DORMANT: [&str; 5] = [
    "Request at await write",
    "  Write at await pending",
    "    Pending",
    "  [written] Write at await pending, dormant",
    "    Pending",
];

#[test]
fn pinned_future_is_dormant_across_another_await() {
    assert_eq!(tree(request), DORMANT);
    assert_eq!(tree_after(3, request), DORMANT);
}

type Store = Arc<Mutex<Vec<String>>>;

#[volt::state_machine]
async fn store_line(store: Store, line: String) -> bool {
    let mut lines = store.lock().await;
    lines.push(line);
    true
}

#[volt::state_machine]
async fn soon() -> bool {
    sleep(Duration::from_millis(1)).await;
    false
}

#[volt::state_machine]
async fn futurelock(store: Store) {
    let mut written = pin!(store_line(store.clone(), "payload".to_owned()));
    if race(written.as_mut(), soon()).await {
        return;
    }
    store_line(store, "too slow".to_owned()).await;
    written.await;
}

fn dormant_findings(runtime: &Runtime) -> Vec<Finding> {
    let mut limits = FindingLimits::default();
    limits.long = Duration::ZERO;
    let mut findings = runtime.dump().findings_with(&limits);
    findings.retain(|finding| finding.kind == FindingKind::Dormant);
    findings
}

#[test]
fn futurelock_has_a_finding_with_both_lines() {
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let store = Store::default();
    let guard = store.clone().try_lock_owned().unwrap();
    let task = runtime
        .handle()
        .spawn_named("request", futurelock(store.clone()));
    let findings = loop {
        let findings = dormant_findings(&runtime);
        if !findings.is_empty() {
            break findings;
        }
        std::thread::yield_now();
    };
    // The lock passes to the pinned future, which nothing polls.
    drop(guard);
    assert!(store.try_lock().is_err());
    let text = findings[0].to_string();
    let holder = "\"request\" does not poll `written` at Futurelock at await store_line, volt/tests/pinned.rs:";
    assert!(text.contains(holder), "{text}");
    let waits = "; `written` waits at StoreLine at await lock, volt/tests/pinned.rs:";
    assert!(text.contains(waits), "{text}");
    drop(task);
}

#[volt::state_machine]
async fn never_polled() -> u32 {
    let written = pin!(write(1));
    let second = write(2).await;
    second + written.await
}

#[test]
fn pinned_future_without_a_poll_is_not_dormant() {
    assert_eq!(tree(never_polled).len(), 3);
}

#[volt::state_machine]
async fn polled_in_a_branch(is_polled: bool) -> u32 {
    let mut first = pin!(pending_once());
    let mut other = pin!(write(1));
    if is_polled {
        race(other.as_mut(), ready(0)).await;
    }
    race(first.as_mut(), ready(())).await;
    write(2).await + other.await
}

async fn pending_once() {
    pending::<()>().await;
}

#[test]
fn pinned_futures_are_dormant_if_they_were_polled() {
    let names = |is_polled| {
        let tree = tree(|| polled_in_a_branch(is_polled));
        let named = tree.iter().filter(|line| line.ends_with(", dormant"));
        let name = |line: &String| line.trim().split(' ').next().map(str::to_owned);
        named.filter_map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["[first]"]);
    assert_eq!(names(true), ["[first]", "[other]"]);
}

#[volt::state_machine]
async fn consumed() -> u32 {
    let mut written = pin!(async { 1 });
    let one = written.as_mut().await;
    write(2).await + one
}

#[test]
fn consumed_future_is_not_dormant() {
    assert_eq!(tree(consumed).len(), 3);
}

#[volt::state_machine]
async fn ended() -> u32 {
    let mut written = pin!(write(0));
    let one = race(written.as_mut(), ready(1)).await;
    write(2).await + one
}

#[test]
fn ended_machine_in_a_pin_is_done() {
    let tree = tree(ended);
    assert_eq!(tree[3], "  [written] Write at done, done");
}

#[volt::state_machine]
async fn in_a_loop() {
    let mut written = pin!(write(1));
    let mut round = 0;
    loop {
        if round == 1 {
            write(2).await;
        }
        race(written.as_mut(), ready(0)).await;
        round += 1;
    }
}

#[test]
fn await_before_the_poll_in_a_loop_has_the_local() {
    let tree = tree(in_a_loop);
    assert_eq!(tree[3], "  [written] Write at await pending, dormant");
}

#[volt::state_machine]
async fn through_an_alias() -> u32 {
    let mut written = pin!(write(1));
    let both = race(written.as_mut(), write(3));
    let first = both.await;
    first + write(2).await
}

#[test]
fn future_of_a_pin_polls_its_target() {
    let tree = tree(through_an_alias);
    assert_eq!(tree[0], "ThroughAnAlias at await both");
    assert!(
        tree.iter().all(|line| !line.contains("dormant")),
        "{tree:?}"
    );
}

struct Unmoved<T>(T);

impl<T: Future + Unpin> Future for Unmoved<T> {
    type Output = T::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T::Output> {
        Pin::new(&mut self.0).poll(cx)
    }
}

#[volt::state_machine]
async fn movable() {
    let mut waits = pin!(Unmoved(pending::<()>()));
    // The borrow is live across the next await.
    let again = race(waits.as_mut(), pending::<()>());
    let mut pair = Box::pin(again);
    race(pair.as_mut(), ready(())).await;
    write(2).await;
    pair.await;
}

#[test]
fn unpin_future_is_shown_by_its_type() {
    let tree = tree(movable);
    assert_eq!(tree[3], "  [waits] pinned::Unmoved<Pending>, dormant");
    assert_eq!(tree.len(), 4);
}

#[volt::state_machine]
async fn generic<F: Future<Output = u32>>(future: F) -> u32 {
    let mut waits = pin!(future);
    race(waits.as_mut(), ready(0)).await;
    write(2).await + waits.await
}

#[test]
fn future_of_a_parameter_is_shown_by_its_type() {
    let tree = tree(|| generic(write(1)));
    assert_eq!(tree[3], "  [waits] pinned::Write, dormant");
    assert_eq!(tree.len(), 4);
}

#[volt::state_machine]
async fn by_path() -> u32 {
    let mut first = std::pin::pin!(write(1));
    let mut second = ::core::pin::pin!(write(1));
    race(first.as_mut(), ready(0)).await;
    race(second.as_mut(), ready(0)).await;
    write(2).await + first.await + second.await
}

#[volt::state_machine]
async fn rebound() -> u32 {
    let first = write(1);
    tokio::pin!(first);
    tokio::pin! { let second = write(1); }
    race(first.as_mut(), ready(0)).await;
    race(second.as_mut(), ready(0)).await;
    write(2).await + first.await + second.await
}

#[test]
fn pins_by_path_are_known() {
    for tree in [tree(by_path), tree(rebound)] {
        assert_eq!(tree[3], "  [first] Write at await pending, dormant");
        assert_eq!(tree[5], "  [second] Write at await pending, dormant");
        assert_eq!(tree.len(), 7);
    }
}

mod other {
    /// A macro of the user with the name of the standard library's.
    macro_rules! pin {
        ($value:expr) => {
            $value.as_mut()
        };
    }

    #[volt::state_machine]
    pub(super) async fn dropped() {
        let mut owner = Box::pin(super::write(1));
        let waits = pin!(owner);
        volt::future::race(waits, std::future::ready(0)).await;
        drop(owner);
        super::write(2).await;
    }
}

#[test]
fn other_macro_with_the_name_pins_nothing() {
    assert_eq!(tree(other::dropped).len(), 3);
}

#[volt::state_machine]
async fn in_a_macro() -> u32 {
    let mut written = pin!(write(1));
    tokio::select! {
        biased;
        page = &mut written => return page,
        () = ready(()) => {}
    }
    write(2).await + written.await
}

#[test]
fn poll_in_a_macro_counts() {
    let tree = tree(in_a_macro);
    assert_eq!(tree[3], "  [written] Write at await pending, dormant");
}
