//! The macros of the standard library, to be imported by `*`.
//!
//! A name means one of these if it is not ambiguous beside them: the compiler tells apart what it
//! finds outside of a block and what an import by `*` brings into it, unless both are the same. Modules
//! of these names are left out, for a crate may have its own `env`.

#[cfg(not(feature = "std"))]
pub use core::{
    assert, assert_eq, assert_ne, cfg, column, concat, debug_assert, debug_assert_eq,
    debug_assert_ne, file, format_args, include_bytes, include_str, line, matches, module_path,
    pin::pin, stringify, todo, unimplemented, unreachable, write, writeln,
};
#[cfg(feature = "std")]
pub use std::{
    assert, assert_eq, assert_ne, cfg, column, concat, dbg, debug_assert, debug_assert_eq,
    debug_assert_ne, eprint, eprintln, file, format, format_args, include_bytes, include_str, line,
    matches, module_path, option_env, pin::pin, print, println, stringify, thread_local, todo,
    unimplemented, unreachable, write, writeln,
};

#[cfg(feature = "std")]
pub use without_modules::*;

#[cfg(feature = "std")]
#[expect(hidden_glob_reexports, reason = "only the macros are meant")]
mod without_modules {
    pub use std::*;

    mod env {}
    mod panic {}
    mod vec {}
}
