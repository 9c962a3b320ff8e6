//! The resources of a type of machines.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::lookup::{NeededType, collect};
use crate::machine::Durable;
use crate::schema::Schema;
use crate::snapshot_text::panic_text;

/// Returns the types of all resources that machines of a type may have in a snapshot, and the text
/// of a panic.
///
/// The probes of the schema call `Deserialize` of each value. Values behind one whose code panics
/// are not found; a worker without their resource parks the machine when it reads it.
pub(crate) fn needed_by<M: Durable>() -> (Vec<NeededType>, Option<String>) {
    let mut panic = None;
    let types = collect(|| {
        let trace = AssertUnwindSafe(|| drop(Schema::new().machine::<M>()));
        panic = catch_unwind(trace).err();
    });
    (types, panic.map(|panic| panic_text(&*panic).to_owned()))
}
