//! Questions about the syntax of types, patterns and expressions.
//!
//! - `type_syntax`: types that are copied, borrow, or own their content.
//! - `awaits`: expressions that contain an await of the function itself.
//! - `places`: place expressions, and the local of which a place is a part.
//! - `operands`: the operands of an expression in the order of their evaluation.
//! - `pattern`: the parts of a value that a pattern moves, borrows or leaves.
//! - `matched_parts`: the parts of a value that a pattern may leave, each as a pattern.
//! - `constant_names`: names in patterns that may be those of constants or of locals.
//! - `jumps`, `diverge`: expressions that do not continue with the next one.
//! - `temporaries`: temporaries that outlive the evaluation of their expression.

mod type_syntax;
mod awaits;
mod places;
mod operands;
mod pattern;
mod matched_parts;
mod constant_names;
mod jumps;
mod diverge;
mod temporaries;

pub(in crate::hir) use self::awaits::{block_has_await, has_await, stmt_has_await};
pub(in crate::hir) use self::constant_names::constant_parts;
pub(crate) use self::constant_names::used_constant;
pub(crate) use self::diverge::diverges;
pub(in crate::hir) use self::jumps::JUMP;
pub(crate) use self::jumps::jump_of;
pub(in crate::hir) use self::matched_parts::whole;
pub(crate) use self::matched_parts::{MatchedPart, PartKind, matched_parts, part_name};
pub(crate) use self::operands::{Use, assigns, is_lazy, operands, use_of};
pub(in crate::hir) use self::operands::{compares, operands_mut, used_arguments};
pub(in crate::hir) use self::pattern::only_leaves;
pub(crate) use self::pattern::{Shape, binds_all_by_value, is_some_of_all};
pub(in crate::hir) use self::places::part_of_mut;
pub(crate) use self::places::{is_value, part_of};
pub(crate) use self::temporaries::{base_of, has_temporary, is_plain_value};
pub(in crate::hir) use self::temporaries::{
    ends_with_statement, is_awaited_value, may_borrow_reference, may_move_temporaries,
    names_constant, needs_temporary,
};
pub(crate) use self::type_syntax::{
    COPIED, borrows, has_own_form, is_borrowed_by_methods, is_copy, is_exclusive, is_fully_written,
    is_mutable_reference, is_plain, is_reference, is_shared_reference, owns, shows_no_borrow,
};
pub(in crate::hir) use self::type_syntax::{has_empty_value, refers};
