//! What a task takes beside time: measured in processes of their own.

use crate::child::{self, Measure};
use crate::contestants::{OnAsyncExecutor, OnTokio, OnVolt};
use crate::executor::Executor;
use crate::workload::{Describe, Run, Target, Unit};

/// Memory of a task that waits.
pub(crate) struct Resident;

impl Describe for Resident {
    const NAME: &'static str = "memory of an idle task";
    const ABOUT: &'static str = "resident bytes a task at 1 M tasks that wait";
    const UNIT: Unit = Unit::Bytes;
    const HEAVY: bool = true;
    const TARGET: Option<Target> = Some(Target::AtMost(89.0));
    const IN_README: bool = true;
}

/// Instructions from a spawn to the end.
pub(crate) struct Instructions;

impl Describe for Instructions {
    const NAME: &'static str = "instructions a spawn + await";
    const ABOUT: &'static str = "in a worker, counted by valgrind";
    const UNIT: Unit = Unit::Pieces;
    const HEAVY: bool = true;
}

/// Allocations from a spawn to the end.
pub(crate) struct Allocations;

impl Describe for Allocations {
    const NAME: &'static str = "allocations a spawn + await";
    const ABOUT: &'static str = "in a worker, counted by valgrind";
    const UNIT: Unit = Unit::Pieces;
    const HEAVY: bool = true;
}

/// One run a contestant, each in a process of its own; nobody where that cannot be measured here.
pub(crate) fn prepare(measure: Measure) -> Vec<(&'static str, Run)> {
    let names = [OnVolt::NAME, OnTokio::NAME, OnAsyncExecutor::NAME];
    if !measure.is_possible() {
        return Vec::new();
    }
    let run = |name| {
        let run: Run = Box::new(move |costs| {
            costs.push(child::measure(measure, name).expect("the child tells its figure"));
        });
        (name, run)
    };
    names.into_iter().map(run).collect()
}
