//! Resources: values of the process that a worker provides to its machines, such as pools and
//! clients of other services.
//!
//! - `provided` has the resources of a worker, by their types.
//! - `lookup` is the place where a `Res` finds its value while a machine is read.
//! - `res` is the handle in a machine. A snapshot contains no value of it.
//! - `needed` finds the resources of a type of machines, by the probes of its schema.

mod provided;
mod lookup;
mod res;
mod needed;

pub(crate) use lookup::{NeededType, provide};
pub(crate) use needed::needed_by;
pub(crate) use provided::Provided;
pub use res::Res;
