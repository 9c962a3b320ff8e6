//! The model of parents and children.

use std::collections::BTreeMap;

use super::expected_row::ExpectedRow;
use crate::store::{CANCEL, ChildReport, Continuation, MachineId, Save};

/// The rows by the key of the machine.
pub(super) type Rows = BTreeMap<String, ExpectedRow>;

/// Returns the row of a machine.
pub(super) fn row(rows: &mut Rows, id: MachineId) -> &mut ExpectedRow {
    let row = rows.values_mut().find(|row| row.id == id);
    row.expect("a machine that was started")
}

/// Records the children of a stored save, except those that it starts.
pub(super) fn change(rows: &mut Rows, save: &Save) {
    let id = save.held.id;
    drop_children(rows, id, |key| {
        save.family.dropped.iter().any(|dropped| dropped == key)
    });
    if let Continuation::Ends { outcome } = &save.then
        && save.family.parent.is_some()
    {
        report(rows, id, |key| ChildReport::done(key, outcome));
    }
}

/// Records a report of a machine to its parent, if it has one that has not ended.
pub(super) fn report(rows: &mut Rows, id: MachineId, report: impl FnOnce(&str) -> ChildReport) {
    let child = rows.iter().find(|(_, row)| row.id == id);
    let (key, child) = child.expect("a machine that was started");
    if let Some(parent) = child.parent {
        let report = report(key);
        row(rows, parent).receive(&report.name, &report.name, &report.body);
    }
}

/// Records that a claim in progress parks a machine after its last attempt.
pub(super) fn park_during_a_claim(rows: &mut Rows, key: &str, error: &str) {
    let child = rows.get_mut(key).expect("a machine that was started");
    child.park();
    if let Some(parent) = child.parent {
        let report = ChildReport::parked(key, error);
        row(rows, parent).receive_during_a_claim(&report.name, &report.body);
    }
}

/// Records that a machine no longer awaits some of its children.
pub(super) fn drop_children(rows: &mut Rows, id: MachineId, is_dropped: impl Fn(&str) -> bool) {
    for (key, child) in rows {
        if child.parent == Some(id) && is_dropped(key) {
            child.parent = None;
            if !child.is_detached {
                child.receive(CANCEL, CANCEL, "null");
            }
        }
    }
}

/// Returns the keys of the children of a machine.
pub(super) fn children(rows: &Rows, id: MachineId) -> Vec<String> {
    let children = rows.iter().filter(|(_, row)| row.parent == Some(id));
    children.map(|(key, _)| key.clone()).collect()
}

/// Returns `true` if the signal is the end of a child that this machine still awaits. The child
/// reports it.
pub(super) fn is_reported(rows: &Rows, parent: MachineId, signal: &str) -> bool {
    let child = rows.get(signal);
    child.is_some_and(|child| child.parent == Some(parent) && !child.status.is_final())
}
