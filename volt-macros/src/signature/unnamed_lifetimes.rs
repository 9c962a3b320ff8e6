//! Lifetimes that the user elides, in the function that creates the coroutine.
//!
//! ```text
//! async fn load(text: &str) -> u32                              the user's function
//! async fn load<'__volt>(arguments: Ptr<'__volt, (&'_ str,)>)   the coroutine
//! ```
//!
//! An error of a borrow that escapes shows the name of its lifetime: E0521. If there is no other
//! lifetime, it has no name here. With another one, the compiler would suggest a lifetime in the
//! type of the pointer, which the user has not written.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericParam, ItemFn};

use super::method::Method;
use super::named::{Signature, listed};
use super::static_lifetimes::replaced;
use crate::syntax::contains_ident;

impl Signature {
    /// Returns the lifetime that needs no name, if there is one.
    pub(crate) fn unnamed_lifetime(&self, item: &ItemFn) -> Option<Ident> {
        let mut names = self.generics.lifetimes();
        let (Some(only), None) = (names.next(), names.next()) else {
            return None;
        };
        // The function under another attribute has the arguments with their names.
        const OF_COMPILER: &str = "allow warn deny expect forbid doc must_use deprecated cfg";
        let mut attrs = self.attrs.iter();
        if !attrs.all(|attr| {
            OF_COMPILER
                .split(' ')
                .any(|name| attr.path().is_ident(name))
        }) {
            return None;
        }
        let of_user = &item.sig.generics;
        if !self.is_as_written() || of_user.lifetimes().next().is_some() || self.self_ty.is_some() {
            return None;
        }
        let (output, bounds) = (&self.output, self.bounds());
        let types = of_user.params.iter();
        let elsewhere = quote!(#output #bounds #(#types)*);
        // An elided lifetime in the arguments of a function type is another one.
        let arguments = self.tuple();
        let mut words = ["static", "dyn", "impl", "fn", "Fn", "FnMut", "FnOnce"].iter();
        let is_hidden = words.any(|word| contains_ident(arguments.clone(), word))
            || contains_ident(elsewhere.clone(), "static")
            || contains_ident(elsewhere, &only.lifetime.ident.to_string());
        (!is_hidden).then(|| only.lifetime.ident.clone())
    }

    /// Returns the parameters of the function alone, without those of its `impl` and this lifetime.
    pub(crate) fn parameters_without(
        &self,
        unnamed: Option<&Ident>,
        method: Option<&Method>,
    ) -> Option<TokenStream> {
        let is_named = |param: &&GenericParam| match param {
            GenericParam::Lifetime(param) => unnamed != Some(&param.lifetime.ident),
            _ => true,
        };
        let named = self.own_params(method).filter(is_named);
        listed(named.map(ToTokens::to_token_stream))
    }
}

/// Returns the tokens with `'_` for this lifetime.
pub(crate) fn without_name(tokens: TokenStream, unnamed: Option<&Ident>) -> TokenStream {
    let Some(unnamed) = unnamed else {
        return tokens;
    };
    replaced(tokens, &mut |name| {
        (name == unnamed).then(|| Ident::new("_", name.span()))
    })
}
