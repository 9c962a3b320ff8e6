//! The whole body as ordinary code, with a replacement for each await.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Lifetime, Pat, Type, parse_quote};

use super::print_expr::Rewrite;
use crate::hir::body::{Arm, Body, ExprId, ScopeId, Stmt, TargetId, Value};
use crate::hir::facts::Use;
use crate::names::within_user;
use crate::resolve::AwaitId;

impl Body {
    /// The label of a loop or block in `print_tree`.
    pub(crate) fn label(id: TargetId) -> Lifetime {
        let ident = Ident::new(&format!("target_{}", id.0), Span::mixed_site());
        Lifetime {
            apostrophe: Span::mixed_site(),
            ident,
        }
    }

    /// The body as a block. `awaited` returns the replacement for an await with its printed
    /// operand.
    pub(crate) fn print_body(
        &self,
        rewrite: &dyn Rewrite,
        awaited: &dyn Fn(AwaitId, TokenStream) -> TokenStream,
    ) -> TokenStream {
        Tree {
            body: self,
            rewrite,
            awaited,
        }
        .scope(self.root)
    }
}

struct Tree<'t> {
    body: &'t Body,
    rewrite: &'t dyn Rewrite,
    awaited: &'t dyn Fn(AwaitId, TokenStream) -> TokenStream,
}

impl Tree<'_> {
    fn scope(&self, id: ScopeId) -> TokenStream {
        let scope = &self.body.scopes[id.0];
        let stmts = scope.stmts.iter().map(|stmt| self.stmt(stmt));
        let value = scope.value.iter().map(|value| self.value(value));
        quote!({ #(#stmts)* #(#value)* })
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Eval(value) => {
                let branches = matches!(value, Value::Branches { .. });
                let ty = inferred_type(value).filter(|_| branches);
                let begin = ty.map(|ty| quote!(let _: #ty =));
                let value = self.value(value);
                quote!(#begin #value;)
            }
            Stmt::Let(node) => {
                let inferred_type = node.value.as_ref().and_then(inferred_type);
                let is_checked = match node.value {
                    Some(Value::Expr(value)) => self.body.is_call(value),
                    Some(Value::Await(_)) | None => false,
                    Some(_) => true,
                };
                let written = node.ty.clone();
                let written = written.map(|ty| if is_checked { checked_type(&ty) } else { ty });
                let ty = written.or(inferred_type);
                let value = node.value.as_ref().map(|value| match (value, &node.pat) {
                    (Value::Expr(id), pat) if !matches!(pat, Pat::Ident(_)) => {
                        let value = self.body.print_used(*id, Use::Scrutinee, self.rewrite);
                        self.body.matched(*id, [pat], value)
                    }
                    (value, _) => self.value(value),
                });
                let otherwise = node.otherwise.map(|expr| self.otherwise(expr));
                let rebound = self.body.rebind_let(&node.pat, &node.binds);
                let bound = let_of(&node.pat, ty.as_ref(), value, otherwise);
                quote!(#bound #rebound)
            }
        }
    }

    fn otherwise(&self, expr: ExprId) -> TokenStream {
        match self.body.else_blocks.get(&expr) {
            Some(block) => within_user(self.scope(block.body), block.span),
            None => self.body.print(expr, self.rewrite),
        }
    }

    fn branches(&self, on: ExprId, arms: &[Arm]) -> TokenStream {
        let bodies = arms.iter().filter_map(|arm| {
            let body = self.scope(arm.body?);
            Some(match &arm.pat {
                Some(pat) => self.body.rebind(pat, &arm.binds, body),
                None => self.body.rebind_of(on, &arm.binds, body),
            })
        });
        let bodies: Vec<_> = bodies.collect();
        match arms.iter().map(|arm| arm.pat.as_ref()).collect() {
            Some(pats) => {
                let pats: Vec<&Pat> = pats;
                let value = self.body.print_used(on, Use::Scrutinee, self.rewrite);
                let on = self.body.matched(on, pats.iter().copied(), value);
                let guards = arms.iter().map(|arm| {
                    let guard = arm.guard?;
                    let guard = self.body.print(guard, self.rewrite);
                    Some(quote!(if #guard))
                });
                quote!(match #on { #(#pats #guards => #bodies)* })
            }
            None => {
                let on = self.body.print(on, self.rewrite);
                quote!(if #on #(#bodies)else*)
            }
        }
    }

    fn value(&self, value: &Value) -> TokenStream {
        match value {
            Value::Expr(id) => self.body.print(*id, self.rewrite),
            Value::Await(id) => {
                let operand = self.body.awaits[id.0].operand;
                (self.awaited)(*id, self.body.print(operand, self.rewrite))
            }
            Value::Branches { on, arms } => self.branches(*on, arms),
            Value::Loop { id, body } => {
                let (label, body) = (Body::label(*id), self.scope(*body));
                quote!(#label: loop #body)
            }
            Value::Block { id, body } => {
                let (label, body) = (Body::label(*id), self.scope(*body));
                quote!(#label: #body)
            }
        }
    }
}

/// An inferred type for the value of branches, unless the reference function has an error. The
/// common type of branches is then checked only in the reference function, which has the braces of
/// the user.
fn inferred_type(value: &Value) -> Option<Type> {
    match value {
        Value::Expr(_) | Value::Await(_) => None,
        _ => Some(checked_type(&parse_quote!(_))),
    }
}

/// Returns a type, unless the reference function has an error. The compiler describes a value that
/// is a future by other words in an `async fn`, so it would report a wrong value again.
pub(crate) fn checked_type(ty: &Type) -> Type {
    Type::Verbatim(quote!(<__WellTyped as __volt::IfWellTyped<#ty>>::Type))
}

/// Writes a `let`. The value before `else` must not end with a brace, as the `match` for a `?`
/// does, so it is put in parentheses.
pub(crate) fn let_of(
    pat: &Pat,
    ty: Option<&Type>,
    value: Option<TokenStream>,
    otherwise: Option<TokenStream>,
) -> TokenStream {
    let ty = ty.iter();
    match (value, otherwise) {
        (Some(value), Some(otherwise)) => quote!(let #pat #(: #ty)* = (#value) else #otherwise;),
        (value, _) => {
            let value = value.iter();
            quote!(let #pat #(: #ty)* #(= #value)*;)
        }
    }
}
