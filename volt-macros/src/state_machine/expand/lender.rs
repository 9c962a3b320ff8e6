//! The future of a machine that is lent something: the machine, and what it is lent.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::announced::announced;
use super::declaration::link;
use super::face::{given, implement, output_type};
use super::lints::allow;
use crate::state_machine::method::Method;
use crate::state_machine::model::Machine;
use crate::state_machine::names;
use crate::state_machine::parse::{Function, Param};
use crate::state_machine::scope::mentioned;

/// The wrapper that holds the references, and the calling convention of what is inside.
pub(crate) fn lender(machine: &Machine) -> TokenStream {
    let declare = declare(machine);
    let call = call(machine);
    let future = future(machine);
    quote!(#declare #call #future)
}

fn declare(machine: &Machine) -> TokenStream {
    let function = &machine.function;
    let (volt, vis) = (&machine.options.volt, function_vis(function));
    let (lent, parameters, arguments) =
        (&function.lent, function.parameters(), function.arguments());
    let (wrapper, core, bounds) = (
        &machine.names.machine,
        &machine.names.core,
        function.bounds(),
    );
    let conditions = function.conditions();
    let doc = format!(
        " The future of {}: its state machine, and what that is lent at each poll.",
        link(machine)
    );
    let fields = function
        .params
        .iter()
        .filter(|param| param.lent.is_some())
        .map(|param| {
            let (name, ty) = (&param.name, &param.ty);
            quote!(#name: #ty,)
        });
    let allow = allow(machine);
    quote! {
        #volt::__private::lender! {
            [#(#conditions)* #allow]
            #[doc = #doc]
            #[must_use = "futures do nothing unless you `.await` or poll them"]
            [#vis] #wrapper [#(#lent,)* #parameters] [#(#lent,)* #arguments] [#bounds] {
                machine: #core<#arguments>,
                #(#fields)*
            }
        }
    }
}

/// The visibility of the function itself.
fn function_vis(function: &Function) -> &syn::Visibility {
    match &function.method {
        Some(method) if method.is_hidden() => &method.original.vis,
        _ => &function.item.vis,
    }
}

/// How another machine calls this one.
fn call(machine: &Machine) -> TokenStream {
    let function = &machine.function;
    let volt = &machine.options.volt;
    let vis = function_vis(function);
    let (wrapper, core) = (&machine.names.machine, &machine.names.core);
    let (lent, parameters, arguments) =
        (&function.lent, function.parameters(), function.arguments());
    let (bounds, output) = (function.bounds(), &function.output);
    let (allow, conditions) = (allow(machine), function.conditions());
    let types = function.params.iter().map(|param| match &param.lent {
        Some(reference) => {
            let (mutable, ty) = (&reference.mutability, &reference.elem);
            quote!(&#mutable #ty)
        }
        None => quote!(impl ::core::marker::Sized),
    });
    let patterns = function.params.iter().map(|param| match &param.lent {
        Some(_) => {
            let name = &param.name;
            quote!(#name)
        }
        None => quote!(_),
    });
    let names = function
        .params
        .iter()
        .filter(|param| param.lent.is_some())
        .map(|param| &param.name);
    let (awaited, kinds) = (awaited(machine), kinds(machine));
    let implement = implement(machine, None, core);
    let cx = names::local("cx");
    let caller = quote!(#volt::__private::Caller);
    let drive = machine.drive(&caller, &quote!(self), &quote!(#(#names),*));
    quote! {
        #(#conditions)*
        #[automatically_derived]
        #allow
        impl<#(#lent,)* #parameters> #wrapper<#(#lent,)* #arguments> where #bounds {
            #[doc(hidden)]
            #[inline]
            #vis fn into_machine(self) -> #core<#arguments> {
                self.machine
            }
        }

        #implement {
            #[doc(hidden)]
            #[inline]
            #vis fn poll_lent(
                self: ::core::pin::Pin<&mut Self>,
                #cx: &mut ::core::task::Context<'_>,
                (#(#patterns,)*): (#(#types,)*),
            ) -> ::core::task::Poll<#output> {
                #drive
            }
        }

        #awaited
        #kinds
    }
}

/// What becomes of each argument, for callers that cannot lend it.
fn kinds(machine: &Machine) -> TokenStream {
    let volt = &machine.options.volt;
    let params = machine.function.params.iter().enumerate();
    let kinds = params.map(|(index, param)| {
        let index = Literal::usize_unsuffixed(index);
        let of = Some(quote!(#volt::__private::Argument<#index>));
        let implement = implement(machine, of, &machine.names.core);
        let kind = match param.lent {
            Some(_) => quote!(Lent),
            None => quote!(Evaluated),
        };
        quote!(#implement { type Is = #volt::__private::#kind; })
    });
    kinds.collect()
}

/// What awaiting gives, where it may be said.
fn awaited(machine: &Machine) -> Option<TokenStream> {
    let (volt, output) = (&machine.options.volt, &machine.function.output);
    let method = machine.function.method.as_ref();
    if method.is_some_and(Method::is_hidden) && !is_of_std(output) {
        return None;
    }
    let of = Some(quote!(#volt::__private::Awaited));
    let implement = implement(machine, of, &machine.names.core);
    let given = given(output);
    Some(quote!(#implement { #given }))
}

/// Whether the type is made of what every program can see, as far as names tell.
fn is_of_std(ty: &Type) -> bool {
    const NAMES: &[&str] = &[
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "bool",
        "char",
        "str",
        "String",
        "Vec",
        "Box",
        "Rc",
        "Arc",
        "Option",
        "Result",
        "io",
        "fmt",
        "std",
        "core",
        "alloc",
        "Duration",
        "Instant",
        "Infallible",
        "HashMap",
        "BTreeMap",
        "PathBuf",
        "Path",
        "SocketAddr",
        "Pin",
    ];
    let mut words = Vec::new();
    mentioned(ty.to_token_stream(), &mut words);
    // Everybody has an `Error`: only that of a module of the standard library is known.
    let mut last = String::new();
    words.retain(|word| {
        let before = std::mem::replace(&mut last, word.clone());
        word != "Error" || (before != "io" && before != "fmt")
    });
    let lifetime = |word: &String| word.starts_with('\'');
    words
        .iter()
        .all(|word| lifetime(word) || NAMES.iter().any(|name| word == name))
}

/// What is lent once more: behind the reference to the reference, for of a trait object that one
/// would be made into another.
fn again(param: &Param) -> Option<TokenStream> {
    let (name, reference) = (&param.name, param.lent.as_ref()?);
    let mutable = &reference.mutability;
    Some(quote!(&#mutable **#name))
}

fn future(machine: &Machine) -> TokenStream {
    let function = &machine.function;
    let volt = &machine.options.volt;
    let (lent, parameters) = (&function.lent, function.parameters());
    let (core, arguments) = (&machine.names.core, function.arguments());
    let (bounds, output, wrapper) = (function.bounds(), &function.output, output_type(machine));
    let names = function
        .params
        .iter()
        .filter(|param| param.lent.is_some())
        .map(|param| &param.name);
    let names: Vec<_> = names.collect();
    let again = machine.function.params.iter().filter_map(again);
    let (allow, conditions) = (allow(machine), function.conditions());
    let given = given(output);
    let (cx, inner) = (names::local("cx"), names::local("machine"));
    let anybody = quote!(#volt::__private::Anybody<Self>);
    let drive = machine.drive(&anybody, &quote!(#inner), &quote!(#(#again),*));
    let head = quote!(#(#conditions)* #[automatically_derived] #allow);
    let announced = announced(machine, &machine.names.machine, Some(&quote!(#(#lent,)*)));
    quote! {
        #announced

        #head
        impl<#(#lent,)* #parameters> ::core::future::Future for #wrapper where #bounds {
            #given

            #[inline]
            fn poll(
                self: ::core::pin::Pin<&mut Self>,
                #cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<Self::Output> {
                let (#inner, (#(#names,)*)) = self.lend();
                #drive
            }
        }

        #head
        impl<#(#lent,)* #parameters> #volt::machine::StateMachine for #wrapper where #bounds {
            const NAME: &'static ::core::primitive::str =
                <#core<#arguments> as #volt::machine::StateMachine>::NAME;
            const STATES: &'static [#volt::machine::State] =
                <#core<#arguments> as #volt::machine::StateMachine>::STATES;
            const TRANSITIONS: &'static [#volt::machine::Transition] =
                <#core<#arguments> as #volt::machine::StateMachine>::TRANSITIONS;
            const NATIVE_SIZE: ::core::option::Option<::core::primitive::usize> =
                <#core<#arguments> as #volt::machine::StateMachine>::NATIVE_SIZE;

            fn state(&self) -> &'static #volt::machine::State {
                #volt::machine::StateMachine::state(&self.machine)
            }

            fn trace(&self, visit: &mut dyn ::core::ops::FnMut(&'static #volt::machine::State)) {
                #volt::machine::StateMachine::trace(&self.machine, visit);
            }
        }

        #head
        impl<#(#lent,)* #parameters> ::core::fmt::Debug for #wrapper where #bounds {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #volt::__private::debug(&self.machine, f)
            }
        }
    }
}
