//! The function that makes the coroutine: the body as it stands, behind its late arguments.
//!
//! ```text
//! async fn __fetch<'m, ..>(late: Late<'m, (Url, Page)>) -> Output {
//!     let url = late!(late.0);               each parameter as an `async fn` binds it
//!     let argument_1 = late!(late.1);
//!     let Page { size, .. } = argument_1;
//!     { the body, its awaits marked }
//! }
//! ```
//!
//! That of a method stands in an `impl` of its type and has the receiver as it was written, so that
//! `self` and `Self` mean what they did. That of a trait's method was lifted out of its `impl`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Block, Pat, Path};

use super::signature::{Argument, Signature, body_name, is_receiver};
use super::sites::{Marking, Site, late, mark};
use crate::state_machine::method::Method;
use crate::state_machine::names;

/// The coroutine of a machine.
pub(super) struct Coroutine {
    /// The function, in its `impl` if it needs one.
    pub(super) item: TokenStream,
    /// What makes the coroutine of a `Late` that is called `late`.
    pub(super) make: TokenStream,
    pub(super) sites: Vec<Site>,
    /// The body with its marks.
    pub(super) body: Block,
}

/// Writes the function that makes the coroutine.
pub(super) fn coroutine(
    signature: &Signature,
    method: Option<&Method>,
    body: &Block,
    table: &TokenStream,
    volt: &Path,
) -> Coroutine {
    let mut body = body.clone();
    let (foreign, own): (Vec<&Attribute>, Vec<&Attribute>) = signature
        .attrs
        .iter()
        .filter(|attr| !is_outer(attr))
        .partition(|attr| is_foreign(attr));
    let marking = Marking {
        volt,
        table,
        is_own: foreign.is_empty(),
    };
    let sites = mark(&mut body, &marking);
    // A method of a trait is lifted: its receiver is an argument like others.
    let home = method.filter(|method| method.home.of.is_none());
    let receiver = signature
        .arguments
        .first()
        .filter(|argument| is_receiver(argument));
    let receiver = home.and(receiver);
    let (late, brand) = (late(), names::label("m"));
    let (tuple, output, bounds) = (signature.tuple(), &signature.output, signature.bounds());
    let parameters = signature.parameters_of_function(home);
    let (name, unsafety) = (body_name(&signature.name), signature.unsafety);
    let written_receiver = receiver.and_then(|receiver| home?.receiver(&receiver.ty));
    let mut_receiver = written_receiver
        .as_ref()
        .and_then(|_| home)
        .and_then(mutable_receiver);
    let written_receiver = written_receiver.map(|receiver| quote!(#mut_receiver #receiver,));
    let own_bounds = match home {
        Some(method) => {
            let clause = &method.original.sig.generics.where_clause;
            quote!(#clause)
        }
        None => quote!(where #bounds),
    };
    let first = usize::from(receiver.is_some());
    let binds = signature.arguments.iter().enumerate().skip(first);
    let binds = binds.map(|(index, argument)| bind(index, argument, volt));
    let private = quote!(#volt::__private::native);
    let inner = match foreign.is_empty() {
        true => quote! { #(#binds)* #body },
        false => TokenStream::new(),
    };
    let function = quote! {
        #(#own)*
        #[allow(unused_mut, clippy::all, clippy::pedantic, reason = "written by `state_machine`")]
        async #unsafety fn #name<#brand, #parameters>(
            #written_receiver #late: #private::Late<#brand, #tuple>
        ) -> #output #own_bounds {
            #[allow(unused_imports, reason = "an await of any future")]
            use #private::AwaitAny as _;
            #inner
        }
    };
    let _ = &foreign;
    let (item, path) = match home {
        Some(method) => {
            let (outer, self_ty) = (&method.home.generics, &method.home.self_ty);
            let (params, clause) = (&outer.params, &outer.where_clause);
            let item = quote! {
                #[automatically_derived]
                impl<#params> #self_ty #clause { #function }
            };
            (item, quote!(<#self_ty>::#name))
        }
        None => (function, name.to_token_stream()),
    };
    let taken = receiver.map(|_| quote!(#private::late!(#late.0),));
    let call = quote!(#path(#taken #late));
    Coroutine {
        item,
        make: match unsafety {
            Some(token) => quote!(#token { #call }),
            None => call,
        },
        sites,
        body,
    }
}

/// `mut`, if the receiver is `mut self`.
fn mutable_receiver(method: &Method) -> Option<TokenStream> {
    let receiver = method.original.sig.receiver()?;
    let mutable = receiver.mutability.as_ref()?;
    Some(quote!(#mutable))
}

/// Binds a parameter as an `async fn` does.
fn bind(index: usize, argument: &Argument, volt: &Path) -> TokenStream {
    let late = late();
    let index = syn::Index::from(index);
    let taken = quote!(#volt::__private::native::late!(#late.#index));
    let (pat, name) = (&argument.pat, &argument.name);
    match pat {
        Pat::Ident(plain) if plain.by_ref.is_none() && plain.subpat.is_none() => {
            quote!(let #pat = #taken;)
        }
        _ => {
            let whole = whole(name);
            quote!(let #whole = #taken; let #pat = #whole;)
        }
    }
}

fn whole(name: &Ident) -> Ident {
    names::local(&name.to_string())
}

/// Whether an attribute is for who reads or calls the function, and not for its body.
pub(super) fn is_outer(attr: &Attribute) -> bool {
    const OUTER: &[&str] = &[
        "doc",
        "must_use",
        "deprecated",
        "cfg",
        "inline",
        "cold",
        "track_caller",
    ];
    OUTER.iter().any(|name| attr.path().is_ident(name))
}

/// Whether an attribute may rewrite the function.
pub(super) fn is_foreign(attr: &Attribute) -> bool {
    const LINTS: &[&str] = &["allow", "warn", "deny", "expect", "forbid"];
    let is_lint = LINTS.iter().any(|name| attr.path().is_ident(name));
    let first = attr.path().segments.first();
    let is_tool = first.is_some_and(|first| first.ident == "clippy" || first.ident == "rustfmt");
    !is_lint && !is_tool && !is_outer(attr)
}
