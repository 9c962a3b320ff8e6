//! From a block of `syn`'s to the arena: statements one by one.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{
    Block, Expr, Local, Pat, ReturnType, Signature, Stmt as Statement, Token, Type, parse_quote,
};

use super::try_kind::TryKind;
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::body::{AwaitData, Body, ExprId, Let, Scope, ScopeId, Stmt, TargetId, Value};
use crate::hir::facts::borrows;
use crate::hir::facts::has_await;
use crate::hir::facts::{ends_with_statement, has_temporary};
use crate::resolve::{AwaitId, LocalData, LocalId, LocalKind, Resolved};
use crate::syntax::{await_name, contains_ident, take_label, take_label_of};

/// Takes a resolved body apart.
pub(crate) fn lower(sig: &Signature, resolved: Resolved, fallbacks: &mut Fallbacks) -> Body {
    let names = resolved.names();
    let Resolved {
        block,
        locals,
        items,
    } = resolved;
    let body = Body {
        locals,
        items,
        names,
        may_return_borrow: sig.generics.lifetimes().next().is_some()
            || matches!(&sig.output, ReturnType::Type(_, ty) if borrows(ty)),
        ..Body::default()
    };
    let mut lower = Lower {
        body,
        fallbacks,
        try_kind: TryKind::of(sig),
        output: output_of(sig),
        targets: Vec::new(),
        targets_with_value: Vec::new(),
        depth: 0,
        chain: Chain::default(),
        is_plain_block: false,
        leaves_value: None,
        label: None,
    };
    let root = lower.block(block);
    lower.body.root = root;
    lower.body
}

fn output_of(sig: &Signature) -> Option<Type> {
    match &sig.output {
        ReturnType::Type(_, ty) if !contains_ident(ty.to_token_stream(), "impl") => {
            Some(*ty.clone())
        }
        _ => None,
    }
}

/// A loop or block around what is taken apart.
#[derive(Debug)]
pub(in crate::hir) struct EnclosingTarget {
    pub(in crate::hir) id: TargetId,
    pub(in crate::hir) label: Option<Ident>,
    pub(in crate::hir) is_loop: bool,
}

/// Whether values of chains can be named where the work is, and whether some were.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::hir) struct Chain {
    pub(in crate::hir) is_allowed: bool,
    pub(in crate::hir) is_used: bool,
}

/// The work.
pub(in crate::hir) struct Lower<'d> {
    pub(in crate::hir) body: Body,
    pub(in crate::hir) fallbacks: &'d mut Fallbacks,
    pub(in crate::hir) try_kind: TryKind,
    /// The type of the function's value, if it has a name.
    output: Option<Type>,
    pub(in crate::hir) targets: Vec<EnclosingTarget>,
    /// How many loops and blocks that can be left there are, and which of them are given a value.
    pub(in crate::hir) targets_with_value: Vec<bool>,
    /// How many blocks are around.
    pub(in crate::hir) depth: usize,
    pub(in crate::hir) chain: Chain,
    /// Whether the block at hand is an expression, so that what its value leaves ends later.
    is_plain_block: bool,
    /// Why a pattern of the construct at hand may leave a part of a value without a name.
    pub(in crate::hir) leaves_value: Option<FallbackReason>,
    /// The label of the statement at hand.
    pub(in crate::hir) label: Option<Ident>,
}

