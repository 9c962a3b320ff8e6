//! The trees of native machines that wait in `select!` and `join!` of other crates.

use std::cell::Cell;
use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use tokio::join;
use volt::task::yield_now;
use volt_inspect::{Inspector, TreeWriter};

/// Returns the lines of the tree of a future, without places. Types are registered in a runtime.
fn tree<F: Future>(future: Pin<&mut F>) -> Vec<String> {
    let mut tree = TreeWriter::new(String::new());
    Inspector::new(&mut tree).future(future);
    let written = tree.into_inner();
    let line = |line: &str| line.trim().split(", volt/").next().unwrap().to_owned();
    let lines = written.lines().map(line);
    lines.filter(|line| !line.contains("Pending<()>")).collect()
}

/// Polls a future that stays pending, inspects it after each poll, and returns the last tree.
fn tree_after<F: Future>(polls: usize, future: F) -> Vec<String> {
    volt::block_on(async {
        let mut future = pin!(future);
        let mut last = Vec::new();
        for _ in 0..polls {
            let mut cx = Context::from_waker(Waker::noop());
            assert!(future.as_mut().poll(&mut cx).is_pending());
            last = tree(future.as_mut());
            assert_eq!(tree(future.as_mut()), last);
        }
        last
    })
}

/// Polls a future to its end, with an inspection after each poll.
fn output_of<F: Future>(future: F) -> F::Output {
    volt::block_on(async {
        let mut future = pin!(future);
        for _ in 0..100 {
            let mut cx = Context::from_waker(Waker::noop());
            let polled = future.as_mut().poll(&mut cx);
            let _lines = tree(future.as_mut());
            if let Poll::Ready(output) = polled {
                return output;
            }
        }
        panic!("the future has not ended after 100 polls");
    })
}

#[volt::state_machine(explicit)]
async fn wait() {
    pending::<()>().await;
}

/// Pending for a number of polls.
#[volt::state_machine(explicit)]
async fn turns(count: u32) -> u32 {
    let mut left = count;
    while left > 0 {
        yield_now().await;
        left -= 1;
    }
    count
}

#[volt::state_machine(native)]
async fn selected(is_enabled: bool) {
    tokio::select! {
        () = wait() => {}
        _ = turns(100), if is_enabled => unreachable!(),
        _ = async { wait().await } => {}
        else => {}
    }
}

#[test]
fn branches_of_select_are_in_source_order() {
    let [first, second] = [
        ["[0] Wait at await pending"],
        ["[1] Turns at await yield_now"],
    ];
    for _ in 0..20 {
        let lines = tree_after(2, selected(true));
        assert_eq!(lines[0], "Selected at await select!");
        assert_eq!(lines[1..3], [first[0], second[0]]);
        assert!(
            lines.iter().any(|line| line.starts_with("[2]")),
            "{lines:?}"
        );
    }
    let lines = tree_after(1, selected(false));
    assert!(!lines.iter().any(|line| line == second[0]), "{lines:?}");
}

#[volt::state_machine(native)]
async fn joined() -> (u32, u32, ()) {
    futures::join!(turns(1), turns(3), wait())
}

#[test]
fn completed_branch_of_join_is_removed() {
    let both = [
        "Joined at await join!",
        "[0] Turns at await yield_now",
        "[1] Turns at await yield_now",
        "[2] Wait at await pending",
    ];
    let lines = tree_after(1, joined());
    let machines = |lines: Vec<String>| -> Vec<String> {
        let is_machine = |line: &String| line.contains(" at await ");
        lines.into_iter().filter(is_machine).collect()
    };
    assert_eq!(machines(lines), both);
    assert_eq!(
        machines(tree_after(2, joined())),
        [both[0], both[2], both[3]]
    );
    assert_eq!(machines(tree_after(4, joined())), [both[0], both[3]]);
}

#[volt::state_machine(native)]
async fn handled() {
    tokio::select! {
        biased;
        _ = turns(1) => wait().await,
        () = wait() => {}
    }
}

#[test]
fn handler_of_select_shows_no_branch() {
    let lines = tree_after(1, handled());
    assert!(
        lines.iter().any(|line| line.starts_with("[1] Wait")),
        "{lines:?}"
    );
    assert_eq!(tree_after(2, handled()), ["Handled at await select!"]);
}

