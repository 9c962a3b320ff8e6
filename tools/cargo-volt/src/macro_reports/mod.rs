//! The files that the macro appends to while a crate is compiled.

pub(crate) mod layouts;
