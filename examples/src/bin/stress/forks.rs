//! Forks of the process, while its threads have any lock.

use volt::runtime::PollLimits;
use volt::task::yield_now;
use volt::{Handle, LocalRuntime};

use crate::draws::Draws;
use crate::forking::{forked, holds_in_a_fork};
use crate::inspection_act::InspectionAct;

/// Forks the process, and waits for the child, which does one act and exits.
///
/// # Panics
///
/// Panics if the act fails or hangs in the child.
pub(crate) fn fork(handle: &Handle, draws: &mut Draws) {
    let act = draws.pick(&[
        InspectionAct::ForkThatExits,
        InspectionAct::ForkThatDumps,
        InspectionAct::ForkWithRuntime,
        InspectionAct::ForkThatIsRefused,
    ]);
    let handle = handle.clone();
    let is_done = match act {
        InspectionAct::ForkThatDumps => holds_in_a_fork(move || dumps_nothing(&handle)),
        InspectionAct::ForkWithRuntime => holds_in_a_fork(runs_tasks),
        InspectionAct::ForkThatIsRefused => is_refused(handle),
        _ => holds_in_a_fork(|| true),
    };
    assert!(is_done, "{act:?}");
    act.count();
}

/// Dumps the runtime of the parent, whose tasks do not run here.
fn dumps_nothing(handle: &Handle) -> bool {
    let dumps = [handle.dump(), handle.dump_by_poll(&PollLimits::default())];
    let is_empty = dumps.iter().all(|dump| dump.tasks().is_empty());
    is_empty && handle.stats().alive == 0 && dumps[0].to_string().contains("was forked")
}

/// Runs a new runtime, which needs no thread.
fn runs_tasks() -> bool {
    let own = LocalRuntime::new().expect("the child can have a runtime");
    let task = own.spawn(async {
        yield_now().await;
        7
    });
    let is_shown = own.dump().tasks().len() == 1;
    is_shown && own.block_on(task).is_ok_and(|output| output == 7) && own.dump().tasks().is_empty()
}

/// Returns `true` if the runtime of the parent refuses to block the thread of a child. A panic ends
/// the child.
fn is_refused(handle: Handle) -> bool {
    let output = forked(move || {
        handle.block_on(yield_now());
        false
    });
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stderr).contains("was forked"))
}
