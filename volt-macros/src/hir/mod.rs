//! The body as a tree of the code that awaits split: blocks, branches and loops with awaits.
//!
//! All other expressions are leaves, which stay as they are.
//!
//! ```text
//! loop {                                        Loop
//!     let n = s.read(&mut b).await?;              Let o1 = Await 1 (s.read(&mut b))
//!                                                 Let n  = Expr {o1}?
//!     if n == 0 { break }                         Eval   Expr if n == 0 { break }
//!     total += count(n).await;                    Let o2 = Await 2 (count(n))
//! }                                               Eval   Expr total += {o2}
//! ```
//!
//! Each await becomes a `let` of its own, before the statement that contained it. The statement
//! moves the output from that local. If this would change the order of evaluation, the function is
//! native. `while`, `while let` and `for` with awaits become `loop`, `if` and `match`, as the
//! Reference defines them.
//!
//! - `facts` answers questions about expressions, patterns and types by their syntax.
//! - `built_exprs` has the expressions that lowering adds.
//! - `body` is the arena of the tree.
//! - `emptied` leaves empty values where a durable function moves a part.
//! - `arguments` binds the patterns of arguments in the body.
//! - `print` writes leaves, and the whole body, as code.
//! - `lower` creates the tree.

mod facts;
mod built_exprs;
mod body;
mod arguments;
mod emptied;
mod print;
mod lower;

pub(crate) use self::arguments::{bind_patterns, bound_first};
pub(crate) use self::body::{
    Arm, Body, ExprId, Let, ReceiverQuery, ScopeId, Stmt, StoredTypes, TargetId, Value,
};
pub(crate) use self::built_exprs::{moved, unit};
pub(crate) use self::emptied::{EmptiedLocals, leave_empty, moved_place};
pub(crate) use self::facts::{
    COPIED, MatchedPart, PartKind, Shape, Use, assigns, base_of, binds_all_by_value, borrows,
    diverges, has_own_form, has_temporary, is_borrowed_by_methods, is_copy, is_exclusive,
    is_fully_written, is_lazy, is_mutable_reference, is_plain_value, is_reference,
    is_shared_reference, is_some_of_all, is_value, jump_of, matched_parts, operands, owns,
    part_name, part_of, shows_no_borrow, use_of, used_constant,
};
pub(crate) use self::lower::{UnnamedReceivers, lower};
pub(crate) use self::print::{Rewrite, checked_type, let_of};
pub(crate) use crate::resolve::{AwaitId, LocalId, LocalKind};
