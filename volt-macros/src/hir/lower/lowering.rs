//! Lowering of blocks and statements to the arena.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{
    Block, Expr, Local, Pat, PatIdent, ReturnType, Signature, Stmt as Statement, Token, Type,
};

use super::statements::{Context, Receivers, Statements};
use super::try_output::returns_result_or_option;
use crate::fallback::Fallbacks;
use crate::hir::body::{AwaitData, Body, Let, Scope, ScopeId, Stmt, StoredTypes, TargetId, Value};
use crate::hir::built_exprs;
use crate::hir::facts::{MatchedPart, borrows, ends_with_statement, has_await, is_awaited_value};
use crate::resolve::{AwaitId, LocalData, LocalId, LocalKind, Resolved};
use crate::syntax::{await_name, contains_ident, first_text, take_label, take_label_of, take_step};

/// Lowers a resolved body.
pub(crate) fn lower(
    sig: &Signature,
    resolved: Resolved,
    (unnamed, stored_types): (UnnamedReceivers, StoredTypes),
    fallbacks: &mut Fallbacks,
) -> Body {
    let names = resolved.names();
    let Resolved {
        block,
        locals,
        items,
        similar,
    } = resolved;
    let body = Body {
        locals,
        items,
        names,
        similar_names: similar,
        stored_types,
        may_return_borrow: sig.generics.lifetimes().next().is_some()
            || matches!(&sig.output, ReturnType::Type(_, ty) if borrows(ty)),
        ..Body::default()
    };
    let mut lower = Lower {
        body,
        fallbacks,
        unnamed,
        has_try_output: returns_result_or_option(sig),
        output: output_of(sig),
        targets: Vec::new(),
        targets_with_value: Vec::new(),
        leaves: Vec::new(),
        ending: Vec::new(),
        braces: Span::mixed_site(),
        label: None,
        is_in_step: false,
        bound: None,
    };
    let root = lower.block(block, Context::of_function());
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

/// The lowering of receivers that are temporaries, in code that awaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnnamedReceivers {
    /// They become locals where this keeps the order, and are a fallback reason elsewhere.
    Bound,
    /// They stay as they are, because methods move them. The compiler confirms that.
    Moved,
    /// As `Moved`. A future whose expression contains a closure is bound by a `let` before its
    /// await, because a query cannot write the closure twice.
    MovedByLet,
}

/// A loop or block around the lowered code.
#[derive(Debug)]
pub(in crate::hir) struct EnclosingTarget {
    pub(in crate::hir) id: TargetId,
    pub(in crate::hir) label: Option<Ident>,
    pub(in crate::hir) is_loop: bool,
}

/// The state of the lowering.
pub(in crate::hir) struct Lower<'d> {
    pub(in crate::hir) body: Body,
    pub(in crate::hir) fallbacks: &'d mut Fallbacks,
    pub(in crate::hir) unnamed: UnnamedReceivers,
    /// `true` if the function returns a `Result` or an `Option`.
    pub(in crate::hir) has_try_output: bool,
    /// The output type of the function, unless it contains `impl Trait`.
    output: Option<Type>,
    pub(in crate::hir) targets: Vec<EnclosingTarget>,
    /// For each jump target, `true` if a `break` gives it a value.
    pub(in crate::hir) targets_with_value: Vec<bool>,
    /// The parts that patterns of the current construct may leave.
    pub(in crate::hir) leaves: Vec<MatchedPart>,
    /// The parts that patterns of a construct may leave, if it ends a block with locals.
    pub(in crate::hir) ending: Vec<MatchedPart>,
    /// The braces of the current block.
    pub(in crate::hir) braces: Span,
    /// The label of the current statement.
    pub(in crate::hir) label: Option<String>,
    /// `true` within a statement that is a step.
    pub(in crate::hir) is_in_step: bool,
    /// The name that the current statement binds, until it awaits.
    pub(in crate::hir) bound: Option<String>,
}

