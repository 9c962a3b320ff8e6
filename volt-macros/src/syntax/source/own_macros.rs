//! Macros of the user that have the name of a known macro.
//!
//! A `macro_rules! assert` hides the macro of `std`, and may do anything with its arguments. So a
//! function that calls such a macro must not be read as if it called the one of `std`. A macro
//! whose declaration or import the file does not show, as one of a glob import, is not found.
//!
//! A macro such as `log::info!` is known by its crate. A module of the package may have the name of
//! the crate, and is in scope if the module of the call declares or imports it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Block;

use super::file_modules::{FileModules, Module, module_of, place_of};
use super::indexed_code::IndexedCode;
use super::name_context::{NameContext, last_word, uses as uses_of};
use super::package::{has_module, has_no_macro};
use super::source_file::{imports_all_from, imports_only_from};
use crate::names::{crates_of_macro, is_crate_of_macros, is_mark, known_names};

/// The crates whose macros have the meaning that the macro assumes.
const STD: [&str; 3] = ["alloc", "core", "std"];

/// The first called macro of a body that has the name of a known one, and that the file declares or
/// the module imports.
pub(crate) fn own_macro(block: &Block) -> Option<Ident> {
    let tokens = block.to_token_stream();
    own_known_macro(block, &tokens).or_else(|| own_crate_macro(tokens))
}

fn own_known_macro(block: &Block, tokens: &TokenStream) -> Option<Ident> {
    let (file, place) = place_of(block.brace_token.span.open())?;
    let module = file.module_at(place)?;
    let own = [
        file.declared_macros(declared),
        module.imported_macros(imported),
    ]
    .concat();
    // Most files have none, so their functions are not searched.
    let is_known = !own.is_empty();
    is_known.then(|| called(tokens.clone(), &own))?
}

/// The known names that the file declares by a `macro_rules!`.
fn declared(file: &FileModules) -> Vec<&'static str> {
    let declares = |name: &&str| {
        file.modules()
            .any(|module| module.code().uses(name).iter().any(declares_macro))
    };
    known_names().filter(declares).collect()
}

fn declares_macro(of: &NameContext<'_>) -> bool {
    let before = of.before.strip_suffix('!').map(str::trim_end);
    before.is_some_and(|before| before.ends_with("macro_rules"))
}

/// The known names that the module imports from another crate than those of the standard library.
fn imported(code: &IndexedCode) -> Vec<&'static str> {
    let imports = |name: &&str| {
        let mut uses = code.uses(name).into_iter();
        uses.any(|of| of.is_imported() && of.is_item() && !STD.contains(&of.imported_root()))
    };
    known_names().filter(imports).collect()
}

/// Returns `true` if a macro of a bare name is certainly that of the standard library. No file of
/// the package declares a macro of the name, and the module imports none. A glob import of one is
/// ambiguous, which is an error.
pub(crate) fn is_std_macro(name: &Ident) -> bool {
    module_of(name.span()).is_some_and(|module| {
        let mut imported = module.imported_macros(imported).iter();
        !imported.any(|it| name == it) && has_no_macro(&name.to_string(), name.span())
    })
}

/// Returns `true` if the file of the span declares a macro of the name, and each macro that it
/// declares by that name awaits in the code around its call. The text of a macro with `async`
/// blocks does not show where it awaits.
pub(crate) fn declared_macro_awaits(span: Span, name: &str) -> bool {
    let Some((file, _)) = place_of(span) else {
        return false;
    };
    let modules: Vec<_> = file.modules().collect();
    let uses = modules.iter().flat_map(|module| module.code().uses(name));
    let mut bodies = uses.filter(declares_macro).map(|of| body(of.after));
    let awaits = |body: &str| {
        let has = |word| uses_of(body, word).next().is_some();
        has("await") && !has("async")
    };
    bodies.next().is_some_and(&awaits) && bodies.all(awaits)
}

