//! Names with a capital in patterns, which are those of constants and variants by convention.
//!
//! ```text
//! if let Some(LIMIT) = n { .. }      a constant, or a local
//! ```
//!
//! The machine reads such a name as that of an item. If it is used after an await, and is that of a
//! local, the machine does not compile. If it is not used, the compiler decides which one it is.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Block, Expr, ExprIf, ExprPath, ExprWhile, Item, Macro, Pat, PatIdent, PatWild, Stmt, Token,
};

use super::awaits::{block_has_await, has_await, stmt_has_await};
use super::matched_parts::{MatchedPart, PartKind, bound};
use crate::resolve::{is_binding, is_capital, names_of};
use crate::syntax::captured;

/// The names in a pattern that are those of constants, unless the pattern binds them.
pub(in crate::hir) fn constants_of(pat: &Pat) -> impl Iterator<Item = &Ident> {
    let names = names_of(pat).into_iter();
    names
        .filter(|name| is_constant(name))
        .map(|name| &name.ident)
}

fn is_constant(pat: &PatIdent) -> bool {
    is_capital(&pat.ident) && !is_binding(pat)
}

/// Returns each of these names as a part of the matched value; or a name of which no claim can be
/// made, because it is in a reference or a slice.
pub(in crate::hir) fn constant_parts(pat: &Pat) -> Result<Vec<MatchedPart>, Ident> {
    let mut found = Vec::new();
    for (index, name) in constants_of(pat).enumerate() {
        let mut only = OnlyConstant {
            index,
            seen: 0,
            is_found: false,
        };
        let mut pat = pat.clone();
        only.visit_pat_mut(&mut pat);
        if !only.is_found {
            return Err(name.clone());
        }
        found.push(MatchedPart {
            pat,
            span: name.span(),
            kind: PartKind::Constant(name.clone()),
        });
    }
    Ok(found)
}

/// Replaces each name in a pattern by `_`, except one of a constant.
struct OnlyConstant {
    /// The number of the constant.
    index: usize,
    seen: usize,
    is_found: bool,
}

impl VisitMut for OnlyConstant {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Ident(node) if is_constant(node) => {
                let is_found = self.seen == self.index;
                self.seen += 1;
                self.is_found |= is_found;
                *pat = if is_found {
                    bound(Some(pat.clone()))
                } else {
                    wild()
                };
            }
            Pat::Ident(node) => match node.subpat.take() {
                Some((_, inner)) => {
                    *pat = *inner;
                    self.visit_pat_mut(pat);
                }
                None => *pat = wild(),
            },
            Pat::Or(node) => {
                for case in &mut node.cases {
                    let was_found = std::mem::take(&mut self.is_found);
                    self.visit_pat_mut(case);
                    if self.is_found {
                        *pat = case.clone();
                        return;
                    }
                    self.is_found = was_found;
                }
                *pat = wild();
            }
            Pat::Reference(_) | Pat::Slice(_) => {
                self.seen += constants_of(pat).count();
                *pat = wild();
            }
            pat => visit_mut::visit_pat_mut(self, pat),
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        field.colon_token.get_or_insert_with(Default::default);
        self.visit_pat_mut(&mut field.pat);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

fn wild() -> Pat {
    Pat::Wild(PatWild {
        attrs: Vec::new(),
        underscore_token: <Token![_]>::default(),
    })
}

/// Returns a name that is used as a value after the pattern, in code that awaits.
pub(crate) fn used_constant(block: &Block) -> Option<Ident> {
    let mut uses = Uses(None);
    uses.visit_block(block);
    uses.0
}

/// Finds such a name.
struct Uses(Option<Ident>);

impl Uses {
    fn check(&mut self, pat: &Pat, visit: impl Fn(&mut ConstantUse<'_>)) {
        let found = constants_of(pat).find(|name| {
            let mut name_use = ConstantUse {
                name,
                is_found: false,
            };
            visit(&mut name_use);
            name_use.is_found
        });
        self.0 = self.0.take().or_else(|| found.cloned());
    }

    fn check_condition(&mut self, condition: &Expr, block: &Block) {
        if !block_has_await(block) {
            return;
        }
        match condition {
            Expr::Paren(node) => self.check_condition(&node.expr, block),
            Expr::Let(node) => self.check(&node.pat, |name| name.visit_block(block)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_arm(&mut self, arm: &'ast Arm) {
        if has_await(&arm.body) {
            self.check(&arm.pat, |name| name.visit_expr(&arm.body));
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.check_condition(&node.cond, &node.then_branch);
        visit::visit_expr_if(self, node);
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.check_condition(&node.cond, &node.body);
        visit::visit_expr_while(self, node);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for (index, stmt) in block.stmts.iter().enumerate() {
            let rest = &block.stmts[index + 1..];
            if let Stmt::Local(local) = stmt
                && rest.iter().any(stmt_has_await)
            {
                self.check(&local.pat, |name| {
                    rest.iter().for_each(|stmt| name.visit_stmt(stmt));
                });
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Finds a use of one name as a value.
struct ConstantUse<'n> {
    name: &'n Ident,
    is_found: bool,
}

impl ConstantUse<'_> {
    /// The tokens of a macro may name it, also in the text of a literal.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => self.is_found |= word == *self.name,
                TokenTree::Literal(text) => {
                    let text = text.to_string();
                    let name = self.name.to_string();
                    self.is_found |= captured(&text).any(|captured| captured == name);
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for ConstantUse<'_> {
    fn visit_expr_path(&mut self, node: &'ast ExprPath) {
        self.is_found |= node.path.is_ident(self.name);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.tokens(mac.tokens.to_token_stream());
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let pat = Pat::parse_multi.parse_str(text).expect("it is a pattern");
        let parts = constant_parts(&pat).into_iter().flatten();
        let parts = parts.map(|part| part.pat.to_token_stream().to_string());
        parts.collect()
    }

    #[test]
    fn each_constant_is_a_part() {
        assert_eq!(parts("Some(A)"), ["Some (part @ A)"]);
        assert_eq!(
            parts("Pair { x: A, y } | Other(z @ B, C)"),
            [
                "Pair { x : part @ A , y : _ }",
                "Other (part @ B , _)",
                "Other (_ , part @ C)"
            ]
        );
        assert!(parts("[A, b]").is_empty());
    }

    #[test]
    fn uses_after_a_pattern_are_found() {
        let cases = [
            ("{ match e { A => { h().await; A } } }", true),
            ("{ match e { A => A, _ => h().await } }", false),
            ("{ match e { A => h().await, _ => A } }", false),
            ("{ if let Some(A) = e { h(A).await } }", true),
            ("{ let Some(A) = e else { return }; h().await; A }", true),
            ("{ let Some(A) = e else { return }; A }", false),
            ("{ while let A = e { h().await; f!(\"{A}\") } }", true),
            ("{ while let A = e { h().await; B::A } }", false),
        ];
        for (text, expected) in cases {
            let block: Block = syn::parse_str(text).expect("it is a block");
            assert_eq!(used_constant(&block).is_some(), expected, "{text}");
        }
    }
}
