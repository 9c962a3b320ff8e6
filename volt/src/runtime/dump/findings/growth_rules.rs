//! The rule about groups of tasks that grow.

use super::finding::{Finding, FindingKind};
use super::rules::Rules;
use crate::runtime::dump::dump::Growth;
use crate::runtime::dump::place::{counted, period};

impl Rules<'_> {
    /// Finds groups that have grown since an earlier dump, and have not shrunk meanwhile.
    pub(super) fn growing(&self) -> Vec<Finding> {
        let growth = self.dump.growth.iter();
        growth
            .filter_map(|growth| self.growing_group(growth))
            .collect()
    }

    /// Returns `None` if the tasks of the group were removed from the dump.
    fn growing_group(&self, growth: &Growth) -> Option<Finding> {
        let mut groups = self.grouping.groups.iter();
        let index = groups.position(|group| group.key == growth.key)?;
        let group = &self.grouping.groups[index];
        Some(Finding {
            kind: FindingKind::Growing,
            count: group.count,
            tasks: group.sample.iter().map(|(_, id)| *id).collect(),
            place: Some(self.grouping.place(index)),
            group: Some(group.key),
            longest: group.longest(),
            jobs: Vec::new(),
            text: format!(
                "growing: {}, {} more than {} ago, at {}",
                counted(group.count),
                group.count.saturating_sub(growth.before),
                period(growth.elapsed),
                self.grouping.place_text(index)
            ),
        })
    }
}
