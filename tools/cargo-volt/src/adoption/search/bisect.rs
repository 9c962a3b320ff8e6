//! Delta debugging: the search for the functions with which the project does not build.
//!
//! Each function is a candidate that begins with the plain attribute. A blamed candidate is tried
//! with the option `native` or with another name for its machine, if the error suggests that. It is
//! then tried on the other side of its other attributes. Finally it is removed.
//!
//! If only a group can be blamed, all its members are removed. One half of them is restored after
//! the other, each time that the project builds. When no half is left, removed candidates are
//! retried that were blamed by errors of the compiler only, in the order of their removal: the
//! cause may have been a candidate that was removed later.
//!
//! The project has built without the restored candidates. So only these can be at fault in the next
//! build, whichever function an error is about.

use std::collections::BTreeMap;

use crate::diagnostic::SuggestedFix;
use crate::reason::Reason;
use crate::rewrite::{AttributeEdit, LayoutOption, Position};
use crate::subjects::Id;

/// The condition for the option `native`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum NativePolicy {
    /// Not at all
    Never,
    /// If the text or the code of an error suggests it
    Suggested,
    /// On every function
    Always,
}

/// The state of one function.
#[derive(Clone, Debug)]
struct Candidate {
    edit: AttributeEdit,
    /// The position that is tried after that of the edit.
    other: Option<Position>,
    /// The edit and the other position at the start of the search.
    initial: Initial,
    state: CandidateState,
    retries: u32,
    /// The number of failed builds at its removal.
    removed_at: usize,
    /// The reasons of its blames.
    reasons: Vec<Reason>,
}

/// The values of a candidate at the start of the search, which a retry restores.
#[derive(Clone, Copy, Debug)]
struct Initial {
    edit: AttributeEdit,
    other: Option<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CandidateState {
    On,
    /// Removed until its half of a group is restored.
    Waiting,
    Off,
}

/// The candidates, and the state of the search.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    native: NativePolicy,
    candidates: Vec<Candidate>,
    /// The removed halves of groups, by the name of the group.
    waiting: BTreeMap<String, Vec<Vec<Id>>>,
    /// The candidates restored since the last successful build. Only these can be at fault.
    recent: Vec<Id>,
    /// The number of failed builds.
    failures: usize,
    /// `true` if groups are removed as a whole.
    is_stopping: bool,
}

impl Candidates {
    /// Each function is described by `true` if it has other attributes, and by the position to try
    /// first.
    pub(crate) fn new(functions: &[(bool, Position)], native: NativePolicy, retries: u32) -> Self {
        let candidate = |&(attributed, position): &(bool, Position)| {
            let option = first_option(native);
            let edit = AttributeEdit {
                option,
                named: false,
                position,
            };
            let other = attributed.then_some(opposite(position));
            Candidate {
                edit,
                other,
                initial: Initial { edit, other },
                state: CandidateState::On,
                retries,
                removed_at: 0,
                reasons: Vec::new(),
            }
        };
        Self {
            native,
            candidates: functions.iter().map(candidate).collect(),
            waiting: BTreeMap::new(),
            recent: (0..functions.len()).collect(),
            failures: 0,
            is_stopping: false,
        }
    }

    /// Stops the search: halves that wait stay removed, and groups are no longer divided.
    pub(crate) fn stop_early(&mut self) {
        self.is_stopping = true;
        self.waiting.clear();
        for candidate in &mut self.candidates {
            if candidate.state == CandidateState::Waiting {
                candidate.state = CandidateState::Off;
                candidate.reasons.push(Reason::without_place(
                    "not attributed within the limit of builds",
                ));
            }
        }
    }

    /// Removes the function for good.
    pub(crate) fn exclude(&mut self, id: Id) {
        self.candidates[id].state = CandidateState::Off;
        self.candidates[id].retries = 0;
    }

    /// Returns the attribute of each function.
    pub(crate) fn edits(&self) -> Vec<Option<AttributeEdit>> {
        let edit = |candidate: &Candidate| {
            (candidate.state == CandidateState::On).then_some(candidate.edit)
        };
        self.candidates.iter().map(edit).collect()
    }

    /// Returns the reasons of the blames of a function.
    pub(crate) fn reasons(&self, id: Id) -> &[Reason] {
        &self.candidates[id].reasons
    }

    /// Counts a failed build. The next blames belong to it.
    pub(crate) fn fail(&mut self) {
        self.failures += 1;
    }

    /// Returns `true` if the function can be at fault.
    pub(crate) fn is_recent(&self, id: Id) -> bool {
        self.recent.contains(&id)
    }

    /// Returns `true` if the function can be at fault, and its machine has the default name.
    pub(crate) fn can_be_named(&self, id: Id) -> bool {
        self.is_recent(id) && !self.candidates[id].edit.named
    }

