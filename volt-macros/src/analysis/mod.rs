//! The front of the pipeline in one call.

mod arguments;
mod analyse;

pub(crate) use self::analyse::{Analysis, analyse};