/// A future that borrows.
struct Length<'a>(&'a str);

impl Future for Length<'_> {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
        Poll::Ready(self.0.len() as u32)
    }
}

#[volt::state_machine(native)]
async fn in_a_loop() -> u32 {
    let mut sum = 0;
    for count in 0..4 {
        let text = count.to_string();
        let length = async {
            yield_now().await;
            text.len() as u32
        };
        let (turned, length) = join!(turns(count), length);
        sum += turned + length;
        sum += tokio::select! {
            turned = turns(2) => turned,
            () = wait() => 0,
        };
    }
    // The temporaries of these expressions live as long as the futures of the macro.
    sum + tokio::select! {
        biased;
        () = &mut pending() => 0,
        length = Length(&sum.to_string()) => length,
    }
}

#[test]
fn machine_continues_after_inspections() {
    assert_eq!(output_of(in_a_loop()), 6 + 4 + 8 + 2);
}

#[volt::state_machine(native)]
async fn two_macros_in_a_statement() -> u32 {
    let sum = {
        let (one, two) = join!(turns(1), turns(2));
        one + two
    } + futures::join!(turns(1), turns(1), turns(1)).2;
    sum + turns(1).await
}

#[test]
fn statement_of_two_macros_is_inspected() {
    assert_eq!(output_of(two_macros_in_a_statement()), 5);
}

#[volt::state_machine(native)]
async fn fails() -> Result<u32, String> {
    let (one, two) = tokio::try_join!(
        async {
            turns(1).await;
            Ok::<u32, String>(1)
        },
        async {
            turns(2).await;
            Err::<u32, String>("two".to_owned())
        }
    )?;
    Ok(one + two)
}

#[test]
fn failed_branch_ends_the_machine() {
    assert_eq!(output_of(fails()), Err("two".to_owned()));
}

thread_local! {
    static DROPPED: Cell<u32> = const { Cell::new(0) };
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

async fn panics(polls: u32) {
    let _guard = Guard;
    turns(polls).await;
    panic!("the branch panics");
}

async fn holds_guard() {
    let _guard = Guard;
    wait().await;
}

#[volt::state_machine(native)]
async fn panicking() {
    tokio::join!(holds_guard(), panics(1));
}

#[test]
fn panicking_branch_leaves_a_poisoned_machine() {
    volt::block_on(async {
        let mut machine = Box::pin(panicking());
        let poll = |machine: Pin<&mut _>| {
            let mut cx = Context::from_waker(Waker::noop());
            Future::poll(machine, &mut cx).is_pending()
        };
        assert!(poll(machine.as_mut()));
        assert_eq!(tree(machine.as_mut())[0], "Panicking at await join!");
        let polled = catch_unwind(AssertUnwindSafe(|| poll(machine.as_mut())));
        assert!(polled.is_err());
        assert_eq!(tree(machine.as_mut()), ["Panicking at poisoned"]);
    });
    assert_eq!(DROPPED.get(), 2);
}

#[test]
fn dropped_machine_drops_its_branches() {
    let mut machine = Box::pin(panicking());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(DROPPED.replace(0), 0);
    drop(machine);
    assert_eq!(DROPPED.get(), 2);
}

#[volt::state_machine(native)]
async fn of_type<F: Future<Output = u32>>(first: F) -> u32 {
    let (first, second) = futures::join!(first, turns(2));
    first + second
}

#[test]
fn generic_machine_shows_its_branches() {
    let lines = tree_after(1, of_type(turns(3)));
    let is_branch = |line: &&String| line.contains("] Turns at await yield_now");
    assert_eq!(lines.iter().filter(is_branch).count(), 2, "{lines:?}");
    assert_eq!(output_of(of_type(turns(3))), 5);
}

#[volt::state_machine(native)]
async fn sized() {
    tokio::select! {
        () = wait() => {}
        () = pending() => {}
    }
}

async fn plain() {
    tokio::select! {
        () = wait() => {}
        () = pending() => {}
    }
}

#[test]
fn branch_has_24_bytes_and_its_macro_eight() {
    let [machine, future] = [size_of_val(&sized()), size_of_val(&plain())];
    // A machine records its progress in at most 24 bytes.
    assert!(
        machine <= future + 24 + 8 + 2 * 24,
        "{machine} for {future}"
    );
}
