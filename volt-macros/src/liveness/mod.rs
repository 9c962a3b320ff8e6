//! What lives where a block begins, and what awaits borrow.
//!
//! ```text
//! B0  let buf..; let total..        goto B1
//! B1  {buf total}                   suspend s.read(&mut buf) -> B2      buf is lent: in place
//! B2  {buf total} n..               total is used later, buf is dropped at the end of its scope
//! ```
//!
//! 1. `points` draws every use in the order of evaluation, within expressions too.
//! 2. `dataflow` finds what is used behind each point, and what has a value before it. A use by value
//!    moves what is not used later; otherwise it was a copy, or the compiler would refuse it.
//! 3. `decide` keeps what has a value and is in scope. Where a path decides whether it has one, where a
//!    method may have taken it, or a part of it is gone, there is a doubt.
//! 4. `awaited` reads what the awaited operands borrow, and `lends` doubts some of their forms; `origins` doubts
//!    locals that may borrow, and keeps those that they may borrow from in their places. `given` reads what a local
//!    was given later.
//! 5. `takings` finds the uses that may move what awaits borrow: the compiler is asked there, or there is a doubt.
//! 6. `unused` frees the bytes of those where only numbers and the like live: the types say so.

mod lives;
mod matched;
mod points;
mod dataflow;
mod form;
mod lends;
mod given;
mod owned;
mod origins;
mod walk;
mod branches;
mod exprs;
mod borrowed;
mod decide;
mod awaited;
mod asked;
mod claimed;
mod takings;
mod unmoved;
mod unused;

pub(crate) use self::decide::decide;
pub(crate) use self::lends::poll_fn;
pub(crate) use self::lives::{Claim, Live, Liveness, Need, QuestionId};
