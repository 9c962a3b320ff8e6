//! Reading: the function as `syn` has it, in one form.
//!
//! Macros of the standard library become what they stand for, as far as that shows: their arguments
//! are expressions like others. What other macros are given stays tokens, and whatever is done with
//! them is somebody else's doubt.
//!
//! - `macros` takes the arguments of those that are known apart; their table is in `names/standard`.
//! - `normalise` writes out what is the same with and without awaits. What only awaits change is for `hir`.
//! - `assertion` keeps the text that an assertion prints, when its condition is written anew.

mod fragments;
mod source_text;
mod source_file;
mod captures;
mod macros;
mod editions;
mod assertion;
mod captured_self;
mod labels;
mod title;
mod wrong_jumps;
mod normalise;

pub(crate) use self::assertion::{can_be_said, say_as_before};
pub(crate) use self::captured_self::{give_captured, macros_name_self, names_self, text_with_self};
pub(crate) use self::editions::settled;
pub(crate) use self::fragments::kept;
pub(crate) use self::labels::{take_label, take_label_of, without_labels};
pub(crate) use self::macros::{
    Arguments, each_argument, holds_call, holds_call_in_value, holds_word, words,
};
pub(crate) use self::normalise::normalise;
pub(crate) use self::source_file::{begins_path, imports_by_glob};
pub(crate) use self::source_text::{as_written, source_text};
pub(crate) use self::title::{title, title_of_macro};
pub(crate) use self::wrong_jumps::has_wrong_jump;
