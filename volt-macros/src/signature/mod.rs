//! Signatures, in which everything gets a name that an `async fn` may leave out.
//!
//! ```text
//! async fn read(&mut self, n: &usize) -> Line<'_>      of `impl Conn`
//! fn read<'this, 'n>(__self: &'this mut Conn, n: &'n usize) -> Line<'this>
//! ```
//!
//! A method is lifted out of its `impl` first, so that all stages see a function.

mod elided;
mod rejected;
mod method;
mod statics;
mod named;
mod within;
mod bounds;
mod anonymous;
mod machine_name;

pub(crate) use self::elided::{impl_trait, leaves_out, names_undeclared};
pub(crate) use self::machine_name::{apart, has_alias, machine_name};
pub(crate) use self::method::{Home, Method};
pub(crate) use self::named::{Argument, Signature, body_name, is_receiver};
pub(crate) use self::rejected::is_rejected;
pub(crate) use self::statics::{lifetimes, with_static};
pub(crate) use self::within::Functions;
