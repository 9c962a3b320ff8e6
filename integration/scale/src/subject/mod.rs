//! The programs that are counted: one row on one runtime in a process of its own.

mod gate;
mod marks;
mod on_tokio;
mod on_volt;
mod reference;
mod rows;
mod runtime;
mod signals;

use on_tokio::OnTokio;
use on_volt::OnVolt;
use runtime::Subject;

pub(crate) use rows::ROWS;

/// Runs a row as the command line names it: `RUNTIME ROW WORKERS OPERATIONS`.
pub(crate) fn main(arguments: &[String]) {
    let [runtime, row, workers, operations] = arguments else {
        panic!("expected RUNTIME ROW WORKERS OPERATIONS");
    };
    let workers = workers.parse().expect("WORKERS is a number");
    let operations = operations.parse().expect("OPERATIONS is a number");
    marks::await_tracer();
    match runtime.as_str() {
        OnVolt::NAME => rows::run::<OnVolt>(row, workers, operations),
        OnTokio::NAME => rows::run::<OnTokio>(row, workers, operations),
        _ => panic!("there is no runtime {runtime}"),
    }
}
