//! Doubts: what makes a function native, or is an error under `explicit`.
//!
//! A stage that is not sure that its work means exactly what the compiler means notes a doubt and goes
//! on. There are no guesses: a function with a doubt gets the native layout, which needs none.
//!
//! ```text
//! select! { .. }        UnknownMacro    it may return, declare a local, or wait
//! f(&page()).await      OperandTemporary  that value lives as long as the await
//! ```

mod reason;
mod found;

pub(crate) use self::found::Doubts;
pub(crate) use self::reason::Reason;
