//! Which functions have the attribute, and what is tried next with each.
//!
//! A function begins with the plain attribute. When it is blamed, it is tried with the word
//! `native`, if the error asks for that; then on the other side of its other attributes, if it has
//! any; then it goes without. Whoever went because of the compiler's words alone gets another chance
//! when everything builds, as the fault may have been another's that has gone since.
//!
//! Where nobody can be blamed but a whole group, all of the group go without, and come back one half
//! after the other, each time that everything builds.

use std::collections::BTreeMap;

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

/// A group of which somebody is to blame.
#[derive(Clone, Debug, Default)]
struct Group {
    /// Those that came back last.
    active: Vec<Id>,
    waiting: Vec<Vec<Id>>,
}

/// All functions.
#[derive(Clone, Debug)]
pub(crate) struct Trials {
    native: Native,
    trials: Vec<Trial>,
    groups: BTreeMap<String, Group>,
    /// Whether groups are given up as a whole.
    hurried: bool,
}

impl Trials {
    /// Each function is given by whether it has other attributes, and the position tried first.
    pub(crate) fn new(functions: &[(bool, Position)], native: Native, chances: u32) -> Self {
        let trial = |&(attributed, position): &(bool, Position)| {
            let word = first_word(native);
            let mark = Mark { word, position };
            let other = attributed.then_some(opposite(position));
            Trial {
                mark,
                other,
                first: (mark, other),
                state: State::On,
                chances,
                reasons: Vec::new(),
            }
        };
        Self {
            native,
            trials: functions.iter().map(trial).collect(),
            groups: BTreeMap::new(),
            hurried: false,
        }
    }

    /// Ends the search: whoever waits goes without, and groups are no longer taken apart.
    pub(crate) fn hurry(&mut self) {
        self.hurried = true;
        self.groups.clear();
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

    /// The function is to blame.
    pub(crate) fn blame(&mut self, id: Id, reason: Reason, asks_for_native: bool) {
        let trial = &mut self.trials[id];
        trial.reasons.push(reason);
        if asks_for_native && self.native == Native::Asked && trial.mark.word == Word::Plain {
            trial.mark.word = Word::Native;
        } else if let Some(other) = trial.other.take() {
            trial.mark = Mark {
                word: first_word(self.native),
                position: other,
            };
        } else {
            trial.state = State::Off;
        }
    }

    /// Somebody of `members`, which all have the attribute, is to blame.
    ///
    /// A group keeps its name until everybody in it is judged.
    pub(crate) fn suspect(&mut self, name: &str, members: Vec<Id>, reason: &Reason) {
        if self.hurried {
            for id in members {
                self.trials[id].state = State::Off;
                self.trials[id].reasons.push(reason.clone());
            }
            return;
        }
        let group = self.groups.entry(name.to_owned()).or_default();
        let active = std::mem::take(&mut group.active);
        let on = |id: &Id| members.contains(id);
        let mut suspects: Vec<_> = active.into_iter().filter(on).collect();
        if suspects.is_empty() {
            suspects = members;
        }
        if let [only] = suspects[..] {
            self.blame(only, reason.clone(), false);
            return;
        }
        let later = suspects.split_off(suspects.len() / 2);
        for &id in suspects.iter().chain(&later) {
            self.trials[id].state = State::Waiting;
        }
        let halves = [later, suspects]
            .into_iter()
            .filter(|half| !half.is_empty());
        group.waiting.extend(halves);
    }

    /// Everything builds: tries what is left to try; says whether there was anything.
    pub(crate) fn advance(&mut self) -> bool {
        if self.hurried {
            return false;
        }
        let mut advanced = false;
        for group in self.groups.values_mut() {
            group.active = group.waiting.pop().unwrap_or_default();
            for &id in &group.active {
                self.trials[id].state = State::On;
                advanced = true;
            }
        }
        self.groups.retain(|_, group| !group.active.is_empty());
        advanced || self.give_chances()
    }

    fn give_chances(&mut self) -> bool {
        let mut given = false;
        for trial in &mut self.trials {
            let innocent = trial.reasons.iter().all(|reason| !reason.of_macro);
            if trial.state == State::Off && trial.chances > 0 && innocent {
                trial.chances -= 1;
                trial.state = State::On;
                (trial.mark, trial.other) = trial.first;
                given = true;
            }
        }
        given
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
