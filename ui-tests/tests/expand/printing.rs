//! The expansion as people read it.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse_quote;
use syn::visit_mut::{self, VisitMut};

/// Pretty-prints code. Blocks that are passed to macros of the support module are shown as the
/// functions to which they expand.
pub(crate) fn printed(tokens: TokenStream) -> String {
    let mut file: syn::File = syn::parse2(tokens).expect("items");
    file.items = file.items.into_iter().flat_map(unfolded).collect();
    for item in &mut file.items {
        let syn::Item::Const(block) = item else {
            continue;
        };
        let syn::Expr::Block(expr) = &mut *block.expr else {
            continue;
        };
        let stmts = std::mem::take(&mut expr.block.stmts).into_iter();
        expr.block.stmts = stmts.flat_map(without_braces).collect();
        for stmt in &mut expr.block.stmts {
            let mac = match stmt {
                syn::Stmt::Item(syn::Item::Macro(found)) => &found.mac,
                syn::Stmt::Macro(found) => &found.mac,
                _ => continue,
            };
            if let Some(advance) = advance(mac.tokens.clone()) {
                *stmt = syn::Stmt::Item(advance);
            }
        }
    }
    ProbedCode.visit_file_mut(&mut file);
    without_lints(&prettyplease::unparse(&file))
}

/// Shows the argument of each `probed!` call in place of the call.
struct ProbedCode;

impl VisitMut for ProbedCode {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Macro(call) = expr
            && call.mac.path.segments.last().expect("a name").ident == "probed"
        {
            let body = &call.mac.tokens;
            *expr = parse_quote!(#body);
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// Removes braces that are there only for a list of lints.
fn without_braces(stmt: syn::Stmt) -> Vec<syn::Stmt> {
    match stmt {
        syn::Stmt::Expr(syn::Expr::Block(block), None) if !block.attrs.is_empty() => {
            block.block.stmts
        }
        syn::Stmt::Macro(found)
            if found.mac.path.segments.last().expect("a name").ident == "allow_lints" =>
        {
            let block: syn::Block = syn::parse2(found.mac.tokens).expect("a block");
            block.stmts
        }
        stmt => vec![stmt],
    }
}

/// Expands the `machine!` call of a native machine to its items. The parts that the support module
/// adds stay in a call.
fn unfolded(item: syn::Item) -> Vec<syn::Item> {
    let tokens = match &item {
        syn::Item::Macro(found)
            if found.mac.path.segments.last().expect("a name").ident == "machine" =>
        {
            found.mac.tokens.clone()
        }
        _ => return vec![item],
    };
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut take = |index: usize| match tokens.remove(index) {
        TokenTree::Group(group) => group.stream(),
        other => panic!("a group and not {other}"),
    };
    let (_conditions, declared, outside) = (take(0), take(0), take(0));
    let Some(TokenTree::Group(inside)) = tokens.pop() else {
        panic!("no group with the body");
    };
    let (inside, head) = (inside.stream(), tokens.into_iter().collect::<TokenStream>());
    let file = quote! {
        #declared
        #outside
        const _: () = {
            #inside
            ::volt::__private::native::machine! { #head }
        };
    };
    syn::parse2::<syn::File>(file).expect("items").items
}

/// Builds `fn advance() { .. }` from the arguments of the support module's macro. The tokens before
/// the body become a comment.
fn advance(tokens: TokenStream) -> Option<syn::Item> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let body = tokens.pop()?;
    let head = tokens.into_iter().collect::<TokenStream>().to_string();
    syn::parse2(quote!(#[doc = #head] fn advance() #body)).ok()
}

/// Leaves out the lint levels, which are the same on every item.
fn without_lints(code: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in code.lines() {
        let depth = line.trim_start();
        if depth.starts_with("#[allow(") || depth.starts_with("#[cfg_attr(") {
            skipping = !depth.ends_with(")]");
            continue;
        }
        if skipping {
            skipping = depth != ")]";
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
