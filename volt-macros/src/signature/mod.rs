//! Signatures in which every lifetime and type has a name.
//!
//! ```text
//! async fn read(&mut self, n: &usize) -> Line<'_>      of `impl Conn`
//! fn read<'this, 'n>(__volt_self: &'this mut Conn, n: &'n usize) -> Line<'this>
//! ```
//!
//! A method is first moved out of its `impl`, so all later stages process a function.

mod elided;
mod rejected;
mod method;
mod function_tokens;
mod static_lifetimes;
mod named;
mod unnamed_lifetimes;
mod carried;
mod within;
mod bounds;
mod impl_trait_args;
mod machine_name;

pub(crate) use self::carried::{AnyLifetimes, Carried, Struct, carrying_vis};
pub(crate) use self::elided::{has_elided_lifetime, has_undeclared_lifetime, impl_trait};
pub(crate) use self::function_tokens::FunctionTokens;
pub(crate) use self::machine_name::{has_alias, machine_name, unambiguous};
pub(crate) use self::method::{ImplTarget, Method};
pub(crate) use self::named::{Argument, Signature, body_name, is_receiver};
pub(crate) use self::rejected::is_rejected;
pub(crate) use self::static_lifetimes::{lifetimes, with_static};
pub(crate) use self::unnamed_lifetimes::without_name;
pub(crate) use self::within::Functions;
