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
        let count = self.grouping.groups[index].count;
        let text = format!(
            "growing: {}, {} more than {} ago, at {}",
            counted(count),
            count.saturating_sub(growth.before),
            period(growth.elapsed),
            self.grouping.place_text(index)
        );
        Some(self.group_finding(FindingKind::Growing, index, text))
    }
}
