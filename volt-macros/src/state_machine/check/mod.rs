//! From syntax to body: what holds an await is taken apart, what is not known is refused.
//!
//! - `written` tells the types that the source writes or shows, and what they promise;
//! - `slots` tells the parts of an expression in the order of their evaluation;
//! - `checker` is what walks the function, with the locals that it declares;
//! - `seen` and `iterator` tell the types of expressions and of iterators that the source shows;
//! - `collected` knows what is taken out of collections, `custom` what values are made of by custom,
//!   `told` how surely an initial value tells its
//!   type, `matched` what that makes of the parts that a pattern binds;
//! - `initial` tells the types of locals by their initial values, where no `let` writes them;
//! - `stmt` and `expr` take statements and expressions apart: `branch` and `turn` what branches
//!   and turns, `chain` conditions that await in their middle, `for_loop` the loops over iterators;
//! - `parted` gives the parts of a tuple locals of their own where one of them is moved, `stays` keeps what a pattern leaves of a matched value;
//! - `edition` refuses what one edition of the language has and another has not;
//! - `spine` leaves an expression whole around the part of it that awaits, `earlier` says what
//!   becomes of the parts before that one, `lent_text` keeps texts that calls are lent, `await_point` makes the suspend points;
//! - `extended` proves what a `let` borrows for the rest of its block to have no destructor,
//!   but for what is `promoted` to a constant; `lasting` does so for what has no name and lives to
//!   the end of a statement, `residue` for what a pattern leaves of what it matches;
//! - `function` begins with the arguments.

mod written;
mod slots;
mod checker;
mod seen;
mod iterator;
mod collected;
mod custom;
mod told;
mod matched;
mod initial;
mod for_loop;
mod promoted;
mod extended;
mod edition;
mod residue;
mod lasting;
mod through;
mod parted;
mod stmt;
mod chain;
mod branch;
mod turn;
mod earlier;
mod spine;
mod stays;
mod lent_text;
mod await_point;
mod expr;
mod function;

pub(crate) use function::body;
pub(crate) use lasting::prove_tail;
