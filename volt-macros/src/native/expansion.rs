//! The items next to the function: the struct, and its implementations.
//!
//! If the coroutine is a type parameter, it is created by a closure or by a function. A closure
//! does not declare the function's lifetimes. If a type parameter has to outlive one of several,
//! `F: Future + 'a`, the compiler then requires that it is `'static`. A function declares all
//! lifetimes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{Generics, TypeParamBound};

use super::coroutine::Coroutine;
use super::native_machine::{CoroutineStorage, NativeMachine, arguments_ptr, followed};
use crate::backend::{FutureOutput, LINT_REASON, MarkerImpl};
use crate::names::{self, TokenList};
use crate::options::{Send, tracking_item};
use crate::signature::{Carried, Struct, carrying_vis};

impl NativeMachine<'_> {
    /// Returns the tokens before and after the functions that the struct calls. Their spans are
    /// those at which the compiler reports errors of the machine.
    fn assertion_path(&self) -> &[TokenList; 2] {
        self.assertion_path.get_or_init(|| {
            let (name, arguments) = (&self.name, self.signature.static_arguments());
            let types = TokenList::new(quote!(::<#name<#arguments>>()));
            let parts = [self.private().clone(), types];
            parts.map(|part| part.located_at(self.signature.name.span()))
        })
    }

    /// The arguments of the struct within itself.
    fn own_arguments(&self, carried: &[Option<Carried>; 2]) -> TokenStream {
        let (arguments, coroutine) = (followed(self.signature.arguments()), self.coroutine());
        let own = coroutine.into_iter().map(ToTokens::to_token_stream);
        let own = own.chain(carried.iter().flatten().map(Carried::name));
        quote!(#arguments #(#own),*)
    }

    /// The types of the arguments and of the `impl`, where the struct carries them.
    fn carried(&self) -> [Option<Carried>; 2] {
        let (signature, given) = (&self.signature, self.options.vis.as_ref());
        let vis = carrying_vis(self.method, given, self.vis);
        let arguments = signature.carried("Arguments", &signature.tuple(), vis);
        [arguments, signature.carried_home(vis)]
    }

    /// The struct for all types that it may carry.
    fn for_all(&self, carried: &[Option<Carried>; 2]) -> Struct {
        let private = self.private();
        let needs = if self.is_boxed() {
            quote!(#private::EndsBoxed)
        } else {
            quote!(#private::CoroutineInfo)
        };
        let carried = carried.iter().flatten();
        self.signature.with_carried(&self.name, carried, &needs)
    }

    /// The storage as a type.
    fn storage(
        &self,
        [asked, of_machine]: &[TokenList; 2],
        carried: &[Option<Carried>; 2],
    ) -> TokenStream {
        let (private, name) = (self.private(), &self.name);
        let tuple = Carried::within(carried[0].as_ref(), &self.signature.tuple());
        let arguments = self.own_arguments(carried);
        let notes = self.position_store();
        // The store of a traced machine is the default.
        let notes = (!self.is_traced()).then(|| quote!(, #notes));
        match self.room {
            CoroutineStorage::Open => {
                let coroutine = &self.parameter;
                if self.is_compact() {
                    let table = self.table();
                    return quote! {
                        #private::CompactCoroutine<#tuple, #coroutine, #name<#arguments>, #table>
                    };
                }
                quote!(#private::GenericStorage<#tuple, #coroutine, #name<#arguments> #notes>)
            }
            CoroutineStorage::Boxed => quote!(#private::Boxed<#tuple>),
            CoroutineStorage::Given(size) => {
                quote!(#private::Inline<#tuple, { #size }, 16, #name<#arguments> #notes>)
            }
            CoroutineStorage::Measured => {
                // The span is the user's own, because the compiler then reports a cycle of machines
                // in fewer lines.
                let room = quote_spanned! {self.signature.name.span()=>
                    { #asked::size #of_machine }, { #asked::align #of_machine }
                };
                if self.is_compact() {
                    quote!(#asked::CompactStorage<#tuple, #room, #name<#arguments>>)
                } else {
                    quote!(#asked::Inline<#tuple, #room, #name<#arguments> #notes>)
                }
            }
        }
    }

    /// Returns the marker, whose auto traits are those of the machine.
    pub(super) fn marker_impl(&self) -> MarkerImpl<'_> {
        MarkerImpl {
            volt: self.volt(),
            name: &self.name,
            signature: &self.signature,
            send: self.send,
            item: self.item,
            method: self.method,
            module: &self.assertion_path()[0],
        }
    }

    /// Returns the field with the marker.
    fn marker_field(&self) -> Option<TokenStream> {
        let private = self.private();
        match (self.room, self.send) {
            (CoroutineStorage::Boxed | CoroutineStorage::Given(_), Send::Asked) => {
                Some(quote!(marker: #private::HeldAcrossAwait<false, false>,))
            }
            // The coroutine itself is a field, so its auto traits are known.
            (CoroutineStorage::Open, Send::Asked | Send::Declared(_)) => None,
            _ => self.marker_impl().field(),
        }
    }

    /// Returns the struct, without the lints that it allows.
    fn struct_item(&self, coroutine: &Coroutine) -> TokenStream {
        let (parameters, carried) = (followed(self.signature.parameters()), self.carried());
        let bounds = match self.room {
            CoroutineStorage::Open => self.signature.bounds(),
            _ => Some(self.for_all(&carried).bounds),
        };
        let own = self.coroutine().into_iter().map(ToTokens::to_token_stream);
        let own = own.chain(carried.iter().flatten().map(Carried::declared));
        let parameters = quote!(#parameters #(#own),*);
        let (name, vis, ask) = (&self.name, self.vis, self.assertion_path());
        let (storage, marks) = (self.storage(ask, &carried), self.marker_field());
        let is_measured = matches!(self.room, CoroutineStorage::Measured);
        let own = (parameters.clone(), self.own_arguments(&carried));
        let opaque = self.marker_impl().opaque_field(own, &bounds, &storage);
        let (storage, opaque) = opaque.filter(|_| is_measured).unwrap_or((storage, None));
        let phantom = self.signature.phantom(carried[1].as_ref());
        let doc = self.doc(coroutine);
        let is_hidden = self.method.is_some_and(|method| method.is_hidden());
        let hiding = self.signature.hiding();
        let hidden = is_hidden.then(|| quote!(#[doc(hidden)]));
        let machine = quote_spanned! {self.signature.place()=>
            #[repr(C)]
            #vis struct #name<#parameters> where #bounds {
                native: #storage,
                #marks
                parameters: #phantom,
                // This field is last, so that code that needs only the field's offset does not
                // compute the layout of the storage.
                end: (),
            }
        };
        // The compiler would parse a literal again each time.
        let machine = match self.options.public {
            Some(_) => names::declared_by_user(machine, self.signature.name.span()),
            None => machine,
        };
        let nameable = self.options.nameable();
        let must_use = "futures do nothing unless you `.await` or poll them";
        quote! {
            #[doc = #doc]
            #hidden
            #(#hiding)*
            #[must_use = #must_use]
            #nameable
            #machine
            #opaque
        }
    }

    /// Returns the value that the function returns, from its arguments.
    pub(super) fn constructor_value(
        &self,
        arguments: &TokenStream,
        coroutine: &Coroutine,
    ) -> TokenStream {
        let (name, private) = (&self.name, self.private());
        let storage = match self.room {
            CoroutineStorage::Open => self.start_generic(arguments, coroutine),
            CoroutineStorage::Boxed => quote!(#private::Boxed::new(#arguments)),
            CoroutineStorage::Measured | CoroutineStorage::Given(_) => {
                return self.new_inline(arguments);
            }
        };
        let marks = self
            .marker_field()
            .map(|_| quote!(marker: #private::HeldAcrossAwait::NEW,));
        quote! {
            #name {
                native: #storage,
                #marks
                parameters: ::core::marker::PhantomData,
                end: (),
            }
        }
    }

    /// Returns the same value without the name of a field. If the name of the struct is in use
    /// already, the compiler would report an unknown field.
    fn new_inline(&self, arguments: &TokenStream) -> TokenStream {
        let (name, private) = (&self.name, self.private());
        let is_compact = self.is_compact();
        let types = self.signature.is_opaque.then(|| {
            let own = self.signature.arguments();
            let store = (!is_compact).then(|| quote!(, _));
            quote!(::<#name<#own>, _, _ #store>)
        });
        if is_compact {
            quote!(#private::new_compact #types (#arguments))
        } else {
            quote!(#private::new_inline #types (#arguments))
        }
    }

    /// Returns the struct, and the items next to it in a block of their own.
    pub(super) fn items(&self, coroutine: &Coroutine) -> TokenStream {
        let (private, name, item) = (self.private(), &self.name, &coroutine.item);
        let conditions: Vec<_> = self.signature.conditions().collect();
        let (declared, future) = (self.struct_item(coroutine), self.future_impl(coroutine));
        let (parts, send) = (self.measure(coroutine), self.send_proof(coroutine));
        let is_measured = matches!(self.room, CoroutineStorage::Measured);
        let marked = is_measured
            .then(|| self.marker_impl().implement())
            .flatten();
        let (table, table_name) = (self.table_of(coroutine), self.table());
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let bounds = self.signature.bounds();
        // No code creates a value of it. A type outside of the block would get a lint that others
        // may.
        let exhaustive = self.coroutine().map(|_| quote!(#[non_exhaustive]));
        let tracking = tracking_item();
        let item = quote! {
            #(#conditions)*
            #[doc(hidden)]
            #exhaustive
            pub struct #table_name;
            #item
        };
        // A function whose machine names the coroutine is outside of the block.
        let (own, outside, inside) = match self.coroutine() {
            Some(last) => {
                let (parameters, arguments) = (followed(parameters), followed(arguments));
                let last_parameter = quote!(#last: ::core::future::Future);
                let own = quote!([#parameters #last_parameter] [#arguments #last]);
                // An editor would offer its name to the user.
                let (outside, inside) = if self.options.editor {
                    (None, Some(item))
                } else {
                    (Some(item), None)
                };
                (own, outside, inside)
            }
            None => (quote!([#parameters] [#arguments]), None, Some(item)),
        };
        quote! {
            #private::machine! {
                [#(#conditions)*] { #declared } { #outside }
                #name #own [#bounds]
                #table
                { #tracking #inside #future #marked #parts #send }
            }
        }
    }

    /// Returns the implementation of `Future`, and those that its storage needs.
    fn future_impl(&self, coroutine: &Coroutine) -> TokenStream {
        let (private, name, lists) = (self.private(), &self.name, self.signature.lists());
        let output = FutureOutput::of(self.vis, name, &self.signature, &self.output());
        let (items, own, output) = (output.items, output.own, output.list);
        let (table, notes, tuple) = (self.table(), self.position_store(), self.signature.tuple());
        match (self.coroutine(), self.make(coroutine)) {
            (Some(last), _) => {
                let parameters = followed(self.signature.parameters());
                let arguments = followed(self.signature.arguments());
                let bounds = self.signature.bounds();
                let (arguments_ptr, made) = (arguments_ptr(), &coroutine.make);
                let carried = self.signature.carried_by_future(self.carried());
                let (implement, [carries, points]) = if self.is_compact() {
                    let points = self.suspend_points(coroutine);
                    let parts = [quote!(carries [#carried]), quote!(, suspend points #points)];
                    (quote!(native_compact_generic), parts)
                } else {
                    (quote!(native_generic), [quote!(), quote!()])
                };
                quote! {
                    #private::#implement! {
                        #name [#parameters] [#arguments] [#bounds] #last
                        table #table
                        #carries
                        made of #tuple, #notes, |#arguments_ptr| #made #points
                    }
                }
            }
            (None, Some(make)) => {
                let dropped = self.for_all(&self.carried()).lists();
                quote_spanned! {self.signature.place()=>
                    #items
                    #private::native_boxed! {
                        #name #lists
                        future #output by [#own]
                        dropped #dropped
                        table #table
                        make #make
                    }
                }
            }
            (None, None) if self.is_compact() => {
                let points = self.suspend_points(coroutine);
                quote_spanned! {self.signature.place()=>
                    #items
                    #private::native_compact! {
                        #name #lists
                        future #output
                        table #table of #tuple, suspend points #points
                    }
                }
            }
            (None, None) => quote_spanned! {self.signature.place()=>
                #items
                #private::native_inline! {
                    #name #lists
                    future #output
                    table #table as #notes, of #tuple
                }
            },
        }
    }
}

impl NativeMachine<'_> {
    /// Returns the storage, created from the arguments.
    pub(super) fn start_generic(
        &self,
        arguments: &TokenStream,
        coroutine: &Coroutine,
    ) -> TokenStream {
        let (private, arguments_ptr, make) = (self.private(), arguments_ptr(), &coroutine.make);
        let start = if self.is_compact() {
            quote!(start_compact)
        } else {
            quote!(start_generic)
        };
        if !outlives(&self.signature.generics) {
            return quote!(#private::#start!(#arguments, |#arguments_ptr| #make));
        }
        let (function, types) = (self.start_fn(coroutine), self.signature.inferred(None));
        quote!({
            #function
            #private::#start!(#arguments, __volt_start::<#types>)
        })
    }

    /// Returns the function that creates the coroutine.
    fn start_fn(&self, coroutine: &Coroutine) -> TokenStream {
        let (signature, brand) = (&self.signature, names::label("__volt"));
        let (parameters, arguments) = (signature.parameters(), signature.arguments());
        let (bounds, opaque, given) = (
            signature.bounds(),
            self.opaque(),
            self.coroutine_input(&brand),
        );
        let (arguments_ptr, make) = (arguments_ptr(), &coroutine.make);
        quote! {
            #[allow(
                impl_trait_redundant_captures, single_use_lifetimes, unused_lifetimes,
                clippy::extra_unused_lifetimes, clippy::multiple_bound_locations, clippy::needless_lifetimes,
                clippy::type_complexity, reason = #LINT_REASON
            )]
            fn __volt_start<#brand, #parameters>(
                #arguments_ptr: #given
            ) -> #opaque + use<#brand, #arguments>
            where #bounds
            {
                #make
            }
        }
    }
}

/// Returns `true` if a type has to outlive a lifetime that has a name, and the function has several
/// lifetimes.
fn outlives(generics: &Generics) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_param_bound(&mut self, bound: &'ast TypeParamBound) {
            self.0 |= matches!(bound, TypeParamBound::Lifetime(it) if it.ident != "static");
            visit::visit_type_param_bound(self, bound);
        }
    }
    let mut find = Find(false);
    find.visit_generics(generics);
    find.0 && generics.lifetimes().count() > 1
}
