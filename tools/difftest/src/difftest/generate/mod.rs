//! Random functions that the compiler accepts.
//!
//! A function is written from its first line to its last. With each line goes what is known
//! behind it: which locals have a value, which were moved away on some way here, which may be
//! moved. So nothing is ever written that does not fit, and nothing has to be thrown away.
//!
//! One file holds one kind of production; `switches` tells which are written at all.

mod dice;
mod ty;
mod locals;
mod patterns;
mod signature;
mod switches;
mod writer;
mod value;
mod closure;
mod call;
mod awaited;
mod composed;
mod simple;
mod in_macro;
mod lasting;
mod retold;
mod leaving;
mod construct;
mod branching;
mod looping;
mod counting;
mod operands;
mod parting;
mod statement;
mod tallying;
mod flowing;
mod frame;
mod function;

pub(crate) use dice::Dice;
pub(crate) use frame::{Frame, Function};
#[cfg(test)]
pub(crate) use function::family;
pub(crate) use function::{FAMILY, sure_family};
pub(crate) use switches::Switches;

#[cfg(test)]
mod tests;
