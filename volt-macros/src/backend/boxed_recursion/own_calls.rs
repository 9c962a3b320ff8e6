//! The calls in a method by its own name, and the marks of those that may return its machine.
//!
//! ```text
//! Box::pin(c.walk()).await      Box::pin(c.walk().__volt_own()).await
//! c.walk().await                unchanged: the own future is in a box, or in a block in a box
//! rows.iter().sum()             unchanged at the end of `async fn sum`: its type is the output
//! Row { id: row.get(0) }        unchanged in `async fn get`: the type may come from the field
//! ```
//!
//! A mark is a method call, and the compiler must know the type of its receiver. A call at a place
//! that gives it a type is therefore not marked; it returns no machine there. At other places the
//! type of `into()` may still be unknown, too. So a name of [`names::infers_output`] is marked only
//! where the compiler knows the type in any case, or if the call certainly means the method
//! ([`OwnType`]).

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprCall, ExprClosure, ExprMethodCall, FnArg, GenericArgument, GenericParam, Item,
    Local, Macro, Pat, Path, PathArguments, ReturnType, Stmt, parse_quote,
};

use super::own_traits::OwnTraits;
use super::path_ends::{Certainty, OwnType, PathEnds};
use crate::names;
use crate::signature::Method;

/// The place of an expression, as far as it decides the type of a call.
#[derive(Clone, Copy, Default)]
enum CallPlace {
    /// The type of the call may be inferred from a later use.
    #[default]
    Open,
    /// A field of a struct or a variant, which seldom stores a machine.
    Field,
    /// The compiler knows the type: the receiver of a method, the operand of `?`.
    Known,
    /// The place has a type of its own, which is no machine: the end of the body, a condition.
    Given,
    /// The call is awaited at once.
    Awaited,
}

/// The calls in a method by its own name.
pub(super) struct OwnCalls<'a> {
    name: &'a Ident,
    own_type: OwnType<'a>,
    /// The method that marks a call.
    mark: Ident,
    /// The number of arguments with the receiver, if no `cfg` changes it.
    arity: Option<usize>,
    has_receiver: bool,
    /// `true` if a call may have generic arguments.
    is_generic: bool,
    place: CallPlace,
    /// `true` in a closure or an `async` block.
    is_inside: bool,
    /// `true` if a call may return the machine, and does not await it at once.
    pub(super) is_stored: bool,
    /// `true` if a call that is not marked may return the machine.
    pub(super) is_open: bool,
    /// `true` if a use is no call.
    pub(super) is_value: bool,
}

impl<'a> OwnCalls<'a> {
    /// Finds the calls in the body of a method.
    pub(super) fn find(method: &'a Method) -> Self {
        let mut body = method.original.block.clone();
        Self::mark(method, &mut body, &OwnTraits::Send.mark())
    }

    /// Returns `true` if the method may contain its own machine by its own name.
    pub(super) fn any(&self) -> bool {
        self.is_stored || self.is_value
    }

    /// Marks the calls in the body of a method.
    pub(super) fn mark(method: &'a Method, body: &mut Block, mark: &Ident) -> Self {
        let sig = &method.original.sig;
        let has_attrs = |input: &FnArg| match input {
            FnArg::Receiver(receiver) => !receiver.attrs.is_empty(),
            FnArg::Typed(input) => !input.attrs.is_empty(),
        };
        let is_type = |param: &GenericParam| !matches!(param, GenericParam::Lifetime(_));
        let mut calls = Self {
            name: &sig.ident,
            own_type: OwnType::of(method),
            mark: mark.clone(),
            arity: (!sig.inputs.iter().any(has_attrs)).then_some(sig.inputs.len()),
            has_receiver: sig.receiver().is_some(),
            is_generic: sig.generics.params.iter().any(is_type),
            place: CallPlace::Open,
            is_inside: false,
            is_stored: false,
            is_open: false,
            is_value: false,
        };
        calls.block(CallPlace::Given, body);
        calls
    }

    fn expr(&mut self, place: CallPlace, expr: &mut Expr) {
        self.place = place;
        self.visit_expr_mut(expr);
        self.place = CallPlace::Open;
    }

    /// Returns the place of an operand of `.await`. A block or a closure may be in a box, and then
    /// it awaits the own future at once.
    fn awaited(&self) -> CallPlace {
        if self.is_inside {
            CallPlace::Known
        } else {
            CallPlace::Awaited
        }
    }

