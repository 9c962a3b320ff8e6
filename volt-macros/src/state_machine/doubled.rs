//! Names that have to be unique.
//!
//! Two locals of one name need not trouble the machine: the scopes of the language tell them apart
//! there too. They do where both are kept at one place.

use std::collections::BTreeSet;

use super::body::{Body, LocalId};
use super::flow::Flow;
use super::in_place::InPlace;
use super::liveness::Points;
use super::parse::Function;

/// The names of locals that are kept together with others of that name, or are bound in all of a
/// segment for another reason.
pub(crate) fn names(
    function: &Function,
    body: &Body,
    flow: &Flow,
    in_place: &InPlace,
    points: &Points,
) -> BTreeSet<String> {
    let name = |local: LocalId| body.locals[local].name.to_string();
    let together = points.kept.iter().flat_map(|(_, kept)| {
        let mut names: Vec<String> = kept.iter().map(|kept| name(kept.local)).collect();
        names.sort();
        let pairs = names.windows(2).filter(|pair| pair[0] == pair[1]);
        pairs.map(|pair| pair[0].clone()).collect::<Vec<_>>()
    });
    let special = (0..body.locals.len()).filter(|&local| {
        in_place.keeps(local) || points.is_conditional(local) || flow.assigns(local)
    });
    let lent = function.params.iter().filter(|param| param.lent.is_some());
    let lent = lent.map(|param| param.name.to_string());
    together.chain(special.map(name)).chain(lent).collect()
}
