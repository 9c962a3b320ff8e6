//! Locals that live beside the states, in the machine itself.
//!
//! What every state keeps need not go from state to state. A plain local of that kind is a field of
//! the machine, which lends it to each poll as a caller lends an argument. So it has one place from
//! the beginning to the end, and its value is written where it changes and nowhere else.
//!
//! That costs no room where it takes none from `Start`: either no other argument is stored, or only
//! arguments are kept like this.

use syn::Type;

use super::body::{Body, LocalId};
use super::flow::Flow;
use super::parse::{Function, peel};
use super::plain::{LARGE, TAG, possible, suspends};
use super::used::used_later;

/// How many moves of small locals, counted at each suspend point, are too many.
const MANY: usize = 6;

/// The locals that live beside the states; arguments first.
pub(super) fn choose(function: &Function, body: &Body, flow: &Flow) -> Vec<LocalId> {
    let arguments = function.stored().count();
    let kept = kept_everywhere(function, body, flow, arguments);
    let is_large = |&(_, size): &(LocalId, u64)| size >= LARGE;
    let (large, small): (Vec<_>, Vec<_>) = kept.into_iter().partition(is_large);
    let ids = |found: Vec<(LocalId, u64)>| found.into_iter().map(|(local, _)| local);
    let large: Vec<LocalId> = ids(large).collect();
    let mut all: Vec<LocalId> = large.iter().copied().chain(ids(small)).collect();
    all.sort_unstable();
    let takes_all = (0..arguments).all(|argument| all.contains(&argument));
    if !takes_all {
        all.retain(|&local| local < arguments);
    }
    // The compiler's future has it twice, which makes up for what may have to be aligned here.
    let has_argument = all.first().is_some_and(|&local| local < arguments);
    match pays(flow, all.len() - large.len()) {
        _ if !has_argument && !function.is_generic() => Vec::new(),
        true => all,
        false => large,
    }
}

/// The plain locals that are kept at every suspend point, and their sizes. They are as long as
/// what may have to be aligned behind them, or as a pointer.
fn kept_everywhere(
    function: &Function,
    body: &Body,
    flow: &Flow,
    arguments: usize,
) -> Vec<(LocalId, u64)> {
    let used = used_later(flow, body.locals.len(), &[]);
    let suspends: Vec<_> = suspends(flow).collect();
    let is_kept = |local: LocalId| {
        suspends.iter().all(|&place| {
            let later = flow.next[place].iter().any(|&next| used[next][local]);
            flow.holds(place, local) && later
        })
    };
    let found = possible(function, body, flow, |info, size| {
        let is_round = size.is_some_and(|size| size.is_multiple_of(TAG));
        is_round || info.ty.as_ref().is_some_and(is_index)
    });
    let found = found.filter_map(|(local, size)| Some((local, size?)));
    let found = found.filter(|&(local, _)| is_kept(local) && !suspends.is_empty());
    let is_array = |local: LocalId| {
        let ty = body.locals[local].ty.as_ref().map(peel);
        matches!(ty, Some(Type::Array(_)))
    };
    // Before there is a value, there is one of zeros.
    found
        .filter(|&(local, _)| local < arguments || !is_array(local))
        .collect()
}

fn is_index(ty: &Type) -> bool {
    let name = match peel(ty) {
        Type::Path(path) => path.path.get_ident(),
        _ => None,
    };
    name.is_some_and(|name| name == "usize" || name == "isize")
}

/// Whether so many small locals are moved too often otherwise: in a loop that waits more than once.
fn pays(flow: &Flow, small: usize) -> bool {
    let suspends: Vec<_> = suspends(flow).collect();
    let turns = |&&place: &&usize| flow.reach(place, &[])[place];
    let turns = suspends.iter().filter(turns).count();
    turns > 1 && turns * small >= MANY
}
