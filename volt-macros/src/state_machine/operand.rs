//! What stands before `.await`: whose type it is, and what is lent to it.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, PathArguments, Stmt, Type};

use super::body::Operand;
use super::callee::{
    behind, ends_with, is_call, is_constant_argument, only_call, owner, refuse_constants,
    without_last, without_lifetimes,
};
use super::composing::is_own;
use super::elided::unfit_type;
use super::errors::{Errors, Rule};
use super::lending::{Surroundings, holds_text, is_constant, moved_name};
use super::names;
use super::poll_fn::{check_closure, may_be_of_std};
use super::scope::plain_name;
use super::source_text::source_text;
use super::standing::refuse_changed_in;

impl Surroundings<'_> {
    /// The operand `base`, and its name for people.
    pub(crate) fn operand(&self, base: &Expr, errors: &mut Errors) -> Option<(Operand, String)> {
        let refused = match base {
            Expr::Paren(paren) => return self.operand(&paren.expr, errors),
            Expr::Group(group) => return self.operand(&group.expr, errors),
            Expr::Call(call) => return self.call(call, errors),
            Expr::MethodCall(call) => {
                let before = errors.len();
                let operand = self.method_call(call, errors);
                match operand.or_else(|| self.composed_method(call, errors)) {
                    Some(operand) => return Some((operand, call.method.to_string())),
                    None if before < errors.len() => return None,
                    None => Rule::NoAwaitTypes,
                }
            }
            Expr::Unsafe(block) => {
                if let Some(call) = only_call(&block.block) {
                    return self.unsafe_call(call, base, errors);
                }
                Rule::NoAwaitTypes
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                if let Some(name) = self.reborrowed(&reference.expr) {
                    return Some((Operand::Borrowed(base.clone()), name.to_string()));
                }
                Rule::NoAwaitTypes
            }
            Expr::Path(_) => {
                let name = plain_name(base);
                if let Some(operand) = name.and_then(|name| self.local_operand(name, errors)) {
                    return Some(operand);
                }
                let local = name.and_then(|name| self.local(name));
                if local.is_some_and(|local| local.in_pattern) {
                    errors.refuse_bound(base);
                    return None;
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

    fn local_operand(&self, name: &Ident, errors: &mut Errors) -> Option<(Operand, String)> {
        let expr: Expr = syn::parse_quote!(#name);
        if self.local(name).is_none() && self.lent(name) == Some(true) {
            let lend = syn::parse_quote!(&mut *#name);
            return Some((Operand::Borrowed(lend), name.to_string()));
        }
        let ty = self.local(name)?.ty.as_ref()?;
        if let Some(rule) = unfit_type(ty) {
            errors.refuse(rule, ty);
        }
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
            if !may_be_of_std(&path.path) {
                errors.refuse(Rule::ForeignPollFn, path);
                return None;
            }
            check_closure(closure, errors);
            return Some((Operand::Closure(poll.clone()), last));
        }
        if ends_with(&path.path, ["Box", "pin"]) {
            return self.boxed(call, errors);
        }
        if let (Some(owner), Some(last)) = (owner(path), path.path.segments.last()) {
            refuse_constants(&last.arguments, errors);
            self.refuse_parameter(&syn::parse_quote!(#owner), call, &last.ident, errors);
        }
        let before = errors.len();
        if let Some(operand) = self.composed_call(path, call, errors) {
            return Some((operand, last));
        }
        if before == errors.len() {
            self.refuse_lent(path, call, errors);
        }
        if before < errors.len() {
            return None;
        }
        if self.leads_elsewhere(path) {
            errors.prefer_native("the path of this call may lead out of this crate", path);
        }
        match self.type_of_call(path, call) {
            Ok(ty) => Some((self.machine_call(path, ty, call, errors), last)),
            Err(rule) => {
                errors.refuse_await(rule, &Expr::Call(call.clone()));
                None
            }
        }
    }

    /// Whether a function is called by a path that may begin with the name of another crate, where
    /// a function of that name is hardly a machine: `tokio::spawn(..)`.
    fn leads_elsewhere(&self, path: &ExprPath) -> bool {
        let first = path.path.segments.first();
        let of_volt = first.is_some_and(|first| {
            let volt = self.volt.segments.first();
            first.ident == "volt" || volt.is_some_and(|volt| volt.ident == first.ident)
        });
        let is_qualified = path.path.segments.len() > 1 || path.path.leading_colon.is_some();
        is_qualified && !of_volt && !is_own(path) && owner(path).is_none() && path.qself.is_none()
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
        let within = |value: Expr| match whole.clone() {
            Expr::Unsafe(mut block) => {
                block.block.stmts = vec![Stmt::Expr(value, None)];
                Expr::Unsafe(block)
            }
            other => other,
        };
        let operand = match operand {
            Operand::Stored { ty, convert, .. } => Operand::Stored {
                ty,
                value: whole,
                convert,
            },
            Operand::Call {
                ty,
                value,
                lends,
                boxed,
            } => Operand::Call {
                ty,
                value: within(value),
                lends,
                boxed,
            },
            Operand::Composed { ty, value, parts } => Operand::Composed {
                ty,
                value: within(value),
                parts,
            },
            other => other,
        };
        Some((operand, name))
    }

    /// The type of what a call gives: the path itself, for a function; what the type says of its
    /// method, for an associated one.
    fn type_of_call(&self, path: &ExprPath, call: &ExprCall) -> Result<TokenStream, Rule> {
        let name = path.path.get_ident();
        if name.is_some_and(|name| self.local(name).is_some()) {
            return Err(Rule::NoAwaitTypes);
        }
        if path.qself.is_some() {
            return Err(Rule::AwaitedType);
        }
        Ok(match (owner(path), path.path.segments.last()) {
            (Some(owner), Some(method)) => self
                .sibling_at(&owner, &method.ident)
                .unwrap_or_else(|| self.machine_of(&owner, &method.ident, &method.arguments)),
            _ => match self.known_call(path, call) {
                Some(ty) => ty,
                None => path.to_token_stream(),
            },
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
        let own = own.into_iter().filter(|own| !is_constant_argument(own));
        let (span, own) = (method.span(), quote!((#(#own,)*)));
        let mut number = quote_spanned!(span=> { #volt::__private::method(#name) });
        if self.is_concrete(quote!(#owner #own)) {
            // An error of the constant is the only one there will be.
            let owner = names::tokens_at(owner.to_token_stream(), span);
            number = quote_spanned! {span=>
                { #volt::__private::method_of::<#owner, #own, #number>() }
            };
        }
        quote_spanned!(span=> <#owner as #volt::__private::Method<#number, #own>>::Machine)
    }

    /// Refuses the methods of what is but a parameter of the function.
    fn refuse_parameter(
        &self,
        ty: &Type,
        call: &impl ToTokens,
        method: &Ident,
        errors: &mut Errors,
    ) {
        let name = match ty {
            Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        };
        if let Some(name) = name.filter(|name| self.generic.iter().any(|known| *name == known)) {
            let call = source_text(call);
            let instead = format!(
                "if the trait names it, `let future: {name}::Future = {call};` and `future.await` \
                 (book: middleware.md); if it is polled, `poll_fn(|cx| ..).await`; if it is an \
                 `async fn`, `let future: Pin<Box<dyn Future<Output = T> + 'a>> = \
                 Box::pin({call});` and `future.await`"
            );
            errors.refuse_as(Rule::GenericReceiver, method, &instead);
        }
    }

    /// Whether no parameter of the function is in it: what stands in a constant must not.
    pub(super) fn is_concrete(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Group(group) => self.is_concrete(group.stream()),
            TokenTree::Ident(name) => !self.generic.iter().any(|known| name == known),
            TokenTree::Punct(mark) => mark.as_char() != '\'',
            TokenTree::Literal(_) => true,
        })
    }

    /// A call of a method on something whose type is written.
    fn method_call(&self, call: &ExprMethodCall, errors: &mut Errors) -> Option<Operand> {
        let moved = moved_name(&call.receiver);
        let name = moved.or_else(|| plain_name(&call.receiver))?;
        let ty = match self.local(name) {
            Some(local) => local.likely_type()?,
            None => &self.lent.iter().find(|lent| lent.name == *name)?.ty,
        };
        let arguments = match &call.turbofish {
            Some(turbofish) => PathArguments::AngleBracketed(turbofish.clone()),
            None => PathArguments::None,
        };
        refuse_constants(&arguments, errors);
        self.refuse_parameter(behind(ty), call, &call.method, errors);
        let ty = self
            .sibling_of(name, &call.method)
            .unwrap_or_else(|| self.machine_of(behind(ty), &call.method, &arguments));
        let mut lends = Vec::new();
        for argument in &call.args {
            let lend = self.lend(argument);
            if lend.is_none() {
                self.refuse_reference(argument, errors);
            }
            lends.push(lend);
        }
        let receiver = moved.is_none();
        let receiver = receiver.then(|| self.lend_receiver(name, &call.receiver, &lends));
        lends.insert(0, receiver);
        refuse_changed_in(&lends, errors);
        Some(Operand::Call {
            ty,
            value: Expr::MethodCall(call.clone()),
            lends,
            boxed: None,
        })
    }

    /// `Box::pin(f(..))`: the machine that the call gives is kept in the box, so that it may be
    /// lent to as if it were here.
    fn boxed(&self, call: &ExprCall, errors: &mut Errors) -> Option<(Operand, String)> {
        let Expr::Path(pin) = &*call.func else {
            return None;
        };
        let mut found = Errors::default();
        let inner = call.args.first().filter(|inner| is_call(inner));
        let inner = inner.and_then(|inner| self.operand(inner, &mut found));
        let operand = match inner {
            Some((
                Operand::Stored {
                    ty, convert: false, ..
                },
                name,
            )) => {
                let owner = without_last(&pin.path);
                let operand = Operand::Stored {
                    ty: quote!(::core::pin::Pin<#owner<#ty>>),
                    value: Expr::Call(call.clone()),
                    convert: false,
                };
                (operand, name)
            }
            Some((
                Operand::Call {
                    ty,
                    value,
                    lends,
                    boxed: None,
                },
                name,
            )) => {
                let boxed = Some(pin.clone());
                (
                    Operand::Call {
                        ty,
                        value,
                        lends,
                        boxed,
                    },
                    name,
                )
            }
            _ => {
                errors.refuse_await(Rule::NoAwaitTypes, &Expr::Call(call.clone()));
                return None;
            }
        };
        errors.append(found);
        Some(operand)
    }

    fn machine_call(
        &self,
        path: &ExprPath,
        ty: TokenStream,
        call: &ExprCall,
        errors: &mut Errors,
    ) -> Operand {
        let value = Expr::Call(without_lifetimes(call));
        let mut borrows = false;
        let mut lend = |argument: &Expr| {
            let lend = self.lend(argument);
            borrows |= lend.is_some() && !is_constant(argument);
            if lend.is_none() {
                self.refuse_reference(argument, errors);
            }
            lend
        };
        let lends: Vec<_> = call.args.iter().map(&mut lend).collect();
        refuse_changed_in(&lends, errors);
        let lent = lends.iter().any(Option::is_some) && (borrows || holds_text(call));
        let mut given = call.args.iter().zip(&lends);
        let lent = lent || given.any(|(given, lend)| lend.is_none() && self.may_borrow(given));
        if lent || owner(path).is_some() {
            return Operand::Call {
                ty,
                value,
                lends,
                boxed: None,
            };
        }
        Operand::Stored {
            ty,
            value,
            convert: false,
        }
    }
}
