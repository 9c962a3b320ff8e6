//! The account of the inspection polls of a dump.

use super::shared_values::put_ids;
use super::value::{Entries, Value};
use crate::runtime::dump::poll_report::PollReport;

/// The number of unreached tasks that the JSON names for each reason.
const MAX_NAMED: usize = 20;

pub(super) fn put_poll_report(report: &PollReport, put: Entries<'_>) {
    let micros = |time: std::time::Duration| Value::Number(time.as_micros() as u64);
    put("polled", Value::Number(report.polled as u64));
    put("completed", Value::List(&|put| put_ids(&report.ended, put)));
    put("poll_us", micros(report.poll_time));
    put("resolve_us", micros(report.resolve_time));
    let reasons = report.by_reason();
    put(
        "unreached",
        Value::List(&|put| {
            for (reason, ids) in &reasons {
                put(Value::List(&|put| {
                    put(Value::Text(reason.name()));
                    put(Value::Number(ids.len() as u64));
                    let named = &ids[..ids.len().min(MAX_NAMED)];
                    put(Value::List(&|put| put_ids(named, put)));
                }));
            }
        }),
    );
}
