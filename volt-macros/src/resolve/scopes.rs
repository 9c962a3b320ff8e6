//! The only walk with scopes, which replaces each use of a local by its unique name.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Attribute, Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprMatch, ExprPath,
    ExprWhile, FieldValue, GenericArgument, Item, Lifetime, Local, Macro, Member, Pat, Stmt, Token,
    Type,
};

use super::bindings::{
    bindings_of, each_binding, is_binding, is_capital, moves_elements, names_of,
};
use super::items::{Constants, constant_of_arms, declared_types, must_be_unique, name_of_item};
use super::local::{LocalData, LocalId, LocalKind};
use super::macro_hygiene::ExpansionNames;
use super::similar_names::SimilarNames;
use crate::fallback::{FallbackReason, Fallbacks};
use crate::names::is_event;
use crate::syntax::{Arguments, can_keep_message, each_argument, keep_message};

/// The state of the walk.
pub(super) struct Scopes<'d> {
    pub(super) locals: Vec<LocalData>,
    /// The items of the body.
    pub(super) items: Vec<Item>,
    /// Names that mean something other than a local somewhere.
    pub(super) free: BTreeSet<String>,
    pub(super) similar: SimilarNames,
    /// Names that no further local may have.
    taken: BTreeSet<String>,
    /// The names in scope with their locals, the innermost last.
    pub(super) visible: Vec<(String, LocalId)>,
    expansions: ExpansionNames,
    constants: Constants,
    depth: usize,
    /// The number of closures around the visited code. A macro in a closure can neither await nor
    /// return from the function.
    closures: usize,
    pub(super) fallbacks: &'d mut Fallbacks,
}

