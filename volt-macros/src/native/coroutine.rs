//! The function that makes the coroutine: the body as it stands, behind its late arguments.
//!
//! ```text
//! async fn __fetch<'__volt, ..>(late: Late<'__volt, (Url, Page)>) -> Output {
//!     let arguments = late!(late);           all at once
//!     let url = arguments.0;                 each parameter as an `async fn` binds it
//!     let argument_1 = arguments.1;
//!     let Page { size, .. } = argument_1;
//!     { the body, its awaits marked }
//! }
//! ```
//!
//! That of a method stands in an `impl` of its type and has the receiver as it was written, so that
//! `self` and `Self` mean what they did. That of a trait's method was lifted out of its `impl`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Block, Item, Path, Stmt};

use super::foreign::{is_for_body, is_foreign, is_lint, is_outer};
use super::lints::WRITTEN;
use super::receiver::{captures, hands, home, receiver, stands_alone};
use super::sites::{Marking, Site, late, mark};
use crate::names;
use crate::signature::{Argument, Method, Signature, body_name};

/// The coroutine of a machine.
pub(super) struct Coroutine {
    /// The function, in its `impl` if it needs one.
    pub(super) item: TokenStream,
    /// What makes the coroutine of a `Given` that is called `late`.
    pub(super) make: TokenStream,
    /// The function that makes it of what the coroutine captures, if it needs nothing else.
    pub(super) plain: Option<TokenStream>,
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
    is_traced: bool,
) -> Coroutine {
    let attrs = signature.attrs.iter().filter(|attr| !is_outer(attr));
    let attrs = attrs.filter(|attr| !is_lint(attr) || is_for_body(attr));
    let (foreign, own): (Vec<&Attribute>, Vec<&Attribute>) =
        attrs.partition(|attr| is_foreign(attr));
    let home = home(method);
    let part = Part {
        signature,
        home,
        receiver: receiver(signature, home),
        captures: captures(signature, home, is_traced),
        volt,
        own: &own,
        is_traced,
    };
    let mut body = body.clone();
    let (sites, functions) = match foreign.is_empty() {
        true => {
            let marking = Marking {
                volt,
                table,
                is_own: true,
                is_traced,
            };
            let sites = mark(&mut body, &marking);
            part.import(&mut body);
            (sites, part.bound(&body))
        }
        false if part.is_alone() => part.alone(&foreign, &mut body, table),
        false => part.behind(&foreign, &mut body, table),
    };
    let (name, late) = (part.named(&part.name()), late());
    let unsafety = signature.unsafety;
    let (item, path) = match home {
        Some(method) => {
            let (item, path) = method.within(&functions, &name);
            let conditions = signature.conditions();
            (quote!(#(#conditions)* #item), path)
        }
        None => (functions, name),
    };
    let is_alone = part.is_alone();
    let first = part.receiver.map(|_| part.late(0));
    let notes = match is_alone {
        true => is_traced.then(|| quote!([#late.capture()])),
        false => Some(quote!(#late.capture())),
    };
    let others = part.captured().map(|(index, _)| part.late(index));
    let given = first.into_iter().chain(notes).chain(others);
    let call = quote!(#path(#(#given),*));
    let is_plain = part.receiver.is_none() && unsafety.is_none() && !is_alone;
    Coroutine {
        item,
        plain: is_plain.then_some(path),
        make: match unsafety {
            Some(token) => quote!(#token { #call }),
            None => call,
        },
        sites,
        body,
    }
}

/// What the functions of a coroutine are made of.
pub(super) struct Part<'a> {
    pub(super) signature: &'a Signature,
    /// The method that it is of, if the function stands in an `impl`.
    pub(super) home: Option<&'a Method>,
    /// The receiver, if the function has one.
    pub(super) receiver: Option<&'a Argument>,
    /// Whether the function has the other arguments as parameters, too.
    pub(super) captures: bool,
    pub(super) volt: &'a Path,
    /// The attributes that are passed on.
    pub(super) own: &'a [&'a Attribute],
    /// Whether the coroutine notes its awaits.
    pub(super) is_traced: bool,
}

impl Part<'_> {
    fn is_alone(&self) -> bool {
        stands_alone(self.signature, self.is_traced)
    }

    pub(super) fn name(&self) -> Ident {
        body_name(&self.signature.name)
    }

    /// A function of these parameters with its types given, which its arguments may not tell.
    pub(super) fn named(&self, function: &Ident) -> TokenStream {
        let types = self.signature.turbofish(self.home);
        quote!(#function #types)
    }

    /// The receiver as it is written in the `impl`.
    pub(super) fn written_receiver(&self) -> Option<TokenStream> {
        let (method, receiver) = (self.home?, self.receiver?);
        let written = method.receiver(&receiver.ty)?;
        let mutable = mutable_receiver(method);
        Some(quote!(#mutable #written,))
    }

    pub(super) fn bounds(&self) -> TokenStream {
        match self.home {
            Some(method) => method.original.sig.generics.where_clause.to_token_stream(),
            None => {
                let bounds = self.signature.bounds();
                quote!(where #bounds)
            }
        }
    }

    /// The function that makes the coroutine, whose `body` takes the arguments by itself.
    pub(super) fn function(&self, body: &TokenStream) -> TokenStream {
        let (late, brand, name) = (late(), names::label("__volt"), self.name());
        let volt = self.volt;
        let (tuple, output) = (self.signature.tuple(), &self.signature.output);
        let (parameters, bounds) = (
            self.signature.parameters_of_function(self.home),
            self.bounds(),
        );
        let (unsafety, receiver) = (self.signature.unsafety, self.written_receiver());
        let (own, allow, conditions) = (self.own, allow(), self.signature.conditions());
        // One more than the user's.
        let many = self
            .captures
            .then(|| quote!(#[allow(clippy::too_many_arguments, reason = #WRITTEN)]));
        let arguments = self.captured_parameters();
        let (captured, begin) = match self.is_traced {
            true => (quote!(#volt::__private::native::Late<#brand, #tuple>), None),
            false => (
                quote!(#volt::__private::native::Quiet<#brand, #tuple>),
                hands(self.signature, self.home, false)
                    .then(|| quote!(let #late = #late.receive().await;)),
            ),
        };
        quote! {
            #(#conditions)*
            #(#own)*
            #allow
            #many
            async #unsafety fn #name<#brand, #parameters>(
                #receiver #late: #captured #(, #arguments)*
            ) -> #output #bounds {
                #begin
                #body
            }
        }
    }

    /// What is in scope where awaits are marked.
    pub(super) fn imports(&self) -> TokenStream {
        let volt = self.volt;
        quote! {
            use #volt::__private::native::awaits::*;
        }
    }

    /// Puts that within the body's own braces, whose edition tells when a value without a name at its end is
    /// dropped. Braces around more than one line raise no lint within others.
    pub(super) fn import(&self, body: &mut Block) {
        body.stmts
            .insert(0, Stmt::Item(Item::Verbatim(self.imports())));
    }

    pub(super) fn private(&self) -> TokenStream {
        let volt = self.volt;
        quote!(#volt::__private::native)
    }
}

/// What the functions are allowed; the lints of the body are the user's.
pub(super) fn allow() -> TokenStream {
    quote! {
        #[allow(
            single_use_lifetimes,
            reason = #WRITTEN
        )]
    }
}

/// `mut`, if the receiver is `mut self`.
fn mutable_receiver(method: &Method) -> Option<TokenStream> {
    let receiver = method.original.sig.receiver()?;
    let mutable = receiver.mutability.as_ref()?;
    Some(quote!(#mutable))
}
