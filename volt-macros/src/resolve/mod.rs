//! Names: each local of the body gets a number, and a name that means it alone.
//!
//! ```text
//! let x = f(x); { let x = g(x); h(x) } x      let x_2 = f(x); { let x_3 = g(x_2); h(x_3) } x_2
//! ```
//!
//! Behind this stage nobody needs scopes: an expression that is the name of a local is that local. A
//! name that means something else anywhere in the function, such as a function that is called, is no
//! local's. What a macro is given that is not known stays as it is; where that could name a local that
//! got another name, the function is in doubt.

mod local;
mod bindings;
mod items;
mod expansions;
mod scopes;
mod opaque;
mod names;

pub(crate) use self::bindings::{bindings_of, is_binding, is_capital, names_of};
pub(crate) use self::local::{AwaitId, LocalData, LocalId, LocalKind};
pub(crate) use self::names::{Resolved, named_in, resolve};
