//! Expansions as code that people read.
//!
//! The macro passes blocks to macros of volt, which add attributes and common items. These blocks
//! are shown in place, as the items to which they expand. Attributes for lints are left out.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, File, Item, Macro, Stmt};

/// Returns the code of items, formatted. Code that does not parse is returned as it is.
pub(super) fn formatted(code: &str) -> String {
    let Ok(mut file) = syn::parse_str::<File>(code) else {
        return code.to_owned();
    };
    file.items = file.items.into_iter().flat_map(unfolded_item).collect();
    Unfold.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

struct Unfold;

impl VisitMut for Unfold {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let statements = std::mem::take(&mut block.stmts).into_iter();
        block.stmts = statements.flat_map(unfolded_statement).collect();
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !is_lint(attribute));
    }
}

fn is_lint(attribute: &Attribute) -> bool {
    let levels = ["allow", "expect", "warn", "deny"];
    let path = attribute.path();
    let is_conditional =
        path.is_ident("cfg_attr") && attribute.to_token_stream().to_string().contains("clippy");
    is_conditional || levels.iter().any(|name| path.is_ident(name))
}

/// Returns the statements of a block that exists only for lints, or those to which a macro of volt
/// expands.
fn unfolded_statement(statement: Stmt) -> Vec<Stmt> {
    let called = match &statement {
        Stmt::Expr(Expr::Block(block), None) if block.attrs.iter().any(is_lint) => {
            let statements = block.block.stmts.iter().cloned();
            return statements.flat_map(unfolded_statement).collect();
        }
        Stmt::Item(Item::Macro(item)) => &item.mac,
        Stmt::Macro(item) => &item.mac,
        _ => return vec![statement],
    };
    let inner = match name(called).as_str() {
        "allow_lints" => syn::parse2::<Block>(called.tokens.clone()).ok(),
        "machine" => return vec![advance(called).map_or(statement, Stmt::Item)],
        _ => None,
    };
    match inner {
        Some(block) => {
            let inner = block.stmts.into_iter();
            inner.flat_map(unfolded_statement).collect()
        }
        None => vec![statement],
    }
}

fn name(called: &Macro) -> String {
    let last = called.path.segments.last();
    last.map(|last| last.ident.to_string()).unwrap_or_default()
}

/// Returns the function `advance` of an explicit machine: the last group in the call is its body.
fn advance(called: &Macro) -> Option<Item> {
    let mut tokens: Vec<TokenTree> = called.tokens.clone().into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else {
        return None;
    };
    let block = syn::parse2::<Block>(body.to_token_stream()).ok()?;
    let head: TokenStream = tokens.into_iter().collect();
    let head = head.to_string();
    syn::parse2(quote! {
        #[doc = #head]
        fn advance() #block
    })
    .ok()
}

/// Returns the items of a native machine, which are passed to the macro `machine`.
fn unfolded_item(item: Item) -> Vec<Item> {
    let items = match &item {
        Item::Macro(found) if name(&found.mac) == "machine" => native_items(&found.mac),
        _ => None,
    };
    items.unwrap_or_else(|| vec![item])
}

fn native_items(called: &Macro) -> Option<Vec<Item>> {
    let mut tokens: Vec<TokenTree> = called.tokens.clone().into_iter().collect();
    let Some(TokenTree::Group(inside)) = tokens.pop() else {
        return None;
    };
    let mut groups = tokens.drain(..3).map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let (_conditions, declared, outside) = (groups.next()??, groups.next()??, groups.next()??);
    drop(groups);
    let (path, inside) = (&called.path, inside.stream());
    let head: TokenStream = tokens.into_iter().collect();
    let items = quote! {
        #declared
        #outside
        const _: () = {
            #inside
            #path! { #head }
        };
    };
    Some(syn::parse2::<File>(items).ok()?.items)
}

#[cfg(test)]
mod tests {
    use super::formatted;

    #[test]
    fn blocks_of_macros_are_shown_in_place() {
        let code = "const _: () = { volt::allow_lints! { { #[allow(a, reason = \"b\")] fn a() {} \
                    volt::machine! { machine Fetch { let x = 1; } } } } };";
        let expected = "const _: () = {
    fn a() {}
    ///machine Fetch
    fn advance() {
        let x = 1;
    }
};
";
        assert_eq!(formatted(code), expected);
    }

    #[test]
    fn items_of_a_native_machine_are_shown() {
        let code = "volt::machine! { () { struct Fetch; } { fn a() {} } name Fetch { fn b() {} } }";
        let expected = "struct Fetch;
fn a() {}
const _: () = {
    fn b() {}
    volt::machine! {
        name Fetch
    }
};
";
        assert_eq!(formatted(code), expected);
    }

    #[test]
    fn unknown_code_is_kept() {
        assert_eq!(formatted("fn ("), "fn (");
    }
}
