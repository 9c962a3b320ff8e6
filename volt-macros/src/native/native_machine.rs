//! The machine: everything that is known of it when it is written.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, Lifetime, Path, Token, Type, Visibility};

use crate::errors::NativeReason;
use crate::names;
use crate::options::{Options, Send};
use crate::signature::{Method, Signature};

/// Where a coroutine lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum CoroutineStorage<'a> {
    /// In as many bytes as it has.
    Measured,
    /// In a field whose type is a parameter of the machine's.
    Open,
    /// In so many bytes, which are asked for where the machine is used.
    Given(&'a Expr),
    /// In a box.
    Boxed,
}

/// A machine.
pub(super) struct NativeMachine<'a> {
    pub(super) name: Ident,
    /// The function with the body.
    pub(super) body_name: Ident,
    pub(super) signature: Signature,
    /// The method that it is made of, if it is not a function's.
    pub(super) method: Option<&'a Method>,
    /// `true` if the body of the method is in a function outside of any `impl`.
    pub(super) is_lifted: bool,
    pub(super) options: &'a Options,
    pub(super) why: &'a NativeReason,
    pub(super) vis: &'a Visibility,
    /// How it is known whether it may go to other threads.
    pub(super) send: Send,
    pub(super) room: CoroutineStorage<'a>,
    /// The name of the parameter for the coroutine.
    pub(super) parameter: Ident,
}

impl NativeMachine<'_> {
    pub(super) fn volt(&self) -> &Path {
        &self.options.volt
    }

    /// The module of the runtime's support.
    pub(super) fn private(&self) -> TokenStream {
        let volt = self.volt();
        quote!(#volt::__private::native)
    }

    pub(super) fn is_boxed(&self) -> bool {
        matches!(self.room, CoroutineStorage::Boxed)
    }

    /// Whether the machine notes its awaits. One in a box does, as that saves no room.
    pub(super) fn is_traced(&self) -> bool {
        self.options.trace || self.is_boxed()
    }

    /// The notes as a type.
    pub(super) fn position_store(&self) -> TokenStream {
        let private = self.private();
        if self.is_traced() {
            return quote!(#private::Progress);
        }
        let hands = self.receives_arguments();
        quote!(#private::Untraced<#hands>)
    }

    /// The type of what makes the coroutine.
    pub(super) fn coroutine_input(&self, lifetime: &Lifetime) -> TokenStream {
        let (private, tuple, notes) = (
            self.private(),
            self.signature.tuple(),
            self.position_store(),
        );
        quote!(#private::CoroutineInput<#lifetime, #tuple, #notes>)
    }

    /// The parameter for the coroutine, where there is one.
    pub(super) fn coroutine(&self) -> Option<&Ident> {
        matches!(self.room, CoroutineStorage::Open).then_some(&self.parameter)
    }

    /// What the future gives. `!` has no name of its own as a type; it is what a function's type says.
    pub(super) fn output(&self) -> TokenStream {
        let (volt, output) = (self.volt(), &self.signature.output);
        match output {
            Type::Never(_) => quote!(<fn() -> ! as #volt::__private::FnOutput>::Output),
            _ => quote!(#output),
        }
    }

    /// The coroutine as somebody sees it who does not know which it is.
    pub(super) fn opaque(&self) -> TokenStream {
        let output = self.output();
        quote!(impl ::core::future::Future<Output = #output>)
    }

    /// What the function returns.
    pub(super) fn returned(&self) -> TokenStream {
        if self.signature.is_opaque {
            return self.opaque();
        }
        let (name, arguments) = (&self.name, self.signature.written_arguments());
        if self.coroutine().is_none() {
            return quote!(#name<#arguments>);
        }
        // What has no name is captured without `use`, which would have to name all.
        let captured = self.signature.anonymous.is_empty().then(|| {
            let arguments = self.signature.arguments();
            quote!(+ use<#arguments>)
        });
        let (arguments, opaque) = (followed(arguments), self.opaque());
        quote!(#name<#arguments #opaque #captured>)
    }
}

/// A list with a comma behind it, if it has anything in it.
pub(super) fn followed(list: Option<TokenStream>) -> Option<TokenStream> {
    let comma = <Token![,]>::default();
    list.map(|list| quote!(#list #comma))
}

/// The name by which the body takes its arguments.
pub(super) fn arguments_ptr() -> Ident {
    names::local("arguments_ptr")
}
