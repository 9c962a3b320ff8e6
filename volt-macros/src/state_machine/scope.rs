//! Names and their scopes: what a pattern binds, what tokens mention.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, FieldPat, Fields, Item, Macro, Member, Pat, PatIdent, Stmt, Token, UseTree,
};

/// A name bound by a pattern.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) ident: Ident,
    pub(crate) mutable: bool,
    pub(crate) by_ref: bool,
}

/// The names that `pat` binds, in source order.
pub(crate) fn bindings(pat: &Pat) -> Vec<Binding> {
    struct Collect(Vec<Binding>);
    impl<'ast> Visit<'ast> for Collect {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            if is_binding(pat) && !self.0.iter().any(|known| known.ident == pat.ident) {
                self.0.push(Binding {
                    ident: pat.ident.clone(),
                    mutable: pat.mutability.is_some(),
                    by_ref: pat.by_ref.is_some(),
                });
            }
            visit::visit_pat_ident(self, pat);
        }

        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut collect = Collect(Vec::new());
    collect.visit_pat(pat);
    collect.0
}

/// Whether an identifier pattern binds: `None` and `MAX` are constants, as far as one can see.
fn is_binding(pat: &PatIdent) -> bool {
    !is_upper_name(pat)
}

/// Whether an identifier pattern is a name alone that begins with a capital letter.
pub(crate) fn is_upper_name(pat: &PatIdent) -> bool {
    let is_upper = pat.ident.to_string().starts_with(char::is_uppercase);
    is_upper && pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none()
}

/// Every name that a block binds somewhere, in closures too.
pub(crate) fn bound_in(block: &Block) -> Vec<String> {
    struct Collect(Vec<String>);
    impl<'ast> Visit<'ast> for Collect {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            self.0.push(pat.ident.to_string());
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut collect = Collect(Vec::new());
    collect.visit_block(block);
    collect.0
}

/// The items among the statements.
pub(crate) fn items(stmts: &[Stmt]) -> impl Iterator<Item = &Item> {
    stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Item(item) => Some(item),
        _ => None,
    })
}

/// The names of values that an item makes: in the whole block they mean those.
pub(crate) fn names_of_item(item: &Item) -> Vec<&Ident> {
    match item {
        Item::Fn(item) => vec![&item.sig.ident],
        Item::Const(item) => vec![&item.ident],
        Item::Static(item) => vec![&item.ident],
        Item::Struct(item) if !matches!(item.fields, Fields::Named(_)) => vec![&item.ident],
        _ => Vec::new(),
    }
}

/// The names that a `use` makes, which may be those of values.
pub(crate) fn names_of_use(tree: &UseTree) -> Vec<&Ident> {
    match tree {
        UseTree::Path(path) => names_of_use(&path.tree),
        UseTree::Name(name) => vec![&name.ident],
        UseTree::Rename(rename) => vec![&rename.rename],
        UseTree::Group(group) => group.items.iter().flat_map(names_of_use).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// Whether a `use` brings everything that is there.
pub(crate) fn brings_all(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => brings_all(&path.tree),
        UseTree::Group(group) => group.items.iter().any(brings_all),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// The name of an expression that is one plain identifier.
pub(crate) fn plain_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Group(group) => plain_name(&group.expr),
        _ => None,
    }
}

/// Whether the last segment of the macro's path is that of a formatting macro.
pub(crate) fn formats(mac: &Macro) -> bool {
    const FORMAT: &[&str] = &[
        "format",
        "print",
        "println",
        "eprint",
        "eprintln",
        "write",
        "writeln",
        "panic",
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "todo",
        "unreachable",
        "unimplemented",
        "format_args",
        "trace",
        "debug",
        "info",
        "warn",
        "error",
    ];
    let last = mac.path.segments.last();
    last.is_some_and(|segment| FORMAT.iter().any(|name| segment.ident == name))
}

/// The arguments of a macro that looks like a call.
pub(crate) fn macro_arguments(mac: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    Punctuated::parse_terminated.parse2(mac.tokens.clone()).ok()
}

/// Renames a binding in the pattern that makes it.
pub(crate) fn rename_binding(pat: &mut Pat, from: &Ident, to: &str) {
    struct Rename<'a>(&'a Ident, &'a str);
    impl VisitMut for Rename<'_> {
        fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
            if pat.ident == *self.0 && is_binding(pat) {
                pat.ident = Ident::new(self.1, pat.ident.span());
            }
            visit_mut::visit_pat_ident_mut(self, pat);
        }

        fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
            if field.colon_token.is_none()
                && let Member::Named(name) = &field.member
                && name == self.0
            {
                field.colon_token = Some(Token![:](name.span()));
            }
            visit_mut::visit_field_pat_mut(self, field);
        }

        fn visit_expr_mut(&mut self, _: &mut Expr) {}
    }
    Rename(from, to).visit_pat_mut(pat);
}

/// Every identifier in `tokens`, and every name that a string in them could capture.
pub(crate) fn mentioned(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident.to_string()),
            TokenTree::Group(group) => mentioned(group.stream(), found),
            TokenTree::Literal(literal) => captured(&literal.to_string(), found),
            TokenTree::Punct(_) => {}
        }
    }
}

fn captured(literal: &str, found: &mut Vec<String>) {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    for piece in literal.split('{').skip(1) {
        let inside = piece.split('}').next().unwrap_or_default();
        let name = inside.trim_start().split(|letter| !is_name(letter)).next();
        let widths = inside.split('$').rev().skip(1);
        let widths = widths.filter_map(|text| text.rsplit(|letter| !is_name(letter)).next());
        let widths = widths.map(|name| name.trim_start_matches('0'));
        let names = name
            .into_iter()
            .chain(widths)
            .filter(|name| !name.is_empty());
        found.extend(names.flat_map(|name| [name.to_owned(), format!("r#{name}")]));
    }
}

/// The first occurrence of the word in the tokens, however deep.
pub(crate) fn holds_word(tokens: TokenStream, word: &str) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == word => Some(ident),
        TokenTree::Group(group) => holds_word(group.stream(), word),
        _ => None,
    })
}
