//! The function that creates the coroutine: the user's body, after the code that moves its
//! arguments in.
//!
//! ```text
//! async fn __fetch<'__volt, ..>(ptr: ProgressCapture<'__volt, (Url, Page)>) -> Output {
//!     let ptr = ptr.receive();               the pointer to the machine
//!     let values = take_arguments!(ptr);     all at once
//!     let url = values.0;                    each parameter as an `async fn` binds it
//!     let argument_1 = values.1;
//!     let Page { size, .. } = argument_1;
//!     { the body, its awaits marked }
//! }
//! ```
//!
//! The function of a method is in an `impl` of its type and has the receiver as it was written. So
//! `self` and `Self` mean the same as in the user's text, also in macros and in texts that capture
//! them.
//!
//! Its first statements move the arguments, so the coroutine stores them once: as locals. If the
//! coroutine is a type parameter, it is created with its machine and waits after the first of them:
//! `let values = receive_arguments!(ptr);`. If its body does not wait, the arguments are
//! parameters.
//!
//! `receive` is called before the first argument, and nothing is called from there to the body. A
//! value that is live across a call that may panic is dropped as a whole there. If the body then
//! takes it apart, the compiler stores all of it across each await, in addition to its parts. So
//! one expression moves all arguments. If the receiver is `self` by value, or the arguments may be
//! small and there is no trace, they are parameters, too. Of parameters the compiler stores a
//! second copy, as it does in any `async fn`. Parameters exist before the first statement, so a
//! traced coroutine with such parameters captures the pointer itself.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Block, Index, Lifetime, Pat, ReturnType, Token};

use super::native_machine::{NativeMachine, arguments_ptr, start_arguments};
use super::sites::Marks;
use super::walks::Macros;
use crate::backend::{LINT_REASON, is_for_body, is_foreign, is_lint, is_outer};
use crate::names;
use crate::signature::{Argument, Functions, impl_trait, without_name};
use crate::syntax::{TurnPlace, add_turns};

/// The coroutine of a machine.
pub(super) struct Coroutine {
    /// The function, in its `impl` if it needs one.
    pub(super) item: TokenStream,
    /// The expression that creates the coroutine from a `CoroutineInput` with the name
    /// `arguments_ptr`.
    pub(super) make: TokenStream,
    /// The function that creates the coroutine from its capture, if it needs nothing else.
    pub(super) plain: Option<TokenStream>,
    pub(super) marks: Marks,
    /// The body with its marked awaits.
    pub(super) body: Block,
}

/// Returns the function that creates the coroutine.
pub(super) fn coroutine(machine: &NativeMachine<'_>, body: &Block) -> Coroutine {
    let mut body = body.clone();
    if let Some(method) = machine.impl_target() {
        body.stmts
            .splice(0..0, method.impl_target.import_of_trait());
    }
    let (marks, functions) = machine.functions(&mut body);
    let (signature, name) = (&machine.signature, machine.named(&machine.body_name));
    let (item, path) = match machine.impl_target() {
        Some(method) => {
            let item = method.within(&machine.name, &functions, signature.conditions());
            // An unknown type may have to outlive a lifetime of the `impl`, which needs a name
            // then.
            let path = match machine.coroutine() {
                Some(_) => method.named_path(&machine.name, &name),
                None => method.inferred_path(&machine.name, &name),
            };
            (item, path)
        }
        None => (functions.items, name),
    };
    let call = machine.coroutine_call(&path);
    let is_plain = machine.receiver().is_none() && signature.unsafety.is_none();
    Coroutine {
        item,
        plain: (is_plain && !machine.wrapper_makes_coroutine()).then_some(path),
        make: machine.unsafe_block(call),
        marks,
        body,
    }
}

