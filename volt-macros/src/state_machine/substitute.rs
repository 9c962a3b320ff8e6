//! Substitution of names that respects shadowing.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprMatch, ExprWhile, FieldValue, Item, Macro,
    Member, Pat, Stmt, Token, parse_quote_spanned,
};

use super::scope::{bindings, formats, macro_arguments, plain_name};

/// What takes the place of a name.
#[derive(Clone, Debug)]
pub(crate) enum Replacement {
    /// Another name.
    Name(String),
    /// The place that a reference of this name points to.
    Place,
}

/// Replaces uses of names, as far as they are not shadowed.
#[derive(Default, Debug)]
pub(crate) struct Substitute {
    active: Vec<(String, Replacement)>,
    /// Macros in which a name could not be replaced for sure.
    pub(crate) opaque: Vec<Ident>,
}

impl Substitute {
    /// Replaces each of `names`.
    pub(crate) fn new(names: impl IntoIterator<Item = (String, Replacement)>) -> Self {
        Self {
            active: names.into_iter().collect(),
            opaque: Vec::new(),
        }
    }

    fn find(&self, ident: &Ident) -> Option<&Replacement> {
        let found = self.active.iter().find(|(name, _)| ident == name);
        found.map(|(_, replacement)| replacement)
    }

    fn expr_for(&self, ident: &Ident) -> Option<Expr> {
        let span = ident.span();
        self.find(ident).map(|replacement| match replacement {
            Replacement::Name(name) => {
                let name = Ident::new(name, span);
                parse_quote_spanned!(span=> #name)
            }
            Replacement::Place => parse_quote_spanned!(span=> (*#ident)),
        })
    }

    fn hide(&mut self, pat: &Pat) {
        let bound = bindings(pat);
        self.active
            .retain(|(name, _)| !bound.iter().any(|binding| binding.ident == name));
    }

    fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let saved = self.active.clone();
        body(self);
        self.active = saved;
    }

    /// Replaces in the statements of one block, from `start` on.
    pub(crate) fn statements(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            self.visit_stmt_mut(stmt);
            if let Stmt::Local(local) = stmt {
                self.hide(&local.pat);
            }
        }
    }

    /// Replaces in the tokens of a macro, token by token.
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut after_dot = false;
        let mut out = TokenStream::new();
        for token in tokens {
            let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            match token {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    inner.to_tokens(&mut out);
                }
                TokenTree::Ident(ident) => match self.find(&ident) {
                    Some(replacement) if !after_dot => {
                        if matches!(replacement, Replacement::Name(_)) {
                            self.opaque.push(ident.clone());
                        }
                        self.expr_for(&ident).to_tokens(&mut out);
                    }
                    _ => ident.to_tokens(&mut out),
                },
                other => other.to_tokens(&mut out),
            }
            after_dot = is_dot;
        }
        out
    }

    /// Replaces the names captured by a format string.
    fn captures(&self, expr: &mut Expr) {
        let Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = expr
        else {
            return;
        };
        let mut value = text.value();
        for (name, replacement) in &self.active {
            let Replacement::Name(new) = replacement else {
                continue;
            };
            for end in ['}', ':'] {
                value = value.replace(&format!("{{{name}{end}"), &format!("{{{new}{end}"));
            }
        }
        if value != text.value() {
            *text = syn::LitStr::new(&value, text.span());
        }
    }
}

impl VisitMut for Substitute {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(new) = plain_name(expr).and_then(|ident| self.expr_for(ident)) {
            *expr = new;
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        if field.colon_token.is_none()
            && let Member::Named(name) = &field.member
            && self.find(name).is_some()
        {
            field.colon_token = Some(Token![:](name.span()));
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scoped(|this| this.statements(&mut block.stmts));
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.scoped(|this| {
            closure.inputs.iter().for_each(|pat| this.hide(pat));
            this.visit_expr_mut(&mut closure.body);
        });
    }

    fn visit_expr_let_mut(&mut self, node: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut node.expr);
        self.hide(&node.pat);
    }

    fn visit_expr_if_mut(&mut self, node: &mut ExprIf) {
        self.scoped(|this| {
            this.visit_expr_mut(&mut node.cond);
            this.visit_block_mut(&mut node.then_branch);
        });
        if let Some((_, otherwise)) = &mut node.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, node: &mut ExprWhile) {
        self.scoped(|this| {
            this.visit_expr_mut(&mut node.cond);
            this.visit_block_mut(&mut node.body);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.scoped(|this| {
            this.hide(&node.pat);
            this.visit_block_mut(&mut node.body);
        });
    }

    fn visit_expr_match_mut(&mut self, node: &mut ExprMatch) {
        self.visit_expr_mut(&mut node.expr);
        for arm in &mut node.arms {
            self.scoped(|this| {
                this.hide(&arm.pat);
                this.visit_pat_mut(&mut arm.pat);
                this.visit_expr_mut(&mut arm.body);
            });
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let Some(mut arguments) = macro_arguments(mac) else {
            mac.tokens = self.tokens(mac.tokens.clone());
            return;
        };
        for argument in &mut arguments {
            match argument {
                Expr::Assign(named) if formats(mac) => self.visit_expr_mut(&mut named.right),
                Expr::Lit(_) if formats(mac) => self.captures(argument),
                _ => self.visit_expr_mut(argument),
            }
        }
        mac.tokens = quote!(#arguments);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
