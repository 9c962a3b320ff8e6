//! The body as a tree of what matters: blocks, branches and loops that hold awaits. Everything else
//! is an expression that stays whole.
//!
//! ```text
//! loop {                                        Loop
//!     let n = s.read(&mut b).await?;              Let o1 = Await 1 (s.read(&mut b))
//!                                                 Let n  = Whole {o1}?
//!     if n == 0 { break }                         Eval   Whole if n == 0 { break }
//!     total += count(n).await;                    Let o2 = Await 2 (count(n))
//! }                                               Eval   Whole total += {o2}
//! ```
//!
//! An await stands alone: it is a `let` of its own, before the statement that it stood in, and the
//! statement moves the output from there. Where something is evaluated before the await that this
//! would bring behind it, the function is native. `while`, `while let` and `for` with
//! awaits become `loop`, `if` and `match`, as the language defines them.
//!
//! - `lower` goes through blocks and statements; `control` through branches and loops that wait.
//! - `hoist` brings awaits out of operands, and out of those of macros; it doubts what would change the order.
//! - `chain` names the values on which the methods of an awaited expression are called: `client.get(url)` in
//!   `client.get(url).send().await`. `in_chain` is put around what ends where such values are dropped.
//! - `written` asks types as they are written; `temporaries`, `ending` and `shape` ask what an expression, a tail or a
//!   pattern leaves behind.
//! - `diverge` knows what never gives a value, as far as that shows.
//! - `whole` and `print` write expressions that stay whole; `tree` writes the body as ordinary code.

mod written;
mod body;
mod operands;
mod diverge;
mod parts;
mod print;
mod awaits;
mod temporaries;
mod shape;
mod question;
mod lower;
mod ending;
mod extended;
mod whole;
mod hoist;
mod chain;
mod valueless;
mod coercion;
mod control;
mod tree;

pub(crate) use self::body::{Arm, Body, ExprId, Let, Question, ScopeId, Stmt, TargetId, Value};
pub(crate) use self::diverge::diverges;
pub(crate) use self::lower::lower;
pub(crate) use self::operands::{Use, assigns, is_lazy, operands, use_of};
pub(crate) use self::parts::{is_value, part_of};
pub(crate) use self::print::{Rewrite, jump_of};
pub(crate) use self::shape::{Shape, takes_all};
pub(crate) use self::temporaries::{base_of, has_temporary, is_plain_value};
pub(crate) use self::tree::let_of;
pub(crate) use self::written::{
    borrows, is_copy, is_exclusive, is_mutable_reference, is_plain, is_reference,
    is_shared_reference, is_whole, lends_itself, owns, owns_by_its_name,
};
pub(crate) use crate::resolve::{AwaitId, LocalId, LocalKind};
