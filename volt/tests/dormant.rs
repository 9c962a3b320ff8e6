//! Futures that a machine stores in a local and does not poll.

use std::future::{Future, pending, ready};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use volt::Runtime;
use volt::future::{FutureGroup, race};
use volt::runtime::{Finding, FindingKind, FindingLimits};
use volt::time::sleep;
use volt_inspect::{Inspector, TreeWriter};

/// Polls a future once in a runtime, and returns its tree without places.
fn tree<F: Future>(make: impl FnOnce() -> F) -> Vec<String> {
    volt::block_on(async {
        let mut future = pin!(make());
        let cx = &mut Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(cx).is_pending());
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
    })
}

/// Returns the findings about dormant futures of a task that has just begun to wait.
fn findings<F>(future: F) -> Vec<Finding>
where
    F: Future<Output: Send> + Send + 'static,
{
    findings_of(FindingKind::Dormant, future)
}

fn findings_of<F>(kind: FindingKind, future: F) -> Vec<Finding>
where
    F: Future<Output: Send> + Send + 'static,
{
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let task = runtime.handle().spawn_named("request", future);
    let mut limits = FindingLimits::default();
    limits.long = Duration::ZERO;
    let dump = loop {
        let dump = runtime.dump();
        let task = dump.tasks().iter().find(|task| task.polls > 0);
        if task.is_some_and(|task| !dump.tree(task).is_empty()) {
            break dump;
        }
        std::thread::yield_now();
    };
    drop(task);
    let mut findings = dump.findings_with(&limits);
    findings.retain(|finding| finding.kind == kind);
    findings
}

#[volt::state_machine(explicit)]
async fn write(page: u32) -> u32 {
    if page > 0 {
        pending::<()>().await;
    }
    page
}

#[volt::state_machine(explicit)]
async fn request() -> u32 {
    let mut written = Box::pin(write(1));
    let first = race(written.as_mut(), ready(0)).await;
    let second = write(2).await;
    first + second + written.await
}

#[test]
fn boxed_local_is_dormant_across_another_await() {
    let expected = [
        "Request at await write",
        "  Write at await pending",
        "    Pending",
        "  [written] Write at await pending, dormant",
        "    Pending",
    ];
    assert_eq!(tree(request), expected);
}

#[test]
fn finding_names_task_local_and_both_places() {
    let findings = findings(request());
    assert_eq!(findings.len(), 1);
    let text = findings[0].to_string();
    let begin = "dormant future: task ";
    assert!(text.starts_with(begin), "{text}");
    let holder =
        " \"request\" does not poll `written` at Request at await write, volt/tests/dormant.rs:";
    assert!(text.contains(holder), "{text}");
    let inner = "; `written` waits at Write at await pending, volt/tests/dormant.rs:";
    assert!(text.contains(inner), "{text}");
    assert!(
        text.ends_with(" in core::future::pending::Pending<()>"),
        "{text}"
    );
    let text = findings[0].kind.name();
    assert_eq!(text, "dormant");
}

#[volt::state_machine(explicit)]
async fn rebuild() -> u32 {
    let mut reads = FutureGroup::new();
    for page in [1, 2, 0] {
        reads.insert(write(page));
    }
    let mut sum = 0;
    while let Some((_, page)) = reads.next().await {
        sum += page + write(7).await;
    }
    sum
}

#[test]
fn group_in_a_local_is_dormant() {
    let expected = [
        "Rebuild at await write",
        "  Write at await pending",
        "    Pending",
        "  [reads] FutureGroup, dormant",
        "    [0] Write at await pending",
        "      Pending",
        "    [1] Write at await pending",
        "      Pending",
    ];
    assert_eq!(tree(rebuild), expected);
    let text = findings(rebuild())[0].to_string();
    assert!(text.contains("does not poll `reads` at Rebuild"), "{text}");
}

#[volt::state_machine(explicit)]
async fn emptied() -> u32 {
    let mut reads = FutureGroup::new();
    reads.insert(write(0));
    while reads.next().await.is_some() {
        write(7).await;
    }
    0
}

#[test]
fn empty_group_is_no_finding() {
    let nodes = tree(emptied);
    assert_eq!(nodes.last().unwrap(), "  [reads] FutureGroup, done");
    assert_eq!(findings(emptied()), []);
}

#[volt::state_machine(explicit)]
async fn perhaps(is_first: bool) -> u32 {
    let mut later = Box::pin(write(1));
    if is_first {
        race(later.as_mut(), ready(0)).await;
    }
    write(2).await + later.await
}

