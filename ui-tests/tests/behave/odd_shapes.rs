//! Items that patterns of another file name by a glob import.

#![allow(
    non_upper_case_globals,
    non_camel_case_types,
    reason = "odd on purpose"
)]
use super::log::D;

pub(crate) const limit: u32 = 3;

pub(crate) enum Shape {
    None,
    Some(D),
    circle,
}

pub(crate) use Shape::*;
