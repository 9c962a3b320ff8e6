//! Statements, with their labels.

use std::collections::VecDeque;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block as SynBlock, Expr, ExprAssign, ExprAsync, ExprClosure, Item,
    Local as SynLocal, Pat, Stmt as SynStmt,
};

use super::checker::Check;
use super::extended;
use crate::state_machine::body::{Block, Glue, Let, LocalId, Stmt, holds_await};
use crate::state_machine::errors::Rule;
use crate::state_machine::parse::is_condition;
use crate::state_machine::pattern::unascribed;
use crate::state_machine::scope::plain_name;

impl Check<'_> {
    pub(super) fn block(&mut self, label: Option<&syn::Label>, block: &SynBlock) -> Block {
        let block = extended::proven(block, self.proofs());
        let nested = std::mem::take(&mut self.nested);
        let items = self.items.len();
        // Those of the outermost block are seen by all of it.
        if self.next > 0 {
            self.items
                .extend(block.stmts.iter().filter_map(|stmt| match stmt {
                    SynStmt::Item(item) => Some(item.clone()),
                    _ => None,
                }));
        }
        let block = self.scoped(|this| Block {
            label: label.cloned(),
            unsafety: None,
            stmts: this.stmts(&block.stmts),
        });
        self.nested = nested;
        self.items.truncate(items);
        block
    }

    fn stmts(&mut self, stmts: &[SynStmt]) -> Vec<Stmt> {
        let is_inner = std::mem::take(&mut self.is_inner);
        let drops = is_inner || stmts.iter().any(|stmt| matches!(stmt, SynStmt::Local(_)));
        let mut rest: VecDeque<SynStmt> = stmts.iter().cloned().collect();
        if self.next == 0 {
            self.part_argument(&mut rest);
        }
        let mut checked = Vec::new();
        while let Some(stmt) = rest.pop_front() {
            self.later = first_assigned(&stmt, &rest);
            let is_value = matches!(stmt, SynStmt::Expr(_, None));
            self.at_end = drops && rest.is_empty() && is_value;
            checked.push(self.stmt(&stmt));
            if let Some(Stmt::Let(stmt)) = checked.last()
                && let ([local], Pat::Ident(_)) = (&stmt.locals[..], unascribed(&stmt.source.pat))
                && let Some(parted) = self.parted(*local, &rest)
            {
                rest = parted;
            }
        }
        self.at_end = false;
        checked
    }

    pub(super) fn stmt(&mut self, stmt: &SynStmt) -> Stmt {
        match stmt {
            SynStmt::Local(local) => Stmt::Let(Box::new(self.let_stmt(local))),
            SynStmt::Item(item) => Stmt::Item(Box::new(item.clone())),
            SynStmt::Expr(expr, semi) => {
                let mut expr = expr.clone();
                self.take_label(attributes(&mut expr));
                if holds_await(&expr) {
                    self.check_configured(attributes(&mut expr));
                }
                let node = Box::new(self.expr(&expr));
                self.label = None;
                let semi = semi.is_some();
                Stmt::Expr { node, semi }
            }
            SynStmt::Macro(mac) => {
                let expr = Expr::Macro(syn::ExprMacro {
                    attrs: mac.attrs.clone(),
                    mac: mac.mac.clone(),
                });
                let braces = matches!(mac.mac.delimiter, syn::MacroDelimiter::Brace(_));
                let semi = mac.semi_token.is_some() || braces;
                let node = Box::new(self.expr(&expr));
                Stmt::Expr { node, semi }
            }
        }
    }

    pub(super) fn let_stmt(&mut self, local: &SynLocal) -> Let {
        let mut source = local.clone();
        self.take_label(Some(&mut source.attrs));
        let in_place = take_in_place(&mut source.attrs);
        self.check_configured(Some(&mut source.attrs));
        let init = source.init.as_ref().map(|init| self.expr(&init.expr));
        self.label = None;
        let diverge = source.init.as_ref().and_then(|init| init.diverge.as_ref());
        let otherwise = diverge.map(|(_, otherwise)| self.expr(otherwise));
        let locals = self.declare_let(local);
        match (&in_place, &locals[..]) {
            (Some(_), &[local]) if self.locals[local].ty.is_some() => self.put_in_place(local),
            (Some(attr), _) => self.errors.refuse(Rule::UntypedInPlace, attr),
            (None, _) => {}
        }
        Let {
            source,
            init,
            otherwise,
            locals,
            unpacked: None,
        }
    }

    /// Takes it that the local has no destructor, which the expansion proves.
    pub(super) fn put_in_place(&mut self, local: LocalId) {
        let local = &mut self.locals[local];
        local.in_place = true;
        local.glue = Glue::None;
    }

    /// Takes `#[state(Name)]` off a statement.
    pub(super) fn take_label(&mut self, attrs: Option<&mut Vec<Attribute>>) {
        let Some(attrs) = attrs else { return };
        let Some(index) = attrs.iter().position(|attr| attr.path().is_ident("state")) else {
            return;
        };
        match attrs.remove(index).parse_args::<Ident>() {
            Ok(label)
                if ["Start", "Done", "Poisoned"]
                    .iter()
                    .any(|name| label == name) =>
            {
                self.errors.refuse(Rule::NamedPoison, &label);
            }
            Ok(label) => self.label = Some(label),
            Err(error) => self.errors.push(error),
        }
    }

    pub(super) fn check_configured(&mut self, attrs: Option<&mut Vec<Attribute>>) {
        for attr in attrs.into_iter().flatten() {
            if is_condition(attr) {
                self.errors.refuse(Rule::ConfiguredStatement, attr);
            }
        }
    }
}

/// What a local that a `let` gives no value is assigned first, as it is written.
fn first_assigned(stmt: &SynStmt, behind: &VecDeque<SynStmt>) -> Option<Expr> {
    struct Find<'a>(&'a Ident, Option<Expr>);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr_assign(&mut self, node: &'ast ExprAssign) {
            visit::visit_expr_assign(self, node);
            if plain_name(&node.left).is_some_and(|name| name == self.0) {
                self.1.get_or_insert_with(|| (*node.right).clone());
            }
        }

        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let SynStmt::Local(SynLocal {
        pat: Pat::Ident(pat),
        init: None,
        ..
    }) = stmt
    else {
        return None;
    };
    let mut find = Find(&pat.ident, None);
    behind.iter().for_each(|stmt| find.visit_stmt(stmt));
    find.1
}

/// Takes `#[in_place]` off a statement.
fn take_in_place(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    let index = attrs
        .iter()
        .position(|attr| attr.path().is_ident("in_place"))?;
    Some(attrs.remove(index))
}

/// The attributes of an expression statement, if the kind of expression is one we take apart.
fn attributes(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expr {
        Expr::Await(node) => &mut node.attrs,
        Expr::Try(node) => &mut node.attrs,
        Expr::Return(node) => &mut node.attrs,
        Expr::Match(node) => &mut node.attrs,
        Expr::If(node) => &mut node.attrs,
        Expr::Loop(node) => &mut node.attrs,
        Expr::While(node) => &mut node.attrs,
        Expr::ForLoop(node) => &mut node.attrs,
        Expr::Block(node) => &mut node.attrs,
        Expr::MethodCall(node) => &mut node.attrs,
        Expr::Call(node) => &mut node.attrs,
        Expr::Assign(node) => &mut node.attrs,
        _ => return None,
    })
}
