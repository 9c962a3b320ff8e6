//! Errors of every layout, their texts, and the report on each function.
//!
//! A fallback reason is not an error: see `fallback`.

mod catalogue;
mod rule;
mod collect;
mod report;
mod expansion_report;
mod catch_panic;

pub(crate) use self::catalogue::{BOOK_PAGE, catalogue, labelled};
pub(crate) use self::catch_panic::catch_macro_panic;
pub(crate) use self::collect::{Errors, is_short};
pub(crate) use self::expansion_report::report_expansion;
pub(crate) use self::report::{NativeReason, Outcome, report};
pub(crate) use self::rule::Rule;
