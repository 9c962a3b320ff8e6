//! Substitution of names that respects shadowing.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAssign, ExprClosure, ExprForLoop, ExprIf, ExprMatch, ExprWhile, FieldValue,
    Item, Macro, Member, Pat, Path, Stmt, Token, UnOp, parse_quote, parse_quote_spanned,
};

use super::capture::{Captured, captured};
use super::operators::{changes, looks};
use super::pattern::{is_binding, moves_whole, unascribed};
use super::scope::{bindings, items, names_of_item, plain_name};
use super::taken::Taken;
use super::unpack;

/// What takes the place of a name.
#[derive(Clone, Debug)]
pub(crate) enum Replacement {
    /// Another name.
    Name(String),
    /// The place that a reference of this name points to.
    Place,
    /// The value of a local that is moved on some paths only: taken out where it is moved, the
    /// place where it is looked at.
    Maybe,
    /// The same of a local whose type is `Copy`: it is never taken out.
    Copied,
    /// The local itself; its methods that take it are called with it as an argument.
    Taken(Box<Taken>),
}

/// Replaces uses of names, as far as they are not shadowed.
#[derive(Default, Debug)]
pub(crate) struct Substitute {
    pub(super) active: Vec<(String, Replacement)>,
    /// The path to volt.
    volt: Option<Path>,
    /// Macros in which a name could not be replaced for sure.
    pub(crate) opaque: Vec<Ident>,
}

impl Substitute {
    /// Replaces each of `names`.
    pub(crate) fn new(names: impl IntoIterator<Item = (String, Replacement)>) -> Self {
        Self {
            active: names.into_iter().collect(),
            volt: None,
            opaque: Vec::new(),
        }
    }

    /// Replaces each of `names`, some of which may be moved on some paths only.
    pub(crate) fn with_volt(
        names: impl IntoIterator<Item = (String, Replacement)>,
        volt: &Path,
    ) -> Self {
        Self {
            volt: Some(volt.clone()),
            ..Self::new(names)
        }
    }

    pub(super) fn find(&self, ident: &Ident) -> Option<&Replacement> {
        let found = self.active.iter().find(|(name, _)| ident == name);
        found.map(|(_, replacement)| replacement)
    }

