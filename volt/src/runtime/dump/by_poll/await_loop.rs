//! Polls that pass awaits of ready futures, and do not return.
//!
//! Several backtraces of one poll have the same outer functions. Where they differ is the function
//! that has gone on meanwhile. If that is the body of an `async` function, and a backtrace within
//! one of its awaits is followed by one at another place, then the awaited future was ready. A loop
//! of a function that the body calls differs further inside.

use super::frame_origin::FrameOrigin;
use super::frame_role::FrameRole;
use super::stack_frame::{StackFrame, all_frames_in_poll};
use super::worker_frames::places;
use crate::runtime::dump::place::Place;
use crate::runtime::dump::thread_activity::PollingThread;

/// The number of passed awaits that show a loop. A poll that computes may pass one, too.
const MIN_PASSED: usize = 2;

impl PollingThread {
    /// Returns the `async` function that awaits ready futures in a loop, with the line of one of
    /// the awaits. Returns `None` if the poll computes in another way.
    pub(in crate::runtime::dump) fn await_loop(&self) -> Option<Place> {
        let backtraces = std::iter::once(&self.addresses).chain(&self.further_addresses);
        let is_known = |addresses: &&Vec<usize>| !addresses.is_empty();
        let backtraces: Vec<_> = backtraces
            .filter(is_known)
            .map(|addresses| all_frames_in_poll(addresses))
            .collect();
        let mut way = way_to_loop(&backtraces)?;
        way.retain(|frame| frame.origin != FrameOrigin::Plumbing);
        way.reverse();
        let places = places(way, self.type_name, self.spawned_in);
        places.into_iter().next()
    }
}

/// Returns the functions from the future of a task to the one that awaits ready futures in a loop,
/// the outermost first.
fn way_to_loop(backtraces: &[Vec<StackFrame>]) -> Option<Vec<StackFrame>> {
    let (first, others) = backtraces.split_first()?;
    let is_equal = |depth: usize| {
        let mut others = others.iter();
        others.all(|other| other.get(depth) == first.get(depth))
    };
    let common = (0..first.len())
        .take_while(|depth| is_equal(*depth))
        .count();
    // The function at `depth` is the same in all backtraces, but its line or the function that it
    // calls is not.
    let is_same_function = |depth: usize| {
        let mut others = others.iter();
        others.all(|other| {
            other.get(depth).map(StackFrame::function) == first.get(depth).map(StackFrame::function)
        })
    };
    let depth = if common < first.len() && is_same_function(common) {
        common
    } else {
        common.checked_sub(1)?
    };
    let body = &first[depth];
    if body.role != FrameRole::Body || body.origin != FrameOrigin::Program {
        return None;
    }
    let positions = backtraces
        .iter()
        .map(|frames| Position::of(&frames[depth..]));
    let positions: Vec<_> = positions.collect();
    let is_passed = |pair: &&[Position]| pair[0].is_in_await && pair[0] != pair[1];
    let passed = positions.windows(2).filter(is_passed).count();
    let awaiting = positions.iter().position(|position| position.is_in_await)?;
    (passed >= MIN_PASSED).then(|| backtraces[awaiting][..=depth].to_vec())
}

/// The place in a function at which a backtrace is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    function: StackFrame,
    /// The name and file of the function that it calls.
    called: Option<(&'static str, &'static str)>,
    is_in_await: bool,
}

impl Position {
    /// Returns the position in the first one of these functions.
    fn of(frames: &[StackFrame]) -> Self {
        let called = &frames[1..];
        Self {
            function: frames[0],
            called: called.first().map(StackFrame::function),
            is_in_await: called.iter().any(|frame| frame.role != FrameRole::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameOrigin, FrameRole, StackFrame, way_to_loop};

    fn frame(name: &'static str, line: u32, role: FrameRole) -> StackFrame {
        StackFrame {
            name,
            file: "src/main.rs",
            line,
            column: 1,
            origin: FrameOrigin::Program,
            role,
        }
    }

    fn body(line: u32) -> StackFrame {
        frame("app::relay", line, FrameRole::Body)
    }

    fn poll(line: u32) -> StackFrame {
        frame("app::Ready", line, FrameRole::Poll)
    }

    fn call(line: u32) -> StackFrame {
        frame("app::parse", line, FrameRole::Other)
    }

    fn root() -> StackFrame {
        frame("app::serve", 3, FrameRole::Body)
    }

    /// Returns the result for these backtraces, a number of times.
    fn way(turn: &[Vec<StackFrame>], times: usize) -> Option<Vec<StackFrame>> {
        let turns = turn.iter().cycle().take(times * turn.len());
        way_to_loop(&turns.cloned().collect::<Vec<_>>())
    }

    #[test]
    fn loop_over_ready_futures_is_found() {
        let turn = [
            vec![root(), body(7)],
            vec![root(), body(8), poll(20)],
            vec![root(), body(8), poll(21)],
            vec![root(), body(9), call(30)],
        ];
        let found = way(&turn, 3).unwrap();
        assert_eq!(found, [root(), body(8)]);
        assert_eq!(way(&turn, 1), None, "one await is passed");
    }

    #[test]
    fn loop_with_one_line_is_found() {
        let turn = [vec![root(), body(8)], vec![root(), body(8), poll(20)]];
        let found = way(&turn, 4).unwrap();
        assert_eq!(found, [root(), body(8)]);
    }

    #[test]
    fn loop_of_a_called_function_is_no_await() {
        let turn = [
            vec![root(), body(7), call(30)],
            vec![root(), body(7), call(31)],
            vec![root(), body(7), call(31), poll(20)],
        ];
        assert_eq!(way(&turn, 4), None);
        let calls = [vec![root(), body(7), call(30)], vec![root(), body(8)]];
        assert_eq!(way(&calls, 4), None, "no future is polled");
    }

    #[test]
    fn pass_over_children_is_no_await() {
        let dependency = |line| StackFrame {
            origin: FrameOrigin::Dependency,
            ..body(line)
        };
        let turn = [
            vec![root(), dependency(8)],
            vec![root(), dependency(8), poll(20)],
        ];
        assert_eq!(way(&turn, 4), None);
        assert_eq!(way_to_loop(&[]), None);
        assert_eq!(way_to_loop(&[vec![]]), None);
    }
}
