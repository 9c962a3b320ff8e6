//! The calls in a method by its own name, and the marks of those that may return its machine.
//!
//! ```text
//! Box::pin(c.walk()).await      Box::pin(__volt_own(c.walk())).await
//! c.walk().await                unchanged: the own future is in a box, or in a block in a box
//! c.iter().map(Self::walk)      c.iter().map(__volt_own_value(Self::walk, ..)..)
//! rows.iter().sum()             unchanged at the end of `async fn sum`: its type is the output
//! Row { id: row.get(0) }        Row { id: __volt_own(row.get(0)) } in `async fn get`
//! ```
//!
//! A mark is the call of a function that returns another future for a machine, and any other value
//! as it is. The compiler need not know the type of the value yet, so no name or place is an
//! exception. A place whose type is no machine gets no mark, because a copy would be made for it.
//!
//! The path of a function that is no call has another mark, which replaces the own function.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprClosure, ExprPath, FnArg, GenericArgument, GenericParam, Item, Local, Macro,
    Pat, PathArguments, ReturnType, Stmt, Token, Type, parse_quote,
};

use super::own_traits::{OwnTraits, value_marks};
use super::path_ends::PathEnds;
use crate::names::last_of;
use crate::signature::Method;
use crate::syntax::takes_calls_apart;

/// The place of an expression, as far as it decides the type of a call.
#[derive(Clone, Copy, Default)]
enum CallPlace {
    /// The call may return the machine.
    #[default]
    Open,
    /// The place has a type of its own, which is no machine: the end of the body, a condition.
    Given,
    /// The call is awaited at once.
    Awaited,
}

/// The calls in a method by its own name.
pub(super) struct OwnCalls<'a> {
    name: &'a Ident,
    /// The function that marks a call.
    mark: Ident,
    /// The path of the method itself.
    own_path: TokenStream,
    /// The number of arguments with the receiver, if no `cfg` changes it.
    arity: Option<usize>,
    has_receiver: bool,
    /// `true` if a call may have generic arguments.
    is_generic: bool,
    place: CallPlace,
    /// `true` in a closure or an `async` block.
    is_inside: bool,
    /// `true` in the arguments of a macro, which may expand to such a block.
    is_in_macro: bool,
    /// `true` if a call may return the machine, and does not await it at once.
    pub(super) is_stored: bool,
    /// `true` if a call that is not marked may return the machine.
    pub(super) is_open: bool,
    /// `true` if a path that is no call is marked.
    pub(super) has_values: bool,
    /// `true` if a use is neither a call nor a path that is marked.
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
            mark: mark.clone(),
            own_path: own_path(method),
            arity: (!sig.inputs.iter().any(has_attrs)).then_some(sig.inputs.len()),
            has_receiver: sig.receiver().is_some(),
            is_generic: sig.generics.params.iter().any(is_type),
            place: CallPlace::Open,
            is_inside: false,
            is_in_macro: false,
            is_stored: false,
            is_open: false,
            has_values: false,
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
            CallPlace::Open
        } else {
            CallPlace::Awaited
        }
    }

    /// Visits a block whose last expression is at a place.
    fn block(&mut self, place: CallPlace, block: &mut Block) {
        let last = block.stmts.len().saturating_sub(1);
        for (index, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Expr(expr, None) if index == last => self.expr(place, expr),
                stmt => self.visit_stmt_mut(stmt),
            }
        }
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
            Expr::Field(node) => self.expr(CallPlace::Given, &mut node.base),
            Expr::Try(node) => self.expr(CallPlace::Given, &mut node.expr),
            Expr::Unary(node) => self.expr(CallPlace::Given, &mut node.expr),
            Expr::Cast(node) => self.expr(CallPlace::Given, &mut node.expr),
            Expr::Let(node) => self.expr(matched([&*node.pat]), &mut node.expr),
            Expr::Call(node) => {
                if !matches!(&*node.func, Expr::Path(_)) {
                    self.visit_expr_mut(&mut node.func);
                }
                node.args.iter_mut().for_each(|it| self.visit_expr_mut(it));
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
            Expr::Path(node) if self.is_path(node) => *expr = self.value(node),
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
                let patterns = node.arms.iter().map(|arm| &arm.pat);
                self.expr(matched(patterns), &mut node.expr);
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

    /// Visits tokens of another syntax than that of expressions.
    fn tokens(&mut self, tokens: &mut TokenStream) {
        let mut uses = PathEnds::new(self.name, &self.mark);
        *tokens = uses.replace(std::mem::take(tokens));
        self.is_stored |= uses.is_stored;
        self.is_open |= uses.is_open;
        self.is_value |= uses.is_value;
    }

    /// Marks a path that is no call. The path of a module may be that of a static, which cannot be
    /// moved to a function, and a macro may require a path.
    fn value(&mut self, node: &ExprPath) -> Expr {
        let qualifier = node.path.segments.iter().rev().nth(1);
        let is_of_type =
            node.qself.is_some() || qualifier.is_some_and(|it| !is_lower_case(&it.ident));
        if self.is_in_macro || !is_of_type {
            self.is_value = true;
            return Expr::Path(node.clone());
        }
        self.is_stored = true;
        self.has_values = true;
        let ([value, function], own) = (value_marks(&self.mark), &self.own_path);
        parse_quote!(#value(#node, #own).__volt_pick(#function))
    }

    /// Returns `true` if a path may be that of the method: `Tree::walk`, `<Tree>::walk`.
    fn is_path(&self, node: &ExprPath) -> bool {
        let (qself, segments) = (&node.qself, &node.path.segments);
        let last = segments
            .last()
            .filter(|_| qself.is_some() || segments.len() > 1);
        last.is_some_and(|last| last.ident == *self.name)
    }

    /// Returns `true` if a call has as many arguments as the method.
    fn is_of_arity(&self, count: usize, has_generics: bool) -> bool {
        self.arity.is_none_or(|arity| arity == count) && (self.is_generic || !has_generics)
    }

    /// Returns `true` if an expression may be a call of the method.
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::MethodCall(node) if node.method == *self.name => {
                let has_generics = node.turbofish.is_some();
                self.has_receiver && self.is_of_arity(node.args.len() + 1, has_generics)
            }
            Expr::Call(node) => {
                let Expr::Path(callee) = &*node.func else {
                    return false;
                };
                let last = callee.path.segments.last();
                let has_generics = last.is_some_and(|last| has_types(&last.arguments));
                self.is_path(callee) && self.is_of_arity(node.args.len(), has_generics)
            }
            _ => false,
        }
    }
}

