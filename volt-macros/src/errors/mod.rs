//! What is wrong in any layout, and how it is said; why a machine is native; what became of it.
//!
//! A doubt is no error: see `doubt`.

mod catalogue;
mod rule;
mod list;
mod became;
mod guard;

pub(crate) use self::became::{Became, Why, report};
pub(crate) use self::catalogue::{BOOK_PAGE, catalogue, labelled};
pub(crate) use self::guard::unless_panicking;
pub(crate) use self::list::{Errors, is_short};
pub(crate) use self::rule::Rule;
