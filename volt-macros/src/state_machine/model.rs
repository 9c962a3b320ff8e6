//! The machine, decided: what `expand` writes down.

use std::cmp::Reverse;
use std::fmt;

use proc_macro2::{Ident, Span};
use syn::Pat;

use super::args::Options;
use super::body::{Body, LocalId, NodeId};
use super::flow::Doubts;
use super::in_place::Rooms;
use super::liveness::Kept;
use super::parse::Function;

/// A machine.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) function: Function,
    pub(crate) options: Options,
    pub(crate) body: Body,
    pub(crate) names: Names,
    /// The suspend points, in source order.
    pub(crate) states: Vec<State>,
    /// The places inside `poll` that are jumped to.
    pub(crate) jumps: Vec<Jump>,
    /// The locals that stay in their place.
    pub(crate) rooms: Rooms,
    /// The locals that stay beside the states, in the machine itself.
    pub(crate) beside: Vec<LocalId>,
    pub(crate) room_names: Vec<RoomNames>,
    /// The steps between states: 0 is the start, the last the end.
    pub(crate) transitions: Vec<(usize, usize)>,
    /// Locals that must be proven to have no destructor where they are declared.
    pub(crate) proven: Vec<LocalId>,
    /// Locals that are moved by being taken apart, and the patterns: what is opened must be
    /// proven to have no destructor of its own.
    pub(crate) apart: Vec<(LocalId, Pat)>,
    /// The macros and variants of the standard library that take a local, if they are those.
    pub(crate) relied: Vec<Ident>,
    /// What names of locals that are moved may mean instead.
    pub(crate) doubts: Doubts,
    /// Locals that are moved on some paths only, and those that are renewed.
    pub(crate) conditional: Vec<LocalId>,
    /// Locals that get a new value behind a place where they are kept for their destructors only.
    pub(crate) renewed: Vec<LocalId>,
    /// Locals that get a value after their declaration.
    pub(crate) assigned: Vec<LocalId>,
    /// For each local the place that it has among those without a destructor, in every state.
    pub(crate) places: Vec<usize>,
    /// Where a construct is left: whether that can happen at all.
    pub(crate) left: Vec<NodeId>,
}

/// The names of the items made.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) machine: Ident,
    /// The same as `machine` for a machine that is lent nothing.
    pub(crate) core: Ident,
    pub(crate) states: Ident,
    pub(crate) next: Ident,
    pub(crate) twin: Ident,
    /// The size of the twin's future.
    pub(crate) native_size: Ident,
    /// The field of the awaited future.
    pub(crate) future: Ident,
    /// The field of the states in a room.
    pub(crate) at: Ident,
    /// The field for parameters that no argument mentions.
    pub(crate) marker: Ident,
}

/// The names of what is made for a room.
#[derive(Debug)]
pub(crate) struct RoomNames {
    /// The variant that holds the local.
    pub(crate) variant: Ident,
    /// The states beside the local.
    pub(crate) states: Ident,
    /// Where a poll can stand among them.
    pub(crate) next: Ident,
}

/// A suspend point.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) node: NodeId,
    /// The variant in which everything is there.
    pub(crate) variant: Ident,
    /// The variants in which something is gone that is there on other paths only.
    pub(crate) partial: Vec<Partial>,
    /// For people.
    pub(crate) title: String,
    pub(crate) span: Span,
    /// Outermost first; the fields stand the other way round.
    pub(crate) kept: Vec<Kept>,
}

/// A suspend point that was reached without some of its locals.
#[derive(Debug)]
pub(crate) struct Partial {
    pub(crate) variant: Ident,
    pub(crate) gone: Vec<LocalId>,
}

/// How places follow each other in the source: where a construct ends, what is behind it comes
/// before what begins there, and an inner end before an outer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(NodeId, bool, Reverse<NodeId>);

/// A place inside `poll` that more than one path leads to.
#[derive(Debug)]
pub(crate) struct Jump {
    pub(crate) node: NodeId,
    /// Where the node ends.
    pub(crate) end: NodeId,
    pub(crate) kind: JumpKind,
    pub(crate) variant: Ident,
    /// Outermost first.
    pub(crate) kept: Vec<Kept>,
}