impl<'d> Scopes<'d> {
    pub(super) fn new(taken: BTreeSet<String>, fallbacks: &'d mut Fallbacks) -> Self {
        let (locals, items, visible) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            locals,
            items,
            free: BTreeSet::new(),
            similar: SimilarNames::default(),
            taken,
            visible,
            expansions: ExpansionNames::default(),
            constants: Constants::default(),
            depth: 0,
            closures: 0,
            fallbacks,
        }
    }

    /// Declares a local under a unique name. Returns that name.
    pub(super) fn declare(&mut self, data: LocalData) -> Ident {
        self.check_expansion(&data.name, &data.ident);
        let name = data.ident.to_string();
        let mut ident = data.ident.clone();
        let mut count = 1;
        while self.taken.contains(&ident.to_string()) {
            count += 1;
            let base = name.strip_prefix("r#").unwrap_or(&name);
            ident = Ident::new(&format!("{base}_{count}"), data.ident.span());
        }
        self.taken.insert(ident.to_string());
        self.visible
            .push((data.name.clone(), LocalId(self.locals.len())));
        self.locals.push(LocalData {
            ident: ident.clone(),
            ..data
        });
        ident
    }

    /// Declares the bindings of an irrefutable pattern.
    fn declare_irrefutable(&mut self, pat: &mut Pat, ty: Option<&Type>) {
        let mut names = names_of(pat).into_iter();
        if let Some(name) = names.find(|name| is_capital(&name.ident)) {
            self.fallbacks
                .note(FallbackReason::CapitalName, &name.ident);
        }
        self.declare_pat(pat, ty);
    }

    /// Declares the bindings of a refutable pattern.
    fn declare_refutable(&mut self, pat: &mut Pat) {
        for name in bindings_of(pat).filter(|name| self.constants.may_be(name)) {
            self.fallbacks.note(FallbackReason::CapitalName, name);
        }
        self.declare_pat(pat, None);
    }

    /// Declares the bindings of a pattern.
    fn declare_pat(&mut self, pat: &mut Pat, ty: Option<&Type>) {
        if moves_elements(pat) {
            self.fallbacks.note(FallbackReason::ArrayPattern, &*pat);
        }
        let kind = match pat {
            Pat::Ident(pat) if pat.subpat.is_none() => LocalKind::Let,
            _ => LocalKind::Pattern,
        };
        let ty = ty.filter(|_| kind == LocalKind::Let);
        let mut bound: Vec<(String, Ident)> = Vec::new();
        each_binding(pat, |pat| {
            let name = pat.ident.to_string();
            let known = bound.iter().find(|(known, _)| *known == name);
            if let Some((_, ident)) = known {
                let span = pat.ident.span();
                pat.ident = ident.clone();
                pat.ident.set_span(span);
                return;
            }
            let by_ref = pat.by_ref.is_some();
            let mutable = pat.mutability.is_some() && !by_ref;
            let kind = if by_ref { LocalKind::Borrowed } else { kind };
            let (ident, ty) = (pat.ident.clone(), ty.cloned());
            pat.ident = self.declare(LocalData {
                ident,
                name: name.clone(),
                ty,
                mutable,
                kind,
            });
            bound.push((name, pat.ident.clone()));
        });
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&LocalData> {
        let mut visible = self.visible.iter().rev();
        let (_, id) = visible.find(|(known, _)| known == name)?;
        Some(&self.locals[id.0])
    }

    /// Notes a name whose spelling another expansion uses, too.
    pub(super) fn check_expansion(&mut self, name: &str, place: &impl ToTokens) {
        let span = place.span();
        if name != "_" && self.expansions.are_two(name, span) {
            self.fallbacks.note(FallbackReason::TwoExpansions, place);
        }
    }

    /// The unique name of the local that the name refers to, if it is a local.
    fn resolve(&mut self, name: &Ident) -> Option<Ident> {
        let text = name.to_string();
        let Some(local) = self.lookup(&text) else {
            let visible = self.visible.iter().map(|(_, id)| &self.locals[id.0]);
            self.similar.add(&text, visible);
            self.free.insert(text);
            return None;
        };
        let mut ident = local.ident.clone();
        self.check_expansion(&text, name);
        ident.set_span(name.span());
        Some(ident)
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = self.visible.len();
        visit(self);
        self.visible.truncate(before);
    }

    fn under_condition(&mut self, condition: &mut Expr, block: &mut Block) {
        self.scoped(|scopes| {
            scopes.visit_expr_mut(condition);
            scopes.visit_block_mut(block);
        });
    }

    /// Moves the items of a block out of it.
    fn hoist(&mut self, block: &mut Block) {
        let declared = declared_types(block);
        let stmts = std::mem::take(&mut block.stmts);
        for stmt in stmts {
            match stmt {
                Stmt::Item(item) => self.item(item, &declared),
                stmt => block.stmts.push(stmt),
            }
        }
    }

    fn item(&mut self, item: Item, declared: &BTreeSet<String>) {
        if self.depth > 1 {
            self.fallbacks.note(FallbackReason::InnerItem, &item);
        }
        if matches!(item, Item::Macro(_)) {
            self.fallbacks.note(FallbackReason::MacroOfBody, &item);
        }
        if must_be_unique(&item, declared) {
            self.fallbacks.note(FallbackReason::ItemOnce, &item);
        }
        if let Some(name) = name_of_item(&item) {
            self.free.insert(name.to_string());
        }
        self.constants.add(&item);
        self.items.push(item);
    }
}

