//! What is called, by the way its path is written.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprPath, GenericArgument, Path, PathArguments, Stmt, Type};

use super::errors::{Errors, Rule};
use super::lending::is_upper;
use super::parse::peel;

/// The call that is all that a block holds.
pub(crate) fn only_call(block: &syn::Block) -> Option<&Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(call @ (Expr::Call(_) | Expr::MethodCall(_)), None)] => Some(call),
        _ => None,
    }
}

/// What a call is given, its receiver first.
pub(crate) fn arguments(call: &Expr) -> impl Iterator<Item = &Expr> {
    let call = match call {
        Expr::Unsafe(block) => only_call(&block.block),
        call => Some(call),
    };
    let (receiver, args) = match call {
        Some(Expr::Call(call)) => (None, Some(&call.args)),
        Some(Expr::MethodCall(call)) => (Some(&*call.receiver), Some(&call.args)),
        _ => (None, None),
    };
    receiver.into_iter().chain(args.into_iter().flatten())
}

/// The type behind references.
pub(super) fn behind(ty: &Type) -> &Type {
    match peel(ty) {
        Type::Reference(reference) => behind(&reference.elem),
        other => other,
    }
}

/// The path of what the last name belongs to.
pub(crate) fn without_last(path: &Path) -> Path {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    owner
}

pub(super) fn is_call(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_call(&paren.expr),
        Expr::Group(group) => is_call(&group.expr),
        Expr::Unsafe(block) => only_call(&block.block).is_some(),
        other => matches!(other, Expr::Call(_) | Expr::MethodCall(_)),
    }
}

/// The type that a path names a function of, by the way it is written.
pub(super) fn owner(path: &ExprPath) -> Option<Path> {
    let owner = without_last(&path.path);
    let last = owner.segments.last()?;
    is_upper(&last.ident).then_some(owner)
}

/// Whether a method is called, by its name or by the path of its type.
pub(crate) fn calls_method(base: &Expr) -> bool {
    match base {
        Expr::Paren(paren) => calls_method(&paren.expr),
        Expr::Group(group) => calls_method(&group.expr),
        Expr::MethodCall(_) => true,
        Expr::Unsafe(block) => only_call(&block.block).is_none_or(calls_method),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if ends_with(&path.path, ["Box", "pin"]) => {
                call.args.first().is_none_or(calls_method)
            }
            Expr::Path(path) => owner(path).is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// The call without the lifetimes that its path gives: a type needs them, and a call must not
/// have them.
pub(crate) fn without_lifetimes(call: &ExprCall) -> ExprCall {
    let mut call = call.clone();
    if let Expr::Path(path) = &mut *call.func {
        for segment in &mut path.path.segments {
            strip_lifetimes(&mut segment.arguments);
        }
    }
    call
}

fn strip_lifetimes(arguments: &mut PathArguments) {
    if let PathArguments::AngleBracketed(own) = arguments {
        let is_lifetime = |own: &&GenericArgument| matches!(own, GenericArgument::Lifetime(_));
        let rest = own.args.iter().filter(|own| !is_lifetime(own)).cloned();
        let rest: Punctuated<_, _> = rest.collect();
        own.args = rest;
        if own.args.is_empty() {
            *arguments = PathArguments::None;
        }
    }
}

/// Whether a generic argument is a value, as far as it shows.
pub(super) fn is_constant_argument(argument: &GenericArgument) -> bool {
    matches!(argument, GenericArgument::Const(_))
}

/// Refuses the values among the generic arguments of a method.
pub(super) fn refuse_constants(arguments: &PathArguments, errors: &mut Errors) {
    if let PathArguments::AngleBracketed(own) = arguments {
        let constants = own.args.iter().filter(|own| is_constant_argument(own));
        constants.for_each(|constant| errors.refuse(Rule::ConstArgument, constant));
    }
}

pub(super) fn ends_with(path: &Path, names: [&str; 2]) -> bool {
    let mut last = path.segments.iter().rev();
    let [owner, function] = names;
    last.next().is_some_and(|segment| segment.ident == function)
        && last.next().is_some_and(|segment| segment.ident == owner)
}