/// The text up to the end of the first group in it.
fn body(text: &str) -> &str {
    let mut depth = 0;
    let end = text.char_indices().find(|(_, letter)| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && ")]}".contains(*letter)
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// The first call of a macro with one of the names, at any depth. A path names its macro.
fn called(tokens: TokenStream, names: &[&str]) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    (0..tokens.len()).find_map(|at| match &tokens[at] {
        TokenTree::Group(group) => called(group.stream(), names),
        TokenTree::Ident(name) if tokens.get(at + 1).is_some_and(|next| is_mark(next, '!')) => {
            let is_in_path = at > 0 && is_mark(&tokens[at - 1], ':');
            let is_own = !is_in_path && names.contains(&&*name.to_string());
            is_own.then(|| name.clone())
        }
        _ => None,
    })
}

/// The crate from which the module of a call imports the macro, if the macro is known by its crate.
/// The compiler rejects a call for which a `macro_rules!` of another module is visible, too.
pub(in super::super) fn imported_crate(name: &Ident) -> Option<&'static str> {
    let (place, text) = (name.span(), name.to_string());
    let is_imported = |root: &&&str| {
        imports_only_from(place, root, &text) || imports_all_from(place, root, &text)
    };
    crates_of_macro(&text).iter().find(is_imported).copied()
}

/// The first call of a macro that is known by its crate, if the name of the crate may be that of a
/// module.
fn own_crate_macro(tokens: TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_path = |at: usize| at > 0 && is_mark(&tokens[at - 1], ':');
    let is_own = |at: usize, name: &Ident| {
        let mut roots = crates_of_macro(&name.to_string()).iter();
        if !is_path(at) {
            let root = imported_crate(name);
            return root.is_some_and(|root| is_module(root, name.span(), false));
        }
        let Some(of) = at.checked_sub(3) else {
            return false;
        };
        let before = of.checked_sub(3).map(|at| &tokens[at]);
        let is_in_path = is_path(of) && matches!(before, Some(TokenTree::Ident(_)));
        let is_global = is_path(of) && !is_in_path;
        let text = tokens[of].to_string();
        !is_global && roots.any(|root| text == *root && is_module(root, name.span(), is_in_path))
    };
    (0..tokens.len()).find_map(|at| match &tokens[at] {
        TokenTree::Group(group) => own_crate_macro(group.stream()),
        TokenTree::Ident(name) if tokens.get(at + 1).is_some_and(|next| is_mark(next, '!')) => {
            is_own(at, name).then(|| name.clone())
        }
        _ => None,
    })
}

/// Returns `true` if a name may be that of a module of the package: a longer path ends with it, or
/// the module of the place declares or imports it.
fn is_module(name: &str, place: Span, is_in_path: bool) -> bool {
    let Some((file, module)) = place_of(place).and_then(|(file, at)| {
        let module = file.module_at(at)?;
        Some((file, module))
    }) else {
        return false;
    };
    let declares = |of: &NameContext<'_>| {
        matches!(last_word(of.before), "mod" | "as")
            || of.is_imported() && of.is_item() && of.imported_root() != name
    };
    let has = |module: &Module| module.code().uses(name).iter().any(declares);
    let is_in_file = |root: &str| {
        let is_outer = root == "super" && module.start() > 0;
        is_outer || file.modules().any(|it| declares_module_here(it, root))
    };
    let may_import = |root: &str| match root {
        root if STD.contains(&root) || is_crate_of_macros(root) => false,
        root if is_in_file(root) => file.modules().any(has),
        _ => has_module(name, place),
    };
    has(&module)
        || is_in_path && has_module(name, place)
        || glob_roots(module.code().text()).any(may_import)
}

/// Returns `true` if a module has a module of the name in the same file.
fn declares_module_here(module: &Module, name: &str) -> bool {
    let mut uses = module.code().uses(name).into_iter();
    uses.any(|of| last_word(of.before) == "mod" && !of.after.starts_with(';'))
}

/// The first names of the paths in glob imports.
fn glob_roots(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("::*").map(|(at, _)| {
        let path = code[..at].rsplit("use ").next().unwrap_or_default();
        let path = path.trim_start().trim_start_matches("::");
        path.split("::").next().unwrap_or_default().trim()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glob_has_the_first_name_of_its_path() {
        let roots = |code| glob_roots(code).collect::<Vec<_>>();
        assert_eq!(roots("use std::fmt; use super::*;"), ["super"]);
        assert_eq!(roots("use crate::{a, b::*};"), ["crate"]);
        assert_eq!(roots("use tracing::*; use ::log::*;"), ["tracing", "log"]);
        assert_eq!(roots("fn f() -> u32 { 2 * 3 }"), [""; 0]);
    }
}