    /// Blames a function.
    pub(crate) fn blame(&mut self, id: Id, reason: Reason, suggested_fix: SuggestedFix) {
        let candidate = &mut self.candidates[id];
        candidate.reasons.push(reason);
        let can_be_native = self.native == NativePolicy::Suggested
            && candidate.edit.option == LayoutOption::Default;
        if suggested_fix == SuggestedFix::Name && !candidate.edit.named {
            candidate.edit.named = true;
        } else if suggested_fix != SuggestedFix::None && can_be_native {
            candidate.edit.option = LayoutOption::Native;
        } else if let Some(other) = candidate.other.take() {
            candidate.edit = AttributeEdit {
                option: first_option(self.native),
                named: candidate.edit.named,
                position: other,
            };
        } else {
            candidate.state = CandidateState::Off;
            candidate.removed_at = self.failures;
        }
    }

    /// Suspects the first of these sets that is not empty: the recent members, the recent
    /// candidates, the members, all candidates with the attribute. Blames the only suspect, or
    /// divides the set.
    ///
    /// Groups of different names are searched at the same time.
    pub(crate) fn suspect(&mut self, name: &str, members: &[Id], reason: &Reason) {
        let active = 0..self.candidates.len();
        let active = active.filter(|&id| self.candidates[id].state == CandidateState::On);
        let active: Vec<Id> = active.collect();
        let (recent, members): (Vec<Id>, Vec<Id>) = (
            only(&active, |id| self.is_recent(id)),
            only(&active, |id| members.contains(&id)),
        );
        let recent_members = only(&recent, |id| members.contains(&id));
        let choices = [recent_members, recent, members];
        let first = choices.into_iter().find(|choice| !choice.is_empty());
        let mut suspects = first.unwrap_or(active);
        if self.is_stopping {
            return suspects.into_iter().for_each(|id| self.give_up(id, reason));
        }
        if let [only] = suspects[..] {
            return self.blame(only, reason.clone(), SuggestedFix::None);
        }
        let later = suspects.split_off(suspects.len() / 2);
        for &id in suspects.iter().chain(&later) {
            self.candidates[id].state = CandidateState::Waiting;
        }
        let halves = [later, suspects]
            .into_iter()
            .filter(|half| !half.is_empty());
        self.waiting
            .entry(name.to_owned())
            .or_default()
            .extend(halves);
    }

    /// Continues after a successful build. Returns `true` if a candidate was restored.
    pub(crate) fn advance(&mut self) -> bool {
        self.recent.clear();
        if self.is_stopping {
            return false;
        }
        let next = self.waiting.values_mut().filter_map(Vec::pop);
        self.recent.extend(next.flatten());
        self.waiting.retain(|_, halves| !halves.is_empty());
        if self.recent.is_empty() {
            self.retry_removed();
        }
        for &id in &self.recent {
            self.candidates[id].state = CandidateState::On;
        }
        !self.recent.is_empty()
    }

    /// Restores the candidates that were removed first, among those with retries left.
    fn retry_removed(&mut self) {
        let can_be_retried = |candidate: &Candidate| {
            let has_compiler_errors_only = candidate.reasons.iter().all(|reason| !reason.of_macro);
            candidate.state == CandidateState::Off
                && candidate.retries > 0
                && has_compiler_errors_only
        };
        let retryable = self
            .candidates
            .iter()
            .filter(|candidate| can_be_retried(candidate));
        let first = retryable.map(|candidate| candidate.removed_at).min();
        for (id, candidate) in self.candidates.iter_mut().enumerate() {
            if can_be_retried(candidate) && first == Some(candidate.removed_at) {
                candidate.retries -= 1;
                let Initial { edit, other } = candidate.initial;
                (candidate.edit, candidate.other) = (edit, other);
                self.recent.push(id);
            }
        }
    }

    fn give_up(&mut self, id: Id, reason: &Reason) {
        self.candidates[id].state = CandidateState::Off;
        self.candidates[id].reasons.push(reason.clone());
    }
}

/// Returns the functions that satisfy a condition.
fn only(ids: &[Id], condition: impl Fn(Id) -> bool) -> Vec<Id> {
    ids.iter().copied().filter(|&id| condition(id)).collect()
}

fn first_option(native: NativePolicy) -> LayoutOption {
    match native {
        NativePolicy::Always => LayoutOption::Native,
        NativePolicy::Never | NativePolicy::Suggested => LayoutOption::Default,
    }
}

fn opposite(position: Position) -> Position {
    match position {
        Position::Below => Position::Above,
        Position::Above => Position::Below,
    }
}

#[cfg(test)]
mod tests;
