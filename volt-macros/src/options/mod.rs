//! What stands in the parentheses of the attribute.

mod editor;
mod args;

pub(crate) use self::args::{Layout, Options, Public, Send};