impl Lower<'_> {
    pub(in crate::hir) fn block(&mut self, block: Block) -> ScopeId {
        self.block_of(block, false)
    }

    /// A block, which may be an expression itself.
    pub(in crate::hir) fn block_of(&mut self, block: Block, is_plain: bool) -> ScopeId {
        let id = self.scope(Vec::new(), None);
        self.depth += 1;
        let outer = std::mem::replace(&mut self.is_plain_block, is_plain);
        let scope = self.statements(block.stmts);
        self.is_plain_block = outer;
        self.depth -= 1;
        self.body.scopes[id.0] = scope;
        id
    }

    /// A scope of what is already lowered.
    pub(in crate::hir) fn scope(&mut self, stmts: Vec<Stmt>, value: Option<Value>) -> ScopeId {
        self.body.scopes.push(Scope { stmts, value });
        ScopeId(self.body.scopes.len() - 1)
    }

    fn statements(&mut self, stmts: Vec<Statement>) -> Scope {
        self.check_extended(&stmts);
        let mut out = Vec::new();
        let mut value = None;
        let last = stmts.len().saturating_sub(1);
        for (index, stmt) in stmts.into_iter().enumerate() {
            match stmt {
                stmt if self.is_discarded_local(&stmt) => {}
                Statement::Local(local) => self.local(local, &mut out),
                Statement::Expr(expr, None) if index == last => {
                    value = self.tail(expr, &mut out);
                }
                Statement::Expr(expr, semi) => self.statement(expr, semi.is_some(), &mut out),
                Statement::Macro(node) => {
                    let expr = Expr::Macro(syn::ExprMacro {
                        attrs: node.attrs,
                        mac: node.mac,
                    });
                    self.statement(expr, true, &mut out);
                }
                Statement::Item(_) => {}
            }
        }
        self.check_tail(&out, value.as_ref());
        Scope { stmts: out, value }
    }

    /// Whether a statement does nothing with a local, which may have no value there: `let _ = page.title;`, `_ = page;`.
    fn is_discarded_local(&self, stmt: &Statement) -> bool {
        let mut named = match stmt {
            Statement::Local(Local {
                pat: Pat::Wild(_),
                init: Some(init),
                ..
            }) => &*init.expr,
            Statement::Expr(Expr::Assign(node), _) if matches!(*node.left, Expr::Infer(_)) => {
                &*node.right
            }
            _ => return false,
        };
        while let Expr::Field(node) = named {
            named = &node.base;
        }
        self.body.local_of(named).is_some()
    }

    /// A value at the end of an inner block, beside the locals of the block or of the expression around it.
    fn check_tail(&mut self, stmts: &[Stmt], value: Option<&Value>) {
        let Some(Value::Expr(value)) = value else {
            return;
        };
        let has_other_locals = self.is_plain_block || self.depth > 1 && self.binds_any(stmts);
        if has_other_locals && has_temporary(&self.body.exprs[value.0]) {
            self.fallbacks
                .note(FallbackReason::TailTemporary, &self.body.exprs[value.0]);
        }
    }

    fn tail(&mut self, mut expr: Expr, out: &mut Vec<Stmt>) -> Option<Value> {
        take_label_of(&mut expr, &mut self.label);
        if self.depth > 1 && matches!(expr, Expr::Loop(_) | Expr::Block(_)) {
            self.check_coercion(&expr);
        }
        // Beside locals of the block it depends on the edition what ends first.
        let is_alone = !self.is_plain_block && !self.binds_any(out);
        if has_await(&expr) && (self.is_plain_block || self.binds_any(out)) {
            self.check_ending(&expr);
        }
        let value = self.in_chain(is_alone, out, |lower, stmts| lower.lower_value(expr, stmts))?;
        self.label = None;
        match value {
            Value::Loop { .. } | Value::Block { .. } => self.exit_value(value, out),
            value => Some(value),
        }
    }

    /// The value of a loop or block, through a temporary if it has one.
    fn exit_value(&mut self, value: Value, out: &mut Vec<Stmt>) -> Option<Value> {
        if self.has_no_value(&value) {
            out.push(Stmt::Eval(value));
            return None;
        }
        match self.depth {
            1 => self.check_diverging(&value),
            _ => self.check_untyped(&value),
        }
        let ty = self.output.clone().filter(|_| self.depth == 1);
        let temp = self.temp(LocalKind::Temp, ty.clone(), Span::mixed_site());
        self.bind(temp, value, ty.as_ref(), out);
        Some(self.moved(temp))
    }

    /// A statement. Where it ends in a semicolon it may have a value, which is dropped behind the locals of its blocks.
    fn statement(&mut self, mut expr: Expr, may_have_value: bool, out: &mut Vec<Stmt>) {
        take_label_of(&mut expr, &mut self.label);
        let value = self.in_chain(true, out, |lower, stmts| {
            let mut value = lower.lower_expr(expr, stmts);
            lower.label = None;
            if lower.has_value(&value, may_have_value) {
                lower.check_untyped(&value);
                value = lower.bind_to_temp(value, None, stmts);
            }
            stmts.push(Stmt::Eval(value));
            None
        });
        out.extend(value.map(Stmt::Eval));
    }

    fn local(&mut self, mut local: Local, out: &mut Vec<Stmt>) {
        take_label(&mut local.attrs, &mut self.label);
        let (pat, ty) = match local.pat {
            Pat::Type(typed) => (*typed.pat, Some(*typed.ty)),
            pat => (pat, None),
        };
        let (mut value, mut otherwise) = (None, None);
        if let Some(init) = local.init {
            otherwise = init.diverge.map(|(_, expr)| self.lower_let_else(*expr));
            if ty.is_none() {
                self.check_coercion(&init.expr);
            }
            if matches!(pat, Pat::Wild(_)) {
                return self.lower_wild_let(*init.expr, (pat, ty, otherwise), out);
            }
            let is_allowed = ends_with_statement(&pat, &init.expr);
            value = self.in_chain(is_allowed, out, |lower, stmts| {
                lower.lower_value(*init.expr, stmts)
            });
            let Some(given) = value else { return };
            value = Some(self.bind_to_temp(given, ty.as_ref(), out));
            self.label = None;
        }
        let binds = self.binds(&pat);
        out.push(Stmt::Let(Box::new(Let {
            pat,
            ty,
            value,
            otherwise,
            binds,
        })));
    }

    /// The block behind the `else` of a `let`.
    fn lower_let_else(&mut self, otherwise: Expr) -> ExprId {
        if has_await(&otherwise) {
            self.fallbacks.note(FallbackReason::AwaitInElse, &otherwise);
        }
        self.leaf(otherwise)
    }

    /// The value of an expression, with an await as a statement before it.
    pub(in crate::hir) fn lower_value(&mut self, expr: Expr, out: &mut Vec<Stmt>) -> Option<Value> {
        match self.lower_expr(expr, out) {
            Value::Await(id) => Some(self.output(id, out)),
            value => Some(value),
        }
    }

    /// The value of an await or a construct, as what moves it out of a local.
    pub(in crate::hir) fn bind_to_temp(
        &mut self,
        value: Value,
        ty: Option<&Type>,
        out: &mut Vec<Stmt>,
    ) -> Value {
        match value {
            Value::Expr(id) => Value::Expr(id),
            Value::Await(id) => self.output(id, out),
            value => {
                self.check_diverging(&value);
                let temp = self.temp(LocalKind::Temp, ty.cloned(), Span::mixed_site());
                self.bind(temp, value, ty, out);
                self.moved(temp)
            }
        }
    }

    /// `let output = operand.await;`, and what moves the output from there.
    fn output(&mut self, id: AwaitId, out: &mut Vec<Stmt>) -> Value {
        let output = self.body.awaits[id.0].output;
        self.bind(output, Value::Await(id), None, out);
        let mut operand = self.body.exprs[self.body.awaits[id.0].operand.0]
            .to_token_stream()
            .into_iter();
        let begin = operand.next().map(|token| token.span());
        self.moved_at(output, begin.unwrap_or_else(Span::mixed_site))
    }

    pub(in crate::hir) fn bind(
        &mut self,
        local: LocalId,
        value: Value,
        ty: Option<&Type>,
        out: &mut Vec<Stmt>,
    ) {
        let LocalData { ident, mutable, .. } = &self.body.locals[local.0];
        let mutable = mutable.then(<Token![mut]>::default);
        let pat: Pat = parse_quote!(#mutable #ident);
        out.push(Stmt::Let(Box::new(Let {
            pat,
            ty: ty.cloned(),
            value: Some(value),
            otherwise: None,
            binds: vec![local],
        })));
    }

    /// An await, whose operand waits nowhere.
    pub(in crate::hir) fn awaited(&mut self, operand: Expr, span: Span) -> AwaitId {
        let id = AwaitId(self.body.awaits.len());
        let title = match self.label.take() {
            Some(label) => label.to_string(),
            None => format!("await {}", await_name(&operand)),
        };
        let output = self.temp(LocalKind::Output(id), None, span);
        let operand = self.leaf(operand);
        self.body.awaits.push(AwaitData {
            operand,
            output,
            span,
            title,
        });
        id
    }
}
