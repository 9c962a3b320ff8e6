//! Steps with `retry`: a loop around the checkpoint and the statement.
//!
//! ```text
//! #[step(retry = 3)]                   let step_result = 'volt_step: {
//! let paid = charge(&key).await?;          let mut step_attempts = Attempts::NEW;
//!                                          loop {
//!                                              repeated_checkpoint(..).await;
//!                                              #[step]
//!                                              let step_result = charge(&key).await;
//!                                              let (step_result, step_is_ok) = checked_result(step_result);
//!                                              let step_succeeded: bool = step_is_ok;
//!                                              if is_last_attempt(.., step_succeeded, 3) {
//!                                                  break 'volt_step step_result;
//!                                              }
//!                                          }
//!                                      };
//!                                      let paid = step_result?;
//! ```
//!
//! The number of failed attempts is a local of the machine. Its scope is the loop, so only the
//! state of the step stores it. The backoff is awaited at the end of the loop, as a step of its own
//! without a checkpoint. The result leaves the block of the number at once, because each end of a
//! loop or block that code reaches is one more state.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprAsync, ExprBreak, ExprClosure, ExprContinue, ExprForLoop, ExprLoop, ExprMacro,
    ExprWhile, Item, Lifetime, Pat, Path, Stmt, parse_quote, parse_quote_spanned,
};

use crate::options::StepOptions;

/// The parts of a loop that repeats a step.
pub(super) struct Retry<'o> {
    pub(super) options: &'o StepOptions,
    pub(super) limit: &'o Expr,
    pub(super) volt: &'o Path,
    pub(super) span: Span,
}

impl Retry<'_> {
    /// Returns the statements that replace a step. `checkpoint` is the awaited expression, with its
    /// label.
    pub(super) fn statements(&self, mut stmt: Stmt, checkpoint: &Stmt) -> syn::Result<Vec<Stmt>> {
        let (attempts, result) = (self.name("step_attempts"), self.name("step_result"));
        let ty = written_type(&stmt);
        let repeated = replace_value(&mut stmt, &result)?;
        check_jumps(&repeated)?;
        drop_unbound(&mut stmt);
        let (volt, limit, place) = (self.volt, self.limit, repeated.span());
        let (first, key_of_checkpoint) = (self.name("step_first"), self.name("step_key"));
        let key = self.options.key.as_ref();
        let key = key.map(|key| quote_spanned!(self.span=> let #key =));
        let backoff = self.options.backoff.as_ref().map(|backoff| -> Stmt {
            parse_quote_spanned! {self.span=>
                #[step]
                #backoff(#volt::__private::inferred::failed_attempts(&#attempts)).await;
            }
        });
        // An expression that is no `Result` is an error at the place of the expression.
        let place = Span::mixed_site().located_at(place);
        let checked = Ident::new("step_result", place);
        // A reference to the result, in a call, could be stored in a local that the result borrows
        // from. So the result is checked by value.
        let checked: Expr = parse_quote_spanned! {place=>
            #volt::__private::inferred::checked_result(#checked)
        };
        let (succeeded, is_ok) = (self.name("step_succeeded"), self.name("step_is_ok"));
        let label = Lifetime::new("'volt_step", self.span);
        Ok(vec![
            parse_quote_spanned! {self.span=>
                let #result #ty = #label: {
                    let mut #attempts: #volt::__private::inferred::Attempts =
                        #volt::__private::inferred::Attempts::NEW;
                    loop {
                        let #first: #volt::__private::inferred::FirstKey = #volt::__private::inferred::first_key(&#attempts);
                        #checkpoint
                        #key #volt::__private::inferred::set_first_key(
                            &mut #attempts,
                            #key_of_checkpoint,
                        );
                        #[step]
                        let #result #ty = #repeated;
                        let (#result, #is_ok) = #checked;
                        let #succeeded: ::core::primitive::bool = #is_ok;
                        if #volt::__private::inferred::is_last_attempt(
                            &mut #attempts, #succeeded, #limit,
                        ) {
                            break #label #result;
                        }
                        #backoff
                    }
                };
            },
            stmt,
        ])
    }

    fn name(&self, name: &str) -> Ident {
        Ident::new(name, self.span)
    }
}

/// Replaces the value of a statement by the result of the step, and returns the value. The result
/// of a value with `?` is that of its operand.
fn replace_value(stmt: &mut Stmt, result: &Ident) -> syn::Result<Expr> {
    let value = match stmt {
        Stmt::Local(local) => local.init.as_mut().map(|init| &mut *init.expr),
        Stmt::Expr(Expr::Assign(node), _) => Some(&mut *node.right),
        Stmt::Expr(expr, _) => Some(expr),
        Stmt::Macro(_) | Stmt::Item(_) => None,
    };
    let Some(mut value) = value else {
        let text = "`retry` requires a statement with a `Result`";
        return Err(syn::Error::new_spanned(stmt, text));
    };
    if let Expr::Try(node) = value {
        value = &mut node.expr;
    }
    Ok(std::mem::replace(value, parse_quote!(#result)))
}

/// Returns the type of a `let`, with the colon. The value without its `?` has another type.
fn written_type(stmt: &Stmt) -> Option<TokenStream> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let value = local.init.as_ref().map(|init| &*init.expr);
    match (&local.pat, value) {
        (Pat::Type(_), Some(Expr::Try(_))) => None,
        (Pat::Type(pat), _) => {
            let ty = &pat.ty;
            Some(quote!(: #ty))
        }
        _ => None,
    }
}

/// Drops a value that a statement binds to `_`, which would leave it in `step_result`.
fn drop_unbound(stmt: &mut Stmt) {
    let Stmt::Local(local) = stmt else {
        return;
    };
    let pat = match &local.pat {
        Pat::Type(pat) => &*pat.pat,
        pat => pat,
    };
    if let (Pat::Wild(_), Some(init)) = (pat, &local.init) {
        let value = &init.expr;
        *stmt = parse_quote!(::core::mem::drop(#value););
    }
}

/// Returns an error for a jump without a label, which would leave the loop of the attempts.
fn check_jumps(value: &Expr) -> syn::Result<()> {
    struct Find(Option<Span>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
            if node.label.is_none() {
                self.0 = Some(node.break_token.span);
            }
            visit::visit_expr_break(self, node);
        }

        fn visit_expr_continue(&mut self, node: &'ast ExprContinue) {
            if node.label.is_none() {
                self.0 = Some(node.continue_token.span);
            }
        }

        fn visit_expr_loop(&mut self, _: &'ast ExprLoop) {}
        fn visit_expr_while(&mut self, _: &'ast ExprWhile) {}
        fn visit_expr_for_loop(&mut self, _: &'ast ExprForLoop) {}
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
        fn visit_expr_macro(&mut self, _: &'ast ExprMacro) {}
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut find = Find(None);
    find.visit_expr(value);
    match find.0 {
        None => Ok(()),
        Some(span) => Err(syn::Error::new(
            span,
            "`retry` is not supported on a statement with a `break` or `continue` without a \
             label\n  = help: write the label of the loop",
        )),
    }
}
