//! The attribute on an `impl` block, which creates a machine for each `async fn`.
//!
//! The methods stay in the block, with their signatures. Their machines are declared after it.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, ImplItem, ItemImpl, parse_quote};

use super::cfg_arguments;
use super::choose_layout::{Expansion, expand_function};
use super::recover::method_stub;
use super::wrong_uses::has_wrong_use;
use crate::backend;
use crate::errors::{Errors, Rule};
use crate::names::last_of;
use crate::options::{OlderNames, Options};
use crate::signature::{FunctionTokens, ImplTarget, Method, has_undeclared_lifetime, is_rejected};
use crate::syntax::{charge_loops_of_blocks, leaves_out_lifetimes, take_secrets};

/// Expands the attribute on `block`.
pub(super) fn expand_block(
    options: &Options,
    mut block: ItemImpl,
    mut errors: Errors,
) -> TokenStream {
    let is_boxing =
        |attr: &&Attribute| last_of(attr.path()).is_some_and(|last| last == "async_trait");
    if let Some(attr) = block.attrs.iter().find(is_boxing) {
        errors.refuse(Rule::AsyncTrait, attr);
        let errors = errors.to_compile_errors();
        return quote!(#errors #block);
    }
    // The compiler reports best which lifetime is missing: the fields of a machine would name the
    // type again. Two methods with one name would have two machines with one name.
    if leaves_out_lifetimes(&block) || declares_twice(&block) {
        for item in &mut block.items {
            if let ImplItem::Fn(method) = item {
                take_options(&mut method.attrs);
            }
        }
        let errors = errors.to_compile_errors();
        return quote!(#errors #block);
    }
    block.items = block.items.into_iter().flat_map(cases).collect();
    let impl_target = ImplTarget::new(&block);
    if impl_target.path().is_none() {
        errors.refuse(Rule::UnnamedSelf, &block.self_ty);
    }
    if let Some(name) = &options.name {
        errors.refuse(Rule::NameOfBlock, name);
    }
    let methods = methods(options, &mut block, &impl_target, &mut errors);
    let machines = machines(methods, &mut block, &mut errors);
    impl_target.name_lifetimes(&mut block);
    if block.trait_.is_some() {
        // The machine of a trait method is private to the module, and the trait may be public.
        block.attrs.push(parse_quote!(
            #[allow(private_interfaces, reason = "written by `state_machine`")]
        ));
    }
    let errors = errors.to_compile_errors();
    let alias = &impl_target.alias;
    quote!(#errors #alias #block #machines)
}

/// Returns `true` if two methods have the same name. Under a condition, one of them may be missing.
fn declares_twice(block: &ItemImpl) -> bool {
    let mut names = BTreeSet::new();
    let is_condition = |attr: &Attribute| {
        let path = attr.path();
        path.is_ident("cfg") || path.is_ident("cfg_attr")
    };
    let methods = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) if !method.attrs.iter().any(is_condition) => Some(method),
        _ => None,
    });
    let mut names_of_methods = methods.map(|method| &method.sig.ident);
    names_of_methods.any(|name| !names.insert(name))
}

/// A method that gets a machine: its index in the block, and its options.
struct AsyncMethod {
    index: usize,
    method: Method,
    options: Options,
}

/// Removes the attributes of the methods of a block, and lists the methods that get a machine.
fn methods(
    options: &Options,
    block: &mut ItemImpl,
    impl_target: &ImplTarget,
    errors: &mut Errors,
) -> Vec<AsyncMethod> {
    let is_inherent = impl_target.trait_path.is_none();
    let (mut listed, mut found) = (Vec::new(), false);
    for (index, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(method) = item else { continue };
        cfg_arguments::simplify(&mut method.attrs);
        method.attrs = backend::split_cfg_attrs(std::mem::take(&mut method.attrs));
        let option_tokens = take_options(&mut method.attrs);
        if method.sig.asyncness.is_none() || option_tokens.to_string() == "skip" {
            continue;
        }
        found = true;
        let tokens = FunctionTokens::of_item(&method.to_token_stream());
        if has_undeclared_lifetime(&method.sig, Some(&impl_target.generics))
            || is_rejected(&method.sig)
            || has_wrong_use(&tokens, &method.sig, &method.block, Some(is_inherent))
        {
            continue;
        }
        let inherited = options.inherited_by(&method.sig.ident);
        let mut options = inherited.with(option_tokens, errors);
        let secrets = take_secrets(&mut method.sig, &mut method.block);
        options.secrets.add(secrets);
        let derives = options.snapshot().is_some();
        options.older = OlderNames::take(&mut method.sig, &mut method.block, derives, errors);
        let (impl_target, mut original) = (impl_target.clone(), method.clone());
        if !options.editor {
            charge_loops_of_blocks(&mut original.block, &options.volt);
            backend::discard_own_futures_of_method(&mut original, &options.volt);
        }
        let method = Method {
            impl_target,
            original,
        };
        listed.push(AsyncMethod {
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

/// Replaces the methods by functions that create the machines. Returns the machines.
fn machines(methods: Vec<AsyncMethod>, block: &mut ItemImpl, errors: &mut Errors) -> TokenStream {
    let listed: Vec<_> = methods
        .iter()
        .map(|listed| (&listed.method, &listed.options))
        .collect();
    let refused = backend::reject_cycles(&listed, errors);
    let mut machines = TokenStream::new();
    for (number, listed) in methods.into_iter().enumerate() {
        let (method, options) = (&listed.method, &listed.options);
        backend::check_method(method, options, errors);
        let awaits_itself = backend::awaits_itself(method, options, errors);
        let (function, items) = if awaits_itself || refused.contains(&number) {
            (method_stub(&method.original), TokenStream::new())
        } else {
            expand_method(method, options, errors)
        };
        block.items[listed.index] = ImplItem::Verbatim(function);
        machines.extend(items);
    }
    machines
}

/// Expands a method. Returns the method of the block, and the items after the block.
fn expand_method(
    method: &Method,
    options: &Options,
    errors: &mut Errors,
) -> (TokenStream, TokenStream) {
    backend::check_options(options, errors);
    let is_under_others = method.original.attrs.iter().any(backend::is_foreign);
    let Some(mut item) = method.function(is_under_others) else {
        return (method_stub(&method.original), TokenStream::new());
    };
    match (&options.vis, &method.impl_target.trait_path) {
        (Some(vis), _) => item.vis = vis.clone(),
        // The visibility of the trait is not known, and a call outside of the module is an error if
        // the type of its output is private.
        (None, Some(_)) => {
            item.vis = parse_quote!(pub);
            item.attrs.push(parse_quote!(#[doc(hidden)]));
        }
        (None, None) => {}
    }
    let Expansion {
        function,
        items,
        errors,
    } = expand_function(&item, Some(method), None, options);
    (function, quote!(#errors #items))
}

/// A method once for each case of an argument under a condition, and any other item as it is.
fn cases(item: ImplItem) -> Vec<ImplItem> {
    let ImplItem::Fn(method) = &item else {
        return vec![item];
    };
    let is_async = method.sig.asyncness;
    let Some(found) = is_async.and_then(|_| cfg_arguments::split(&method.sig)) else {
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

/// Removes the attribute of a method in the block. Returns its options.
fn take_options(attrs: &mut Vec<Attribute>) -> TokenStream {
    let is_ours =
        |attr: &Attribute| last_of(attr.path()).is_some_and(|last| last == "state_machine");
    let index = attrs.iter().position(is_ours);
    match index.map(|index| attrs.remove(index).meta) {
        Some(syn::Meta::List(list)) => list.tokens,
        _ => TokenStream::new(),
    }
}
