//! How a coroutine comes to its arguments.
//!
//! Its first statements take them, so it has them once: as locals. That of a method has the receiver as a parameter,
//! as it was written.
//!
//! Nothing is called between the first argument and the body. What a call that may panic would drop is an argument as
//! a whole: if the body takes it apart later, the compiler keeps all of it over each await, beside its parts. So all are
//! taken by one expression. And where the receiver is `self` by value, or the arguments may be small and there is no trace, they
//! are parameters, too, of which the compiler keeps a second copy, as it does in any `async fn`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Block, Pat};

use super::coroutine::Part;
use super::sites::late;
use crate::names;
use crate::signature::Argument;

impl Part<'_> {
    /// The arguments but the receiver, with their places.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (usize, &Argument)> {
        let first = usize::from(self.receiver.is_some());
        self.signature.arguments.iter().enumerate().skip(first)
    }

    /// Those of them that the coroutine captures.
    pub(super) fn captured(&self) -> impl Iterator<Item = (usize, &Argument)> {
        self.arguments().filter(|_| self.captures)
    }

    /// The same as parameters.
    pub(super) fn captured_parameters(&self) -> impl Iterator<Item = TokenStream> {
        self.captured().map(|(_, argument)| {
            let (pat, ty) = (&argument.pat, &argument.ty);
            quote!(#pat: #ty)
        })
    }

    /// The function that makes the coroutine, which binds its arguments and goes on with `body`.
    pub(super) fn bound(&self, body: &Block) -> TokenStream {
        if self.captures {
            return self.function(&body.to_token_stream());
        }
        let (taken, values) = self.taken();
        let arguments = self.arguments().map(|(_, argument)| argument);
        let binds = arguments.zip(&values).map(|(it, value)| bind(it, value));
        self.function(&quote!(#taken #(#binds)* #body))
    }

    /// Takes the argument at a place.
    pub(super) fn late(&self, index: usize) -> TokenStream {
        let (volt, late, index) = (self.volt, late(), syn::Index::from(index));
        quote!(#volt::__private::native::late!(#late.#index))
    }

    /// A statement that takes all arguments if there are several, and what each of them is then.
    fn taken(&self) -> (Option<TokenStream>, Vec<TokenStream>) {
        let (volt, late, all) = (self.volt, late(), names::local("arguments"));
        let indices: Vec<_> = self.arguments().map(|(index, _)| index).collect();
        if let [] | [_] = &*indices {
            return (
                None,
                indices.iter().map(|&index| self.late(index)).collect(),
            );
        }
        let places = (0..indices.len()).map(syn::Index::from);
        let values = places.map(|place| quote!(#all.#place)).collect();
        let indices = indices.into_iter().map(syn::Index::from);
        // The receiver is not there any more.
        let listed = self.receiver.map(|_| quote!(, #(#indices)*));
        let take = quote!(#volt::__private::native::late!(#late #listed));
        (Some(quote!(let #all = #take;)), values)
    }
}

/// Binds a parameter, whose value is given, as an `async fn` does.
fn bind(argument: &Argument, value: &TokenStream) -> TokenStream {
    let (pat, name) = (&argument.pat, &argument.name);
    match pat {
        Pat::Ident(plain) if plain.by_ref.is_none() && plain.subpat.is_none() => {
            quote!(let #pat = #value;)
        }
        _ => {
            let whole = whole(name);
            // `ref mut` in the pattern borrows it.
            quote! {
                #[allow(unused_mut, reason = "not every pattern borrows")]
                let mut #whole = #value;
                let #pat = #whole;
            }
        }
    }
}

fn whole(name: &Ident) -> Ident {
    names::local(&name.to_string())
}
