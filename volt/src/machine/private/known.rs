//! The macros of the standard library, to be imported by `*`.
//!
//! A name means one of these if it is not ambiguous beside them: the compiler tells apart what it
//! finds outside of a block and what an import by `*` brings into it, unless both are the same.

#[cfg(not(feature = "rt"))]
pub use core::{
    assert, assert_eq, assert_ne, format_args, stringify, todo, unimplemented, unreachable, write,
    writeln,
};
#[cfg(feature = "rt")]
pub use std::{
    assert, assert_eq, assert_ne, eprint, eprintln, format, format_args, panic, print, println,
    stringify, todo, unimplemented, unreachable, vec, write, writeln,
};
