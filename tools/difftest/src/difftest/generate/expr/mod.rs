//! Productions of expressions.

pub(crate) mod awaited;
pub(crate) mod call;
pub(crate) mod closure;
pub(crate) mod composed;
pub(crate) mod in_macro;
pub(crate) mod operands;
pub(crate) mod patterns;
pub(crate) mod value;
