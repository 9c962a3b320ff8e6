//! How a coroutine comes to its arguments.
//!
//! Its first statements take them, so it has them once: as locals. That of a method has the receiver as a parameter,
//! as it was written.
//!
//! Nothing is called between the first argument and the body. What a call that may panic would drop is an argument as
//! a whole: if the body takes it apart later, the compiler keeps all of it over each await, beside its parts. So all are
//! taken by one expression. And where the receiver is `self` by value, or the arguments may be small and there is no trace, they
//! are parameters, too, of which the compiler keeps a second copy, as it does in any `async fn`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Block, Index, Pat};

use super::machine::{Machine, late};
use crate::names;
use crate::signature::Argument;

impl Machine<'_> {
    /// The function that makes the coroutine, which binds its arguments and goes on with `body`.
    pub(super) fn bound(&self, own: &[&Attribute], body: &Block) -> TokenStream {
        if self.captures() {
            return self.function(own, &body.to_token_stream());
        }
        let (taken, values) = self.taken();
        let arguments = self.others().zip(&values);
        let binds = arguments.map(|((_, argument), value)| bind(argument, value));
        self.function(own, &quote!(#taken #(#binds)* #body))
    }

    /// Takes the argument at a place.
    pub(super) fn taken_at(&self, index: usize) -> TokenStream {
        let (private, late, index) = (self.private(), late(), Index::from(index));
        quote!(#private::late!(#late.#index))
    }

    /// A statement that takes all arguments if there are several, and what each of them is then.
    fn taken(&self) -> (Option<TokenStream>, Vec<TokenStream>) {
        let (private, late, all) = (self.private(), late(), names::local("arguments"));
        let indices: Vec<_> = self.others().map(|(index, _)| index).collect();
        if indices.len() < 2 {
            let values = indices.iter().map(|&index| self.taken_at(index));
            return (None, values.collect());
        }
        let places = (0..indices.len()).map(Index::from);
        let values = places.map(|place| quote!(#all.#place)).collect();
        let indices = indices.into_iter().map(Index::from);
        // The receiver is not there any more.
        let listed = self.receiver().map(|_| quote!(, #(#indices)*));
        (
            Some(quote!(let #all = #private::late!(#late #listed);)),
            values,
        )
    }
}

/// Binds a parameter, whose value is given, as an `async fn` does.
fn bind(argument: &Argument, value: &TokenStream) -> TokenStream {
    let pat = &argument.pat;
    match pat {
        Pat::Ident(plain) if plain.by_ref.is_none() && plain.subpat.is_none() => {
            quote!(let #pat = #value;)
        }
        _ => {
            let whole = names::local(&argument.name.to_string());
            // `ref mut` in the pattern borrows it.
            quote! {
                #[allow(unused_mut, reason = "not every pattern borrows")]
                let mut #whole = #value;
                let #pat = #whole;
            }
        }
    }
}
