//! The attribute on an `impl` block: a machine for each `async fn` in it.
//!
//! The methods stay where they are, with their signatures; their machines stand behind the block.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ExprAwait, GenericArgument, ImplItem, ItemImpl, PathArguments, Type};

use super::args::{Layout, Options};
use super::configured;
use super::errors::{Errors, Rule};
use super::expand::{beside, dead_method, function as function_of};
use super::method::{Home, Method, Sibling};
use super::native;
use super::of_trait::check_of_trait;
use super::parse::Function;
use super::pipeline::{model, stand_in};
use super::report::{Became, report};
use super::why::Why;

/// Expands the attribute on `block`.
pub(crate) fn expand(options: &Options, mut block: ItemImpl, mut errors: Errors) -> TokenStream {
    if !options.asks_for(Layout::Explicit) {
        split_configured(&mut block);
    }
    let home = Home::new(&block);
    if home.path().is_none() {
        errors.refuse(Rule::UnnamedSelf, &block.self_ty);
    }
    if let Some(name) = &options.name {
        errors.refuse(Rule::NameOfBlock, name);
    }
    let home = Home {
        siblings: siblings(&home, options, &block),
        ..home
    };
    let mut machines = TokenStream::new();
    let mut methods = Vec::new();
    for (index, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(method) = item else { continue };
        let attr = take_options(&mut method.attrs);
        if method.sig.asyncness.is_none() || is_left(attr.as_ref()) {
            continue;
        }
        let options = options_of(options, attr.as_ref(), &mut errors);
        let method = Method {
            home: home.clone(),
            original: method.clone(),
        };
        methods.push((index, method, options));
    }
    let found = !methods.is_empty();
    let natives = natives(&methods);
    for ((index, method, options), native) in methods.into_iter().zip(natives) {
        let (inside, behind) = match native {
            _ if native::awaits_itself(&method, &options, &mut errors) => {
                (dead_method(&method.original), TokenStream::new())
            }
            Some(why) => expand_native(&method, &options, &why, &mut errors),
            None => expand_method(method, &options, &mut errors),
        };
        block.items[index] = ImplItem::Verbatim(inside);
        machines.extend(behind);
    }
    if !found {
        errors.refuse(Rule::NothingAsync, &block.self_ty);
    }
    home.name_lifetimes(&mut block);
    let errors = errors.to_compile_errors();
    quote!(#errors #block #machines)
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

/// Which of the methods are native, and why: those that are asked to be, those that an explicit
/// layout is in doubt about, and those that await one of these.
fn natives(methods: &[(usize, Method, Options)]) -> Vec<Option<Why>> {
    let first = methods
        .iter()
        .map(|(_, method, options)| match options.layout {
            Some((Layout::Native, span)) => Some(Why::asked(span)),
            _ => {
                let mut found = Errors::default();
                if let Some(function) = lift(method.clone(), options, &mut found) {
                    check_future(&function, options, &mut found);
                    let _ = model(function, options.clone(), &mut found);
                }
                options.doubt(&found)
            }
        });
    let mut natives: Vec<Option<Why>> = first.collect();
    loop {
        let names: Vec<&Ident> = methods
            .iter()
            .zip(&natives)
            .filter(|(_, native)| native.is_some())
            .map(|((_, method, _), _)| &method.original.sig.ident)
            .collect();
        let next = methods
            .iter()
            .enumerate()
            .find_map(|(index, (_, method, options))| {
                let is_free = natives[index].is_none() && !options.asks_for(Layout::Explicit);
                let awaited = awaited_call(&method.original.block, &names).filter(|_| is_free)?;
                let text = format!("it awaits `{awaited}`, which is native");
                let span = awaited.span();
                Some((index, Why { text, span }))
            });
        match next {
            Some((index, why)) => natives[index] = Some(why),
            None => return natives,
        }
    }
}

/// The first of these methods that is awaited in a body, by its name.
fn awaited_call(body: &Block, names: &[&Ident]) -> Option<Ident> {
    struct Find<'a>(&'a [&'a Ident], Option<Ident>);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
            let mut calls = Calls(self.0, None);
            calls.visit_expr(&node.base);
            self.1 = self.1.take().or(calls.1);
            visit::visit_expr_await(self, node);
        }
    }
    struct Calls<'a>(&'a [&'a Ident], Option<Ident>);
    impl<'ast> Visit<'ast> for Calls<'_> {
        fn visit_ident(&mut self, name: &'ast Ident) {
            if self.0.contains(&name) {
                self.1.get_or_insert_with(|| name.clone());
            }
        }
    }
    let mut find = Find(names, None);
    find.visit_block(body);
    find.1
}

/// The native machine of a method: what stands in the block, and what stands behind.
fn expand_native(
    method: &Method,
    options: &Options,
    why: &Why,
    errors: &mut Errors,
) -> (TokenStream, TokenStream) {
    native::method(method, options, why)
        .filter(|_| native::check_method(method, options, errors))
        .unwrap_or_else(|| (dead_method(&method.original), TokenStream::new()))
}

/// The machines of a trait's methods and the outputs of private ones, as the others of the `impl`
/// find them: of those that have its parameters and no others.
fn siblings(home: &Home, options: &Options, block: &ItemImpl) -> Vec<Sibling> {
    let methods = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) if method.sig.asyncness.is_some() => Some(method),
        _ => None,
    });
    let found = methods.filter_map(|method| {
        let (home, mut original) = (home.clone(), method.clone());
        let attr = take_options(&mut original.attrs);
        if is_left(attr.as_ref()) {
            return None;
        }
        let errors = &mut Errors::default();
        let options = options_of(options, attr.as_ref(), errors);
        let function = Function::lifted(Method { home, original }, errors)?;
        let method = function.method.as_ref()?;
        if function.generics.params.len() != method.home.generics.params.len() {
            return None;
        }
        let machine = function.core_name(&function.machine_name(&options));
        let arguments = function.arguments();
        let is_of_trait = method.home.of.is_some();
        Some(Sibling {
            name: method.original.sig.ident.clone(),
            machine: is_of_trait.then(|| quote!(#machine<#arguments>)),
            output: method.is_hidden().then(|| function.output.clone()),
        })
    });
    found.collect()
}

/// The method as it stands in the block, and what stands behind.
fn expand_method(
    method: Method,
    options: &Options,
    errors: &mut Errors,
) -> (TokenStream, TokenStream) {
    let mut found = Errors::default();
    let original = method.original.clone();
    let function = lift(method, options, &mut found);
    if let Some(function) = &function {
        check_future(function, options, errors);
    }
    let is_signed = found.is_empty();
    let model = function.map(|function| model(function, options.clone(), &mut found));
    let machine = model.and_then(|model| match model {
        _ if !is_signed => None,
        Ok(machine) => Some(machine),
        Err(function) => stand_in(*function, options.clone()),
    });
    let became = match &machine {
        Some(_) if found.is_empty() => Became::Explicit,
        _ => Became::Refused,
    };
    report(&original.sig.ident, became);
    errors.append(found);
    match machine {
        Some(machine) => (function_of(&machine), beside(&machine)),
        None => (dead_method(&original), TokenStream::new()),
    }
}

/// The method as a function, as visible as the options say.
fn lift(method: Method, options: &Options, errors: &mut Errors) -> Option<Function> {
    let is_of_trait = method.home.of.is_some();
    let mut function = Function::lifted(method, errors)?;
    function.check_name(options, errors);
    function.check_derived(options, errors);
    if let Some(method) = function.method.as_ref().filter(|_| is_of_trait) {
        check_of_trait(method, errors);
    }
    if let Some(vis) = &options.vis {
        if !is_of_trait {
            errors.refuse(Rule::VisOfMethod, vis);
        }
        function.item.vis = vis.clone();
    }
    Some(function)
}

/// Refuses a future of the trait that has no lifetime for what the machine is lent.
fn check_future(function: &Function, options: &Options, errors: &mut Errors) {
    let name = function.machine_name(options);
    let method = function.method.as_ref().filter(|_| function.lends());
    let futures = method.into_iter().flat_map(|method| &method.home.types);
    for ty in futures {
        if let Type::Path(path) = ty
            && let Some(last) = path.path.segments.last()
            && last.ident == name
            && !has_lifetime(&last.arguments)
        {
            errors.refuse(Rule::BorrowingFuture, ty);
        }
    }
}

fn has_lifetime(arguments: &PathArguments) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return false;
    };
    let mut arguments = arguments.args.iter();
    arguments.any(|argument| matches!(argument, GenericArgument::Lifetime(_)))
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
