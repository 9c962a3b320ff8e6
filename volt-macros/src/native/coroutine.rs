//! The function that makes the coroutine: the body as it stands, behind its late arguments.
//!
//! ```text
//! async fn __fetch<'__volt, ..>(late: Late<'__volt, (Url, Page)>) -> Output {
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
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Item, Lifetime, Pat, Path, Stmt, Type};

use super::foreign::{is_for_body, is_foreign, is_lint, is_outer};
use super::lints::WRITTEN;
use super::sites::{Marking, Site, late, mark};
use crate::names;
use crate::signature::{Argument, Method, Signature, body_name, is_receiver};

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
    // A method of a trait is lifted: its receiver is an argument like others.
    let home = method.filter(|method| method.home.of.is_none());
    let receiver = signature.arguments.first();
    let receiver = home.and(receiver.filter(|argument| is_receiver(argument)));
    let part = Part {
        signature,
        home,
        receiver,
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
        false => part.behind(&foreign, &mut body, table),
    };
    let (name, late) = (part.named(&part.name()), late());
    let unsafety = signature.unsafety;
    let (item, path) = match home {
        Some(method) => part.within(method, &functions, &name),
        None => (functions, name),
    };
    let taken = receiver.map(|_| quote!(#volt::__private::native::late!(#late.0),));
    let call = quote!(#path(#taken #late.capture()));
    let is_plain = taken.is_none() && unsafety.is_none();
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
    pub(super) volt: &'a Path,
    /// The attributes that are passed on.
    pub(super) own: &'a [&'a Attribute],
    /// Whether the coroutine notes its awaits.
    pub(super) is_traced: bool,
}

impl Part<'_> {
    pub(super) fn name(&self) -> Ident {
        body_name(&self.signature.name)
    }

    /// A function of these parameters with its types given, which its arguments may not tell.
    pub(super) fn named(&self, function: &Ident) -> TokenStream {
        let types = self.signature.types_of_function(self.home);
        match types.is_empty() {
            true => function.to_token_stream(),
            false => quote!(#function::<#types>),
        }
    }

    /// The functions in an `impl` of their own, and how the one called `name` is reached there.
    fn within(
        &self,
        method: &Method,
        functions: &TokenStream,
        name: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let (outer, self_ty) = (&method.home.generics, &method.home.self_ty);
        let (params, clause) = (&outer.params, &outer.where_clause);
        let conditions = self.signature.conditions();
        let item = quote! {
            #(#conditions)*
            #[automatically_derived]
            impl<#params> #self_ty #clause { #functions }
        };
        let inferred = inferred_lifetimes(self_ty);
        (item, quote!(<#inferred>::#name))
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

    /// The arguments but the receiver, with their places.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (usize, &Argument)> {
        let first = usize::from(self.receiver.is_some());
        self.signature.arguments.iter().enumerate().skip(first)
    }

    /// The function that makes the coroutine, which binds its arguments and goes on with `body`.
    fn bound(&self, body: &Block) -> TokenStream {
        let binds = self
            .arguments()
            .map(|(index, argument)| bind(index, argument, self.volt));
        self.function(&quote!(#(#binds)* #body))
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
        let (captured, begin) = match self.is_traced {
            true => (quote!(#volt::__private::native::Late<#brand, #tuple>), None),
            false => (
                quote!(#volt::__private::native::Quiet<#brand, #tuple>),
                hands(self.signature, self.home)
                    .then(|| quote!(let #late = #late.receive().await;)),
            ),
        };
        quote! {
            #(#conditions)*
            #(#own)*
            #allow
            async #unsafety fn #name<#brand, #parameters>(
                #receiver #late: #captured
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

/// Whether a coroutine takes arguments when it runs: those but the receiver of a method that stands in an
/// `impl`, which is taken when it is made.
pub(super) fn hands(signature: &Signature, home: Option<&Method>) -> bool {
    let receiver = signature.arguments.first();
    let has_receiver = home.is_some() && receiver.is_some_and(is_receiver);
    signature.arguments.len() > usize::from(has_receiver)
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

/// The type with lifetimes that are inferred where it is used.
fn inferred_lifetimes(ty: &Type) -> Type {
    struct Infer;
    impl VisitMut for Infer {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
    let mut ty = ty.clone();
    Infer.visit_type_mut(&mut ty);
    ty
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
    let (pat, name) = (&argument.pat, &argument.name);
    match pat {
        Pat::Ident(plain) if plain.by_ref.is_none() && plain.subpat.is_none() => {
            quote!(let #pat = #volt::__private::native::late!(#late.#index);)
        }
        _ => {
            let whole = whole(name);
            // `ref mut` in the pattern borrows it.
            quote! {
                #[allow(unused_mut, reason = "not every pattern borrows")]
                let mut #whole = #volt::__private::native::late!(#late.#index);
                let #pat = #whole;
            }
        }
    }
}

fn whole(name: &Ident) -> Ident {
    names::local(&name.to_string())
}