impl VisitMut for OwnCalls<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let place = std::mem::take(&mut self.place);
        self.parts(place, expr);
        let is_marked = match place {
            CallPlace::Open => true,
            CallPlace::Awaited => self.is_in_macro,
            CallPlace::Given => false,
        };
        if is_marked && self.is_own(expr) {
            let mark = &self.mark;
            *expr = parse_quote!(#mark(#expr));
            self.is_stored |= matches!(place, CallPlace::Open);
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let Some(init) = &mut local.init else {
            return;
        };
        self.expr(matched([&local.pat]), &mut init.expr);
        if let Some((_, diverge)) = &mut init.diverge {
            self.visit_expr_mut(diverge);
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.block(CallPlace::Open, block);
    }

    fn visit_macro_mut(&mut self, node: &mut Macro) {
        let mut uses = PathEnds::new(self.name, &self.mark);
        uses.replace(node.tokens.clone());
        if uses.is_call && last_of(&node.path).is_some_and(takes_calls_apart) {
            self.is_stored = true;
            self.is_open = true;
            self.is_value |= uses.is_value;
            return;
        }
        let outer = std::mem::replace(&mut self.is_in_macro, true);
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut list) = node.parse_body_with(list) {
            list.iter_mut().for_each(|it| self.visit_expr_mut(it));
            node.tokens = list.into_token_stream();
        } else if let Ok(stmts) = node.parse_body_with(Block::parse_within) {
            let mut block = Block {
                brace_token: Default::default(),
                stmts,
            };
            self.visit_block_mut(&mut block);
            node.tokens = block.stmts.iter().map(ToTokens::to_token_stream).collect();
        } else {
            self.tokens(&mut node.tokens);
        }
        self.is_in_macro = outer;
    }

    /// An inner function may contain the machine, and gets no marks.
    fn visit_item_mut(&mut self, item: &mut Item) {
        let mut uses = PathEnds::new(self.name, &self.mark);
        uses.replace(item.to_token_stream());
        self.is_value |= uses.is_stored || uses.is_value;
    }
}

/// Returns the path of a method in its own body.
fn own_path(method: &Method) -> TokenStream {
    let name = &method.original.sig.ident;
    match &method.impl_target.trait_path {
        Some(of) => quote!(<Self as #of>::#name),
        None => quote!(Self::#name),
    }
}

fn is_lower_case(word: &Ident) -> bool {
    word.to_string().starts_with(char::is_lowercase)
}

/// Returns the place of an expression that patterns match. Only a pattern that takes the whole
/// value matches a machine.
fn matched<'p>(patterns: impl IntoIterator<Item = &'p Pat>) -> CallPlace {
    if patterns.into_iter().all(takes_any) {
        CallPlace::Open
    } else {
        CallPlace::Given
    }
}

/// Returns `true` if a pattern matches values of any type, as far as its words show.
fn takes_any(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(pat) => pat.subpat.as_ref().is_none_or(|(_, pat)| takes_any(pat)),
        Pat::Wild(_) | Pat::Macro(_) => true,
        Pat::Paren(pat) => takes_any(&pat.pat),
        Pat::Guard(pat) => takes_any(&pat.pat),
        Pat::Type(pat) => takes_any(&pat.pat) && matches!(*pat.ty, Type::Infer(_) | Type::Macro(_)),
        _ => false,
    }
}

/// Returns `true` if generic arguments name a type.
fn has_types(arguments: &PathArguments) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return false;
    };
    let is_type = |argument: &GenericArgument| !matches!(argument, GenericArgument::Lifetime(_));
    arguments.args.iter().any(is_type)
}

#[cfg(test)]
mod tests;
