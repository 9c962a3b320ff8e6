//! The options of `#[state_machine(..)]`.

mod editor;
mod keys;
mod args;

pub(crate) use self::args::{LayoutOption, Options, Public, Send};
pub(crate) use self::keys::{parse_options, unknown_word};
