//! Names that have to be unique.
//!
//! Two locals of one name need not trouble the machine: the scopes of the language tell them apart
//! there too. They do where one is kept while another hides it.

use std::collections::BTreeSet;

use super::body::{Body, LocalId};
use super::flow::Flow;
use super::in_place::InPlace;
use super::liveness::Points;
use super::parse::Function;

/// The names of locals that are kept where another of that name hides them, or are bound in all of a
/// segment for another reason.
pub(crate) fn names(
    function: &Function,
    body: &Body,
    flow: &Flow,
    in_place: &InPlace,
    points: &Points,
) -> BTreeSet<String> {
    let name = |local: LocalId| body.locals[local].name.to_string();
    let hidden = flow.in_scope.iter().flat_map(|(place, scope)| {
        let hidden = points.at(*place).iter().filter(|kept| {
            let mut inner = scope.iter().rev().take_while(|&&local| local != kept.local);
            inner.any(|&local| name(local) == name(kept.local))
        });
        hidden.map(|kept| name(kept.local)).collect::<Vec<_>>()
    });
    let special = (0..body.locals.len()).filter(|&local| {
        in_place.keeps(local) || points.is_conditional(local) || flow.assigns(local)
    });
    let lent = function.params.iter().filter(|param| param.lent.is_some());
    let lent = lent.map(|param| param.name.to_string());
    hidden.chain(special.map(name)).chain(lent).collect()
}
