//! `PlainFn`: a function with the user's body under another name, which the compiler turns into a
//! plain coroutine.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Block, FnArg, GenericParam, ImplItemFn, ItemFn, ReceiverKind, ReturnType, Type, Visibility,
    WherePredicate,
};

use super::super::other_attributes::is_for_body;
use crate::names;
use crate::signature::{Functions, Method, Signature, is_receiver};
use crate::syntax::contains_ident;

/// Types of the standard library, and the lints of clippy about them.
const LINTS_OF_TYPES: &[(&str, &str)] = &[
    ("Option", "option_option"),
    (
        "Box",
        "borrowed_box box_collection redundant_allocation vec_box",
    ),
    ("Rc Arc", "rc_buffer rc_mutex redundant_allocation"),
    ("Cow", "owned_cow"),
    ("LinkedList", "linkedlist"),
];

/// A function with the signature of the user's function, in an `impl` if it needs one.
pub(crate) struct PlainFn<'a> {
    /// The function, or the method that was lifted out of its `impl`.
    pub(crate) item: &'a ItemFn,
    pub(crate) method: Option<&'a Method>,
    pub(crate) signature: &'a Signature,
    pub(crate) machine: &'a Ident,
    /// Its own name.
    pub(crate) name: Ident,
    /// A bound that the user's function does not have.
    pub(crate) bound: Option<WherePredicate>,
    /// `true` if there is no other copy with the names of elided lifetimes. The compiler would
    /// report an error of both copies in other words.
    pub(crate) is_only_copy: bool,
}

