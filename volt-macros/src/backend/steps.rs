//! Steps: statements with `#[step]`, each with a state before it.
//!
//! ```text
//! #[step]                                      #[state(Paying)]
//! #[state(Paying)]                             checkpoint().await;
//! let paid = shop.charge(&key).await;          #[step]
//!                                              let paid = shop.charge(&key).await;
//! ```
//!
//! A snapshot contains the state of the checkpoint. `hir` marks the awaits of the statement, whose
//! states are in no snapshot.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, ExprAsync, ExprAwait, ExprClosure, Item, ItemFn, Pat, Path, Stmt,
    parse_quote, parse_quote_spanned,
};

use super::step_retry::Retry;
use crate::errors::{Errors, Rule};
use crate::options::{Options, StepOptions};
use crate::syntax::{
    await_name, first_text, is_step, take_label_of_statement, take_step, with_attributes,
};

/// Returns the errors of the steps of a body, if there are any.
pub(crate) fn check_steps(block: &Block, options: &Options) -> Option<TokenStream> {
    if !has_step(block) {
        return None;
    }
    let mut steps = Steps::new(options);
    steps.visit_block_mut(&mut block.clone());
    let errors = steps.errors;
    (!errors.is_empty()).then(|| errors.to_compile_errors())
}

/// Returns the function with a checkpoint before each step, if it has steps.
pub(crate) fn with_checkpoints(item: &ItemFn, options: &Options) -> Option<ItemFn> {
    if !has_step(&item.block) {
        return None;
    }
    let mut item = item.clone();
    Steps::new(options).visit_block_mut(&mut item.block);
    Some(item)
}

/// Returns `true` if the attribute is anywhere in a body.
fn has_step(block: &Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_attribute(&mut self, attr: &'ast Attribute) {
            self.0 |= is_step(attr);
        }

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut find = Find(false);
    find.visit_block(block);
    find.0
}

/// Adds the checkpoints. Reports each attribute that is not on a statement of the function itself.
struct Steps<'o> {
    options: &'o Options,
    errors: Errors,
    /// `true` outside of closures, `async` blocks and other steps.
    is_allowed: bool,
}

impl<'o> Steps<'o> {
    fn new(options: &'o Options) -> Self {
        Self {
            options,
            errors: Errors::default(),
            is_allowed: true,
        }
    }

    /// Visits code in which no statement can be a step.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_allowed, false);
        visit(self);
        self.is_allowed = before;
    }

    fn check(&mut self, step: &Attribute) {
        if self.options.snapshot().is_none() {
            self.errors.refuse(Rule::StepWithoutDerive, step);
        } else if !self.is_allowed {
            self.errors.refuse(Rule::StepPlace, step);
        }
    }

    /// Adds a statement to a block, after its checkpoint if it is a step.
    fn add(&mut self, mut stmt: Stmt, stmts: &mut Vec<Stmt>) {
        let Some(step) = take_step(&mut stmt) else {
            self.visit_stmt_mut(&mut stmt);
            return stmts.push(stmt);
        };
        self.check(&step);
        self.within(|steps| steps.visit_stmt_mut(&mut stmt));
        match self.expand(&step, stmt) {
            Ok(expanded) => stmts.extend(expanded),
            Err(error) => self.errors.push(error),
        }
    }

    /// Returns the statements that replace a step.
    fn expand(&self, step: &Attribute, mut stmt: Stmt) -> syn::Result<Vec<Stmt>> {
        let options = StepOptions::of(step)?;
        let volt = &self.options.volt;
        let span = Span::mixed_site().located_at(step.path().span());
        let checkpoint = checkpoint(&options, &mut stmt, volt, span);
        if let Some(limit) = &options.retry {
            let retry = Retry {
                options: &options,
                limit,
                volt,
                span,
            };
            return retry.statements(stmt, &checkpoint);
        }
        let mut step = Some(parse_quote!(#[step]));
        with_attributes(&mut stmt, &mut |attrs| attrs.extend(step.take()));
        Ok(vec![checkpoint, stmt])
    }
}

impl VisitMut for Steps<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for stmt in std::mem::take(&mut block.stmts) {
            self.add(stmt, &mut block.stmts);
        }
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        if is_step(attr) {
            self.within(|steps| steps.check(attr));
        }
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        self.within(|steps| visit_mut::visit_expr_closure_mut(steps, node));
    }

    fn visit_expr_async_mut(&mut self, node: &mut ExprAsync) {
        self.within(|steps| visit_mut::visit_expr_async_mut(steps, node));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Returns the await before a step. It has the label of the statement, or a name that is
/// derived from the first await of the statement. It binds the key, if an option needs it. That of
/// an attempt gets the key of the first attempt.
fn checkpoint(options: &StepOptions, stmt: &mut Stmt, volt: &Path, span: Span) -> Stmt {
    let mut label = None;
    take_label_of_statement(stmt, &mut label);
    let label = label.unwrap_or_else(|| derived_name(stmt));
    let state: Attribute = parse_quote!(#[state(#label)]);
    let name = match (options.retry.is_some(), options.has_transaction) {
        (false, false) => "checkpoint",
        (false, true) => "transaction_checkpoint",
        (true, false) => "repeated_checkpoint",
        (true, true) => "repeated_transaction_checkpoint",
    };
    let name = Ident::new(name, span);
    let is_repeated = options.retry.as_ref();
    let first = is_repeated.map(|_| Ident::new("step_first", span));
    let bound = match is_repeated {
        Some(_) => Some(Ident::new("step_key", span)),
        None => options.key.clone(),
    };
    let bound = bound.map(|key| quote_spanned!(span=> let #key =));
    parse_quote_spanned! {span=> #state #bound #volt::__private::inferred::#name(#first).await; }
}

/// Returns `step charge (paid)` for `let paid = charge(card).await`. The text in parentheses is
/// that of an await outside of steps.
fn derived_name(stmt: &Stmt) -> String {
    struct FirstAwait(Option<(String, Option<String>)>);
    impl<'ast> Visit<'ast> for FirstAwait {
        fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
            visit::visit_expr_await(self, node);
            let named = || (await_name(&node.base), first_text(&node.base));
            self.0.get_or_insert_with(named);
        }

        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut first = FirstAwait(None);
    first.visit_stmt(stmt);
    let (name, text) = first.0.unzip();
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    let text = bound_name(stmt).or(text.flatten());
    let text = text.map(|text| format!(" ({text})")).unwrap_or_default();
    format!("step{name}{text}")
}

/// Returns the only name that a `let` binds.
fn bound_name(stmt: &Stmt) -> Option<String> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let pat = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pat => pat,
    };
    match pat {
        Pat::Ident(pat) if pat.subpat.is_none() => Some(pat.ident.to_string()),
        _ => None,
    }
}
