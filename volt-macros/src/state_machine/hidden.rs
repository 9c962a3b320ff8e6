//! Where a local has to be the local itself.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprClosure, Macro, Pat};

use super::parse::Function;
use super::pattern::unascribed;
use super::scope::{formats, macro_arguments, mentioned, plain_name};

/// Whether the name stands where a reference cannot take its place: in the tokens of a macro that
/// is not known, in an `async` block, in a closure that moves what it mentions, and, unless it may
/// be copied from, before a pattern.
pub(super) fn is_hidden(function: &Function, name: &str, moves: bool) -> bool {
    let mut hidden = Hidden {
        name,
        moves,
        found: false,
    };
    hidden.visit_block(&function.item.block);
    hidden.found
}

struct Hidden<'a> {
    name: &'a str,
    moves: bool,
    found: bool,
}

impl Hidden<'_> {
    fn mentions(&mut self, tokens: TokenStream) {
        let mut found = Vec::new();
        mentioned(tokens, &mut found);
        self.found |= found.iter().any(|name| name == self.name);
    }

    fn opens(&mut self, expr: &Expr) {
        let is_it = plain_name(expr).is_some_and(|name| name == self.name);
        self.found |= self.moves && is_it;
    }
}

impl<'ast> Visit<'ast> for Hidden<'_> {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let is_known = formats(mac) || mac.path.is_ident("vec");
        match macro_arguments(mac).filter(|_| is_known) {
            Some(arguments) => arguments
                .iter()
                .for_each(|argument| self.visit_expr(argument)),
            None => self.mentions(mac.tokens.clone()),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init
            && !matches!(unascribed(&local.pat), Pat::Ident(_))
        {
            self.opens(&init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
        self.opens(&node.expr);
        visit::visit_expr_match(self, node);
    }

    fn visit_expr_let(&mut self, node: &'ast syn::ExprLet) {
        self.opens(&node.expr);
        visit::visit_expr_let(self, node);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if closure.capture.is_some() {
            self.mentions(quote!(#closure));
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_async(&mut self, block: &'ast ExprAsync) {
        self.mentions(block.to_token_stream());
    }
}
