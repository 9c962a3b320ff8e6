//! Memory, instructions and allocations of a task, measured in separate processes.

use crate::child::{self, Measure};
use crate::contestants::{OnAsyncExecutor, OnTokio, OnVolt};
use crate::executor::Executor;
use crate::workload::{Describe, Run, Target, Unit};

/// The memory of an idle task.
pub(crate) struct Resident;

impl Describe for Resident {
    const NAME: &'static str = "memory of an idle task";
    const ABOUT: &'static str = "resident bytes per task, with 1 M waiting tasks";
    const UNIT: Unit = Unit::Bytes;
    const HEAVY: bool = true;
    const TARGET: Option<Target> = Some(Target::AtMost(89.0));
    const IN_README: bool = true;
}

/// The instructions from a spawn to its completion.
pub(crate) struct Instructions;

impl Describe for Instructions {
    const NAME: &'static str = "instructions per spawn + await";
    const ABOUT: &'static str = "in a worker, counted by valgrind";
    const UNIT: Unit = Unit::Pieces;
    const HEAVY: bool = true;
}

/// The allocations from a spawn to its completion.
pub(crate) struct Allocations;

impl Describe for Allocations {
    const NAME: &'static str = "allocations per spawn + await";
    const ABOUT: &'static str = "in a worker, counted by valgrind";
    const UNIT: Unit = Unit::Pieces;
    const HEAVY: bool = true;
}

/// Returns one run for each contestant, each in a separate process. Returns no run if this machine
/// cannot measure the quantity.
pub(crate) fn prepare(measure: Measure) -> Vec<(&'static str, Run)> {
    let names = [OnVolt::NAME, OnTokio::NAME, OnAsyncExecutor::NAME];
    if !measure.is_possible() {
        return Vec::new();
    }
    let run = |name| {
        let run: Run = Box::new(move |costs| {
            costs.push(child::measure(measure, name).expect("the child prints its figure"));
        });
        (name, run)
    };
    names.into_iter().map(run).collect()
}