impl VisitMut for Scopes<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.depth += 1;
        self.scoped(|scopes| {
            scopes.hoist(block);
            visit_mut::visit_block_mut(scopes, block);
        });
        self.depth -= 1;
    }

    /// A known macro that is a statement has become an expression. Only those in the arguments of
    /// other macros are still statements.
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(node) = stmt
            && Arguments::of(&node.mac).is_some()
        {
            self.fallbacks.note(FallbackReason::UnknownMacro, &node.mac);
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        self.visit_attributes_mut(&mut local.attrs);
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
        self.visit_pat_mut(&mut local.pat);
        match &mut local.pat {
            Pat::Type(typed) => self.declare_irrefutable(&mut typed.pat, Some(&typed.ty)),
            pat if local
                .init
                .as_ref()
                .is_some_and(|init| init.diverge.is_some()) =>
            {
                self.declare_refutable(pat);
            }
            pat => self.declare_irrefutable(pat, None),
        }
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        self.closures += 1;
        self.scoped(|scopes| {
            for pat in &mut node.inputs {
                scopes.visit_pat_mut(pat);
                scopes.declare_irrefutable(pat, None);
            }
            scopes.visit_expr_mut(&mut node.body);
        });
        self.closures -= 1;
    }

    fn visit_expr_match_mut(&mut self, node: &mut ExprMatch) {
        self.visit_expr_mut(&mut node.expr);
        if let Some(name) = constant_of_arms(&node.arms).filter(|name| is_binding(name)) {
            self.fallbacks.note(FallbackReason::CapitalName, name);
        }
        for arm in &mut node.arms {
            self.visit_arm_mut(arm);
        }
    }

    fn visit_expr_let_mut(&mut self, node: &mut ExprLet) {
        self.visit_expr_mut(&mut node.expr);
        self.visit_pat_mut(&mut node.pat);
        self.declare_refutable(&mut node.pat);
    }

    fn visit_expr_if_mut(&mut self, node: &mut ExprIf) {
        self.under_condition(&mut node.cond, &mut node.then_branch);
        if let Some((_, otherwise)) = &mut node.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, node: &mut ExprWhile) {
        self.under_condition(&mut node.cond, &mut node.body);
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.scoped(|scopes| {
            scopes.visit_pat_mut(&mut node.pat);
            scopes.declare_irrefutable(&mut node.pat, None);
            scopes.visit_block_mut(&mut node.body);
        });
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        arm.attrs
            .iter_mut()
            .for_each(|attr| self.visit_attribute_mut(attr));
        self.scoped(|scopes| {
            let (pat, guard) = match &mut arm.pat {
                Pat::Guard(node) => (&mut *node.pat, Some(&mut *node.guard)),
                pat => (pat, None),
            };
            scopes.visit_pat_mut(pat);
            scopes.declare_refutable(pat);
            if let Some(guard) = guard {
                scopes.visit_expr_mut(guard);
            }
            scopes.visit_expr_mut(&mut arm.body);
        });
    }

    fn visit_expr_path_mut(&mut self, node: &mut ExprPath) {
        if node.qself.is_none()
            && let Some(name) = node.path.get_ident()
            && let Some(ident) = self.resolve(&name.clone())
        {
            node.path = ident.into();
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        self.visit_expr_mut(&mut field.expr);
        if field.colon_token.is_none()
            && let (Member::Named(member), Expr::Path(path)) = (&field.member, &field.expr)
            && !path.path.is_ident(member)
        {
            field.colon_token = Some(Token![:](member.span()));
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        self.check_texts(&mac.tokens);
        let known = Arguments::of(mac);
        if self.closures == 0 && known.is_none() && !is_event(mac) {
            self.fallbacks.note(FallbackReason::UnknownMacro, mac);
        }
        let is_known = known.is_some();
        if !is_known {
            self.captures(mac);
        }
        let is_printed = known.is_none_or(|arguments| arguments.prints_text());
        if is_printed && !(is_known && can_keep_message(mac)) {
            self.check_unknown_macro(mac);
        }
        let before = mac.tokens.clone();
        each_argument(mac, |expr| self.visit_expr_mut(expr));
        keep_message(mac, before);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let reason = match expr {
            Expr::Unsafe(_) => Some(FallbackReason::UnsafeCode),
            Expr::RawAddr(_) => Some(FallbackReason::Address),
            Expr::TryBlock(_) | Expr::Yield(_) | Expr::Verbatim(_) => {
                Some(FallbackReason::UnknownExpression)
            }
            _ => None,
        };
        if let Some(reason) = reason {
            self.fallbacks.note(reason, &*expr);
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if matches!(ty, Type::Ptr(_)) {
            self.fallbacks.note(FallbackReason::Address, &*ty);
        }
        visit_mut::visit_type_mut(self, ty);
    }

    /// A label, or a written lifetime.
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        self.check_expansion(&lifetime.to_string(), lifetime);
    }

    /// Expressions in types are constants.
    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Type(ty) = argument {
            self.visit_type_mut(ty);
        }
    }

    fn visit_type_array_mut(&mut self, ty: &mut syn::TypeArray) {
        self.visit_type_mut(&mut ty.elem);
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
            self.fallbacks.note(FallbackReason::Condition, &*attr);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