impl PlainFn<'_> {
    /// Returns the body as the user wrote it, without labels of states.
    pub(crate) fn body(&self) -> Block {
        let method = self.as_method().map(|method| &method.original.block);
        let mut body = method.unwrap_or(&*self.item.block).clone();
        crate::syntax::without_labels(&mut body);
        body
    }

    /// Returns the function with a body.
    pub(crate) fn declare(&self, body: &dyn ToTokens) -> TokenStream {
        let (mut sig, method) = (self.item.sig.clone(), self.as_method());
        if let Some(ImplItemFn { sig: original, .. }) = method.map(|method| &method.original) {
            sig = original.clone();
        }
        sig.ident = self.name.clone();
        self.name_all(&mut sig);
        if let Some(bound) = &self.bound {
            let clause = sig.generics.make_where_clause();
            clause.predicates.push(bound.clone());
        }
        let attrs = self.item.attrs.iter().filter(|attr| is_for_body(attr));
        let lints = self.lints_of_signature(&sig);
        let declared = method.map(|method| self.declaration(method, &sig, &lints));
        let function = quote! {
            #[allow(single_use_lifetimes, unused_lifetimes, reason = "written by `state_machine`")]
            #[cfg_attr(
                clippy,
                allow(
                    clippy::extra_unused_lifetimes,
                    clippy::fn_params_excessive_bools,
                    clippy::large_types_passed_by_value,
                    clippy::multiple_bound_locations,
                    clippy::needless_lifetimes,
                    clippy::ref_option,
                    clippy::too_many_arguments,
                    #lints
                    reason = "written by `state_machine`"
                )
            )]
            #(#attrs)* #sig #body
        };
        match method {
            Some(method) => {
                let functions = Functions {
                    items: function,
                    declared: declared.flatten().unwrap_or_default(),
                };
                method.within(self.machine, &functions, self.signature.conditions())
            }
            None => function,
        }
    }

    /// Returns the lints of clippy about the types of a signature that it does not raise for public
    /// functions and methods of traits. It takes this function for a private one. The same lints
    /// are about types in the body, so only those of names in the signature are allowed.
    fn lints_of_signature(&self, sig: &syn::Signature) -> TokenStream {
        let method = self.method;
        let is_of_trait = method.is_some_and(|method| method.impl_target.trait_path.is_some());
        let vis = method.map(|method| &method.original.vis);
        let is_public = matches!(vis.unwrap_or(&self.item.vis), Visibility::Public(_));
        if !is_of_trait && !is_public {
            return TokenStream::new();
        }
        let sig = sig.to_token_stream();
        let named = LINTS_OF_TYPES.iter().filter(|(types, _)| {
            let mut types = types.split(' ');
            types.any(|name| contains_ident(sig.clone(), name))
        });
        let complex = is_of_trait.then_some("type_complexity");
        let lints = named.flat_map(|(_, lints)| lints.split(' ')).chain(complex);
        let lints = lints.map(|lint| format_ident!("{lint}"));
        quote!(#(clippy::#lints,)*)
    }

    /// Returns the method, if the function is a method: one with a receiver, so that errors name
    /// `self`.
    fn as_method(&self) -> Option<&Method> {
        let (method, receiver) = (self.method?, self.signature.arguments.first());
        let receiver = receiver.filter(|argument| is_receiver(argument))?;
        let declared = method.declared_receiver(&receiver.ty);
        declared.map(|_| method)
    }

    /// Returns its declaration in the private trait, if it is a method of a trait.
    fn declaration(
        &self,
        method: &Method,
        sig: &syn::Signature,
        lints: &TokenStream,
    ) -> Option<TokenStream> {
        method.impl_target.trait_path.as_ref()?;
        let (name, generics, output) = (&sig.ident, &sig.generics, &sig.output);
        let (params, bounds) = (&generics.params, &generics.where_clause);
        let receiver = self.signature.arguments.first()?;
        let receiver = method.declared_receiver(&receiver.ty)?;
        let others = self.signature.arguments.iter().skip(1);
        let others = others.map(|argument| &argument.ty);
        Some(quote! {
            #[allow(single_use_lifetimes, unused_lifetimes, reason = "written by `state_machine`")]
            #[cfg_attr(clippy, allow(#lints reason = "written by `state_machine`"))]
            async fn #name<#params>(#receiver #(, _: #others)*) #output #bounds;
        })
    }

    /// Returns the path of the function. `is_given` adds its own generic arguments.
    pub(crate) fn path(&self, is_given: bool) -> TokenStream {
        let (function, method) = (&self.name, self.as_method());
        let types = is_given.then(|| self.signature.turbofish(method));
        let types = types.flatten();
        let name = quote!(#function #types);
        match method {
            Some(method) => method.inferred_path(self.machine, &name),
            None => name,
        }
    }

    /// Returns a closure that returns the coroutine, with a tuple as its argument.
    pub(crate) fn closure(&self, tuple: &TokenStream, is_given: bool) -> TokenStream {
        let function = self.path(is_given);
        let names: Vec<_> = (0..self.signature.arguments.len())
            .map(|index| names::local(&format!("argument_{index}")))
            .collect();
        let call = quote!(#function(#(#names),*));
        let call = match self.signature.unsafety {
            Some(token) => quote!(#token { #call }),
            None => call,
        };
        quote!(|(#(#names,)*): #tuple| #call)
    }

    /// Returns `true` if the elided lifetimes need no names. An error of a borrow then suggests the
    /// lifetime that is missing, as of the user's function.
    fn may_elide(&self) -> bool {
        let is_of_trait = |method: &Method| method.impl_target.trait_path.is_some();
        let is_of_trait = self.method.is_some_and(is_of_trait);
        self.is_only_copy && !is_of_trait && self.signature.is_as_written()
    }

    /// Writes types and lifetimes that the signature elides.
    fn name_all(&self, sig: &mut syn::Signature) {
        let (signature, method) = (self.signature, self.as_method());
        if self.may_elide() {
            let is_made = |param: &&GenericParam| signature.names_elided(self.item, param);
            let own = signature.own_params(method);
            sig.generics.params = own.filter(|param| !is_made(param)).cloned().collect();
            return;
        }
        sig.generics.params = signature.own_params(method).cloned().collect();
        if let (None, Some(clause)) = (method, &signature.generics.where_clause) {
            sig.generics.where_clause = Some(clause.clone());
        }
        for (input, argument) in sig.inputs.iter_mut().zip(&signature.arguments) {
            match (input, &argument.ty) {
                (FnArg::Typed(input), ty) => *input.ty = ty.clone(),
                (FnArg::Receiver(receiver), ty) => name_receiver(&mut receiver.kind, ty),
            }
        }
        if let ReturnType::Type(_, ty) = &mut sig.output {
            **ty = signature.output.clone();
        }
    }
}

/// Gives a receiver its lifetime.
fn name_receiver(kind: &mut ReceiverKind, ty: &Type) {
    match (kind, ty) {
        (ReceiverKind::Reference(_, lifetime, _), Type::Reference(reference)) => {
            lifetime.clone_from(&reference.lifetime);
        }
        (ReceiverKind::Typed(_, of), ty) => **of = ty.clone(),
        _ => {}
    }
}
