//! The library of the generated functions, and the comparison of both versions.
//!
//! Every operation leaves an event in the log: the creation, use or drop of a value, a poll, a
//! choice. A script determines the inputs: conditions, and how long a future is pending. So both
//! versions have the same inputs.

mod script;

mod log;

mod future;

mod value;

mod large_value;

mod host;

mod foreign;

mod partly_movable;

mod chained;

mod case;

mod compare;

mod stored;

pub use case::{Case, ElseFuture, IfMachine, Kept, leak, leak_shared, shown};
pub use chained::{Chained, Marked, chained};
pub use compare::compare;
pub use foreign::{
    All, BorrowingFuture, First, ForeignGuard, ForeignOwner, Request, Visit, all, beside, both,
    boxed, collisions, erased, foreign_owner, heap, last_name, lend, of, ready, seen,
};
pub use future::{Source, Step, poll_some, poll_with, step, tick};
pub use large_value::LargeValue;
pub use log::note;
pub use partly_movable::{PartlyMovable, partly_movable, with};
pub use stored::stored;
pub use value::{
    CopyWithDrop, DropLogger, ErrorA, ErrorB, Fresh, Look, Mixed, Pair, again, boundary, by,
    consume, d, done, error_a, flip, look, maybe, more, num, outcome, pass, touch, two,
};
