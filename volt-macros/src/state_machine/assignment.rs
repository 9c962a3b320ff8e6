//! Assignments that take their value apart, in the form that the language gives them a meaning by.
//!
//! ```text
//! (a, point.x, _) = make();   { let (target, target_1, _) = make(); a = target; point.x = target_1; }
//! ```
//!
//! So nothing behind has to know them: each target is assigned for itself, from left to right. What
//! `_ = make().await;` makes is dropped at once, as in `make().await;`.

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Block, Expr, ExprAssign, ExprCall, ExprStruct, FieldPat, Item, Pat, RangeLimits, Stmt,
    Token, UnOp, parse_quote, parse_quote_spanned,
};

use super::body::holds_await;
use super::names;
use super::place::is_place;

/// Takes the assignments of a body apart.
pub(crate) fn take_apart(block: &mut Block) {
    Apart.visit_block_mut(block);
}

struct Apart;

impl VisitMut for Apart {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let declares = block.stmts.iter().any(|it| matches!(it, Stmt::Local(_)));
        for stmt in &mut block.stmts {
            if let Stmt::Expr(expr, semi) = stmt
                && (semi.is_some() || !declares)
                && drop_at_once(expr)
            {
                semi.get_or_insert_default();
            }
        }
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        if drop_at_once(&mut arm.body) {
            let body = &arm.body;
            *arm.body = parse_quote!({ #body; });
        }
        visit_mut::visit_arm_mut(self, arm);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Assign(node) = expr {
            bare(&mut node.left);
            if takes_apart(node) {
                *expr = lowered(node);
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Makes the value alone of `_ = value` that awaits. Whether it was one.
fn drop_at_once(expr: &mut Expr) -> bool {
    let Expr::Assign(node) = expr else {
        return false;
    };
    bare(&mut node.left);
    let drops = matches!(*node.left, Expr::Infer(_)) && holds_await(&*node.right);
    if !drops || names_place(&node.right) {
        return false;
    }
    *expr = std::mem::replace(&mut *node.right, Expr::PLACEHOLDER);
    true
}

/// Takes off what only encloses a target.
fn bare(target: &mut Expr) {
    while let Expr::Paren(syn::ExprParen { expr, .. }) | Expr::Group(syn::ExprGroup { expr, .. }) =
        target
    {
        *target = std::mem::replace(&mut **expr, Expr::PLACEHOLDER);
    }
}

/// Whether the left side is a pattern. What `_ = ..` makes for itself needs none.
fn takes_apart(node: &ExprAssign) -> bool {
    match &*node.left {
        Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_) => true,
        Expr::Infer(_) => names_place(&node.right),
        _ => false,
    }
}

/// Whether the value is a place, or a part of what an await gives.
fn names_place(value: &Expr) -> bool {
    match value {
        Expr::Paren(node) => names_place(&node.expr),
        Expr::Field(_) | Expr::Index(_) => is_place(value) || holds_await(value),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => {
            is_place(value) || holds_await(value)
        }
        value => is_place(value),
    }
}

fn lowered(node: &ExprAssign) -> Expr {
    let mut targets = Targets::default();
    let pat = targets.pattern(&node.left);
    let (attrs, right) = (&node.attrs, &node.right);
    let assigned = targets.0.iter().map(|(name, target)| {
        let equals = node.eq_token;
        quote!(#target #equals #name;)
    });
    parse_quote!(#(#attrs)* { let #pat = #right; #(#assigned)* })
}

/// What is assigned to, and the names of its new values.
#[derive(Default)]
struct Targets(Vec<(Ident, Expr)>);

impl Targets {
    fn pattern(&mut self, target: &Expr) -> Pat {
        match target {
            Expr::Paren(node) => self.pattern(&node.expr),
            Expr::Group(node) => self.pattern(&node.expr),
            Expr::Infer(node) => {
                let underscore = &node.underscore_token;
                Pat::Wild(syn::PatWild {
                    attrs: Vec::new(),
                    underscore_token: *underscore,
                })
            }
            Expr::Range(node) if is_rest(node) => parse_quote_spanned!(node.span()=> ..),
            Expr::Tuple(node) => {
                let elems = self.patterns(&node.elems);
                parse_quote_spanned!(node.span()=> (#elems))
            }
            Expr::Array(node) => {
                let elems = self.patterns(&node.elems);
                parse_quote_spanned!(node.span()=> [#elems])
            }
            Expr::Call(node) => self.call(node),
            Expr::Struct(node) => self.fields(node),
            place => {
                let name = names::target(self.0.len(), place.span());
                self.0.push((name.clone(), place.clone()));
                parse_quote!(#name)
            }
        }
    }

    fn patterns(&mut self, targets: &Punctuated<Expr, Token![,]>) -> Punctuated<Pat, Token![,]> {
        let mut pats: Punctuated<_, _> =
            targets.iter().map(|target| self.pattern(target)).collect();
        if targets.trailing_punct() {
            pats.push_punct(Default::default());
        }
        pats
    }

    fn call(&mut self, node: &ExprCall) -> Pat {
        let (path, elems) = (&node.func, self.patterns(&node.args));
        parse_quote_spanned!(node.span()=> #path(#elems))
    }

    fn fields(&mut self, node: &ExprStruct) -> Pat {
        let (path, rest) = (&node.path, node.dot2_token);
        let path = match &node.qself {
            Some(_) => Expr::Path(syn::ExprPath {
                attrs: Vec::new(),
                qself: node.qself.clone(),
                path: path.clone(),
            })
            .into_token_stream(),
            None => path.to_token_stream(),
        };
        let fields = node.fields.iter().map(|field| FieldPat {
            attrs: field.attrs.clone(),
            member: field.member.clone(),
            colon_token: Some(Token![:](field.member.span())),
            pat: Box::new(self.pattern(&field.expr)),
        });
        let fields: Vec<_> = fields.collect();
        parse_quote_spanned!(node.span()=> #path { #(#fields,)* #rest })
    }
}

/// Whether `..` stands for what is left out.
fn is_rest(node: &syn::ExprRange) -> bool {
    let open = node.start.is_none() && node.end.is_none();
    open && matches!(node.limits, RangeLimits::HalfOpen(_))
}
