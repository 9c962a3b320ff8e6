//! The attribute on an `impl` block: a machine for each `async fn` in it.
//!
//! The methods stay where they are, with their signatures; their machines stand behind the block.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, ImplItem, ItemImpl, parse_quote};

use super::configured;
use super::dead::dead_method;
use super::explicit;
use crate::errors::{Became, Errors, Rule, Why, report};
use crate::native;
use crate::options::{Layout, Options};
use crate::signature::{Home, Method, names_undeclared};

/// Expands the attribute on `block`.
pub(crate) fn expand(options: &Options, mut block: ItemImpl, mut errors: Errors) -> TokenStream {
    split_configured(&mut block);
    let home = Home::new(&block);
    if home.path().is_none() {
        errors.refuse(Rule::UnnamedSelf, &block.self_ty);
    }
    if let Some(name) = &options.name {
        errors.refuse(Rule::NameOfBlock, name);
    }
    let methods = methods(options, &mut block, &home, &mut errors);
    let machines = machines(methods, &mut block, &mut errors);
    home.name_lifetimes(&mut block);
    if block.trait_.is_some() {
        // The machine of a method of a trait is as private as the module, where the trait may be public.
        block.attrs.push(parse_quote!(
            #[allow(private_interfaces, reason = "written by `state_machine`")]
        ));
    }
    let errors = errors.to_compile_errors();
    quote!(#errors #block #machines)
}

/// A method that gets a machine: its place in the block, and its options.
struct Listed {
    index: usize,
    method: Method,
    options: Options,
}

/// Takes the attributes off the methods of a block, and lists those that get a machine.
fn methods(
    options: &Options,
    block: &mut ItemImpl,
    home: &Home,
    errors: &mut Errors,
) -> Vec<Listed> {
    let (mut listed, mut found) = (Vec::new(), false);
    for (index, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(method) = item else { continue };
        let attr = take_options(&mut method.attrs);
        if method.sig.asyncness.is_none() || is_left(attr.as_ref()) {
            continue;
        }
        found = true;
        if names_undeclared(&method.sig, Some(&home.generics)) {
            continue;
        }
        let options = options_of(options, attr.as_ref(), errors);
        let (home, original) = (home.clone(), method.clone());
        let method = Method { home, original };
        listed.push(Listed {
            index,
            method,
            options,
        });
    }
    if !found {
        errors.refuse(Rule::NothingAsync, &block.self_ty);
    }
    listed
}

/// Puts what makes the machines in the place of the methods; the machines stand behind the block.
fn machines(methods: Vec<Listed>, block: &mut ItemImpl, errors: &mut Errors) -> TokenStream {
    let listed: Vec<_> = methods.iter().map(|it| (&it.method, &it.options)).collect();
    let refused = native::refuse_circles(&listed, errors);
    let mut machines = TokenStream::new();
    for (number, listed) in methods.into_iter().enumerate() {
        let (method, options) = (&listed.method, &listed.options);
        native::check_method(method, options, errors);
        let awaits_itself = native::awaits_itself(method, options, errors);
        let (inside, behind) = match awaits_itself || refused.contains(&number) {
            true => (dead_method(&method.original), TokenStream::new()),
            false => machine(method, options, errors),
        };
        block.items[listed.index] = ImplItem::Verbatim(inside);
        machines.extend(behind);
    }
    machines
}

/// The machine of a method: what stands in the block, and what stands behind.
fn machine(method: &Method, options: &Options, errors: &mut Errors) -> (TokenStream, TokenStream) {
    if let Some((Layout::Native, span)) = options.layout {
        native::check_options(options, errors);
        return native_method(method, options, &Why::asked(span));
    }
    let name = &method.original.sig.ident;
    match explicit::method(method, options) {
        Ok(machine) => {
            report(name, Became::Explicit);
            machine
        }
        Err(doubts) if options.is_explicit() => {
            let (inside, behind) =
                native_method(method, &options.clone().of_native(), &doubts.why(name));
            let errors = doubts.to_compile_errors();
            (inside, quote!(#errors #behind))
        }
        Err(doubts) => native_method(method, options, &doubts.why(name)),
    }
}

/// The native machine of a method.
fn native_method(method: &Method, options: &Options, why: &Why) -> (TokenStream, TokenStream) {
    let machine = native::method(method, options, why);
    machine.unwrap_or_else(|| (dead_method(&method.original), TokenStream::new()))
}

/// Writes a method with an argument that is there under a condition once for each case.
fn split_configured(block: &mut ItemImpl) {
    let items = std::mem::take(&mut block.items).into_iter();
    block.items = items.flat_map(cases).collect();
}

fn cases(item: ImplItem) -> Vec<ImplItem> {
    match &item {
        ImplItem::Fn(method) if method.sig.asyncness.is_some() => {
            let Some(found) = configured::split(&method.sig) else {
                return vec![item];
            };
            let found = found.into_iter().flat_map(|(condition, sig)| {
                let mut method = method.clone();
                method.sig = sig;
                method.attrs.insert(0, condition);
                cases(ImplItem::Fn(method))
            });
            found.collect()
        }
        _ => vec![item],
    }
}

/// Takes the attribute off a method in the block.
fn take_options(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    let is_ours = |attr: &Attribute| {
        let last = attr.path().segments.last();
        last.is_some_and(|last| last.ident == "state_machine")
    };
    let index = attrs.iter().position(is_ours)?;
    Some(attrs.remove(index))
}

/// Whether the attribute says that the method stays as it is.
fn is_left(attr: Option<&Attribute>) -> bool {
    let word = attr.and_then(|attr| attr.parse_args::<syn::Ident>().ok());
    word.is_some_and(|word| word == "skip")
}

/// The options of the block, and those of the method over them.
fn options_of(options: &Options, attr: Option<&Attribute>, errors: &mut Errors) -> Options {
    let own = match attr.map(|attr| &attr.meta) {
        Some(syn::Meta::List(list)) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    options.with(own, errors)
}
