//! The front of the pipeline in one call.

mod arguments;
mod analyse;
#[allow(dead_code, reason = "the tests of the stages print it")]
mod text;

pub(crate) use self::analyse::{Analysis, analyse};
