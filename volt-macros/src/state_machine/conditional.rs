//! Locals that are moved on some paths only, and the variants that tell them apart.
//!
//! The compiler keeps a flag beside such a local, and room for the local itself. A machine has a
//! variant with it and one without: where it is gone it takes no room, and there is no flag.

use proc_macro2::Ident;

use super::body::{Body, LocalId};
use super::liveness::Kept;
use super::model::Partial;
use super::names;

/// A variant for each way in which something that is kept may be gone.
pub(crate) fn partial(
    variant: &Ident,
    kept: &[Kept],
    body: &Body,
    taken: &mut Vec<String>,
) -> Vec<Partial> {
    let maybe = kept.iter().filter(|kept| kept.maybe);
    let maybe: Vec<LocalId> = maybe.map(|kept| kept.local).collect();
    let name = |&local: &LocalId| names::upper_camel(&body.locals[local].name.to_string());
    let ways = 1..1_usize << maybe.len();
    let made = ways.map(|way| {
        let bits = maybe.iter().enumerate();
        let gone = bits.filter(|(bit, _)| (way >> bit) & 1 == 1);
        let gone: Vec<LocalId> = gone.map(|(_, &local)| local).collect();
        let missing = gone.iter().map(name).collect::<Vec<_>>().join("And");
        let base = format!("{variant}Without{missing}");
        Partial {
            variant: names::unused(&base, variant.span(), taken),
            gone,
        }
    });
    made.collect()
}