    /// What stands for a name whose value is asked for.
    fn value_of(&self, ident: &Ident) -> Option<Expr> {
        let span = ident.span();
        Some(match self.find(ident)? {
            Replacement::Name(name) => {
                let name = Ident::new(name, span);
                parse_quote_spanned!(span=> #name)
            }
            Replacement::Place | Replacement::Copied => parse_quote_spanned!(span=> (*#ident)),
            Replacement::Maybe => parse_quote_spanned!(span=> #ident.take()),
            Replacement::Taken(_) => return None,
        })
    }

    /// What stands for a name that is looked at.
    pub(super) fn place_of(&self, ident: &Ident) -> Option<Expr> {
        match self.find(ident)? {
            Replacement::Maybe => Some(parse_quote_spanned!(ident.span()=> (*#ident))),
            _ => self.value_of(ident),
        }
    }

    /// Replaces in an expression that names a place.
    pub(crate) fn visit_place_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.visit_place_mut(&mut node.expr),
            Expr::Group(node) => self.visit_place_mut(&mut node.expr),
            _ => match plain_name(expr).and_then(|ident| self.place_of(ident)) {
                Some(new) => *expr = new,
                None => self.visit_expr_mut(expr),
            },
        }
    }

    /// Replaces in what stands where a place is looked at, if `expr` holds such a part.
    fn visit_places_of(&mut self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Field(node) => self.visit_place_mut(&mut node.base),
            Expr::Reference(node) => self.visit_place_mut(&mut node.expr),
            Expr::RawAddr(node) => self.visit_place_mut(&mut node.expr),
            Expr::Cast(node) => self.visit_place_mut(&mut node.expr),
            Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => {
                self.visit_place_mut(&mut node.expr);
            }
            Expr::Index(node) => {
                self.visit_place_mut(&mut node.expr);
                self.visit_expr_mut(&mut node.index);
            }
            Expr::MethodCall(node) => {
                self.visit_place_mut(&mut node.receiver);
                node.args
                    .iter_mut()
                    .for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Assign(node) => self.assignment(node),
            Expr::Binary(node) if looks(&node.op) => {
                self.visit_place_mut(&mut node.left);
                match changes(&node.op) {
                    true => self.visit_expr_mut(&mut node.right),
                    false => self.visit_place_mut(&mut node.right),
                }
            }
            _ => return false,
        }
        true
    }

    /// A call that takes a local, as one that says so.
    fn taking(&self, expr: &Expr) -> Option<Expr> {
        let taken = |name: &Ident| match self.find(name)? {
            Replacement::Taken(taken) => Some(&**taken),
            _ => None,
        };
        match expr {
            Expr::MethodCall(call) => {
                taken(plain_name(&call.receiver)?)?.method(call, self.volt.as_ref())
            }
            Expr::Call(call) => taken(plain_name(&call.func)?)?.call(call),
            _ => None,
        }
    }

    fn assignment(&mut self, node: &mut ExprAssign) {
        self.visit_expr_mut(&mut node.right);
        let whole = plain_name(&node.left).and_then(|name| self.find(name));
        if !matches!(whole, Some(Replacement::Maybe | Replacement::Copied)) {
            return self.visit_place_mut(&mut node.left);
        }
        let (right, volt) = (&node.right, &self.volt);
        *node.right = parse_quote!(#volt::__private::Maybe::some(#right));
    }

    /// The local that is named, if it may be gone and the pattern takes it apart, and volt.
    pub(crate) fn unpacked(&self, expr: &Expr, pat: &Pat) -> Option<(Ident, Path)> {
        let name = plain_name(expr).filter(|_| moves_whole(unascribed(pat)))?;
        let is_maybe = matches!(self.find(name), Some(Replacement::Maybe));
        is_maybe.then(|| Some((name.clone(), self.volt.clone()?)))?
    }

    /// What captures by value takes the value out first.
    fn visit_capture(&mut self, expr: &mut Expr) {
        let moved = self.active.iter().filter(|(name, by)| match by {
            Replacement::Maybe => captured(expr, name) == Some(Captured::Whole),
            Replacement::Copied => captured(expr, name).is_some(),
            _ => false,
        });
        let moved = moved.map(|(name, _)| {
            let name = Ident::new(name, expr.span());
            let value = self.value_of(&name);
            (name.to_string(), quote!(let mut #name = #value;))
        });
        let (moved, made): (Vec<String>, Vec<TokenStream>) = moved.unzip();
        self.scoped(|this| {
            this.active.retain(|(name, _)| !moved.contains(name));
            match &mut *expr {
                Expr::Closure(closure) => this.visit_expr_closure_mut(closure),
                other => visit_mut::visit_expr_mut(this, other),
            }
        });
        if !moved.is_empty() {
            *expr = parse_quote!({ #(#made)* #expr });
        }
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
}

impl VisitMut for Substitute {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(new) = plain_name(expr).and_then(|ident| self.value_of(ident)) {
            *expr = new;
            return;
        }
        if let Some(new) = self.taking(expr) {
            *expr = new;
        }
        if let Expr::Let(node) = expr
            && let Some((name, _)) = self.unpacked(&node.expr, &node.pat)
        {
            self.hide(&node.pat);
            *expr = unpack::operand(&name, &node.pat);
            return;
        }
        let captures = match expr {
            Expr::Closure(node) => node.capture.is_some(),
            Expr::Async(node) => node.capture.is_some(),
            _ => false,
        };
        if captures {
            self.visit_capture(expr);
        } else if !self.visit_places_of(expr) {
            visit_mut::visit_expr_mut(self, expr);
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let Some(init) = &mut local.init else { return };
        if let Some((_, otherwise)) = &mut init.diverge {
            self.visit_expr_mut(otherwise);
        }
        if let Some((name, volt)) = self.unpacked(&init.expr, &local.pat) {
            unpack::initial(&name, local, &volt);
        } else if is_binding(&local.pat) {
            self.visit_expr_mut(&mut init.expr);
        } else {
            self.visit_place_mut(&mut init.expr);
        }
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
        self.scoped(|this| {
            let names = items(&block.stmts).flat_map(names_of_item);
            let names: Vec<String> = names.map(Ident::to_string).collect();
            this.active.retain(|(name, _)| !names.contains(name));
            this.statements(&mut block.stmts);
        });
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.scoped(|this| {
            closure.inputs.iter().for_each(|pat| this.hide(pat));
            this.visit_expr_mut(&mut closure.body);
        });
    }

    fn visit_expr_let_mut(&mut self, node: &mut syn::ExprLet) {
        self.visit_place_mut(&mut node.expr);
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
        for arm in &mut node.arms {
            let unpacked = self.unpacked(&node.expr, &arm.pat);
            self.scoped(|this| {
                this.hide(&arm.pat);
                this.visit_pat_mut(&mut arm.pat);
                this.visit_expr_mut(&mut arm.body);
            });
            if let Some((name, volt)) = unpacked {
                let made = unpacked_arm(&name, &mut arm.pat, &volt);
                *arm.body = unpack::within(&made, &arm.body);
            }
        }
        self.visit_place_mut(&mut node.expr);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        self.in_macro(mac);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// An arm over a local that may be gone, and what makes its bindings.
pub(crate) fn unpacked_arm(name: &Ident, pat: &mut Pat, volt: &Path) -> Stmt {
    let (made, asked) = unpack::arm(name, pat, volt);
    let places = asked
        .iter()
        .map(|name| (name.to_string(), Replacement::Place));
    if let Pat::Guard(guarded) = pat {
        Substitute::new(places).visit_expr_mut(&mut guarded.guard);
    }
    made
}
