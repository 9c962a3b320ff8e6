//! Random functions that the compiler accepts.
//!
//! A function is written from its first line to its last. After each line, the generator records
//! which locals have a value, which were moved on some path, and which may be moved. So it never
//! writes an invalid line, and never discards a function.
//!
//! Each file has one kind of production; `switches` selects the enabled ones.

mod model;

use self::model::{locals, rng, signature, switches, ty};

mod writer;

mod expr;
mod statements;

use self::expr::patterns;
use self::statements::counters;

mod frame;
mod function;
mod stored;

pub(crate) use frame::{Frame, Function};
#[cfg(test)]
pub(crate) use function::family;
pub(crate) use function::{FAMILY, sure_family};
pub(crate) use rng::Rng;
pub(crate) use stored::stored_family;
pub(crate) use switches::Switches;

#[cfg(test)]
mod tests;
