//! What an explicit machine is not sure of, by its looks.
//!
//! A machine repeats, moves and looks at parts of the function's body. There is source of which that
//! would change the meaning, or may: here it is found before anything is analysed, and refused. A
//! refusal of this kind says nothing against the function; it says that its layout is to be that of
//! the compiler.
//!
//! ```text
//! #[cfg(..)] on a part of the body       the analysis would take it for there, or for gone
//! static, impl, thread_local!(..)        would be there once for each state
//! unsafe, &raw, *const T, {:p}           may rely on the address of a local
//! own_macro!(..)                         may return, declare a local, or use one
//! Page { title, ..load().await }         drops what is left of the value at another time
//! if c { tick().await; Box::new(1) } ..  may be coerced to the type that is expected
//! ```
//!
//! - `items` judges the items of a body;
//! - `tokens` looks through what a macro is given, where that is not a list of expressions;
//! - `branches` finds the values of branches that may be coerced;
//! - `walk` goes through the body.

mod tokens;
mod items;
mod branches;
mod walk;

pub(crate) use walk::refuse_doubts;
