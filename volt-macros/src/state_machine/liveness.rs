//! What is kept at each place that a machine can be resumed at or jumped to.
//!
//! A local is kept if it is used later, or if it is still there and dropping it may do
//! something. Two passes over the graph tell: backwards for what is used later, forwards for
//! what is still there.

use std::collections::BTreeSet;

use proc_macro2::Ident;

use super::body::{Body, Glue, Local, LocalId, Origin};
use super::elided::unfit_type;
use super::errors::{Errors, Rule};
use super::flow::{Custom, Event, Flow, Place, Suspect};
use super::names::written;
use super::owned::owns;
use super::presence::{Presence, presence};
use super::taken::is_told;
use super::used::used_later;

/// What the machine keeps, and where.
#[derive(Debug)]
pub(crate) struct Points {
    /// For each place of `Flow::in_scope`, what is kept there: outermost first.
    pub(crate) kept: Vec<(Place, Vec<Kept>)>,
    /// Locals that are let go of early, which needs proof that they have no destructor.
    pub(crate) proven: BTreeSet<LocalId>,
    /// Locals that are missed somewhere because a pattern took them apart.
    pub(crate) opened: BTreeSet<LocalId>,
    /// Locals that are moved on some paths to a place where they are kept, and not on others.
    pub(crate) conditional: BTreeSet<LocalId>,
    /// Locals whose value is not used any more somewhere, and that get a new one behind it.
    pub(crate) renewed: BTreeSet<LocalId>,
    /// Calls of methods that take a local of a written type by custom, which would be kept if they
    /// did but look: the type is asked for the method.
    pub(crate) hidden: Vec<(LocalId, Ident)>,
    /// Those of them that are used after they were named as values: their types are `Copy`.
    pub(crate) copied: BTreeSet<LocalId>,
}

impl Points {
    /// Whether a local is a `Maybe` between two states.
    pub(crate) fn is_conditional(&self, local: LocalId) -> bool {
        self.conditional.contains(&local) || self.renewed.contains(&local)
    }

    /// What is kept at `place`.
    pub(crate) fn at(&self, place: Place) -> &[Kept] {
        let found = self.kept.iter().find(|(kept, _)| *kept == place);
        found.map_or(&[], |(_, kept)| kept)
    }
}

/// A local that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) local: LocalId,
    /// Whether it is kept only for its destructor, if it has one.
    pub(crate) held: bool,
    /// Whether it is there only on some of the paths that lead here.
    pub(crate) maybe: bool,
}

/// How many locals that may be there or not one state tells apart: a variant for each choice.
const MOST_CONDITIONAL: usize = 4;

/// Decides what is kept at each place; only places that suspends can lead to matter.
pub(crate) fn decide(
    body: &Body,
    flow: &Flow,
    in_place: &[LocalId],
    errors: &mut Errors,
) -> Points {
    let count = body.locals.len();
    let (used, present) = (used_later(flow, count, in_place), presence(flow, count));
    let mut decide = Decide {
        body,
        flow,
        used: &used,
        refused: BTreeSet::new(),
        hidden: Vec::new(),
        proven: BTreeSet::new(),
        opened: BTreeSet::new(),
        conditional: BTreeSet::new(),
        renewed: BTreeSet::new(),
        errors,
    };
    let resumed = resumed_places(flow);
    let mut kept = Vec::new();
    for (place, scope) in &flow.in_scope {
        if !resumed[*place] {
            continue;
        }
        let locals = scope.iter().filter_map(|&local| {
            let later = flow.next[*place].iter().any(|&next| used[next][local]);
            decide.keep(local, *place, later, present[*place][local])
        });
        let locals: Vec<Kept> = locals.collect();
        if matches!(flow.events[*place], Event::Suspend(_)) {
            decide.refuse_many(&locals);
        }
        kept.push((*place, locals));
    }
    let copied = decide.renewed.iter().copied();
    let copied = copied.filter(|&local| decide.is_used_behind(&Event::Move(local), local));
    Points {
        kept,
        copied: copied.collect(),
        hidden: decide.hidden,
        proven: decide.proven,
        opened: decide.opened,
        conditional: decide.conditional,
        renewed: decide.renewed,
    }
}

/// Suspend points, and the places of constructs that can be reached from one inside: the others
/// are come by with the code around them. Those behind a `return` are among them, for their code
/// has to compile.
fn resumed_places(flow: &Flow) -> Vec<bool> {
    let mut resumed = vec![false; flow.events.len()];
    for (place, event) in flow.events.iter().enumerate() {
        let Event::Suspend(point) = *event else {
            continue;
        };
        resumed[place] = true;
        for (reached, flag) in flow.reach(place, &[]).into_iter().enumerate() {
            resumed[reached] |= flag && flow.is_of_construct_around(reached, point);
        }
    }
    resumed
}

