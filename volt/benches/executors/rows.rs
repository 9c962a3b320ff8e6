//! All rows of the table, in order.

use crate::child::Measure;
use crate::contest::Row;
use crate::contestants::Contestants;
use crate::workload::{Describe, DriverWorkload, JoinWorkload, Run, Workload};
use crate::workloads::{self as work, footprint};

/// Prepares a row, immediately before it runs.
pub(crate) type Prepare = fn(&Contestants) -> Row;

/// Returns the name and the preparation of each row.
pub(crate) fn all() -> Vec<(&'static str, Prepare)> {
    vec![
        plain::<work::SpawnManyLocal>(),
        plain::<work::SpawnManyRemoteIdle>(),
        plain::<work::SpawnManyRemoteBusy1>(),
        plain::<work::SpawnManyRemoteBusy2>(),
        plain::<work::YieldMany>(),
        plain::<work::PingPong>(),
        plain::<work::ChainedSpawn>(),
        plain::<work::SpawnAwait>(),
        joins::<work::SpawnJoin>(),
        joins::<work::SpawnJoinOutside>(),
        plain::<work::FanOut>(),
        plain::<work::SelfWake>(),
        plain::<work::SelfWakeMany>(),
        plain::<work::WakeLatency>(),
        plain::<work::SpawnLatency>(),
        plain::<work::BusySpawnLatency>(),
        plain::<work::WokenByBlocker>(),
        driven::<work::SleepBesideBlocker>(),
        driven::<work::ShortSleep>(),
        driven::<work::TimeoutOfReady>(),
        driven::<work::TimeoutOfYield>(),
        driven::<work::InsertTimers>(),
        driven::<work::CancelTimers>(),
        driven::<work::FireTimers>(),
        driven::<work::EchoSmall>(),
        driven::<work::EchoLarge>(),
        of::<work::Fib16>(|all| Row::new::<work::Fib16>(work::Fib16::prepare(all))),
        of::<work::Fib18>(|all| Row::new::<work::Fib18>(work::Fib18::prepare(all))),
        of::<work::Shutdown>(|_| Row::new::<work::Shutdown>(work::Shutdown::prepare())),
        of::<work::DumpOfIdle>(|_| Row::new::<work::DumpOfIdle>(work::DumpOfIdle::prepare())),
        of::<work::Resident>(|_| alone::<work::Resident>(Measure::Resident)),
        of::<work::Instructions>(|_| alone::<work::Instructions>(Measure::Instructions)),
        of::<work::Allocations>(|_| alone::<work::Allocations>(Measure::Allocations)),
    ]
}

fn of<W: Describe>(prepare: Prepare) -> (&'static str, Prepare) {
    (W::NAME, prepare)
}

fn plain<W: Workload>() -> (&'static str, Prepare) {
    of::<W>(|contestants| Row::new::<W>(contestants.prepare::<W>()))
}

fn joins<W: JoinWorkload>() -> (&'static str, Prepare) {
    of::<W>(|contestants| Row::new::<W>(contestants.prepare_joins::<W>()))
}

fn driven<W: DriverWorkload>() -> (&'static str, Prepare) {
    of::<W>(|contestants| Row::new::<W>(contestants.prepare_driven::<W>()))
}

fn alone<W: Describe>(measure: Measure) -> Row {
    let runs: Vec<(&'static str, Run)> = footprint::prepare(measure);
    Row::new::<W>(runs)
}
