//! From the machine to tokens.
//!
//! - `rewrite` changes what must be other within code that stays whole;
//! - `segment` writes the `code` between two suspend points (`leaving` tells of one that has no end), `construct` that of expressions
//!   that hold an await, `suspend` what ends it, `proofs` what the compiler has to prove of locals,
//!   and `tail` of what is left at the end of a block; `poll` puts the body of a
//!   poll together, `resume` what begins at a suspend point, `room` what locals that
//!   stay in their place need;
//! - `fields` tells the fields of the variants, `declaration` declares the states and the machine that holds them;
//! - `derive` gives the machine other traits that were asked for;
//! - `twin` puts the compiler's own version beside it, for its errors and its size, and has it prove there what names
//!   are taken for: `constants` those in patterns, `identity` those of macros, `alone` that macros declare nothing, `places`
//!   that a `use` brings nothing of a local's name, `plain_types` that a `u32` is one, `believed` what ends with a statement,
//!   `claimed` what a place on its way calls;
//! - `face` writes what a user of the machine sees, `lender` what of it lends, `announced` that the runtime may be told
//!   of it;
//! - `dead` keeps the signature when the body is refused;
//! - `machine` is everything together.

mod returning;
mod rewrite;
mod lints;
mod announced;
mod code;
mod leaving;
mod segment;
mod proofs;
mod tail;
mod conditional;
mod ascribe;
mod suspend;
mod construct;
mod poll;
mod room;
mod beside;
mod resume;
mod fields;
mod declaration;
mod believed;
mod constants;
mod identity;
mod alone;
mod places;
mod plain_types;
mod claimed;
mod twin;
mod face;
mod lender;
mod dead;
mod derive;
mod machine;

pub(crate) use dead::{dead, dead_method};
pub(crate) use face::function;
pub(crate) use machine::{beside, machine};
