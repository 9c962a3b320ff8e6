//! What stands before `.await`: whose type it is, and what is lent to it.

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprClosure, ExprPath, Pat, Path, RangeLimits, Type};

use super::body::{Local, Operand};
use super::errors::{Errors, Rule};
use super::scope::{bindings, holds_word, plain_name};

/// What is known where an operand stands.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) locals: &'a [Local],
    /// The locals in scope, innermost last.
    pub(crate) scope: &'a [usize],
    /// The names of what the function is lent, and whether it may change it.
    pub(crate) lent: &'a [(Ident, bool)],
}

impl Surroundings<'_> {
    fn local(&self, name: &Ident) -> Option<&Local> {
        let mut scope = self.scope.iter().rev().map(|&id| &self.locals[id]);
        scope.find(|local| local.name == *name)
    }

    fn lent(&self, name: &Ident) -> Option<bool> {
        let found = self.lent.iter().find(|(lent, _)| lent == name);
        found.map(|(_, mutable)| *mutable)
    }

    /// The operand `base`, and its name for people.
    pub(crate) fn operand(&self, base: &Expr, errors: &mut Errors) -> Option<(Operand, String)> {
        let refused = match base {
            Expr::Paren(paren) => return self.operand(&paren.expr, errors),
            Expr::Group(group) => return self.operand(&group.expr, errors),
            Expr::Call(call) => return self.call(call, errors),
            Expr::Unsafe(block) => {
                if let Some(call) = only_call(&block.block) {
                    return self.unsafe_call(call, base, errors);
                }
                Rule::NoAwaitTypes
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                if let Some(name) = plain_name(&reference.expr) {
                    return Some((Operand::Borrowed(base.clone()), name.to_string()));
                }
                Rule::NoAwaitTypes
            }
            Expr::Path(_) => {
                if let Some(operand) = plain_name(base).and_then(|name| self.local_operand(name)) {
                    return Some(operand);
                }
                Rule::NoAwaitTypes
            }
            Expr::Async(_) => Rule::AwaitedAsyncBlock,
            _ => Rule::NoAwaitTypes,
        };
        match refused {
            Rule::NoAwaitTypes => errors.refuse_await(refused, base),
            _ => errors.refuse(refused, base),
        }
        None
    }

    fn local_operand(&self, name: &Ident) -> Option<(Operand, String)> {
        let expr: Expr = syn::parse_quote!(#name);
        if self.local(name).is_none() && self.lent(name) == Some(true) {
            let lend = syn::parse_quote!(&mut *#name);
            return Some((Operand::Borrowed(lend), name.to_string()));
        }
        let ty = self.local(name)?.ty.as_ref()?;
        let operand = Operand::Stored {
            ty: quote!(<#ty as ::core::future::IntoFuture>::IntoFuture),
            value: expr,
            convert: true,
        };
        Some((operand, name.to_string()))
    }

    fn call(&self, call: &ExprCall, errors: &mut Errors) -> Option<(Operand, String)> {
        let Expr::Path(path) = &*call.func else {
            errors.refuse_await(Rule::NoAwaitTypes, &Expr::Call(call.clone()));
            return None;
        };
        let last = path.path.segments.last()?.ident.to_string();
        if last == "poll_fn"
            && let Some(poll @ Expr::Closure(closure)) = call.args.first()
        {
            check_closure(closure, errors);
            return Some((Operand::Closure(poll.clone()), last));
        }
        if ends_with(&path.path, ["Box", "pin"]) {
            return self.boxed(call, errors);
        }
        if let Some(rule) = self.unseen(path) {
            errors.refuse_await(rule, &Expr::Call(call.clone()));
            return None;
        }
        Some((self.machine_call(path, call, errors), last))
    }

    /// A call in an `unsafe` block, of which `whole` is the block.
    fn unsafe_call(
        &self,
        call: &ExprCall,
        whole: &Expr,
        errors: &mut Errors,
    ) -> Option<(Operand, String)> {
        let (operand, name) = self.call(call, errors)?;
        let whole = whole.clone();
        let operand = match operand {
            Operand::Stored { ty, convert, .. } => Operand::Stored {
                ty,
                value: whole,
                convert,
            },
            Operand::Call { ty, lends, .. } => Operand::Call {
                ty,
                value: whole,
                lends,
            },
            other => other,
        };
        Some((operand, name))
    }

    /// Why a path does not stand among the types, if it does not.
    fn unseen(&self, path: &ExprPath) -> Option<Rule> {
        let segments = &path.path.segments;
        let local = path
            .path
            .get_ident()
            .is_some_and(|name| self.local(name).is_some());
        if local {
            return Some(Rule::NoAwaitTypes);
        }
        let owner = segments.iter().rev().nth(1);
        let owned = owner.is_some_and(|owner| is_upper(&owner.ident));
        (owned || path.qself.is_some()).then_some(Rule::AwaitedType)
    }

    fn boxed(&self, call: &ExprCall, errors: &mut Errors) -> Option<(Operand, String)> {
        if let Some(Expr::Call(inner)) = call.args.first()
            && let Expr::Path(path) = &*inner.func
            && self.unseen(path).is_none()
        {
            let Expr::Path(pin) = &*call.func else {
                return None;
            };
            let mut owner = pin.path.clone();
            owner.segments.pop();
            owner.segments.pop_punct();
            let operand = Operand::Stored {
                ty: quote!(::core::pin::Pin<#owner<#path>>),
                value: Expr::Call(call.clone()),
                convert: false,
            };
            return Some((operand, path.path.segments.last()?.ident.to_string()));
        }
        errors.refuse_await(Rule::NoAwaitTypes, &Expr::Call(call.clone()));
        None
    }

    fn machine_call(&self, path: &ExprPath, call: &ExprCall, errors: &mut Errors) -> Operand {
        let ty = path.to_token_stream();
        let value = Expr::Call(call.clone());
        let mut borrows = false;
        let mut lend = |argument: &Expr| {
            let lend = self.lend(argument);
            borrows |= lend.is_some() && !is_constant(argument);
            if lend.is_none() && borrows_temporary(argument) {
                errors.refuse(Rule::BorrowedTemporary, argument);
            }
            lend
        };
        let lends: Vec<_> = call.args.iter().map(&mut lend).collect();
        if lends.iter().any(Option::is_some) && (borrows || holds_text(call)) {
            return Operand::Call { ty, value, lends };
        }
        Operand::Stored {
            ty,
            value,
            convert: false,
        }
    }

    /// The expression that gives an argument again at each poll, if it can be given again.
    fn lend(&self, argument: &Expr) -> Option<Expr> {
        if let Some(name) = plain_name(argument) {
            return self.lend_name(name, argument);
        }
        match argument {
            Expr::Lit(_) => Some(argument.clone()),
            Expr::Reference(reference) if is_place(&reference.expr) => Some(argument.clone()),
            Expr::MethodCall(method) if borrows(&method.method) && is_place(&method.receiver) => {
                Some(argument.clone())
            }
            Expr::Paren(paren) => self.lend(&paren.expr),
            _ => None,
        }
    }

    fn lend_name(&self, name: &Ident, argument: &Expr) -> Option<Expr> {
        let mutable = match self.local(name) {
            Some(local) => match local.ty.as_ref()? {
                Type::Reference(reference) => reference.mutability.is_some(),
                _ => return None,
            },
            None if is_screaming(name) => false,
            None => self.lent(name)?,
        };
        let reborrow = syn::parse_quote!(&mut *#name);
        Some(if mutable { reborrow } else { argument.clone() })
    }
}

/// The call that is all that a block holds.
pub(crate) fn only_call(block: &syn::Block) -> Option<&ExprCall> {
    match &block.stmts[..] {
        [syn::Stmt::Expr(Expr::Call(call), None)] => Some(call),
        _ => None,
    }
}

fn is_upper(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// Whether it is the name of a constant. That of a variant, as `None`, has small letters too.
fn is_screaming(name: &Ident) -> bool {
    is_upper(name) && !name.to_string().contains(char::is_lowercase)
}

fn ends_with(path: &Path, names: [&str; 2]) -> bool {
    let mut last = path.segments.iter().rev();
    let [owner, function] = names;
    last.next().is_some_and(|segment| segment.ident == function)
        && last.next().is_some_and(|segment| segment.ident == owner)
}

/// Whether the argument is the same whoever evaluates it, so that giving it again costs nothing.
fn is_constant(argument: &Expr) -> bool {
    matches!(argument, Expr::Lit(_)) || plain_name(argument).is_some_and(is_screaming)
}

/// Whether a string is among the arguments: a lent one, most likely.
fn holds_text(call: &ExprCall) -> bool {
    call.args.iter().any(|argument| match argument {
        Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_) | syn::Lit::ByteStr(_)),
        other => is_constant(other),
    })
}

/// Methods that only borrow their receiver.
fn borrows(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "as_ref",
        "as_mut",
        "as_slice",
        "as_mut_slice",
        "as_str",
        "as_bytes",
        "as_path",
        "as_deref",
        "as_deref_mut",
        "deref",
        "deref_mut",
        "borrow",
    ];
    NAMES.iter().any(|name| method == name)
}

/// Whether the expression names a place, and finding it changes nothing.
pub(crate) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr) && is_pure(&index.index),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        Expr::MethodCall(method) => borrows(&method.method) && is_place(&method.receiver),
        Expr::Lit(_) => true,
        _ => false,
    }
}

