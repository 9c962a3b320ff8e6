//! `NativeMachine`: the properties of a machine, from which the expansion is written.

use std::cell::{Cell, OnceCell};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, GenericParam, ItemFn, Lifetime, Path, Token, Type, Visibility};

use super::walks::Macros;
use crate::errors::NativeReason;
use crate::names::{self, TokenList};
use crate::options::{Options, Send};
use crate::signature::{Method, Signature};

/// The number of arguments up to which their bytes are known. The runtime's `ArgumentBytes` is
/// implemented for so many.
const COMPACT_ARGUMENTS: usize = 32;

/// The storage of a coroutine.
#[derive(Clone, Copy, Debug)]
pub(super) enum CoroutineStorage<'a> {
    /// Bytes of the machine, as many as the coroutine has.
    Measured,
    /// A field whose type is a parameter of the machine.
    Open,
    /// A given number of bytes, which is checked where the machine is used.
    Given(&'a Expr),
    /// A box.
    Boxed,
}

/// A machine with the native layout. Its methods are in the other files of this folder.
pub(super) struct NativeMachine<'a> {
    /// The function, or the method that was lifted out of its `impl`.
    pub(super) item: &'a ItemFn,
    pub(super) name: Ident,
    /// The function with the body.
    pub(super) body_name: Ident,
    pub(super) signature: Signature,
    /// The method from which it is created, if it is not a function's.
    pub(super) method: Option<&'a Method>,
    /// `true` if the body of the method is in a function outside of any `impl`.
    pub(super) is_lifted: bool,
    pub(super) options: &'a Options,
    pub(super) why: &'a NativeReason,
    pub(super) vis: &'a Visibility,
    /// The declaration of `Send`, or the way to determine it.
    pub(super) send: Send,
    pub(super) room: CoroutineStorage<'a>,
    /// `true` if the machine records its position, because a trace needs more than the suspend
    /// point. It is known when the awaits are marked.
    pub(super) records_position: Cell<bool>,
    /// The macros of the body, also known then.
    pub(super) macros: Cell<Macros>,
    /// `true` if the body may wait, also known then.
    pub(super) may_wait: Cell<bool>,
    /// The name of the type parameter for the coroutine.
    pub(super) parameter: Ident,
    /// The tokens around the functions that the struct calls, which several items contain.
    pub(super) assertion_path: OnceCell<[TokenList; 2]>,
    /// The path of the runtime's support.
    pub(super) private: OnceCell<TokenList>,
}

impl NativeMachine<'_> {
    pub(super) fn volt(&self) -> &Path {
        &self.options.volt
    }

    /// Returns the path of the runtime's support.
    pub(super) fn private(&self) -> &TokenList {
        self.private.get_or_init(|| {
            let volt = self.volt();
            TokenList::new(quote!(#volt::__private::native))
        })
    }

    pub(super) fn is_boxed(&self) -> bool {
        matches!(self.room, CoroutineStorage::Boxed)
    }

    /// Returns `true` if the machine records its awaits. A boxed machine does, because it would not
    /// be smaller without them.
    pub(super) fn is_traced(&self) -> bool {
        self.options.trace || self.is_boxed()
    }

    /// Returns `true` if the machine stores only its coroutine, and records nothing.
    pub(super) fn is_compact(&self) -> bool {
        let can_be = matches!(
            self.room,
            CoroutineStorage::Measured | CoroutineStorage::Open
        );
        let is_few = self.signature.arguments.len() <= COMPACT_ARGUMENTS;
        can_be && is_few && self.is_traced() && !self.records_position.get()
    }

    /// Returns `true` if the coroutine of a compact machine is created together with the machine,
    /// because it is a type parameter.
    pub(super) fn is_compact_generic(&self) -> bool {
        self.is_compact() && matches!(self.room, CoroutineStorage::Open)
    }

    /// Returns `true` if the type of the coroutine may depend on type parameters.
    pub(super) fn depends_on_types(&self) -> bool {
        let outer = self.method.map(|method| &method.impl_target.generics);
        let mut outer = outer.into_iter().flat_map(|outer| &outer.params);
        outer.any(|param| !matches!(param, GenericParam::Lifetime(_)))
            || self.signature.is_generic()
    }

    /// Returns the type of the position store, or of a machine without one.
    pub(super) fn position_store(&self) -> TokenStream {
        let private = self.private();
        if self.is_compact() {
            return quote!(#private::Compact);
        }
        if self.is_traced() {
            return quote!(#private::Progress);
        }
        let hands = self.receives_arguments();
        quote!(#private::Untraced<#hands>)
    }

    /// Returns the type of the coroutine's input.
    pub(super) fn coroutine_input(&self, lifetime: &Lifetime) -> TokenStream {
        let (private, tuple, notes) = (
            self.private(),
            self.signature.tuple(),
            self.position_store(),
        );
        quote!(#private::CoroutineInput<#lifetime, #tuple, #notes>)
    }

    /// Returns the type parameter for the coroutine, if there is one.
    pub(super) fn coroutine(&self) -> Option<&Ident> {
        matches!(self.room, CoroutineStorage::Open).then_some(&self.parameter)
    }

    /// Returns the output of the future. `!` is no type syntax, so it is written as the output of a
    /// function type.
    pub(super) fn output(&self) -> TokenStream {
        let (volt, output) = (self.volt(), &self.signature.output);
        match output {
            Type::Never(_) => quote!(<fn() -> ! as #volt::__private::FnOutput>::Output),
            _ => quote!(#output),
        }
    }

    /// Returns the coroutine as an opaque type.
    pub(super) fn opaque(&self) -> TokenStream {
        let output = self.output();
        quote!(impl ::core::future::Future<Output = #output>)
    }

    /// Returns the return type of the function.
    pub(super) fn returned(&self) -> TokenStream {
        if self.signature.is_opaque {
            return self.opaque();
        }
        let (name, arguments) = (&self.name, self.signature.written_arguments());
        if self.coroutine().is_none() {
            return quote!(#name<#arguments>);
        }
        // Parameters without a name are captured without `use`, which would have to name all.
        let captured = self.signature.anonymous.is_empty().then(|| {
            let arguments = self.signature.arguments();
            quote!(+ use<#arguments>)
        });
        let (arguments, opaque) = (followed(arguments), self.opaque());
        quote!(#name<#arguments #opaque #captured>)
    }
}

/// Returns a list followed by a comma, unless it is empty.
pub(super) fn followed(list: Option<TokenStream>) -> Option<TokenStream> {
    let comma = <Token![,]>::default();
    list.map(|list| quote!(#list #comma))
}

/// Returns the name of the arguments' address in a compact machine.
pub(super) fn start_arguments() -> Ident {
    names::local("start")
}

/// Returns the name of the pointer to the arguments. An error about a borrow that escapes shows it.
pub(super) fn arguments_ptr() -> Ident {
    names::local("arguments")
}
