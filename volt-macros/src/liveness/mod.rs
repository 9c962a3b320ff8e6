//! The locals that are live where each block begins, and the locals that awaits borrow.
//!
//! ```text
//! B0  let buf..; let total..        goto B1
//! B1  {buf total}                   suspend s.read(&mut buf) -> B2      buf is borrowed: in place
//! B2  {buf total} n..               total is used later, buf is dropped at the end of its scope
//! ```
//!
//! 1. `points` lists every use in the order of evaluation, within expressions too.
//! 2. `dataflow` finds the locals that are used after each point, and the locals that have a value
//!    before it. The last use by value is a move. Any other one is a copy, or rustc rejects it.
//! 3. `decide` stores each local that has a value and is in scope. It notes a fallback reason if a
//!    local may have been moved, by a branch, a method or in part.
//! 4. `borrows` finds the locals from which a value may borrow. Such locals stay in their places.
//! 5. `await_operands` finds the locals that awaited operands borrow or move.
//! 6. `moves_of_borrowed` finds uses that may move a borrowed local. The compiler decides them by a
//!    query if it can, otherwise they are a fallback reason.
//! 7. `dead_borrows` frees the bytes of borrowed locals where only values without lifetimes are
//!    live.
//! 8. `held_futures` finds the locals that one await borrows and that are stored across another.

mod result;
mod borrows;
mod points;
mod dataflow;
mod held_borrows;
mod decide;
mod receiver_queries;
mod await_operands;
mod part_claims;
mod moves_of_borrowed;
mod in_place;
mod dead_borrows;
mod held_futures;

pub(crate) use self::borrows::poll_fn;
pub(crate) use self::decide::decide;
pub(crate) use self::held_futures::held_futures;
pub(crate) use self::result::{Claim, Live, Liveness, Need, QueryId};
