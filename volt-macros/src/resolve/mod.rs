//! Name resolution: each local of the body gets a number and a unique name.
//!
//! ```text
//! let x = f(x); { let x = g(x); h(x) } x      let x_2 = f(x); { let x_3 = g(x_2); h(x_3) } x_2
//! ```
//!
//! Later stages need no scopes: an expression that is the name of a local is that local. A name
//! with another meaning anywhere in the function, such as the name of a called function, is never
//! the name of a local. The arguments of an unknown macro stay as they are. If they could name a
//! local that was renamed, this is a fallback reason.

mod local;
mod bindings;
mod items;
mod copied_items;
mod macro_hygiene;
mod similar_names;
mod scopes;
mod macro_tokens;
mod resolver;

pub(crate) use self::bindings::{bindings_of, is_binding, is_capital, names_of};
pub(crate) use self::local::{AwaitId, LocalData, LocalId, LocalKind};
pub(crate) use self::resolver::{Resolved, named_in, resolve};
