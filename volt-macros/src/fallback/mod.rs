//! Fallback reasons: code for which a function gets the native layout, or an error under
//! `explicit`.
//!
//! A stage notes a fallback reason if the explicit layout might not mean the same as the plain
//! function, and continues. A function with a fallback reason gets the native layout, which
//! supports all code.
//!
//! ```text
//! select! { .. }        UnknownMacro      the macro may return, declare a local, or await
//! f(&page()).await      OperandTemporary  the temporary is live across the await
//! ```

mod reason;
mod fallbacks;
mod signature_check;

pub(crate) use self::fallbacks::Fallbacks;
pub(crate) use self::reason::FallbackReason;
pub(crate) use self::signature_check::check_signature;
