//! What the generated functions are made of, and how both versions of one are run and compared.
//!
//! Everything that happens on stage leaves an event: a value made, looked at or dropped, a future
//! polled, a choice taken. What a function is told from outside, which way a condition goes, how
//! long a future is pending, comes from a script, so that both versions see the same world.

mod script;

mod log;

mod future;

mod value;

mod room;

mod host;

mod foreign;

mod chest;

mod case;

mod compare;

pub use case::{Case, ElseFuture, IfMachine, Kept, leak, leak_shared, shown};
pub use chest::{Chest, chest, with};
pub use compare::compare;
pub use foreign::{
    Cellar, First, Key, Lent, Request, Visit, beside, both, boxed, cellar, lend, of, ready, seen,
};
pub use future::{Source, Step, poll_some, poll_with, step, tick};
pub use log::note;
pub use room::Room;
pub use value::{
    Bitter, D, Fresh, Guarded, Look, Mixed, Pair, Sour, again, by, consume, d, done, flip, look,
    maybe, more, num, outcome, pass, sour, touch, two,
};
