//! A question to the compiler, asked in the native twin.

use proc_macro2::{Ident, TokenStream};
use syn::{Item, Type};

/// A question to the compiler, and what it names.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) locals: Vec<usize>,
    /// The lent arguments, and the types behind the references.
    pub(crate) lent: Vec<(Ident, bool, Type)>,
    /// Items of blocks within the function.
    pub(crate) items: Vec<Item>,
    pub(crate) proofs: TokenStream,
}