#[test]
fn unpolled_local_is_no_finding() {
    let nodes = tree(|| perhaps(false));
    assert_eq!(
        nodes.last().unwrap(),
        "  [later] Write at start, not started"
    );
    assert_eq!(findings(perhaps(false)), []);
    assert_eq!(findings(perhaps(true)).len(), 1);
}

#[volt::state_machine(explicit)]
async fn ticking() {
    let mut tick = Box::pin(sleep(Duration::from_secs(3600)));
    race(tick.as_mut(), ready(())).await;
    write(1).await;
    tick.await;
}

#[test]
fn dormant_timer_is_shown_but_no_finding() {
    let nodes = tree(ticking);
    assert_eq!(nodes[3], "  [tick] Sleep, dormant");
    assert_eq!(findings(ticking()), []);
}

/// A type whose values are no futures, borrowed by an await.
#[volt::state_machine(explicit)]
async fn counted() -> u32 {
    let mut count = vec![1];
    add(&mut count).await;
    let sum = write(1).await;
    sum + count[0]
}

#[volt::state_machine(explicit)]
async fn add(count: &mut Vec<u32>) {
    ready(()).await;
    count.push(1);
}

#[test]
fn local_of_another_type_is_not_in_the_tree() {
    assert_eq!(tree(counted).len(), 3);
}

struct Borrowed<'a>(&'a u32);

#[volt::state_machine(explicit)]
async fn first_of(group: &mut FutureGroup<Write>) -> Option<Borrowed<'_>> {
    group.next().await;
    None
}

#[volt::state_machine(explicit)]
async fn borrowing() -> u32 {
    let mut reads = FutureGroup::new();
    reads.insert(write(0));
    reads.insert(write(1));
    let first = first_of(&mut reads).await;
    write(7).await + first.map_or(0, |first| *first.0)
}

#[test]
fn borrowed_local_is_not_inspected() {
    assert_eq!(tree(borrowing).len(), 3);
}

#[volt::state_machine(explicit, secret)]
async fn confidential() -> u32 {
    let mut written = Box::pin(write(1));
    let first = race(written.as_mut(), ready(0)).await;
    first + write(2).await + written.await
}

#[test]
fn secret_local_is_not_in_the_tree() {
    assert_eq!(tree(confidential).len(), 3);
}

/// A module whose name is that of a crate of locks in the names of types.
mod lock {
    use std::future::{Future, ready};

    #[derive(Debug)]
    pub(crate) struct MutexGuard(pub(crate) u32);

    pub(crate) struct MutexLock;

    impl Future for MutexLock {
        type Output = MutexGuard;

        fn poll(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<MutexGuard> {
            std::task::Poll::Pending
        }
    }

    pub(crate) fn lock_now() -> impl Future<Output = MutexGuard> + Send {
        ready(MutexGuard(1))
    }
}

#[volt::state_machine(explicit)]
async fn transfer() -> u32 {
    let source: lock::MutexGuard = lock::lock_now().await;
    let target: lock::MutexGuard = lock::MutexLock.await;
    source.0 + target.0
}

/// A future of the same crate that waits for no lock.
struct Never;

impl Future for Never {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

#[volt::state_machine(explicit)]
async fn slow_transfer() -> u32 {
    let source: lock::MutexGuard = lock::lock_now().await;
    Never.await;
    source.0
}

/// The guard of the first lock borrows from a local, and is stored for its destructor only.
#[volt::state_machine(explicit)]
async fn nested_locks(locks: [tokio::sync::Mutex<u32>; 2]) {
    let mut outer = locks[0].lock().await;
    *outer += 1;
    let held = locks[1].try_lock().map(std::mem::forget);
    drop(held);
    let mut inner = locks[1].lock().await;
    *inner += 1;
}

#[test]
fn guard_without_further_use_is_found() {
    let locks = [0, 1].map(tokio::sync::Mutex::new);
    let findings = findings_of(FindingKind::MayHold, nested_locks(locks));
    let text = findings[0].to_string();
    let guard =
        " has the guard `outer: tokio::sync::mutex::MutexGuard<'_, u32>` and waits for a lock at ";
    assert!(text.contains(guard), "{text}");
}

#[test]
fn waiting_owner_of_a_guard_is_found() {
    let findings = findings_of(FindingKind::MayHold, transfer());
    let text = findings[0].to_string();
    assert!(text.starts_with("may hold a lock: task "), "{text}");
    let guard = " \"request\" has the guard `source: dormant::lock::MutexGuard` and waits for a lock at \
                 Transfer at await MutexLock, ";
    assert!(text.contains(guard), "{text}");
    assert_eq!(findings_of(FindingKind::MayHold, slow_transfer()), []);
}
