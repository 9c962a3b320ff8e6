//! The effects of saves and ends on parents and children.

use super::table::Table;
use crate::machine_id::MachineId;
use crate::store::family::{CANCEL, ChildReport};
use crate::store::row::Row;
use crate::store::save::{Continuation, Save};

impl Table {
    /// Starts and drops the children of a stored save, and reports the end to the parent.
    pub(super) fn change_family(&mut self, save: &Save) {
        let id = save.held.id;
        for child in &save.family.started {
            self.start_child(child, id);
        }
        self.drop_children(id, |row| save.family.dropped.contains(&row.key));
        // Other stores read the parent from the row only for a save that names one.
        if let Continuation::Ends { outcome } = &save.then
            && save.family.parent.is_some()
        {
            self.report(id, |row| Some(ChildReport::done(&row.key, outcome)));
        }
    }

    /// Reports to the parent that a machine is parked.
    pub(super) fn report_parked(&mut self, id: MachineId) {
        self.report(id, |row| {
            let error = row.error.as_deref()?;
            Some(ChildReport::parked(&row.key, error))
        });
    }

    /// Sends a report of a machine to its parent, if it has one.
    pub(super) fn report(
        &mut self,
        id: MachineId,
        report: impl FnOnce(&Row) -> Option<ChildReport>,
    ) {
        let Some(row) = self.rows.get(&id).map(|row| &row.row) else {
            return;
        };
        if let (Some(parent), Some(report)) = (row.parent, report(row)) {
            self.send_to(parent, &report.name, &report.name, &report.body);
        }
    }

    /// Ends the relation of a machine to some of its children, and requests their cancellation
    /// unless they are detached.
    pub(super) fn drop_children(&mut self, id: MachineId, is_dropped: impl Fn(&Row) -> bool) {
        let children = self.rows.values_mut();
        let dropped = children.filter(|row| row.row.parent == Some(id) && is_dropped(&row.row));
        let mut cancelled = Vec::new();
        for child in dropped {
            if child.drop_by_parent() {
                cancelled.push(child.row.id);
            }
        }
        for child in cancelled {
            self.send_to(child, CANCEL, CANCEL, "null");
        }
    }
}