impl NativeMachine<'_> {
    /// Returns the function that creates the coroutine, and others that it needs. Marks the body.
    fn functions(&self, body: &mut Block) -> (Marks, Functions) {
        let attrs = self.signature.attrs.iter().filter(|attr| !is_outer(attr));
        let attrs = attrs.filter(|attr| !is_lint(attr) || is_for_body(attr));
        let (foreign, own): (Vec<&Attribute>, Vec<&Attribute>) =
            attrs.partition(|attr| is_foreign(attr));
        let is_traced = self.is_traced();
        if is_traced && !self.options.editor {
            add_turns(body, TurnPlace::Body, self.volt());
        }
        self.macros.set(Macros::of(body));
        self.records_position.set(true);
        if foreign.is_empty() {
            self.records_position.set(self.macros.get().has_branches);
            let marks = self.mark(body, true, is_traced);
            let may_wait = !marks.sites.is_empty() || self.macros.get().may_wait;
            self.may_wait.set(may_wait);
            (marks, self.binding_function(&own, body))
        } else if self.wrapper_makes_coroutine() {
            let (marks, name) = (self.mark(body, false, is_traced), self.body_name.clone());
            (
                marks,
                self.attributed_function(&foreign, &own, &name, is_traced, body),
            )
        } else {
            self.wrapped_by_attributes(&foreign, &own, body)
        }
    }

    /// Returns the call of the function that creates the coroutine, with its input.
    fn coroutine_call(&self, path: &TokenStream) -> TokenStream {
        let (arguments_ptr, captures) = (arguments_ptr(), self.captures_arguments());
        let first = self.receiver().map(|_| self.take_argument(0));
        let notes = match (self.wrapper_makes_coroutine(), self.is_traced()) {
            (true, is_traced) => is_traced.then(|| quote!([#arguments_ptr.pointer()])),
            (false, true) if self.is_compact_generic() => {
                Some(quote!(#arguments_ptr.capture_with_arguments()))
            }
            (false, true) if captures => Some(quote!(#arguments_ptr.pointer())),
            (false, _) => Some(quote!(#arguments_ptr.capture())),
        };
        let others = self.other_arguments().filter(|_| captures);
        let others = others.map(|(index, _)| self.take_argument(index));
        let arguments = first.into_iter().chain(notes).chain(others);
        quote!(#path(#(#arguments),*))
    }

    /// Returns the call of such a function, which may be unsafe.
    pub(super) fn unsafe_block(&self, call: TokenStream) -> TokenStream {
        match self.signature.unsafety {
            Some(token) => quote!(#token { #call }),
            None => call,
        }
    }

    /// Returns the path of a function of these parameters with its generic arguments, because its
    /// arguments may not determine them.
    pub(super) fn named(&self, function: &Ident) -> TokenStream {
        let types = self.signature.turbofish(self.impl_target());
        quote!(#function #types)
    }

    /// Returns the receiver as it is written in the `impl`.
    fn receiver_syntax(&self) -> Option<TokenStream> {
        let (method, receiver) = (self.impl_target()?, self.receiver()?);
        let written = method.receiver(&receiver.ty)?;
        let mutable = method.original.sig.receiver()?.mutability;
        Some(quote!(#mutable #written,))
    }

    /// Returns the function that creates the coroutine. Its `body` moves the arguments by itself.
    pub(super) fn function(&self, own: &[&Attribute], body: &TokenStream) -> Functions {
        let (arguments_ptr, brand, private) =
            (arguments_ptr(), names::label("__volt"), self.private());
        let (tuple, allow) = (self.signature.tuple(), allow());
        let captures = self.captures_arguments();
        // It has one argument more than the user's function, and the bounds of an `impl` are those
        // of a function here.
        let is_more = captures || self.method.is_some();
        let more = is_more.then(|| {
            quote! {
                #[allow(clippy::too_many_arguments, clippy::multiple_bound_locations, reason = #LINT_REASON)]
            }
        });
        let arguments = parameters(self.other_arguments().filter(|_| captures));
        let (captured, begin) = if self.is_compact_generic() {
            let start = start_arguments();
            let begin = if self.receives_arguments() {
                quote! {
                    let #start = #arguments_ptr.receive();
                    let #arguments_ptr = #start.pointer();
                }
            } else {
                quote!(let #arguments_ptr = #private::captured_pointer!(#arguments_ptr);)
            };
            (
                quote!(#private::CompactCapture<#brand, #tuple>),
                Some(begin),
            )
        } else if self.is_compact() {
            let start = start_arguments();
            (
                quote!(#private::CompactPtr<#brand, #tuple>),
                (!captures).then(|| quote!(let #start = #arguments_ptr.receive();)),
            )
        } else if self.is_traced() && captures {
            (quote!(#private::ArgumentsPtr<#brand, #tuple>), None)
        } else if self.is_traced() {
            (
                quote!(#private::ProgressCapture<#brand, #tuple>),
                Some(quote!(let #arguments_ptr = #arguments_ptr.receive();)),
            )
        } else {
            (
                quote!(#private::UntracedCapture<#brand, #tuple>),
                self.receives_arguments()
                    .then(|| quote!(let #arguments_ptr = #arguments_ptr.receive().await;)),
            )
        };
        // Edition 2024 captures the pointer's lifetime, too, which no code names.
        let overcaptures = impl_trait(&self.signature.output)
            .map(|_| quote!(#[allow(impl_trait_overcaptures, reason = #LINT_REASON)]));
        let attrs = quote!(#(#own)* #allow #more #overcaptures);
        // An error about a borrow that escapes names this parameter.
        let place = self.item.sig.paren_token.span.join();
        let shown = names::located_at(quote!(#arguments_ptr), place);
        let params = quote!(#shown: #captured #(, #arguments)*);
        let types = self.other_arguments().filter(|_| captures);
        let types = types.map(|(_, argument)| &argument.ty);
        let declared = quote!(_: #captured #(, _: #types)*);
        self.head(
            &attrs,
            (&self.body_name, Some(&brand)),
            [params, declared],
            &quote!(#begin #body),
        )
    }

    /// Returns an `async fn` with the receiver and the output of the user's function. `params` are
    /// the parameters, and the same as a declaration has them.
    pub(super) fn head(
        &self,
        attrs: &TokenStream,
        (name, brand): (&Ident, Option<&Lifetime>),
        [params, declared]: [TokenStream; 2],
        body: &impl ToTokens,
    ) -> Functions {
        let (impl_target, conditions) = (self.impl_target(), self.signature.conditions());
        let conditions: Vec<_> = conditions.collect();
        let (unsafety, receiver) = (self.signature.unsafety, self.receiver_syntax());
        let unnamed = brand.and_then(|_| self.signature.unnamed_lifetime(self.item));
        let parameters = self
            .signature
            .parameters_without(unnamed.as_ref(), impl_target);
        let params = without_name(params, unnamed.as_ref());
        let output = match &self.item.sig.output {
            ReturnType::Type(arrow, _) => {
                let output = &self.signature.output;
                quote!(#arrow #output)
            }
            // The compiler suggests to write an output.
            ReturnType::Default => TokenStream::new(),
        };
        let bounds = self.signature.bounds_of_function(impl_target);
        let brand = brand.map(|brand| quote!(#brand,));
        let of_trait = impl_target.filter(|method| method.impl_target.trait_path.is_some());
        let declared = of_trait.map(|method| {
            let first = self
                .receiver()
                .and_then(|it| method.declared_receiver(&it.ty));
            let first = first.map(|receiver| quote!(#receiver,));
            let allow = allow();
            quote! {
                #(#conditions)*
                #allow
                async #unsafety fn #name<#brand #parameters>(#first #declared) #output #bounds;
            }
        });
        let (asyncness, body) = self.places_of_function(quote!({ #body }));
        let place = self.item.sig.paren_token.span.join();
        let params = names::located_at(quote!((#receiver #params)), place);
        let items = quote! {
            #(#conditions)*
            #attrs
            #asyncness #unsafety fn #name<#brand #parameters> #params #output #bounds #body
        };
        Functions {
            items,
            declared: declared.unwrap_or_default(),
        }
    }
}

impl NativeMachine<'_> {
    /// Returns the word `async` and the body with the places of the user: an error of `?` shows the
    /// braces, and a warning about an unsafe operation the whole head. Other lints shall take the
    /// function for generated code.
    fn places_of_function(&self, body: TokenStream) -> (Token![async], TokenStream) {
        let place = self.item.block.brace_token.span.join();
        let body = names::located_at(body, place);
        match (self.signature.unsafety, self.item.sig.asyncness) {
            // The inner braces keep the edition of the macro: in an older one, a temporary of the
            // tail is dropped after the arguments.
            (Some(_), Some(asyncness)) => (asyncness, names::within_user(quote!({ #body }), place)),
            _ => (<Token![async]>::default(), body),
        }
    }
}

/// Returns arguments as parameters.
pub(super) fn parameters<'a>(
    arguments: impl Iterator<Item = (usize, &'a Argument)>,
) -> impl Iterator<Item = TokenStream> {
    arguments.map(|(_, argument)| {
        let Argument { attrs, pat, ty, .. } = argument;
        quote!(#(#attrs)* #pat: #ty)
    })
}

/// Returns the lints that the functions allow. The lints of the body are the user's.
pub(super) fn allow() -> TokenStream {
    quote! {
        #[allow(single_use_lifetimes, reason = #LINT_REASON)]
    }
}

impl NativeMachine<'_> {
    /// Returns the function that creates the coroutine, which binds its arguments and then runs
    /// `body`.
    pub(super) fn binding_function(&self, own: &[&Attribute], body: &Block) -> Functions {
        if self.captures_arguments() {
            return self.function(own, &body.to_token_stream());
        }
        let (taken, values) = self.take_all();
        let arguments = self.other_arguments().zip(&values);
        let binds = arguments.map(|((_, argument), value)| bind(argument, value));
        self.function(own, &quote!(#taken #(#binds)* #body))
    }

    /// Returns the expression that moves an argument in.
    pub(super) fn take_argument(&self, index: usize) -> TokenStream {
        self.take_from(&arguments_ptr(), index)
    }

    fn take_from(&self, pointer: &Ident, index: usize) -> TokenStream {
        let (private, index) = (self.private(), Index::from(index));
        quote!(#private::take_arguments!(#pointer.#index))
    }

    /// Returns a statement that moves all arguments in, if there are several, and the expression
    /// for each of them.
    fn take_all(&self) -> (Option<TokenStream>, Vec<TokenStream>) {
        let (private, all) = (self.private(), names::local("values"));
        let pointer = if self.is_compact() {
            start_arguments()
        } else {
            arguments_ptr()
        };
        let indices: Vec<_> = self.other_arguments().map(|(index, _)| index).collect();
        let is_held = self.is_compact_generic() && !indices.is_empty();
        if indices.len() < 2 && !is_held {
            let values = indices.iter().map(|&index| self.take_from(&pointer, index));
            return (None, values.collect());
        }
        let places = (0..indices.len()).map(Index::from);
        let values = places.map(|place| quote!(#all.#place)).collect();
        let indices = indices.into_iter().map(Index::from);
        // The receiver was moved before.
        let listed = self.receiver().map(|_| quote!(, #(#indices)*));
        let take = if is_held {
            quote!(receive_arguments)
        } else {
            quote!(take_arguments)
        };
        (
            Some(quote!(let #all = #private::#take!(#pointer #listed);)),
            values,
        )
    }
}

/// Binds a parameter to a value, as an `async fn` does.
fn bind(argument: &Argument, value: &TokenStream) -> TokenStream {
    let Argument { attrs, pat, .. } = argument;
    // The compiler shows the pattern as the value that has another type than an assigned one.
    let value = names::in_place_of(&pat.to_token_stream(), value.clone());
    match pat {
        Pat::Ident(plain) if plain.by_ref.is_none() && plain.subpat.is_none() => {
            let is_underscored = plain.ident.to_string().starts_with('_');
            let allow = is_underscored.then(
                || quote!(#[allow(clippy::no_effect_underscore_binding, reason = #LINT_REASON)]),
            );
            quote!(#(#attrs)* #allow let #pat = #value;)
        }
        _ => {
            let whole = names::local(&argument.name.to_string());
            // `ref mut` in the pattern borrows it.
            quote! {
                #[allow(unused_mut, reason = "not every pattern borrows")]
                let mut #whole = #value;
                #(#attrs)*
                let #pat = #whole;
            }
        }
    }
}
