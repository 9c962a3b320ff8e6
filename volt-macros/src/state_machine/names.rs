//! Every identifier that the expansion makes up.
//!
//! Locals and labels of the expansion are hygienic: no name in the user's code can mean them.
//! Items cannot be, so they begin with the name of the machine.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{GenericParam, Lifetime};

/// `FetchPage` for `fetch_page`.
pub(crate) fn upper_camel(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut camel = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Names of types and traits that every module has, which a machine of that name would hide.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "Drop",
    "Err",
    "Extend",
    "Fn",
    "From",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// The function beside one that another attribute runs: `__main_machine` for `main`.
pub(crate) fn run_function(function: &Ident) -> Ident {
    let name = function.to_string();
    let name = name.trim_start_matches("r#");
    format_ident!("__{name}_machine", span = function.span())
}

/// What the user calls a function: `main` for `__main_machine`.
pub(crate) fn own_name(function: &Ident) -> String {
    let name = function.to_string();
    let inner = name.strip_prefix("__");
    let inner = inner.and_then(|name| name.strip_suffix("_machine"));
    inner.unwrap_or(&name).to_owned()
}

/// The machine's type: that of a method begins with the name of the method's own type, and one that
/// every module has is told apart by `Machine`.
pub(crate) fn machine(owner: Option<&Ident>, function: &Ident) -> Ident {
    let owner = owner.map(|owner| upper_camel(&owner.to_string()));
    let name = upper_camel(&function.to_string());
    let span = function.span();
    match owner {
        Some(owner) => format_ident!("{owner}{name}", span = span),
        None if PRELUDE.contains(&&*name) => format_ident!("{name}Machine", span = span),
        None => format_ident!("{name}", span = span),
    }
}

/// The part of a machine that does not hold what it is lent.
pub(crate) fn core(machine: &Ident) -> Ident {
    format_ident!("{machine}Machine")
}

/// The enum of states.
pub(crate) fn states(machine: &Ident) -> Ident {
    format_ident!("{machine}States")
}

/// Where a poll can stand: the states, and the places that are jumped to.
pub(crate) fn next_enum(machine: &Ident) -> Ident {
    format_ident!("{machine}Next")
}

/// The variants that every machine has, or had.
pub(crate) const RESERVED: [&str; 4] = ["Start", "Done", "Poisoned", "Other"];

/// The compiler's version of the function.
pub(crate) fn twin(function: &Ident) -> Ident {
    format_ident!("{}_native", function.to_string().trim_start_matches("r#"))
}

/// The size of the future of the compiler's version.
pub(crate) fn native_size(machine: &Ident) -> Ident {
    format_ident!("{machine}NativeSize")
}

/// A variant's name that is not taken yet.
pub(crate) fn unused(base: &str, span: Span, taken: &mut Vec<String>) -> Ident {
    let base = if base.is_empty() { "Await" } else { base };
    let mut name = base.to_owned();
    let mut count = 1;
    while taken.contains(&name) {
        count += 1;
        name = format!("{base}{count}");
    }
    taken.push(name.clone());
    format_ident!("{name}", span = span.resolved_at(Span::call_site()))
}

/// What stands for `self` outside of the `impl`.
pub(crate) fn receiver(span: Span) -> Ident {
    Ident::new(RECEIVER, Span::call_site().located_at(span))
}

/// The argument that stands for `self`.
pub(crate) const RECEIVER: &str = "__self";

/// A name as its user wrote it.
pub(crate) fn written(name: &Ident) -> String {
    match name == RECEIVER {
        true => "self".to_owned(),
        false => name.to_string(),
    }
}

/// The name of a generic parameter.
pub(crate) fn parameter(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    }
}

/// A local of the expansion.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A local of the expansion that stands for something in the source, where errors should point.
pub(crate) fn local_at(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// A label of the expansion.
pub(crate) fn label(name: &str) -> Lifetime {
    Lifetime::new(&format!("'{name}"), Span::mixed_site())
}

/// A path of the expansion, where errors about what is reached by it should point.
pub(crate) fn path_at(path: &syn::Path, span: Span) -> TokenStream {
    tokens_at(path.to_token_stream(), span)
}

/// The tokens, where errors about them should point.
pub(crate) fn tokens_at(tokens: TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inner = tokens_at(group.stream(), span);
            let mut inner = Group::new(group.delimiter(), inner);
            inner.set_span(group.span().located_at(span));
            TokenTree::Group(inner)
        }
        mut token => {
            token.set_span(token.span().located_at(span));
            token
        }
    });
    tokens.collect()
}

/// What stands for the awaited part of an expression that is evaluated first.
pub(crate) const HOLE: &str = "__volt_hole";

/// The identifier that stands for a hole, at the place of what was there.
pub(crate) fn hole(span: Span) -> Ident {
    Ident::new(HOLE, Span::mixed_site().located_at(span))
}

/// The new value of a target of an assignment that has several. It has the target's own span, so
/// that an error about it is that of the twin, and is told once.
pub(crate) fn target(index: usize, span: Span) -> Ident {
    format_ident!("__volt_target_{index}", span = span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_that_is_run_keeps_its_own_name_for_people() {
        for name in ["main", "reads_twice"] {
            let function = Ident::new(name, Span::call_site());
            assert_eq!(own_name(&run_function(&function)), name);
            assert_eq!(own_name(&function), name);
        }
    }

    #[test]
    fn snake_becomes_camel() {
        assert_eq!(upper_camel("fetch_page"), "FetchPage");
        assert_eq!(upper_camel("_hidden"), "Hidden");
        assert_eq!(upper_camel("r#loop"), "Loop");
    }
}