    /// Visits a block whose last expression is at a place.
    fn block(&mut self, place: CallPlace, block: &mut Block) {
        let was_hidden = self.own_type.enter(block);
        let last = block.stmts.len().saturating_sub(1);
        for (index, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Expr(expr, None) if index == last => self.expr(place, expr),
                stmt => self.visit_stmt_mut(stmt),
            }
        }
        self.own_type.leave(was_hidden);
    }

    /// Visits the body of a closure or of an `async` block.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_inside, true);
        visit(self);
        self.is_inside = outer;
    }

    /// Visits the parts of an expression: its operands.
    fn parts(&mut self, place: CallPlace, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.expr(place, &mut node.expr),
            Expr::Group(node) => self.expr(place, &mut node.expr),
            Expr::Await(node) => self.expr(self.awaited(), &mut node.base),
            Expr::Field(node) => self.expr(CallPlace::Known, &mut node.base),
            Expr::Try(node) => self.expr(CallPlace::Known, &mut node.expr),
            Expr::Unary(node) => self.expr(CallPlace::Given, &mut node.expr),
            Expr::Cast(node) => self.expr(CallPlace::Given, &mut node.expr),
            Expr::Let(node) => self.expr(CallPlace::Given, &mut node.expr),
            Expr::MethodCall(node) => {
                self.expr(CallPlace::Known, &mut node.receiver);
                node.args.iter_mut().for_each(|it| self.visit_expr_mut(it));
            }
            Expr::Call(node) => self.call(place, node),
            Expr::Struct(node) => {
                for field in &mut node.fields {
                    self.expr(CallPlace::Field, &mut field.expr);
                }
                if let Some(rest) = &mut node.rest {
                    self.expr(CallPlace::Given, rest);
                }
            }
            Expr::Binary(node) => {
                self.expr(CallPlace::Given, &mut node.left);
                self.expr(CallPlace::Given, &mut node.right);
            }
            Expr::Index(node) => {
                self.expr(CallPlace::Given, &mut node.expr);
                self.expr(CallPlace::Given, &mut node.index);
            }
            Expr::Closure(node) => self.closure(node),
            Expr::Async(node) => self.inside(|it| it.visit_block_mut(&mut node.block)),
            Expr::Path(node) => self.is_value |= self.is_path(&node.path),
            other => self.control(place, other),
        }
    }

    /// Visits the parts of an expression that contains blocks, or of any other one.
    fn control(&mut self, place: CallPlace, expr: &mut Expr) {
        match expr {
            Expr::Return(node) => {
                let place = if self.is_inside {
                    CallPlace::Open
                } else {
                    CallPlace::Given
                };
                if let Some(expr) = &mut node.expr {
                    self.expr(place, expr);
                }
            }
            Expr::If(node) => {
                self.expr(CallPlace::Given, &mut node.cond);
                self.block(place, &mut node.then_branch);
                if let Some((_, branch)) = &mut node.else_branch {
                    self.expr(place, branch);
                }
            }
            Expr::Match(node) => {
                self.expr(CallPlace::Given, &mut node.expr);
                for arm in &mut node.arms {
                    if let Pat::Guard(pat) = &mut arm.pat {
                        self.expr(CallPlace::Given, &mut pat.guard);
                    }
                    self.expr(place, &mut arm.body);
                }
            }
            Expr::While(node) => {
                self.expr(CallPlace::Given, &mut node.cond);
                self.visit_block_mut(&mut node.body);
            }
            Expr::ForLoop(node) => {
                self.expr(CallPlace::Given, &mut node.expr);
                self.visit_block_mut(&mut node.body);
            }
            Expr::Block(node) => self.block(place, &mut node.block),
            Expr::Unsafe(node) => self.block(place, &mut node.block),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn closure(&mut self, node: &mut ExprClosure) {
        let place = match node.output {
            ReturnType::Default => CallPlace::Open,
            ReturnType::Type(..) => CallPlace::Given,
        };
        self.inside(|it| it.expr(place, &mut node.body));
    }

    fn call(&mut self, place: CallPlace, node: &mut ExprCall) {
        if !matches!(&*node.func, Expr::Path(_)) {
            self.visit_expr_mut(&mut node.func);
        }
        // The type of the box is that of the future.
        let place = match place {
            CallPlace::Known | CallPlace::Awaited if is_box_pin(&node.func) => CallPlace::Known,
            _ if is_variant(&node.func) => CallPlace::Field,
            _ => CallPlace::Open,
        };
        for arg in &mut node.args {
            self.expr(place, arg);
        }
    }

    fn is_path(&self, path: &Path) -> bool {
        let last = path.segments.last();
        path.segments.len() > 1 && last.is_some_and(|last| last.ident == *self.name)
    }

    /// Returns `true` if a call has as many arguments as the method.
    fn is_of_arity(&self, count: usize, has_generics: bool) -> bool {
        self.arity.is_none_or(|arity| arity == count) && (self.is_generic || !has_generics)
    }

    /// Returns the certainty that an expression is a call of the method, unless it is none.
    fn is_own(&self, expr: &Expr) -> Option<Certainty> {
        match expr {
            Expr::MethodCall(node) if node.method == *self.name => {
                let has_generics = node.turbofish.is_some();
                let is_own =
                    self.has_receiver && self.is_of_arity(node.args.len() + 1, has_generics);
                is_own.then(|| Certainty::of(is_self(node)))
            }
            Expr::Call(node) => {
                let Expr::Path(callee) = &*node.func else {
                    return None;
                };
                let last = callee.path.segments.last()?;
                let is_own = self.is_path(&callee.path)
                    && self.is_of_arity(node.args.len(), has_types(&last.arguments));
                is_own.then(|| self.own_type.certainty(&callee.path))
            }
            _ => None,
        }
    }

    /// Marks a call, if its type is known.
    fn mark_call(&mut self, place: CallPlace, expr: &mut Expr) {
        let Some(certainty) = self.is_own(expr) else {
            return;
        };
        match place {
            CallPlace::Given | CallPlace::Awaited => return,
            CallPlace::Field if self.may_infer(certainty) => return,
            CallPlace::Open if self.may_infer(certainty) => self.is_open = true,
            CallPlace::Open | CallPlace::Field | CallPlace::Known => {
                let mark = &self.mark;
                *expr = parse_quote!(#expr.#mark())
            }
        }
        self.is_stored = true;
    }

    /// Returns `true` if the compiler may not know the type of a call yet.
    fn may_infer(&self, certainty: Certainty) -> bool {
        matches!(certainty, Certainty::Possible) && names::infers_output(self.name)
    }
}

impl VisitMut for OwnCalls<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let place = std::mem::take(&mut self.place);
        self.parts(place, expr);
        self.mark_call(place, expr);
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Expr(expr, Some(_)) => self.expr(CallPlace::Known, expr),
            stmt => visit_mut::visit_stmt_mut(self, stmt),
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let Some(init) = &mut local.init else {
            return;
        };
        let place = match &local.pat {
            Pat::Type(_) => CallPlace::Given,
            Pat::Wild(_) => CallPlace::Known,
            _ if init.diverge.is_some() => CallPlace::Given,
            _ => CallPlace::Open,
        };
        self.expr(place, &mut init.expr);
        if let Some((_, diverge)) = &mut init.diverge {
            self.visit_expr_mut(diverge);
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.block(CallPlace::Open, block);
    }

    fn visit_macro_mut(&mut self, node: &mut Macro) {
        let mut uses = PathEnds::new(self.name, &self.mark);
        let was_hidden = self.own_type.enter_macro(&node.tokens);
        if names::infers_output(self.name) {
            uses = uses.only_of(&self.own_type);
        }
        node.tokens = uses.replace(node.tokens.clone());
        self.is_stored |= uses.is_stored;
        self.is_open |= uses.is_open;
        self.is_value |= uses.is_value;
        self.own_type.leave(was_hidden);
    }

    /// An inner function may contain the machine, and gets no marks.
    fn visit_item_mut(&mut self, item: &mut Item) {
        let mut uses = PathEnds::new(self.name, &self.mark);
        uses.replace(item.to_token_stream());
        self.is_value |= uses.is_stored || uses.is_value;
    }
}

fn is_self(node: &ExprMethodCall) -> bool {
    matches!(&*node.receiver, Expr::Path(path) if path.path.is_ident("self"))
}

/// Returns `true` if generic arguments name a type.
fn has_types(arguments: &PathArguments) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return false;
    };
    let is_type = |argument: &GenericArgument| !matches!(argument, GenericArgument::Lifetime(_));
    arguments.args.iter().any(is_type)
}

/// Returns `true` if a function is a variant of `Option` or `Result`.
fn is_variant(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.get_ident().is_some_and(names::is_variant))
}

/// Returns `true` if a function is `Box::pin`.
pub(super) fn is_box_pin(function: &Expr) -> bool {
    let Expr::Path(function) = function else {
        return false;
    };
    let mut words = function.path.segments.iter().rev().map(|it| &it.ident);
    words.next().is_some_and(|word| word == "pin") && words.next().is_some_and(|word| word == "Box")
}

#[cfg(test)]
mod tests;
