//! The trees of a future after each of its polls.

#[path = "../../../volt-inspect/tests/map_hook/mod.rs"]
mod map_hook;

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use map_hook::install_hook;
use volt::task::yield_now;
use volt_inspect::{Inspector, TreeWriter};

/// Returns the lines of the tree of a future that contain a text, without places.
fn lines_with<F: Future>(future: Pin<&mut F>, text: &str) -> Vec<String> {
    let mut tree = TreeWriter::new(String::new());
    Inspector::new(&mut tree).future(future);
    let written = tree.into_inner();
    let line = |line: &str| line.trim().split(", volt/").next().unwrap().to_owned();
    let lines = written.lines().map(line);
    lines.filter(|line| line.contains(text)).collect()
}

/// The text of a line of a machine that waits.
const AWAIT: &str = " at await ";

/// Polls a future to its end. Returns the lines of the tree with a text after each poll, and the
/// output. Panics if a machine shows an await before its first poll or after its end.
pub(crate) fn run_with<F: Future>(text: &str, future: F) -> (Vec<Vec<String>>, F::Output) {
    install_hook();
    let mut future = pin!(future);
    assert_eq!(lines_with(future.as_mut(), AWAIT), [""; 0]);
    let mut trees = Vec::new();
    loop {
        let mut cx = Context::from_waker(Waker::noop());
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            assert_eq!(lines_with(future.as_mut(), AWAIT), [""; 0]);
            return (trees, output);
        }
        trees.push(lines_with(future.as_mut(), text));
        assert_eq!(&lines_with(future.as_mut(), text), trees.last().unwrap());
    }
}

/// Polls a future to its end. Returns the machines in the tree after each poll, and the output.
pub(crate) fn run<F: Future>(future: F) -> (Vec<Vec<String>>, F::Output) {
    run_with(AWAIT, future)
}

/// Pending for a number of polls.
#[volt::state_machine(explicit)]
pub(crate) async fn turns(count: u32) -> u32 {
    let mut left = count;
    while left > 0 {
        yield_now().await;
        left -= 1;
    }
    count
}
