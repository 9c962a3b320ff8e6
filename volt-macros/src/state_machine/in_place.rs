//! Locals that stay where they are while the machine goes from state to state.
//!
//! A local is moved out of the state when its segment begins and into the next one when it ends.
//! For a large one that is dear. One without a destructor can as well live *beside* the states in
//! which it is kept: they become a set of states of their own, nested in a variant that holds
//! the local, its *room*. Rooms nest as the scopes do. What cannot be done exactly this way is
//! kept as any other local is, which is always right.

use syn::Type;

use super::args::Options;
use super::beside;
use super::body::{Body, Local, LocalId};
use super::flow::{Event, Flow, Place};
use super::parse::{Function, peel};
use super::plain::{LARGE, TAG, array_size, is_plain, possible, suspends};
use super::used::used_later;

/// The locals that stay in their place.
#[derive(Debug, Default)]
pub(crate) struct InPlace {
    pub(crate) rooms: Rooms,
    /// Those that every state keeps: beside the states, in the machine itself.
    pub(crate) beside: Vec<LocalId>,
}

impl InPlace {
    pub(crate) fn locals(&self) -> Vec<LocalId> {
        let in_rooms = self.rooms.0.iter().map(|room| room.local);
        in_rooms.chain(self.beside.iter().copied()).collect()
    }

    /// Whether the local is one of them.
    pub(crate) fn keeps(&self, local: LocalId) -> bool {
        self.locals().contains(&local)
    }
}

/// The locals that stay in their place, each in a room of its own; outer ones first.
#[derive(Debug, Default)]
pub(crate) struct Rooms(pub(crate) Vec<Room>);

/// A local and the states that are nested beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) local: LocalId,
    /// The room that this one is in.
    pub(crate) within: Option<usize>,
}

impl Rooms {
    /// The room of a local.
    pub(crate) fn of(&self, local: LocalId) -> Option<usize> {
        self.0.iter().position(|room| room.local == local)
    }

    /// The rooms that a place is in where these locals are kept: outermost first.
    pub(crate) fn path(&self, kept: impl Iterator<Item = LocalId>) -> Vec<usize> {
        let innermost = kept.filter_map(|local| self.of(local)).max();
        let mut path: Vec<_> =
            std::iter::successors(innermost, |&room| self.0[room].within).collect();
        path.reverse();
        path
    }

    /// Whether there is a room in this one; in none is there one if there is any.
    pub(crate) fn is_leaf(&self, room: Option<usize>) -> bool {
        !self.0.iter().any(|other| other.within == room)
    }
}

/// A local that could stay in its place.
struct Candidate {
    local: LocalId,
    /// Its size, if that can be read.
    size: Option<u64>,
    /// Where it comes into scope.
    declared: Place,
    /// The suspend points at which it is kept.
    kept: Vec<Place>,
}

/// Chooses the locals that stay in their place.
pub(crate) fn choose(function: &Function, options: &Options, body: &Body, flow: &Flow) -> InPlace {
    // Whether two machines are equal is asked of all that they keep.
    let beside = match options.derive.is_empty() {
        true => beside::choose(function, body, flow),
        false => Vec::new(),
    };
    let rooms = rooms(function, body, flow, &beside);
    InPlace { rooms, beside }
}

fn rooms(function: &Function, body: &Body, flow: &Flow, beside: &[LocalId]) -> Rooms {
    let spares = spares(function);
    let mut possible: Vec<_> = possible(function, body, flow, is_large).collect();
    possible.retain(|(local, _)| !beside.contains(local));
    // Its room is as large as the local and the states beside it, rounded up each for itself.
    possible.retain(|&(local, size)| {
        let is_round = size.is_some_and(|size| size.is_multiple_of(TAG));
        is_round || spares >= TAG || body.locals[local].in_place
    });
    if possible.is_empty() {
        return Rooms::default();
    }
    let locals: Vec<LocalId> = possible.iter().map(|&(local, _)| local).collect();
    let count = body.locals.len();
    let (used, needed) = (
        used_later(flow, count, &locals),
        used_later(flow, count, &[]),
    );
    let later =
        |place: Place, local: LocalId| flow.next[place].iter().any(|&next| used[next][local]);
    let mut candidates: Vec<Candidate> = possible
        .into_iter()
        .filter_map(|(local, size)| {
            let declared = flow.find(&Event::Declare(local, true))?;
            let kept =
                suspends(flow).filter(|&place| flow.holds(place, local) && later(place, local));
            let kept = kept.collect();
            Some(Candidate {
                local,
                size,
                declared,
                kept,
            })
        })
        .filter(|candidate| candidate.pays(flow) && candidate.is_needed(flow, &needed))
        .collect();
    // The largest first; of an unknown size is what was said to be large.
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.size.unwrap_or(u64::MAX)));
    let mut chosen: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let fits = |other: &Candidate| {
            let (outer, inner) = match other.local < candidate.local {
                true => (other, &candidate),
                false => (&candidate, other),
            };
            let is_apart = inner.is_apart(outer) && !later(inner.declared, outer.local);
            inner.is_within(outer) || (is_apart && spares >= TAG)
        };
        if chosen.iter().all(fits) {
            chosen.push(candidate);
        }
    }
    chosen.sort_by_key(|candidate| candidate.local);
    nest(&chosen)
}

/// By how much the machine is smaller than the compiler's future at least, as far as can be read:
/// that one keeps what it was called with beside all else. Rooms may not cost more. The size of a
/// generic machine is compared with nothing.
fn spares(function: &Function) -> u64 {
    let sizes = function.params.iter().map(|param| match peel(&param.ty) {
        Type::Reference(_) => TAG / 2,
        ty => array_size(ty).unwrap_or(0),
    });
    match function.is_generic() {
        true => u64::MAX,
        false => sizes.sum(),
    }
}

fn nest(chosen: &[Candidate]) -> Rooms {
    let rooms = chosen.iter().enumerate().map(|(index, inner)| {
        let outer = chosen[..index]
            .iter()
            .rposition(|outer| inner.is_within(outer));
        Room {
            local: inner.local,
            within: outer,
        }
    });
    Rooms(rooms.collect())
}

impl Candidate {
    /// Whether the machine can go from one state that keeps the local to another, or to the same.
    fn pays(&self, flow: &Flow) -> bool {
        self.kept.iter().any(|&place| {
            let reached = flow.reach(place, &[self.declared]);
            self.kept.iter().any(|&other| reached[other])
        })
    }

    /// Whether there is a state that keeps it in any case. Where each value is followed by another
    /// before anybody waits, a room would be all that keeps it.
    fn is_needed(&self, flow: &Flow, used: &[Vec<bool>]) -> bool {
        let mut kept = self.kept.iter();
        kept.any(|&place| flow.next[place].iter().any(|&next| used[next][self.local]))
    }

    fn is_within(&self, outer: &Self) -> bool {
        self.kept.iter().all(|place| outer.kept.contains(place))
    }

    fn is_apart(&self, outer: &Self) -> bool {
        !self.kept.iter().any(|place| outer.kept.contains(place))
    }
}

/// Whether a local is large, as far as its type tells.
fn is_large(info: &Local, size: Option<u64>) -> bool {
    let is_array = |ty| is_plain(ty) && matches!(peel(ty), Type::Array(_));
    info.in_place
        || (info.ty.as_ref().is_some_and(is_array) && size.is_none_or(|size| size >= LARGE))
}