struct Decide<'a> {
    body: &'a Body,
    flow: &'a Flow,
    /// For each place and local, whether its value is used there or later.
    used: &'a [Vec<bool>],
    refused: BTreeSet<LocalId>,
    hidden: Vec<(LocalId, Ident)>,
    proven: BTreeSet<LocalId>,
    opened: BTreeSet<LocalId>,
    conditional: BTreeSet<LocalId>,
    renewed: BTreeSet<LocalId>,
    errors: &'a mut Errors,
}

impl Decide<'_> {
    fn keep(
        &mut self,
        local: LocalId,
        place: Place,
        used: bool,
        presence: Presence,
    ) -> Option<Kept> {
        let info = &self.body.locals[local];
        if used {
            return self.keep_used(local, info);
        }
        if info.glue != Glue::None && presence.opened {
            self.opened.insert(local);
        }
        if info.glue == Glue::None || !presence.there {
            return None;
        }
        if let Some(suspect) = self.flow.suspect(local, place, presence.gone) {
            self.refuse_hidden(local, suspect);
            return None;
        }
        if info.ty.is_none() && info.origin == (Origin::Let { initialised: false }) {
            // There is no place for a proof: the type is known from a later assignment.
            self.refuse(local, Rule::UntypedLocal, info);
            return None;
        }
        let maybe = presence.gone && self.tells_apart(local, info);
        if info.ty.is_none() || (presence.gone && !maybe) {
            self.proven.insert(local);
            return None;
        }
        if maybe {
            self.conditional.insert(local);
        }
        self.refuse_unfit(local, info);
        let held = info.glue == Glue::Concrete && self.holds(local, place, info);
        Some(Kept { local, held, maybe })
    }

    /// Whether a value that is not used any more may be kept as one that only drops. Where the
    /// local gets a new value later, that has to go where the old one was.
    fn holds(&mut self, local: LocalId, place: Place, info: &Local) -> bool {
        if !self.flow.assigns_behind(place, local) {
            return true;
        }
        let renews = info.origin != Origin::Pattern
            && !info.ty.as_ref().is_some_and(owns)
            && !self.is_used_behind(&Event::Open(local), local);
        if renews {
            self.renewed.insert(local);
        }
        renews
    }

    /// Whether a state can say if the local is still there. What is used after it was moved is
    /// copied, and has no destructor; or a pattern has copied parts of it.
    fn tells_apart(&self, local: LocalId, info: &Local) -> bool {
        let gone = [Event::Move(local), Event::Open(local)];
        info.ty.is_some() && !gone.iter().any(|gone| self.is_used_behind(gone, local))
    }

    /// Whether the local is used after such an event.
    fn is_used_behind(&self, event: &Event, local: LocalId) -> bool {
        let mut events = self.flow.events.iter().zip(&self.flow.next);
        events
            .any(|(found, next)| found == event && next.iter().any(|&next| self.used[next][local]))
    }

    /// There is a variant for each choice of what is there.
    fn refuse_many(&mut self, kept: &[Kept]) {
        let conditional = kept.iter().filter(|kept| kept.maybe);
        for kept in conditional.skip(MOST_CONDITIONAL) {
            let info = &self.body.locals[kept.local];
            self.refuse(kept.local, Rule::ManyConditionalMoves, info);
        }
    }

    fn keep_used(&mut self, local: LocalId, info: &Local) -> Option<Kept> {
        if info.ty.is_none() {
            let rule = match info.origin {
                _ if info.in_pattern => Rule::PatternBinding,
                Origin::Operand => Rule::AwaitAfterOperand,
                _ => Rule::UntypedLocal,
            };
            self.refuse(local, rule, info);
            return None;
        }
        self.refuse_unfit(local, info);
        Some(Kept {
            local,
            held: false,
            maybe: false,
        })
    }

    fn refuse_unfit(&mut self, local: LocalId, info: &Local) {
        if info.origin != Origin::Argument
            && let Some(rule) = info.ty.as_ref().and_then(unfit_type)
        {
            self.refuse(local, rule, info);
        }
    }

    /// A method that may have taken the local, which would be kept to be dropped otherwise.
    fn refuse_hidden(&mut self, local: LocalId, suspect: &Suspect) {
        let told = is_told(self.body.locals[local].ty.as_ref(), &suspect.method);
        if told && suspect.custom == Custom::Takes {
            self.hidden.push((local, suspect.method.clone()));
        }
        if self.refused.insert(local) {
            let (name, method) = (written(&self.body.locals[local].name), &suspect.method);
            let instead = format!(
                "`{{{name}}}.{method}(..)` if it takes it, `(&{name}).{method}(..)` if it looks \
                 at it"
            );
            self.errors.refuse_as(Rule::HiddenMove, method, &instead);
        }
    }

    fn refuse(&mut self, local: LocalId, rule: Rule, info: &Local) {
        if self.refused.insert(local) {
            match info.advice.as_ref().filter(|_| rule == Rule::UntypedLocal) {
                Some(advice) => self.errors.refuse_as(rule, &info.name, advice),
                None => self.errors.refuse(rule, &info.name),
            }
        }
    }
}
