//! Which functions have the attribute, and what is tried next with each.
//!
//! A function begins with the plain attribute. When it is blamed, it is tried with the word
//! `native`, or with another name for its machine, if the error asks for that; then on the other side of its other attributes, if it has
//! any; then it goes without.
//!
//! Where nobody can be blamed but a whole group, all of the group go without, and come back one half
//! after the other, each time that everything builds. When nobody waits any more, those get another
//! chance that went because of the compiler's words alone, as the fault may have been another's that
//! went later: first those that went first.
//!
//! What built before builds without those who came back. So they alone are at fault then, whoever an
//! error is about.

use std::collections::BTreeMap;

use crate::diagnostic::Wish;
use crate::reason::Reason;
use crate::rewrite::{Mark, Position, Word};
use crate::subjects::Id;

/// When functions get the word `native`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native {
    Never,
    /// When an error asks for it.
    Asked,
    Always,
}

/// What is known of one function.
#[derive(Clone, Debug)]
struct Trial {
    mark: Mark,
    /// The position that it is tried in after this one.
    other: Option<Position>,
    /// What it began with.
    first: (Mark, Option<Position>),
    state: State,
    chances: u32,
    /// The failure after which it went.
    went: usize,
    /// Why it was blamed each time.
    reasons: Vec<Reason>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    On,
    /// Left out until its half of a group is tried.
    Waiting,
    Off,
}

/// All functions.
#[derive(Clone, Debug)]
pub(crate) struct Trials {
    native: Native,
    trials: Vec<Trial>,
    /// Halves of groups that wait, by the name of the group.
    waiting: BTreeMap<String, Vec<Vec<Id>>>,
    /// Those who came since everything built; nobody else can be at fault.
    fresh: Vec<Id>,
    /// How many builds have failed.
    failures: usize,
    /// Whether groups are given up as a whole.
    hurried: bool,
}

impl Trials {
    /// Each function is given by whether it has other attributes, and the position tried first.
    pub(crate) fn new(functions: &[(bool, Position)], native: Native, chances: u32) -> Self {
        let trial = |&(attributed, position): &(bool, Position)| {
            let word = first_word(native);
            let mark = Mark {
                word,
                named: false,
                position,
            };
            let other = attributed.then_some(opposite(position));
            Trial {
                mark,
                other,
                first: (mark, other),
                state: State::On,
                chances,
                went: 0,
                reasons: Vec::new(),
            }
        };
        Self {
            native,
            trials: functions.iter().map(trial).collect(),
            waiting: BTreeMap::new(),
            fresh: (0..functions.len()).collect(),
            failures: 0,
            hurried: false,
        }
    }

    /// Ends the search: whoever waits goes without, and groups are no longer taken apart.
    pub(crate) fn hurry(&mut self) {
        self.hurried = true;
        self.waiting.clear();
        for trial in &mut self.trials {
            if trial.state == State::Waiting {
                trial.state = State::Off;
                trial
                    .reasons
                    .push(Reason::said("not found out in so many builds"));
            }
        }
    }

    /// Leaves the function as it is, for good.
    pub(crate) fn leave(&mut self, id: Id) {
        self.trials[id].state = State::Off;
        self.trials[id].chances = 0;
    }

    /// What each function has now.
    pub(crate) fn marks(&self) -> Vec<Option<Mark>> {
        let mark = |trial: &Trial| (trial.state == State::On).then_some(trial.mark);
        self.trials.iter().map(mark).collect()
    }

    /// Why the function was blamed, each time.
    pub(crate) fn reasons(&self, id: Id) -> &[Reason] {
        &self.trials[id].reasons
    }

    /// A build has failed; what is said of anybody next, is said of that.
    pub(crate) fn fail(&mut self) {
        self.failures += 1;
    }

    /// Whether the function can be at fault.
    pub(crate) fn is_fresh(&self, id: Id) -> bool {
        self.fresh.contains(&id)
    }

    /// The function is to blame.
    pub(crate) fn blame(&mut self, id: Id, reason: Reason, wish: Wish) {
        let trial = &mut self.trials[id];
        trial.reasons.push(reason);
        let may_ask = self.native == Native::Asked && trial.mark.word == Word::Plain;
        if wish == Wish::Name && !trial.mark.named {
            trial.mark.named = true;
        } else if wish != Wish::Nothing && may_ask {
            trial.mark.word = Word::Native;
        } else if let Some(other) = trial.other.take() {
            trial.mark = Mark {
                word: first_word(self.native),
                named: trial.mark.named,
                position: other,
            };
        } else {
            trial.state = State::Off;
            trial.went = self.failures;
        }
    }

    /// Somebody of `members`, which all have the attribute, is to blame, or else of the fresh ones.
    ///
    /// Groups of different names are searched at the same time.
    pub(crate) fn suspect(&mut self, name: &str, members: &[Id], reason: &Reason) {
        let on = (0..self.trials.len()).filter(|&id| self.trials[id].state == State::On);
        let on: Vec<_> = on.collect();
        let those = |wanted: &dyn Fn(Id) -> bool| {
            let found: Vec<_> = on.iter().copied().filter(|&id| wanted(id)).collect();
            Some(found).filter(|found| !found.is_empty())
        };
        let (is_fresh, is_member) = (|id| self.is_fresh(id), |id| members.contains(&id));
        let suspects = those(&|id| is_fresh(id) && is_member(id)).or_else(|| those(&is_fresh));
        let mut suspects = suspects.or_else(|| those(&is_member)).unwrap_or(on);
        if self.hurried {
            return suspects.into_iter().for_each(|id| self.give_up(id, reason));
        }
        if let [only] = suspects[..] {
            return self.blame(only, reason.clone(), Wish::Nothing);
        }
        let later = suspects.split_off(suspects.len() / 2);
        for &id in suspects.iter().chain(&later) {
            self.trials[id].state = State::Waiting;
        }
        let halves = [later, suspects]
            .into_iter()
            .filter(|half| !half.is_empty());
        self.waiting
            .entry(name.to_owned())
            .or_default()
            .extend(halves);
    }

    /// Everything builds: tries what is left to try; says whether there was anything.
    pub(crate) fn advance(&mut self) -> bool {
        self.fresh.clear();
        if self.hurried {
            return false;
        }
        let next = self.waiting.values_mut().filter_map(Vec::pop);
        self.fresh.extend(next.flatten());
        self.waiting.retain(|_, halves| !halves.is_empty());
        if self.fresh.is_empty() {
            self.give_chances();
        }
        for &id in &self.fresh {
            self.trials[id].state = State::On;
        }
        !self.fresh.is_empty()
    }

    /// Makes those fresh that went first, of all that have a chance.
    fn give_chances(&mut self) {
        let has_chance = |trial: &Trial| {
            let innocent = trial.reasons.iter().all(|reason| !reason.of_macro);
            trial.state == State::Off && trial.chances > 0 && innocent
        };
        let with_chance = self.trials.iter().filter(|trial| has_chance(trial));
        let first = with_chance.map(|trial| trial.went).min();
        for (id, trial) in self.trials.iter_mut().enumerate() {
            if has_chance(trial) && first == Some(trial.went) {
                trial.chances -= 1;
                (trial.mark, trial.other) = trial.first;
                self.fresh.push(id);
            }
        }
    }

    fn give_up(&mut self, id: Id, reason: &Reason) {
        self.trials[id].state = State::Off;
        self.trials[id].reasons.push(reason.clone());
    }
}

fn first_word(native: Native) -> Word {
    match native {
        Native::Always => Word::Native,
        Native::Never | Native::Asked => Word::Plain,
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
