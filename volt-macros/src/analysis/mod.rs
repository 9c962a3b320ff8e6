//! The front of the pipeline in one call.

mod analyse;

pub(crate) use self::analyse::{Analysis, analyse};
