//! The function that makes the machine, the struct, and the block with all the rest.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, parse_quote};

use super::input::{Input, allow};
use crate::names::{as_if_written, located_at, path_at};
use crate::native::is_for_maker;
use crate::signature::is_receiver;

/// What takes the place of the function, and what stands beside it.
pub(crate) fn machine(input: &Input<'_>) -> (TokenStream, TokenStream) {
    let (function, declared) = (input.maker(), input.declared());
    let (twin, advance, derived) = (input.twin(), input.advance(), input.derived());
    let sound = input.sound();
    let parts = match input.typed {
        Some(typed) => input.typed_parts(typed),
        None => input.parts(),
    };
    let (support, private) = (input.support(), input.private());
    let (conditions, allow) = (input.signature.conditions(), allow(true));
    let beside = quote! {
        #declared
        #(#conditions)*
        const _: () = {
            use #support as #private;
            #twin
            #allow
            {
                #sound
                #parts
                #advance
                #derived
            }
        };
    };
    (function, beside)
}

impl Input<'_> {
    /// The struct.
    fn declared(&self) -> TokenStream {
        let (name, vis, fields) = (self.name, &self.item.vis, self.fields());
        let (parameters, phantom) = (self.signature.parameters(), self.signature.phantom());
        // The types of the arguments say which lifetimes outlive others.
        let (tuple, bounds) = (self.signature.tuple(), self.signature.bounds());
        let machine = quote_spanned! {self.place()=>
            #vis struct #name<#parameters> where #bounds {
                #fields
                parameters: ::core::marker::PhantomData<(#phantom, fn(#tuple) -> #tuple)>,
                end: (),
            }
        };
        let (conditions, doc, allow) = (self.signature.conditions(), self.doc(), allow(false));
        let repr = self.typed.is_none().then(|| quote!(#[repr(C)]));
        quote! {
            #(#conditions)*
            #(#[doc = #doc])*
            #[must_use = "futures do nothing unless you `.await` or poll them"]
            #allow
            #repr
            #machine
        }
    }

    /// The fields of the struct, but for those without bytes at its end.
    fn fields(&self) -> TokenStream {
        if let Some(typed) = self.typed {
            return self.typed_fields(typed);
        }
        let (volt, private) = (self.volt(), self.support());
        let ty = located_at(self.static_type(), self.signature.name.span());
        quote_spanned! {self.place()=>
            bytes: #private::Bytes<{ #private::size::<#ty>() }, { #private::align::<#ty>() }>,
            marks: #volt::__private::native::KeptAcrossAwaitsTheOptionSendTellsWhat<
                { #private::is_send::<#ty>() },
                { #private::is_sync::<#ty>() },
            >,
            pinned: #private::Pinned<{ #private::is_unpin::<#ty>() }>,
        }
    }

    /// What is wrong with the machine itself, as a name that is taken, the compiler says here.
    pub(super) fn place(&self) -> Span {
        Span::call_site().located_at(self.signature.name.span())
    }

    /// The function that makes the machine.
    fn maker(&self) -> TokenStream {
        let (signature, method) = (self.signature, self.method);
        let (name, machine, vis) = (&signature.name, self.name, self.vis);
        let attrs = signature.attrs.iter();
        let attrs = attrs.filter(|attr| stays(attr) || is_for_maker(attr));
        let (allow, fn_token) = (allow_in_maker(), &signature.fn_token);
        let parameters = signature.parameters_of_function(method);
        let bounds = match method {
            Some(method) => method.original.sig.generics.where_clause.to_token_stream(),
            None => {
                let bounds = signature.bounds();
                quote!(where #bounds)
            }
        };
        let (params, arguments) = (self.maker_params(), signature.arguments());
        let output = as_if_written(quote!(#machine<#arguments>), name.span());
        let body = as_if_written(self.maker_body(), name.span());
        quote!(#(#attrs)* #allow #vis #fn_token #name<#parameters>(#params) -> #output #bounds #body)
    }

    /// The arguments as the function takes them.
    fn maker_params(&self) -> TokenStream {
        let params = self.signature.arguments.iter().map(|argument| {
            let (name, ty) = (&argument.name, &argument.ty);
            let receiver = self.method.filter(|_| is_receiver(argument));
            let receiver = receiver.and_then(|method| method.receiver(ty));
            receiver.unwrap_or_else(|| quote!(#name: #ty))
        });
        quote!(#(#params),*)
    }

    /// Stores the arguments in a machine that stores nothing yet.
    fn maker_body(&self) -> TokenStream {
        let (private, ty, limit) = (self.support(), self.static_type(), self.limit());
        let arguments = &self.signature.arguments;
        let method = self.method.and_then(|it| it.original.sig.receiver());
        let receiver = method.map(|receiver| {
            let (name, token) = (&arguments[0].name, &receiver.self_token);
            quote!(let #name = #token;)
        });
        let given = arguments.iter().enumerate().map(|(index, argument)| {
            let (name, index) = (&argument.name, Literal::usize_unsuffixed(index));
            quote!(#name => #index,)
        });
        let empty = self.typed.map(|_| self.empty());
        quote!({
            #limit
            #receiver
            #private::start!([#ty] #empty, { #(#given)* })
        })
    }

    /// A machine that stores nothing.
    pub(super) fn empty(&self) -> TokenStream {
        let (volt, private, name) = (self.volt(), self.support(), self.name);
        let ty = self.static_type();
        let fields = match self.typed {
            Some(typed) => self.typed_empty(typed),
            None => quote! {
                bytes: #private::Bytes::new(<#ty as #private::Parts>::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN.tag),
                marks: #volt::__private::native::KeptAcrossAwaitsTheOptionSendTellsWhat::NEW,
                pinned: #private::Pinned::NEW,
            },
        };
        quote! {
            #name {
                #fields
                parameters: ::core::marker::PhantomData,
                end: (),
            }
        }
    }

    /// The traits that were asked for.
    fn derived(&self) -> Option<TokenStream> {
        if let Some(typed) = self.typed {
            return Some(self.typed_derived(typed));
        }
        let traits = &self.options.derive;
        let (private, name, empty) = (self.private(), self.name, self.empty());
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let bounds = self.signature.bounds();
        (!traits.is_empty()).then(|| {
            quote! {
                #private::derive! { [#(#traits)*] #name [#parameters] [#arguments] [#bounds] #empty }
            }
        })
    }

    /// The bound of `max_size`.
    fn limit(&self) -> Option<TokenStream> {
        let (volt, ty, limit) = (
            self.volt(),
            self.static_type(),
            self.options.max_size.as_ref()?,
        );
        let at_most = path_at(&parse_quote!(#volt::__private::at_most), limit.span());
        Some(quote!(const { #at_most(::core::mem::size_of::<#ty>(), #limit) };))
    }
}

fn allow_in_maker() -> TokenStream {
    quote! {
        #[allow(
            single_use_lifetimes,
            refining_impl_trait,
            unreachable_pub,
            private_interfaces,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            reason = "written by `state_machine`"
        )]
    }
}

/// Attributes that stay on the function.
fn stays(attr: &Attribute) -> bool {
    let stays = ["cfg", "doc", "deprecated", "track_caller", "inline", "cold"];
    stays.iter().any(|name| attr.path().is_ident(name))
}
