//! The machine: its struct, its parts, and what is asked of it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Lifetime, Path, Token, Type};

use super::coroutine::Coroutine;
use crate::errors::Why;
use crate::names;
use crate::options::{Options, Send};
use crate::signature::{Signature, impl_trait};

/// Where a coroutine lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// In as many bytes as it has.
    Measured,
    /// In a field whose type is a parameter of the machine's.
    Open,
    /// In so many bytes, which are asked for where the machine is used.
    Given,
    /// In a box.
    Boxed,
}

/// Everything that is known of a machine when it is written.
pub(super) struct Machine<'a> {
    pub(super) name: &'a Ident,
    pub(super) signature: &'a Signature,
    pub(super) options: &'a Options,
    pub(super) why: &'a Why,
    pub(super) vis: TokenStream,
    /// Whether it is kept out of the documentation.
    pub(super) is_hidden: bool,
    /// How it is known whether it may go to other threads.
    pub(super) send: Send,
    /// Whether somebody names it with the parameters of the function alone.
    pub(super) is_named: bool,
    /// The name of the parameter for the coroutine.
    pub(super) parameter: Ident,
    /// Whether the coroutine takes arguments when it runs, and not just a receiver when it is made.
    pub(super) hands: bool,
}

impl Machine<'_> {
    pub(super) fn volt(&self) -> &Path {
        &self.options.volt
    }

    pub(super) fn room(&self) -> Room {
        let signature = self.signature;
        match &self.options.inline {
            _ if impl_trait(&signature.output).is_some() => Room::Open,
            Some(_) => Room::Given,
            None if !signature.is_generic() => Room::Measured,
            None if self.options.boxed || self.is_named => Room::Boxed,
            None => Room::Open,
        }
    }

    /// Whether the machine notes its awaits. One in a box does, as that saves no room.
    pub(super) fn is_traced(&self) -> bool {
        self.options.trace || self.is_boxed()
    }

    /// The notes as a type.
    fn notes(&self) -> TokenStream {
        let (volt, hands) = (self.volt(), self.hands);
        match self.is_traced() {
            true => quote!(#volt::__private::native::Progress),
            false => quote!(#volt::__private::native::Untraced<#hands>),
        }
    }

    /// The same where those of a traced machine need not be said.
    fn other_notes(&self) -> Option<TokenStream> {
        let notes = self.notes();
        (!self.is_traced()).then(|| quote!(, #notes))
    }

    /// The type of what makes the coroutine.
    pub(super) fn late(&self, lifetime: &Lifetime, tuple: &TokenStream) -> TokenStream {
        let (volt, notes) = (self.volt(), self.notes());
        quote!(#volt::__private::native::Given<#lifetime, #tuple, #notes>)
    }

    pub(super) fn is_boxed(&self) -> bool {
        self.room() == Room::Boxed
    }

    /// The parameter for the coroutine, where there is one.
    pub(super) fn coroutine(&self) -> Option<&Ident> {
        (self.room() == Room::Open).then_some(&self.parameter)
    }

    /// What the future gives. `!` has no name of its own as a type; it is what a function's type says.
    pub(super) fn output(&self) -> TokenStream {
        let (volt, output) = (self.volt(), &self.signature.output);
        match output {
            Type::Never(_) => quote!(<fn() -> ! as #volt::__private::Native>::Future),
            _ => quote!(#output),
        }
    }

    /// What the function returns.
    pub(super) fn returned(&self) -> TokenStream {
        let (name, arguments) = (self.name, self.signature.arguments());
        if self.signature.is_opaque {
            let output = self.output();
            return quote!(impl ::core::future::Future<Output = #output>);
        }
        match self.coroutine() {
            Some(_) => {
                let output = self.output();
                let comma = comma(&arguments);
                // What has no name is captured without `use`, which would have to name all.
                let captured = self.signature.anonymous.is_empty();
                let captured = captured.then(|| quote!(+ use<#arguments>));
                let arguments = self.signature.written_arguments();
                quote! {
                    #name<#arguments #comma impl ::core::future::Future<Output = #output> #captured>
                }
            }
            None => {
                let arguments = self.signature.written_arguments();
                quote!(#name<#arguments>)
            }
        }
    }

    pub(super) fn static_ty(&self) -> TokenStream {
        let (name, arguments) = (self.name, self.signature.static_arguments());
        quote!(#name<#arguments>)
    }

    /// The functions that the struct asks stand between these two, where the compiler says what is wrong with the machine.
    /// Both are written once.
    fn ask(&self) -> [TokenStream; 2] {
        let (ty, volt) = (self.static_ty(), self.volt());
        let parts = [quote!(#volt::__private::native), quote!(::<#ty>())];
        parts.map(|part| names::located_at(part, self.signature.name.span()))
    }

    /// Where the compiler says what is wrong with the machine itself.
    pub(super) fn place(&self) -> Span {
        Span::call_site().located_at(self.signature.name.span())
    }

    /// The storage as a type.
    fn storage(&self, [private, of_machine]: &[TokenStream; 2]) -> TokenStream {
        let (volt, tuple) = (self.volt(), self.signature.tuple());
        let notes = self.other_notes();
        if let Some(coroutine) = self.coroutine() {
            let (name, arguments) = (self.name, self.signature.arguments());
            let comma = comma(&arguments);
            let machine = quote!(#name<#arguments #comma #coroutine>);
            return quote!(#volt::__private::native::Open<#tuple, #coroutine, #machine #notes>);
        }
        let (name, arguments) = (self.name, self.signature.arguments());
        let own = quote!(#name<#arguments>);
        match (self.room(), &self.options.inline) {
            (Room::Boxed, _) => quote!(#volt::__private::native::Boxed<#tuple>),
            (Room::Given, Some(size)) => {
                quote!(#volt::__private::native::Inline<#tuple, { #size }, 16, #own #notes>)
            }
            _ => {
                // As the user's own: the compiler then shows a circle of machines in fewer lines.
                let room = quote_spanned! {self.signature.name.span()=>
                    { #private::size #of_machine }, { #private::align #of_machine }
                };
                quote!(#private::Inline<#tuple, #room, #own #notes>)
            }
        }
    }

    /// What says whether the coroutine may go to other threads, where that is asked.
    fn marks(&self, [private, of_machine]: &[TokenStream; 2]) -> TokenStream {
        let marks = quote!(#private::KeptAcrossAwaitsTheOptionSendTellsWhat);
        match (self.room(), self.send) {
            (_, Send::Local) => quote!(#marks<false, false>),
            // The coroutine itself is there to be asked.
            (Room::Open, _) => quote!(#marks<true, true>),
            (Room::Boxed | Room::Given, Send::Asked) => quote!(#marks<false, false>),
            (Room::Measured, Send::Asked) => {
                let asked = quote_spanned! {self.place()=>
                    { #private::is_send #of_machine }, { #private::is_sync #of_machine }
                };
                quote!(#marks<#asked>)
            }
            // Said by an `impl`, which the marker leaves room for.
            _ => quote!(#marks<true, false>),
        }
    }

    /// The struct, without what it is let off.
    fn declare(&self, coroutine: &Coroutine) -> TokenStream {
        let (parameters, bounds) = (self.signature.parameters(), self.signature.bounds());
        let last = self.coroutine().map(|coroutine| {
            let comma = comma(&parameters);
            quote!(#comma #coroutine)
        });
        let (name, vis) = (self.name, &self.vis);
        let ask = self.ask();
        let (storage, marks) = (self.storage(&ask), self.marks(&ask));
        let phantom = self.signature.phantom();
        let doc = self.doc(coroutine);
        let hidden = self.is_hidden.then(|| quote!(#[doc(hidden)]));
        let place = self.place();
        let machine = quote_spanned! {place=>
            #[repr(C)]
            #vis struct #name<#parameters #last> where #bounds {
                native: #storage,
                marks: #marks,
                parameters: #phantom,
                // Last: nobody has to know the length of the storage to tell the size class.
                end: (),
            }
        };
        // A literal would be parsed each time.
        let must_use = "futures do nothing unless you `.await` or poll them";
        quote! {
            #[doc = #doc]
            #hidden
            #[must_use = #must_use]
            #machine
        }
    }

    /// The value that the function returns, of its arguments.
    pub(super) fn build(&self, arguments: &TokenStream, coroutine: &Coroutine) -> TokenStream {
        let (name, volt) = (self.name, self.volt());
        let storage = match self.room() {
            Room::Open => self.started(arguments, coroutine),
            Room::Boxed => quote!(#volt::__private::native::Boxed::new(#arguments)),
            Room::Measured | Room::Given => return self.held(arguments),
        };
        quote! {
            #name {
                native: #storage,
                marks: #volt::__private::native::KeptAcrossAwaitsTheOptionSendTellsWhat::NEW,
                parameters: ::core::marker::PhantomData,
                end: (),
            }
        }
    }

    /// The same without the name of a field, of which the compiler would say that it is not there if the name of the
    /// struct was taken.
    fn held(&self, arguments: &TokenStream) -> TokenStream {
        let (name, volt) = (self.name, self.volt());
        let types = self.signature.is_opaque.then(|| {
            let own = self.signature.arguments();
            quote!(::<#name<#own>, _, _, _>)
        });
        quote!(#volt::__private::native::held #types (#arguments))
    }

    /// The struct, and what stands beside it in a block of its own.
    pub(super) fn written(&self, coroutine: &Coroutine) -> TokenStream {
        let (volt, name) = (self.volt(), self.name);
        let conditions: Vec<_> = self.signature.conditions().collect();
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (bounds, item) = (self.signature.bounds(), &coroutine.item);
        let (declared, future) = (self.declare(coroutine), self.future(coroutine));
        let (parts, send) = (self.measured(coroutine), self.send(coroutine));
        let (table, table_name) = (self.table_of(coroutine), self.table());
        let own = match self.coroutine() {
            Some(last) => {
                let (params, args) = (comma(&parameters), comma(&arguments));
                quote! {
                    [#parameters #params #last: ::core::future::Future] [#arguments #args #last]
                }
            }
            None => quote!([#parameters] [#arguments]),
        };
        let item = quote! {
            #(#conditions)*
            #[doc(hidden)]
            pub struct #table_name;
            #item
        };
        // A function whose machine names the coroutine stands outside of the block.
        let (outside, inside) = match self.room() {
            Room::Open => (Some(item), None),
            _ => (None, Some(item)),
        };
        quote! {
            #volt::__private::native::machine! {
                [#(#conditions)*] { #declared } { #outside }
                #name #own [#bounds]
                #table
                { #inside #future #parts #send }
            }
        }
    }

    /// The future, and what its storage needs.
    fn future(&self, coroutine: &Coroutine) -> TokenStream {
        let (volt, name) = (self.volt(), self.name);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (bounds, output) = (self.signature.bounds(), self.output());
        let private = quote!(#volt::__private::native);
        let (table, notes) = (self.table(), self.notes());
        let tuple = self.signature.tuple();
        match (self.coroutine(), self.make(coroutine)) {
            (Some(last), _) => {
                let (params, args) = (comma(&parameters), comma(&arguments));
                let (late, made) = (super::sites::late(), &coroutine.make);
                quote! {
                    #private::open! {
                        #name [#parameters #params] [#arguments #args] [#bounds] #last
                        table #table
                        made of #tuple, #notes, |#late| #made
                    }
                }
            }
            (None, Some(make)) => quote_spanned! {self.place()=>
                #private::native! {
                    #name [#parameters] [#arguments] [#bounds]
                    output [#output]
                    table #table
                    make #make
                }
            },
            (None, None) => quote_spanned! {self.place()=>
                #private::native_inline! {
                    #name [#parameters] [#arguments] [#bounds]
                    output [#output]
                    table #table as #notes, of #tuple
                }
            },
        }
    }
}

/// A comma behind a list, if it has anything in it.
fn comma(list: &Option<TokenStream>) -> Option<Token![,]> {
    list.is_some().then(Default::default)
}
