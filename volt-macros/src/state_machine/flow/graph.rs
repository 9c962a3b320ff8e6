//! The graph of what happens, and in which order.

use proc_macro2::Ident;
use syn::Pat;

use crate::state_machine::body::{LocalId, NodeId};

/// A place in the graph.
pub(crate) type Place = usize;

/// What happens at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Nothing,
    /// The local is looked at, or borrowed for a moment.
    Use(LocalId),
    /// The local is named as a value: moved, unless its type is `Copy`.
    Move(LocalId),
    /// A pattern takes the local apart: all of it is moved, unless its type implements `Drop`.
    Open(LocalId),
    /// The local gets a new value.
    Assign(LocalId),
    /// The local comes into scope, with or without a value.
    Declare(LocalId, bool),
    /// The local goes out of scope.
    Leave(LocalId),
    /// The machine may be suspended here.
    Suspend(NodeId),
    /// The place behind a construct that holds an await.
    After(NodeId),
    /// The place where a loop that holds an await begins again.
    Head(NodeId),
    /// The function has returned.
    Exit,
}

/// The graph.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) events: Vec<Event>,
    pub(crate) next: Vec<Vec<Place>>,
    /// The locals in scope at the places that can be resumed or jumped to.
    pub(crate) in_scope: Vec<(Place, Vec<LocalId>)>,
    /// The constructs, each with the first node behind it.
    pub(crate) constructs: Vec<(NodeId, NodeId)>,
    /// The locals that are moved by being taken apart, and the patterns that do it.
    pub(crate) apart: Vec<(LocalId, Pat)>,
    /// The macros and variants of the standard library that take a local, if they are those.
    pub(crate) relied: Vec<Ident>,
    /// What names of locals that are moved may mean instead.
    pub(crate) doubts: Doubts,
    /// Calls that may have moved a local.
    pub(crate) suspects: Vec<Suspect>,
}

/// What names of locals that are moved may mean instead, where the scopes do not tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts {
    /// What these macros declare.
    pub(crate) macros: Vec<String>,
    /// Locals, if they are places, and no functions that a `use` brings.
    pub(crate) places: Vec<Ident>,
}

/// A method that may have taken the local that it was called on.
#[derive(Clone, Debug)]
pub(crate) struct Suspect {
    pub(crate) local: LocalId,
    pub(crate) place: Place,
    pub(crate) method: Ident,
    pub(crate) custom: Custom,
}

/// What custom says of a method by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Custom {
    /// It takes what it is called on.
    Takes,
    /// It does so in many types.
    MayTake,
    /// Nothing.
    Silent,
}

/// Where a function begins.
pub(crate) const START: Place = 0;
/// Where it ends.
pub(crate) const EXIT: Place = 1;

impl Flow {
    /// The place at which an event happens, for events that happen at one place.
    pub(crate) fn find(&self, event: &Event) -> Option<Place> {
        self.events.iter().position(|found| found == event)
    }

    /// The places that can be reached from `from` without leaving a place of `walls`.
    pub(crate) fn reach(&self, from: Place, walls: &[Place]) -> Vec<bool> {
        let mut seen = vec![false; self.events.len()];
        let mut open = self.next[from].clone();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut seen[place], true) && !walls.contains(&place) {
                open.extend(&self.next[place]);
            }
        }
        seen
    }

    /// Whether the place is the head or the end of a construct that the node is inside of.
    pub(crate) fn is_of_construct_around(&self, place: Place, node: NodeId) -> bool {
        let (Event::After(construct) | Event::Head(construct)) = self.events[place] else {
            return false;
        };
        let mut known = self.constructs.iter();
        known.any(|&(first, end)| first == construct && (first..end).contains(&node))
    }

    /// Whether the local is in scope at a place that can be resumed or jumped to.
    pub(crate) fn holds(&self, place: Place, local: LocalId) -> bool {
        let mut found = self.in_scope.iter().filter(|(known, _)| *known == place);
        found.any(|(_, scope)| scope.contains(&local))
    }

    /// The call that may have moved the local before `place`.
    pub(crate) fn suspect(&self, local: LocalId, place: Place, all: bool) -> Option<&Suspect> {
        let renews = |event: &Event| match *event {
            Event::Declare(declared, _) => declared == local,
            Event::Assign(assigned) => assigned == local,
            _ => false,
        };
        let events = self.events.iter().enumerate();
        let walls = events.filter(|(_, event)| renews(event));
        let walls: Vec<Place> = walls.map(|(wall, _)| wall).collect();
        let suspects = self.suspects.iter();
        let mut suspects = suspects.filter(|it| all || it.custom != Custom::Silent);
        suspects.find(|suspect| suspect.local == local && self.reach(suspect.place, &walls)[place])
    }

    /// Whether the local may be assigned behind the place.
    pub(crate) fn assigns_behind(&self, place: Place, local: LocalId) -> bool {
        let reached = self.reach(place, &[]);
        let mut events = self.events.iter().zip(reached);
        events.any(|(event, reached)| reached && *event == Event::Assign(local))
    }

    /// Whether any local is assigned after its declaration.
    pub(crate) fn assigns(&self, local: LocalId) -> bool {
        self.events.contains(&Event::Assign(local))
    }
}