/// Where a jump leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JumpKind {
    /// To the beginning of a loop.
    Head,
    /// Behind a construct, with its value if it is used.
    After { value: bool },
}

impl State {
    /// The place of the state among the others.
    pub(crate) fn rank(&self) -> Rank {
        Rank(self.node, true, Reverse(self.node))
    }

    /// All variants of the state, and what is gone in each.
    pub(crate) fn variants(&self) -> impl Iterator<Item = (&Ident, &[LocalId])> {
        let partial = self.partial.iter();
        let partial = partial.map(|partial| (&partial.variant, &partial.gone[..]));
        std::iter::once((&self.variant, &[][..])).chain(partial)
    }

    /// The locals that may be there or not.
    pub(crate) fn maybe(&self) -> impl Iterator<Item = LocalId> {
        let maybe = self.kept.iter().filter(|kept| kept.maybe);
        maybe.map(|kept| kept.local)
    }
}

impl Jump {
    /// The place of the jump's target among the others.
    pub(crate) fn rank(&self) -> Rank {
        match self.kind {
            JumpKind::Head => Rank(self.node, true, Reverse(self.node)),
            JumpKind::After { .. } => Rank(self.end, false, Reverse(self.node)),
        }
    }
}

impl Machine {
    /// The local with this id, by its name.
    pub(crate) fn name(&self, local: LocalId) -> &Ident {
        &self.body.locals[local].name
    }

    /// Whether the local may have been moved away.
    pub(crate) fn is_conditional(&self, local: LocalId) -> bool {
        self.conditional.contains(&local)
    }

    /// Whether the local may be without a value where it is kept for its destructor.
    pub(crate) fn is_renewed(&self, local: LocalId) -> bool {
        self.renewed.contains(&local)
    }

    /// The jump to a place, if there is one.
    pub(crate) fn jump(&self, node: NodeId, head: bool) -> Option<&Jump> {
        self.jumps
            .iter()
            .find(|jump| jump.node == node && (jump.kind == JumpKind::Head) == head)
    }

    /// Whether every state can be reached: behind a `return` the compiler's future has none.
    pub(crate) fn is_reached(&self) -> bool {
        let mut reached = vec![false; self.states.len() + 2];
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                let steps = self.transitions.iter().filter(|step| step.0 == state);
                open.extend(steps.map(|step| step.1));
            }
        }
        reached[..=self.states.len()].iter().all(|&reached| reached)
    }

    /// Whether anything is resumed in a loop and turns there.
    pub(crate) fn turns(&self) -> bool {
        self.jumps.iter().any(|jump| jump.kind == JumpKind::Head)
    }

    fn list(&self, kept: &[Kept]) -> String {
        let names = kept.iter().map(|kept| {
            let mark = if kept.held { "~" } else { "" };
            let maybe = if kept.maybe { "?" } else { "" };
            format!("{mark}{}{maybe}", self.name(kept.local))
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Machine {
    /// One line a state: its name, what it keeps (`~` for what is kept only to be dropped,
    /// `?` for what may be gone), and where it leads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "machine {}", self.names.machine)?;
        let last = self.states.len() + 1;
        let leads = |from: usize| {
            let to = self.transitions.iter().filter(move |step| step.0 == from);
            let names = to.map(|step| match step.1 {
                to if to == last => "Done".to_owned(),
                to => self.states[to - 1].variant.to_string(),
            });
            names.collect::<Vec<_>>().join(" | ")
        };
        let arguments = self.function.stored().map(|param| param.name.to_string());
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        writeln!(f, "  Start {{ {arguments} }} -> {}", leads(0))?;
        for (index, state) in self.states.iter().enumerate() {
            let (variant, title) = (&state.variant, &state.title);
            let kept = self.list(&state.kept);
            writeln!(
                f,
                "  {variant} {{ {kept} }} -> {} \"{title}\"",
                leads(index + 1)
            )?;
        }
        for jump in &self.jumps {
            writeln!(f, "  jump {} {{ {} }}", jump.variant, self.list(&jump.kept))?;
        }
        Ok(())
    }
}
