//! The attribute: from what is written to the layout that it gets.
//!
//! ```text
//! item ─parse─┬─ impl block ── each method, lifted ─┐
//!             └─ function ──────────────────────────┴─ explicit ─┬─ no doubt: emit
//!                                                                └─ doubt: native, or an error
//! ```
//!
//! - `route` and `impl_block` tell what there is to do; `chosen` is the layout of each function.
//! - `explicit` runs the stages: syntax, resolve, hir, cfg, liveness, layout, emit.
//! - `configured` writes a function once for each case of a `#[cfg]` on an argument.
//! - `inner` puts attributes in the body in front of the function; `expected` splits
//!   expectations of lints.
//! - `sketch` leaves a body that does not parse to the compiler; `dead` one that is refused. A panic in the macro is
//!   an error at the function, which stays as it was.

mod sketch;
mod configured;
mod expected;
mod inner;
mod dead;
mod explicit;
mod chosen;
mod impl_block;
mod route;

pub(crate) use self::route::expand;