/// Whether evaluating the expression again gives the same and does nothing else.
fn is_pure(expr: &Expr) -> bool {
    let part = |part: &Option<Box<Expr>>| part.as_deref().is_none_or(is_pure);
    match expr {
        Expr::Range(range) => {
            let _: &RangeLimits = &range.limits;
            part(&range.start) && part(&range.end)
        }
        Expr::Binary(binary) => is_pure(&binary.left) && is_pure(&binary.right),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::MethodCall(method) => method.method == "len" && is_place(&method.receiver),
        other => is_place(other),
    }
}

fn borrows_temporary(argument: &Expr) -> bool {
    matches!(argument, Expr::Reference(_))
}

fn check_closure(closure: &ExprClosure, errors: &mut Errors) {
    if let Some(capture) = &closure.capture {
        errors.refuse(Rule::MovePollFn, capture);
    }
    let Some(context) = closure.inputs.first() else {
        return;
    };
    let context = match context {
        Pat::Type(typed) => &*typed.pat,
        other => other,
    };
    let body = closure.body.to_token_stream();
    let used = |name: &Ident| holds_word(body.clone(), &name.to_string()).is_some();
    if !bindings(context).iter().any(|binding| used(&binding.ident)) {
        errors.refuse(Rule::IgnoredContext, closure);
    }
}