impl Lower<'_> {
    /// Lowers a block with this context.
    pub(super) fn block(&mut self, block: Block, context: Context) -> ScopeId {
        let id = self.scope(Vec::new(), None);
        let braces = block.brace_token.span.join();
        let before = std::mem::replace(&mut self.braces, braces);
        let scope = self.statements(block.stmts, context);
        self.braces = before;
        self.body.scopes[id.0] = scope;
        id
    }

    /// Adds a scope of lowered statements.
    pub(in crate::hir) fn scope(&mut self, stmts: Vec<Stmt>, value: Option<Value>) -> ScopeId {
        self.body.scopes.push(Scope { stmts, value });
        ScopeId(self.body.scopes.len() - 1)
    }

    fn statements(&mut self, stmts: Vec<Statement>, context: Context) -> Scope {
        self.check_extended(&stmts);
        let mut out = Statements::new(context, Receivers::Refused);
        let mut value = None;
        let last = stmts.len().saturating_sub(1);
        let is_inner_step = self.is_in_step;
        for (index, mut stmt) in stmts.into_iter().enumerate() {
            self.is_in_step = is_inner_step || take_step(&mut stmt).is_some();
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
        self.is_in_step = is_inner_step;
        self.check_tail(&out, value.as_ref());
        Scope {
            stmts: out.stmts,
            value,
        }
    }

    /// Returns `true` if a statement only discards a local, which may be uninitialised there: `let
    /// _ = page.title;`, `_ = page;`.
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

    /// Notes a temporary in the tail of an inner block, if the block or the expression around it
    /// has locals.
    fn check_tail(&mut self, out: &Statements, value: Option<&Value>) {
        let Some(Value::Expr(value)) = value else {
            return;
        };
        let is_inner = out.context.depth > 1 && self.binds_any(&out.stmts);
        let has_other_locals = out.context.is_expression() || is_inner;
        if has_other_locals {
            self.check_tail_value(*value);
        }
    }

    fn tail(&mut self, mut expr: Expr, out: &mut Statements) -> Option<Value> {
        self.bound = None;
        take_label_of(&mut expr, &mut self.label);
        if out.context.depth > 1 && matches!(expr, Expr::Loop(_) | Expr::Block(_)) {
            self.check_coercion(&expr);
        }
        // With locals in the block, the edition decides which are dropped first.
        let has_other_locals = out.context.is_expression() || self.binds_any(&out.stmts);
        if has_await(&expr) && has_other_locals {
            self.check_ending(&expr);
        }
        let value = self.in_chain(
            Receivers::allowed_if(!has_other_locals),
            out,
            |lower, stmts| lower.lower_value(expr, stmts),
        )?;
        self.label = None;
        match value {
            Value::Loop { .. } | Value::Block { .. } => self.exit_value(value, out),
            value => Some(value),
        }
    }

    /// Returns the value of a loop or block in tail position, through a temporary.
    fn exit_value(&mut self, value: Value, out: &mut Statements) -> Option<Value> {
        if self.has_no_value(&value) {
            out.push(Stmt::Eval(value));
            return None;
        }
        match out.context.depth {
            1 => self.check_diverging(&value),
            _ => self.check_untyped(&value),
        }
        let ty = self.output.clone().filter(|_| out.context.depth == 1);
        let temp = self.temp(LocalKind::Temp, ty.clone(), Span::mixed_site());
        self.bind(temp, value, ty.as_ref(), out);
        Some(self.moved(temp))
    }

    /// Lowers a statement. With a semicolon it may have a value, which is dropped after the locals
    /// of its blocks.
    fn statement(&mut self, mut expr: Expr, may_have_value: bool, out: &mut Statements) {
        self.bound = None;
        take_label_of(&mut expr, &mut self.label);
        let value = self.in_chain(Receivers::Allowed, out, |lower, stmts| {
            let mut value = lower.lower_expr(expr, stmts);
            lower.label = None;
            if lower.has_value(&value, may_have_value) {
                lower.check_untyped(&value);
                value = lower.bind_to_temp(value, None, stmts);
            }
            stmts.push(Stmt::Eval(value));
            None
        });
        out.stmts.extend(value.map(Stmt::Eval));
    }

    fn local(&mut self, mut local: Local, out: &mut Statements) {
        take_label(&mut local.attrs, &mut self.label);
        let (pat, ty) = match local.pat {
            Pat::Type(typed) => (*typed.pat, Some(*typed.ty)),
            pat => (pat, None),
        };
        let (mut value, mut otherwise, mut dropped) = (None, None, Vec::new());
        self.bound = self.bound_name(&pat);
        if let Some(init) = local.init {
            if ty.is_none() {
                self.check_coercion(&init.expr);
            }
            if matches!(pat, Pat::Wild(_)) {
                let otherwise = init.diverge;
                let otherwise = otherwise.map(|(_, expr)| self.lower_let_else(*expr, out.context));
                return self.lower_wild_let(*init.expr, (pat, ty, otherwise), out);
            }
            if init.diverge.is_some() && self.is_in_step && is_awaited_value(&init.expr) {
                (value, dropped) = self.lower_matched_value(*init.expr, out);
            } else {
                let receivers = Receivers::allowed_if(ends_with_statement(&pat, &init.expr));
                value = self.in_chain(receivers, out, |lower, stmts| {
                    lower.lower_value(*init.expr, stmts)
                });
            }
            let Some(initial) = value else { return };
            value = Some(self.bind_to_temp(initial, ty.as_ref(), out));
            self.label = None;
            otherwise = init.diverge.map(|(_, mut expr)| {
                built_exprs::put_before(&dropped, &mut expr);
                self.lower_let_else(*expr, out.context)
            });
        }
        if otherwise.is_some() {
            self.claim_constants_of_let(&pat, value.as_ref());
        }
        let binds = self.binds(&pat);
        out.push(Stmt::Let(Box::new(Let {
            pat,
            ty,
            value,
            otherwise,
            binds,
        })));
        for drop in dropped {
            let drop = Value::Expr(self.leaf(drop));
            out.push(Stmt::Eval(drop));
        }
    }

    /// Lowers an expression, with an await as a statement before it.
    pub(in crate::hir) fn lower_value(
        &mut self,
        expr: Expr,
        out: &mut Statements,
    ) -> Option<Value> {
        match self.lower_expr(expr, out) {
            Value::Await(id) => Some(self.output(id, out)),
            value => Some(value),
        }
    }

    /// Binds the value of an await or a construct to a temporary. Returns the expression that moves
    /// it.
    pub(in crate::hir) fn bind_to_temp(
        &mut self,
        value: Value,
        ty: Option<&Type>,
        out: &mut Statements,
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

    /// Adds `let output = operand.await;`. Returns the expression that moves the output.
    fn output(&mut self, id: AwaitId, out: &mut Statements) -> Value {
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
        out: &mut Statements,
    ) {
        let LocalData { ident, mutable, .. } = &self.body.locals[local.0];
        let pat = Pat::Ident(PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: mutable.then(<Token![mut]>::default),
            ident: ident.clone(),
            subpat: None,
        });
        out.push(Stmt::Let(Box::new(Let {
            pat,
            ty: ty.cloned(),
            value: Some(value),
            otherwise: None,
            binds: vec![local],
        })));
    }

    /// Adds an await with an operand that contains no await.
    pub(in crate::hir) fn awaited(&mut self, operand: Expr, span: Span) -> AwaitId {
        let id = AwaitId(self.body.awaits.len());
        let bound = self.bound.take();
        let (title, qualifier) = match self.label.take() {
            Some(label) => (label, None),
            None => (
                format!("await {}", await_name(&operand)),
                bound.or_else(|| first_text(&operand)),
            ),
        };
        let output = self.temp(LocalKind::Output(id), None, span);
        let operand = self.leaf(operand);
        self.body.awaits.push(AwaitData {
            operand,
            output,
            span,
            title,
            is_step: self.is_in_step,
            qualifier,
        });
        id
    }
}
