//! Functions and macros that require nothing of a future but that it is one.
//!
//! ```text
//! fn heap<'a, F: Future + 'a>(future: F) -> Pin<Box<dyn Future<Output = F::Output> + 'a>>
//! macro_rules! boxed { ($future:expr) => { Box::pin($future).await }; }
//! ```
//!
//! The compiler needs no auto trait of the future in a call of such a function.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Signature, TraitBound};

use super::super::name_context::{last_word, uses};
use super::super::words::next_word;
use super::function_words::{with_origin, with_words};
use super::package_words::{Origin, PackageWords};
use crate::names;

/// Returns `true` if a function of the package requires no auto trait of its arguments. All
/// functions of the name must be such functions. If the package declares none, the known functions
/// are.
pub(crate) fn is_neutral_function(name: &str, place: Span) -> bool {
    with_words(place, |words| is_neutral(words, name)).unwrap_or(false)
}

/// Returns `true` if a macro of the package passes expressions to such functions, and does nothing
/// else with them.
pub(crate) fn is_neutral_macro(name: &str, place: Span) -> bool {
    let is_neutral = |words: &PackageWords| {
        let rules = words.macros.get(name);
        rules.is_some_and(|rules| rules.iter().all(|rules| has_neutral_rules(words, rules)))
    };
    with_words(place, is_neutral).unwrap_or(false)
}

fn is_neutral(words: &PackageWords, name: &str) -> bool {
    match words.heads(name, None) {
        Some(heads) => heads.iter().all(|head| is_neutral_head(head)),
        None => names::combines_futures(name),
    }
}

/// Returns `true` if the head of a function has a type parameter, and no bound that may be or imply
/// an auto trait.
fn is_neutral_head(head: &str) -> bool {
    bounds_of(head).is_some_and(|bounds| bounds.are_neutral && bounds.is_generic)
}

fn bounds_of(head: &str) -> Option<NeutralBounds> {
    let signature = syn::parse_str::<Signature>(head).ok()?;
    let mut bounds = NeutralBounds::new();
    bounds.is_generic = signature.generics.type_params().next().is_some();
    bounds.visit_signature(&signature);
    Some(bounds)
}

/// The bounds in the head of an item.
pub(super) struct NeutralBounds {
    pub(super) are_neutral: bool,
    is_generic: bool,
}

impl NeutralBounds {
    pub(super) fn new() -> Self {
        Self {
            are_neutral: true,
            is_generic: false,
        }
    }
}

impl<'ast> Visit<'ast> for NeutralBounds {
    fn visit_trait_bound(&mut self, node: &'ast TraitBound) {
        let last = node.path.segments.last();
        self.are_neutral &= last.is_some_and(|last| names::is_neutral_bound(&last.ident));
        visit::visit_trait_bound(self, node);
    }

    fn visit_type_impl_trait(&mut self, node: &'ast syn::TypeImplTrait) {
        self.is_generic = true;
        visit::visit_type_impl_trait(self, node);
    }
}

/// Returns `true` if the rules of a macro take expressions alone, and pass them to boxes and
/// neutral functions.
fn has_neutral_rules(words: &PackageWords, rules: &str) -> bool {
    let mut from = 0;
    while let Some((start, end)) = next_word(rules.as_bytes(), from) {
        from = end;
        let (before, word, after) = (&rules[..start], &rules[start..end], &rules[end..]);
        let (before, after) = (before.trim_end(), after.trim_start());
        let is_path = before.ends_with("::");
        let is_neutral = if before.ends_with(':') && !is_path {
            word == "expr" || word == "ident" && after.starts_with([',', ')', ']', '}'])
        } else if before.ends_with('$') {
            let is_declared = after.starts_with(':') && !after.starts_with("::");
            is_declared || !takes_name(rules, word) || after.starts_with('(')
        } else if before.ends_with('.') {
            word == "await"
        } else if after.starts_with('(') {
            is_path && word == "pin" && last_word(before.trim_end_matches([':', ' '])) == "Box"
                || is_neutral(words, word)
        } else {
            !after.starts_with('!') && word != "async" && word != "unsafe"
        };
        if !is_neutral {
            return false;
        }
    }
    true
}

/// Returns `true` if the fragment of this name is the name of a function.
fn takes_name(rules: &str, fragment: &str) -> bool {
    let mut found = uses(rules, fragment);
    found.any(|of| {
        let kind = of.after.strip_prefix(':').map(str::trim_start);
        of.before.ends_with('$') && kind.is_some_and(|kind| kind.starts_with("ident"))
    })
}

/// Returns the number of arguments that each function of a path takes, if all take the same. The
/// call is in the function `by`, which has a name among the words of the package, and a place.
pub(crate) fn argument_count(path: &str, by: (&str, Span)) -> Option<usize> {
    with_origin(by, |words, origin| {
        let heads = words.heads(path, origin)?;
        let mut counts = heads
            .iter()
            .map(|head| Some(syn::parse_str::<Signature>(head).ok()?.inputs.len()));
        let first = counts.next()??;
        counts.all(|count| count == Some(first)).then_some(first)
    })
    .flatten()
}

/// Returns the number of arguments that each function of a path takes, if none has type parameters.
pub(crate) fn known_argument_count(path: &str, by: (&str, Span)) -> Option<usize> {
    let is_plain = |head: &&str| {
        let signature = syn::parse_str::<Signature>(head).ok()?;
        let has_const = signature.generics.const_params().next().is_some();
        bounds_of(head).map(|bounds| !bounds.is_generic && !has_const)
    };
    let are_plain = |words: &PackageWords, origin: Option<&Origin>| {
        let heads = words.heads(path, origin)?;
        let mut heads = heads.iter();
        heads.all(|head| is_plain(head) == Some(true)).then_some(())
    };
    with_origin(by, are_plain).flatten()?;
    argument_count(path, by)
}

#[cfg(test)]
mod tests;