/// Whether an expression may leave a temporary alive until the end of the `match` or `if let`
/// over it.
pub(crate) fn may_hold_temporary(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => !is_place(&reference.expr),
        Expr::Paren(paren) => may_hold_temporary(&paren.expr),
        Expr::Group(group) => may_hold_temporary(&group.expr),
        Expr::Try(node) => may_hold_temporary(&node.expr),
        Expr::Field(field) => !is_place(&field.base),
        Expr::Call(call) => call.args.iter().any(may_hold_temporary),
        Expr::Tuple(tuple) => tuple.elems.iter().any(may_hold_temporary),
        Expr::Binary(node) => may_hold_temporary(&node.left) || may_hold_temporary(&node.right),
        Expr::MethodCall(method) => {
            let receiver = &method.receiver;
            let borrowed = !is_place(receiver) && !consumes(&method.method);
            borrowed || may_hold_temporary(receiver) || method.args.iter().any(may_hold_temporary)
        }
        Expr::Macro(mac) => !super::scope::formats(&mac.mac) && !mac.mac.path.is_ident("matches"),
        _ => false,
    }
}

/// Methods of the standard library that take their receiver by value.
fn consumes(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "unwrap",
        "expect",
        "unwrap_or",
        "unwrap_or_else",
        "unwrap_or_default",
        "map",
        "map_err",
        "ok",
        "err",
        "ok_or",
        "ok_or_else",
        "and_then",
        "or_else",
        "into_iter",
        "into",
        "flatten",
        "copied",
        "cloned",
        "filter",
        "rev",
        "enumerate",
        "take",
        "zip",
        "chain",
        "try_into",
        "min",
        "max",
        "wrapping_add",
        "saturating_sub",
        "checked_add",
        "checked_sub",
    ];
    NAMES.iter().any(|name| method == name)
}
