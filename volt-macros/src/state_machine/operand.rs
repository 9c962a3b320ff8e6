//! What stands before `.await`: whose type it is, and what is lent to it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Expr, ExprCall, ExprClosure, ExprMethodCall, ExprPath, Pat, Path, PathArguments, Stmt, Type,
};

use super::body::{Local, Operand};
use super::errors::{Errors, Rule};
use super::names;
use super::parse::peel;
use super::place::{borrows, is_place};
use super::scope::{bindings, holds_word, plain_name};

/// What is known where an operand stands.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) locals: &'a [Local],
    /// The locals in scope, innermost last.
    pub(crate) scope: &'a [usize],
    /// What the function is lent.
    pub(crate) lent: &'a [Lent],
    /// The path to volt.
    pub(crate) volt: &'a Path,
}

/// A lent argument.
#[derive(Clone, Debug)]
pub(crate) struct Lent {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    /// The type behind the reference.
    pub(crate) ty: Type,
}

impl Surroundings<'_> {
    fn local(&self, name: &Ident) -> Option<&Local> {
        let mut scope = self.scope.iter().rev().map(|&id| &self.locals[id]);
        scope.find(|local| local.name == *name)
    }

    fn lent(&self, name: &Ident) -> Option<bool> {
        let found = self.lent.iter().find(|lent| lent.name == *name);
        found.map(|lent| lent.mutable)
    }

    /// The operand `base`, and its name for people.
    pub(crate) fn operand(&self, base: &Expr, errors: &mut Errors) -> Option<(Operand, String)> {
        let refused = match base {
            Expr::Paren(paren) => return self.operand(&paren.expr, errors),
            Expr::Group(group) => return self.operand(&group.expr, errors),
            Expr::Call(call) => return self.call(call, errors),
            Expr::MethodCall(call) => match self.method_call(call, errors) {
                Some(operand) => return Some((operand, call.method.to_string())),
                None => Rule::NoAwaitTypes,
            },
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
        match self.type_of_call(path) {
            Ok(ty) => Some((self.machine_call(path, ty, call, errors), last)),
            Err(rule) => {
                errors.refuse_await(rule, &Expr::Call(call.clone()));
                None
            }
        }
    }

    /// A call in an `unsafe` block, of which `whole` is the block.
    fn unsafe_call(
        &self,
        call: &Expr,
        whole: &Expr,
        errors: &mut Errors,
    ) -> Option<(Operand, String)> {
        let (operand, name) = self.operand(call, errors)?;
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

    /// The type of what a call gives: the path itself, for a function; what the type says of its
    /// method, for an associated one.
    fn type_of_call(&self, path: &ExprPath) -> Result<TokenStream, Rule> {
        let name = path.path.get_ident();
        if name.is_some_and(|name| self.local(name).is_some()) {
            return Err(Rule::NoAwaitTypes);
        }
        if path.qself.is_some() {
            return Err(Rule::AwaitedType);
        }
        Ok(match (owner(path), path.path.segments.last()) {
            (Some(owner), Some(method)) => {
                self.machine_of(&owner, &method.ident, &method.arguments)
            }
            _ => path.to_token_stream(),
        })
    }

    /// The machine of a method, by the type and the name.
    fn machine_of(
        &self,
        owner: &impl ToTokens,
        method: &Ident,
        arguments: &PathArguments,
    ) -> TokenStream {
        let (volt, name) = (self.volt, method.to_string());
        let volt = names::path_at(volt, method.span());
        let own = match arguments {
            PathArguments::AngleBracketed(own) => own.args.iter().collect(),
            _ => Vec::new(),
        };
        let span = method.span();
        quote_spanned! {span=>
            <#owner as #volt::__private::Method<{ #volt::__private::method(#name) }, (#(#own,)*)>>::Machine
        }
    }

    /// A call of a method on something whose type is written.
    fn method_call(&self, call: &ExprMethodCall, errors: &mut Errors) -> Option<Operand> {
        let moved = moved_name(&call.receiver);
        let name = moved.or_else(|| plain_name(&call.receiver))?;
        let ty = match self.local(name) {
            Some(local) => local.ty.as_ref()?,
            None => &self.lent.iter().find(|lent| lent.name == *name)?.ty,
        };
        let arguments = match &call.turbofish {
            Some(turbofish) => PathArguments::AngleBracketed(turbofish.clone()),
            None => PathArguments::None,
        };
        let ty = self.machine_of(behind(ty), &call.method, &arguments);
        let lend = || {
            let lend = self.lend_name(name, &call.receiver);
            lend.unwrap_or_else(|| syn::parse_quote!(&mut #name))
        };
        let mut lends = vec![moved.is_none().then(lend)];
        for argument in &call.args {
            let lend = self.lend(argument);
            if lend.is_none() && borrows_temporary(argument) {
                errors.refuse(Rule::BorrowedTemporary, argument);
            }
            lends.push(lend);
        }
        Some(Operand::Call {
            ty,
            value: Expr::MethodCall(call.clone()),
            lends,
        })
    }

    fn boxed(&self, call: &ExprCall, errors: &mut Errors) -> Option<(Operand, String)> {
        if let Some(Expr::Call(inner)) = call.args.first()
            && let Expr::Path(path) = &*inner.func
            && let Ok(ty) = self.type_of_call(path)
        {
            let Expr::Path(pin) = &*call.func else {
                return None;
            };
            let mut owner = pin.path.clone();
            owner.segments.pop();
            owner.segments.pop_punct();
            let operand = Operand::Stored {
                ty: quote!(::core::pin::Pin<#owner<#ty>>),
                value: Expr::Call(call.clone()),
                convert: false,
            };
            return Some((operand, path.path.segments.last()?.ident.to_string()));
        }
        errors.refuse_await(Rule::NoAwaitTypes, &Expr::Call(call.clone()));
        None
    }

    fn machine_call(
        &self,
        path: &ExprPath,
        ty: TokenStream,
        call: &ExprCall,
        errors: &mut Errors,
    ) -> Operand {
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
        let lent = lends.iter().any(Option::is_some) && (borrows || holds_text(call));
        if lent || owner(path).is_some() {
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
pub(crate) fn only_call(block: &syn::Block) -> Option<&Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(call @ (Expr::Call(_) | Expr::MethodCall(_)), None)] => Some(call),
        _ => None,
    }
}

/// The name in `{name}`, which moves what it names.
fn moved_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Block(node) if node.label.is_none() => match &node.block.stmts[..] {
            [Stmt::Expr(expr, None)] => plain_name(expr),
            _ => None,
        },
        _ => None,
    }
}

/// The type behind references.
fn behind(ty: &Type) -> &Type {
    match peel(ty) {
        Type::Reference(reference) => behind(&reference.elem),
        other => other,
    }
}

/// The type that a path names a function of, by the way it is written.
fn owner(path: &ExprPath) -> Option<Path> {
    let mut owner = path.path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    let last = owner.segments.last()?;
    is_upper(&last.ident).then_some(owner)
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
