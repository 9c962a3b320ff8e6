//! `ExplicitMachine`: the results of all stages, from which the expansion is written.

use std::cell::{OnceCell, RefCell};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{ItemFn, Path, Type};

use crate::cfg::Cfg;
use crate::hir::{Body, LocalId, LocalKind, checked_type, is_copy};
use crate::layout::{FieldTypes, Layout, Place};
use crate::liveness::Liveness;
use crate::names::TokenList;
use crate::options::{Options, Send};
use crate::signature::{Method, Signature, lifetimes, with_static};

/// A machine with the explicit layout. Its methods are in the other files of this folder.
pub(crate) struct ExplicitMachine<'a> {
    pub(crate) item: &'a ItemFn,
    /// The method that the function was lifted out of.
    pub(crate) method: Option<&'a Method>,
    pub(crate) signature: &'a Signature,
    pub(crate) options: &'a Options,
    pub(crate) name: &'a Ident,
    pub(crate) body: &'a Body,
    pub(crate) cfg: &'a Cfg,
    pub(crate) liveness: &'a Liveness,
    pub(crate) layout: &'a Layout,
    /// The fields, if they have written types.
    pub(crate) typed: Option<&'a FieldTypes>,
    /// The declaration of `Send`, or the way to determine it.
    pub(crate) send: Send,
    /// The calls that the probe has to confirm. They are known after the probe is written.
    pub(crate) calls: RefCell<Vec<ConfirmedCall>>,
    /// The path of the runtime's support.
    pub(crate) support: OnceCell<TokenList>,
}

/// A call about which a claim is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ConfirmedCall {
    /// The output borrows nothing from the receiver, because it is a copy or of a known type.
    CopiedOutput,
    /// The output borrows nothing from the receiver, because it is of a known type.
    OwnedOutput,
    /// The method moves the receiver. The span is that of the call.
    MovedReceiver(Span),
}

impl ConfirmedCall {
    /// The number of its noted types, with those of the answers.
    pub(crate) fn width(self) -> usize {
        match self {
            Self::CopiedOutput | Self::OwnedOutput => 2,
            Self::MovedReceiver(_) => 3,
        }
    }
}

impl ExplicitMachine<'_> {
    pub(crate) fn volt(&self) -> &Path {
        &self.options.volt
    }

    /// Returns the path of the runtime's support.
    pub(crate) fn support(&self) -> &TokenList {
        self.support.get_or_init(|| {
            let volt = self.volt();
            TokenList::new(quote!(#volt::__private::inferred))
        })
    }

    /// Returns the name of the same module in the block with all implementations. The macro and the
    /// compiler process each token of a path.
    #[expect(clippy::unused_self, reason = "as `support` is called")]
    pub(crate) fn private(&self) -> Ident {
        Ident::new("__volt", Span::call_site())
    }

    pub(crate) fn ident(&self, local: LocalId) -> &Ident {
        &self.body.locals[local.0].ident
    }

    pub(crate) fn is_in_place(&self, local: LocalId) -> bool {
        self.liveness.in_place.contains(&local) || self.is_unmoved(local)
    }

    /// Returns `true` if the local stays in place although no await borrows it. A guard owns it,
    /// and its own name is that of a reference.
    pub(crate) fn is_unmoved(&self, local: LocalId) -> bool {
        self.liveness.used_in_place.contains(&local)
    }

    /// Returns `true` if a use of the name by value is a copy.
    pub(crate) fn is_copied(&self, local: LocalId) -> bool {
        self.is_unmoved(local) && self.body.has_type(local, is_copy)
    }

    /// Returns the name of the guard of a local that is in its place.
    pub(crate) fn guard(&self, local: LocalId) -> Ident {
        if self.is_unmoved(local) {
            format_ident!("guard_{}", local.0, span = Span::mixed_site())
        } else {
            self.ident(local).clone()
        }
    }

    /// Returns the written type of a local, to which its values are coerced. That of a temporary or
    /// an argument is none if the reference function has an error, because the user has not written
    /// it at a `let`.
    pub(crate) fn typed(&self, local: LocalId) -> TokenStream {
        let local = &self.body.locals[local.0];
        let of = |ty: &Type| match local.kind {
            LocalKind::Temp | LocalKind::Argument(_) => checked_type(ty),
            _ => ty.clone(),
        };
        let ty = local.ty.as_ref().map(of).into_iter();
        quote!(#(: #ty)*)
    }

    /// Returns the slot of a local, in a field or on the stack.
    pub(crate) fn slot(&self, local: LocalId) -> Ident {
        match self.layout.places[local.0] {
            Place::Field(field) => slot(field),
            _ => stack(local),
        }
    }

    /// Returns the machine's type for constants: with `'static` for its lifetimes, unless its
    /// fields have written types.
    pub(crate) fn static_type(&self) -> TokenStream {
        let name = self.name;
        let arguments = match self.typed {
            Some(_) => self.signature.arguments(),
            None => self.signature.static_arguments(),
        };
        match arguments {
            None => quote!(#name),
            Some(arguments) => quote!(#name<#arguments>),
        }
    }

    /// Returns a type of the signature, with `'static` for the lifetimes of the machine.
    pub(crate) fn with_static(&self, ty: &Type) -> TokenStream {
        let mut declared = lifetimes(&self.signature.generics);
        declared.push(Ident::new("_", Span::call_site()));
        with_static(ty.to_token_stream(), &declared)
    }

    /// Returns `true` if the function returns `()` at the end of its body.
    pub(crate) fn returns_unit(&self) -> bool {
        matches!(&self.signature.output, Type::Tuple(tuple) if tuple.elems.is_empty())
    }
}

/// Returns the name of the note for the type of a field, or for a result.
pub(crate) fn note(field: usize) -> Ident {
    format_ident!("type_{field}", span = Span::mixed_site())
}

/// Returns the name of a field's slot.
pub(crate) fn slot(field: usize) -> Ident {
    format_ident!("slot_{field}", span = Span::mixed_site())
}

/// Returns the name of a field's place on the stack, for a field without a place in the machine.
pub(crate) fn scratch(field: usize) -> Ident {
    format_ident!("scratch_{field}", span = Span::mixed_site())
}

/// Returns the name of a local's slot on the stack.
pub(crate) fn stack(local: LocalId) -> Ident {
    format_ident!("stack_{}", local.0, span = Span::mixed_site())
}

pub(crate) use crate::names::local as local_ident;

/// Returns the lints that the struct allows. Items next to the reference function allow more, by
/// `allow_lints!`.
pub(crate) fn allow() -> TokenStream {
    quote! {
        #[allow(
            warnings, unused, nonstandard_style, unreachable_pub, single_use_lifetimes, explicit_outlives_requirements,
            reason = "written by `state_machine`"
        )]
    }
}
