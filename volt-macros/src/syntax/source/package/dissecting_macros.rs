//! Macros whose patterns take calls apart.
//!
//! ```text
//! ($receiver:ident . $method:ident ( $($argument:expr),* ))     node.walk(n)
//! ($($future:expr),*)                                           any expressions
//! ```
//!
//! The tokens of such a macro cannot be changed: another call in them would match no pattern, or
//! that of another rule. The pattern of a macro is found by its name: in the file of the function,
//! or in the other files of the package.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};

use super::super::file_modules::{FileModules, file_of};
use super::super::name_context::{NameContext, group_at, is_word, uses};
use super::read_package::files_with;

/// Returns `true` if the package declares a `macro_rules!` of a name that may take a call apart:
/// by its own pattern, or by a macro to which it passes tokens.
pub(crate) fn takes_calls_apart(name: &Ident) -> bool {
    may_take_apart(&name.to_string(), name.span(), &mut HashSet::new())
}

fn may_take_apart(name: &str, place: Span, seen: &mut HashSet<String>) -> bool {
    let rules_of = |file: &FileModules| {
        let modules = file.modules();
        let rules = modules.flat_map(|module| declared_rules(name, module.code().text()));
        rules.collect::<Vec<_>>()
    };
    let mut rules = file_of(place).map_or_else(Vec::new, |own| rules_of(&own));
    if rules.is_empty() {
        let others = files_with(name, place);
        rules = others.iter().flat_map(|file| rules_of(file)).collect();
    }
    rules.into_iter().any(|(pattern, body)| {
        names_parts(&pattern)
            || passes_tokens(&pattern)
                && called(&body)
                    .any(|name| seen.insert(name.to_owned()) && may_take_apart(name, place, seen))
    })
}

/// Returns the pattern and the body of each rule of the macros of a name.
fn declared_rules(name: &str, code: &str) -> Vec<(String, String)> {
    let declares = |of: &NameContext<'_>| {
        let before = of.before.strip_suffix('!').map(str::trim_end);
        before.is_some_and(|before| before.ends_with("macro_rules"))
    };
    let declared = uses(code, name).filter(declares);
    let rules = declared.filter_map(|of| group_at(of.after));
    rules.flat_map(rules_in).collect()
}

/// Splits the rules of a macro.
fn rules_in(mut code: &str) -> Vec<(String, String)> {
    let mut next = || {
        let group = code[code.find(['(', '[', '{'])?..].trim_start();
        let inner = group_at(group)?;
        code = &group[inner.len() + 2..];
        Some(inner.to_owned())
    };
    std::iter::from_fn(|| Some((next()?, next()?))).collect()
}

/// Returns `true` if a pattern has a dot, or parentheses after a word.
fn names_parts(pattern: &str) -> bool {
    let mut dots = pattern.match_indices('.').filter(|(at, _)| {
        let is_range = pattern[..*at].ends_with('.') || pattern[at + 1..].starts_with('.');
        !is_range
    });
    let mut groups = pattern.match_indices('(');
    let is_called = |before: &str| before.trim_end().ends_with(|it| is_word(it) || it == '>');
    dots.next().is_some() || groups.any(|(at, _)| is_called(&pattern[..at]))
}

/// Returns `true` if a pattern matches single tokens, which another macro can match again.
fn passes_tokens(pattern: &str) -> bool {
    uses(pattern, "tt").any(|of| of.before.ends_with(':'))
}

/// Returns the names of the macros that a rule calls.
fn called(body: &str) -> impl Iterator<Item = &str> {
    body.match_indices('!').filter_map(|(at, _)| {
        let name = body[..at].trim_end();
        let start = name.rfind(|it| !is_word(it)).map_or(0, |at| at + 1);
        Some(&name[start..]).filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(code: &str) -> Vec<bool> {
        let rules = declared_rules("call", code);
        rules
            .iter()
            .map(|(pattern, _)| names_parts(pattern))
            .collect()
    }

    #[test]
    fn pattern_with_a_dot_or_a_group_names_parts() {
        let code = "macro_rules! call {
            ($of:ident . $name:ident $rest:tt) => { $of.$name $rest };
            ($name:ident ( $($rest:tt)* )) => { $name($($rest)*) };
            ($of:ident :: $name:ident ($($rest:expr),*)) => [ $of::$name($($rest),*) ]
        }";
        assert_eq!(parts(code), [true; 3]);
    }

    #[test]
    fn pattern_of_expressions_names_no_parts() {
        let code = "macro_rules! call {
            ($of:expr, $name:ident, $($rest:expr),*) => { $of.$name($($rest),*) };
            ($($name:ident in [$from:expr, ..]),* $(,)?) => { ($($from.$name()),*) };
            () => {}
        }
        macro_rules! other { ($name:ident ()) => {} }";
        assert_eq!(parts(code), [false; 3]);
    }

    #[test]
    fn macros_in_a_rule_are_found() {
        assert!(passes_tokens("$($rest:tt)*"));
        assert!(!passes_tokens("$tt:expr"));
        let names: Vec<_> = called("inner!($x) + a::other! { } != !$y").collect();
        assert_eq!(names, ["inner", "other"]);
    }
}
