//! The call of a combinator whose futures are lent something: `join(a(&x), b(&mut y))`.
//!
//! The combinator stores each machine as a `UnboundMachine`, without what it is lent, and polls it by a closure
//! that lends it again. What becomes of the arguments is a tree, of the form of the calls.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, Path, Stmt, Type, parse_quote};

/// What becomes of an argument of a combinator.
#[derive(Debug)]
pub(crate) enum Part {
    /// It is evaluated in the call, and is no future.
    Value,
    /// A future that is stored as it is.
    Owned,
    /// A machine that is lent something at each poll.
    Lent(LentCall),
    /// A future of this type that is borrowed at each poll; nothing is stored.
    Borrowed(TokenStream, Expr),
    /// Another combinator of such parts.
    Composed(Vec<Part>),
}

/// The call of a machine that is lent something.
#[derive(Debug)]
pub(crate) struct LentCall {
    pub(crate) ty: TokenStream,
    /// For each argument the expression that lends it, if it does.
    pub(crate) lends: Vec<Option<Expr>>,
    /// `Box::pin`, if the machine is put behind it.
    pub(crate) boxed: Option<ExprPath>,
}

/// The operands of a combinator: what its function is given, or the tuple that its method is called on.
pub(crate) fn operands(call: &Expr) -> Vec<&Expr> {
    match call {
        Expr::Paren(node) => operands(&node.expr),
        Expr::Group(node) => operands(&node.expr),
        Expr::Unsafe(node) => match &node.block.stmts[..] {
            [Stmt::Expr(call, None)] => operands(call),
            _ => Vec::new(),
        },
        Expr::Call(node) => node.args.iter().collect(),
        Expr::MethodCall(node) => operands(&node.receiver),
        Expr::Tuple(node) => node.elems.iter().collect(),
        _ => Vec::new(),
    }
}

/// The operands of a combinator, to be changed.
pub(crate) fn operands_mut(call: &mut Expr) -> Vec<&mut Expr> {
    match call {
        Expr::Paren(node) => operands_mut(&mut node.expr),
        Expr::Group(node) => operands_mut(&mut node.expr),
        Expr::Unsafe(node) => match &mut node.block.stmts[..] {
            [Stmt::Expr(call, None)] => operands_mut(call),
            _ => Vec::new(),
        },
        Expr::Call(node) => node.args.iter_mut().collect(),
        Expr::MethodCall(node) => operands_mut(&mut node.receiver),
        Expr::Tuple(node) => node.elems.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Where the combinator is named.
pub(crate) fn called(call: &Expr) -> Span {
    match call {
        Expr::Paren(node) => called(&node.expr),
        Expr::Group(node) => called(&node.expr),
        Expr::Call(node) => node.func.span(),
        Expr::MethodCall(node) => node.method.span(),
        _ => call.span(),
    }
}

impl Part {
    /// Each expression that lends something, however deep.
    pub(crate) fn each_lend<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match self {
            Part::Value | Part::Owned => {}
            Part::Lent(call) => call.lends.iter().flatten().for_each(visit),
            Part::Borrowed(_, borrow) => visit(borrow),
            Part::Composed(parts) => parts.iter().for_each(|part| part.each_lend(visit)),
        }
    }

    /// The same, to be changed.
    pub(crate) fn each_lend_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        match self {
            Part::Value | Part::Owned => {}
            Part::Lent(call) => call.lends.iter_mut().flatten().for_each(visit),
            Part::Borrowed(_, borrow) => visit(borrow),
            Part::Composed(parts) => parts.iter_mut().for_each(|part| part.each_lend_mut(visit)),
        }
    }

    /// The types that are spoken of alone, however deep.
    pub(crate) fn types<'a>(&'a mut self, found: &mut Vec<&'a mut TokenStream>) {
        match self {
            Part::Value | Part::Owned => {}
            Part::Lent(LentCall { ty, .. }) | Part::Borrowed(ty, _) => found.push(ty),
            Part::Composed(parts) => parts.iter_mut().for_each(|part| part.types(found)),
        }
    }
}

/// The call of the combinator, given machines without what they are lent.
pub(crate) fn with_loans(call: &Expr, parts: &[Part], volt: &Path) -> Expr {
    let mut call = call.clone();
    for (operand, part) in operands_mut(&mut call).into_iter().zip(parts) {
        let loan = match part {
            Part::Value | Part::Owned => continue,
            Part::Lent(_) => quote!(#volt::__private::UnboundMachine::new(#operand.into_machine())),
            Part::Borrowed(ty, _) => quote!(#volt::__private::UnboundMachine::of_borrowed::<#ty>()),
            Part::Composed(parts) => with_loans(operand, parts, volt).into_token_stream(),
        };
        *operand = match part {
            Part::Lent(LentCall {
                boxed: Some(pin), ..
            }) => parse_quote!(#pin(#loan)),
            _ => parse_quote!(#loan),
        };
    }
    call
}

/// The type of a machine within a combinator.
pub(crate) fn loan_type(ty: &TokenStream, output: Option<&Type>, volt: &Path) -> TokenStream {
    let output = output.iter();
    quote!(#volt::__private::UnboundMachine<#ty #(, #output)*>)
}

/// The type that stands for a borrowed future within a combinator.
pub(crate) fn borrowed_type(ty: &TokenStream, volt: &Path) -> TokenStream {
    quote!(#volt::__private::UnboundMachine<#volt::__private::Borrowed<#ty>>)
}
