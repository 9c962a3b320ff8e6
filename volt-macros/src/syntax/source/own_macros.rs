//! Macros of the user that have the name of a known macro.
//!
//! A `macro_rules! assert` hides the macro of `std`, and may do anything with its arguments. So a
//! function that calls such a macro must not be read as if it called the one of `std`. A macro
//! whose declaration or import the file does not show, as one of a glob import, is not found.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Block;

use super::file_modules::{FileModules, place_of};
use super::indexed_code::IndexedCode;
use super::name_context::{NameContext, uses as uses_of};
use crate::names::{is_mark, known_names};

/// The crates whose macros have the meaning that the macro assumes.
const STD: [&str; 3] = ["alloc", "core", "std"];

/// The first called macro of a body that has the name of a known one, and that the file declares or
/// the module imports.
pub(crate) fn own_macro(block: &Block) -> Option<Ident> {
    let (file, place) = place_of(block.brace_token.span.open())?;
    let module = file.module_at(place)?;
    let own = [
        file.declared_macros(declared),
        module.imported_macros(imported),
    ]
    .concat();
    // Most files have none, so their functions are not searched.
    let is_known = !own.is_empty();
    is_known.then(|| called(block.to_token_stream(), &own))?
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
