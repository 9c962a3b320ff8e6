//! Everything that is known of a machine when it is written.

use std::cell::Cell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{ItemFn, Path, Type};

use crate::cfg::Cfg;
use crate::hir::{Body, LocalId, is_copy};
use crate::layout::{FieldTypes, Layout, Place};
use crate::liveness::Liveness;
use crate::options::{Options, Send};
use crate::signature::{Method, Signature, lifetimes, with_static};

/// A machine.
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
    /// The fields, if they have types.
    pub(crate) typed: Option<&'a FieldTypes>,
    /// How it is known whether it may go to other threads.
    pub(crate) send: Send,
    /// How many calls the probe has to confirm, once it is written.
    pub(crate) outputs: Cell<usize>,
}

impl ExplicitMachine<'_> {
    pub(crate) fn volt(&self) -> &Path {
        &self.options.volt
    }

    /// The module of the runtime's support.
    pub(crate) fn support(&self) -> TokenStream {
        let volt = self.volt();
        quote!(#volt::__private::inferred)
    }

    /// The same where it has a name of its own: in the block with all implementations. Each token of a path is paid for
    /// by the macro and by the compiler.
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

    /// Whether the local stays in its place though no await borrows it: a guard holds it, and its own name
    /// is that of a reference.
    pub(crate) fn is_unmoved(&self, local: LocalId) -> bool {
        self.liveness.used_in_place.contains(&local)
    }

    /// Whether it is a copy where it is named by value.
    pub(crate) fn is_copied(&self, local: LocalId) -> bool {
        self.is_unmoved(local) && self.body.has_type(local, is_copy)
    }

    /// What holds a local that lies in its place.
    pub(crate) fn guard(&self, local: LocalId) -> Ident {
        if self.is_unmoved(local) {
            format_ident!("guard_{}", local.0, span = Span::mixed_site())
        } else {
            self.ident(local).clone()
        }
    }

    /// The slot of a local, in a field or on the stack.
    pub(crate) fn slot(&self, local: LocalId) -> Ident {
        match self.layout.places[local.0] {
            Place::Field(field) => slot(field),
            _ => stack(local),
        }
    }

    /// The machine as constants know it: with `'static` for its lifetimes, unless its fields have types.
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

    /// A type of the signature, with `'static` for the lifetimes of the machine.
    pub(crate) fn with_static(&self, ty: &Type) -> TokenStream {
        let mut declared = lifetimes(&self.signature.generics);
        declared.push(Ident::new("_", Span::call_site()));
        with_static(ty.to_token_stream(), &declared)
    }

    /// Whether the function returns nothing by falling off its end.
    pub(crate) fn returns_unit(&self) -> bool {
        matches!(&self.signature.output, Type::Tuple(tuple) if tuple.elems.is_empty())
    }
}

/// Where the type of a field, or an answer, is noted.
pub(crate) fn note(field: usize) -> Ident {
    format_ident!("type_{field}", span = Span::mixed_site())
}

/// The slot of a field.
pub(crate) fn slot(field: usize) -> Ident {
    format_ident!("slot_{field}", span = Span::mixed_site())
}

/// The room of a field on the stack, if it has none in the machine.
pub(crate) fn scratch(field: usize) -> Ident {
    format_ident!("scratch_{field}", span = Span::mixed_site())
}

/// The slot of a local on the stack.
pub(crate) fn stack(local: LocalId) -> Ident {
    format_ident!("stack_{}", local.0, span = Span::mixed_site())
}

pub(crate) use crate::names::local as local_ident;

/// What the struct is allowed. What stands beside the twin is allowed more, by `allowed!`.
pub(crate) fn allow() -> TokenStream {
    quote! {
        #[allow(
            warnings, unused, nonstandard_style, unreachable_pub, single_use_lifetimes, explicit_outlives_requirements,
            reason = "written by `state_machine`"
        )]
    }
}
