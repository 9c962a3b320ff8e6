//! What the initial value of a `let` tells of its type, and how surely.
//!
//! What a machine gives is a projection of its type; what `?` takes out of that, one more. Such
//! a type is *known*. Others are told by operators and methods of the standard library, whose
//! names may mean something else: they are *guessed*. What only custom tells is guessed too, and
//! nothing else rests on it.

use quote::quote;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Macro, Type, parse_quote};

use super::checker::Check;
use super::custom::UNWRAPPING;
use super::written::string;
use crate::state_machine::body::holds_await;
use crate::state_machine::callee::calls_method;
use crate::state_machine::errors::Errors;
use crate::state_machine::scope::plain_name;

/// The type that an initial value tells.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) ty: Type,
    pub(super) known: bool,
    /// Whether only custom says so.
    pub(super) customary: bool,
    /// How it is written for people, if not as it is.
    pub(super) text: Option<String>,
}

impl Told {
    fn guessed(ty: Type) -> Self {
        Self {
            ty,
            known: false,
            customary: false,
            text: None,
        }
    }

    fn customary(ty: Type) -> Self {
        Self {
            customary: true,
            ..Self::guessed(ty)
        }
    }

    fn known(ty: Type) -> Self {
        Self {
            known: true,
            ..Self::guessed(ty)
        }
    }
}

impl Check<'_> {
    /// What the initial value of a `let` tells of its type.
    pub(super) fn told(&self, init: &Expr) -> Option<Told> {
        match init {
            Expr::Paren(paren) => self.told(&paren.expr),
            Expr::Group(group) => self.told(&group.expr),
            Expr::Await(node) => {
                let customary = self.customary_type(init).map(Told::customary);
                customary.or_else(|| self.told_by_await(&node.base))
            }
            Expr::Try(node) => {
                let customary = self.customary_type(init).map(Told::customary);
                customary.or_else(|| self.told_by_try(&node.expr))
            }
            Expr::Macro(node) if formats_string(&node.mac) => Some(Told::known(string(init))),
            Expr::Repeat(node) => {
                let (elem, length) = (self.plain_type(&node.expr)?, &node.len);
                Some(Told::known(parse_quote!([#elem; #length])))
            }
            Expr::Path(_) => self
                .borrowed(init)
                .or_else(|| self.plain_type(init))
                .map(Told::guessed)
                .or_else(|| self.customary_type(init).map(Told::customary)),
            Expr::MethodCall(call) if unwraps_told(call) => self.told_by_unwrap(call),
            other => {
                let plain = self.plain_type(other).map(Told::guessed);
                plain.or_else(|| self.customary_type(other).map(Told::customary))
            }
        }
    }

    /// What `?` takes out of a value.
    fn told_by_try(&self, value: &Expr) -> Option<Told> {
        if let Expr::MethodCall(call) = value
            && ONLY_ERRORS.iter().any(|name| call.method == name)
        {
            let told = self.told_by_try(&call.receiver)?;
            return Some(Told {
                known: false,
                customary: true,
                ..told
            });
        }
        let told = match value {
            Expr::Await(node) => self.told_by_await(&node.base),
            other => self.told(other),
        }?;
        let (volt, ty) = (self.volt, &told.ty);
        Some(Told {
            ty: parse_quote!(<#ty as #volt::__private::Branch>::Output),
            text: told.text.map(|text| format!("{text}?")),
            ..told
        })
    }

    /// `Expr.await.unwrap()` gives what `Expr.await?` would.
    fn told_by_unwrap(&self, call: &ExprMethodCall) -> Option<Told> {
        if let Some(ty) = self.awaited_by_custom(&call.receiver) {
            return Some(Told::customary(ty));
        }
        let (volt, told) = (self.volt, self.told(&call.receiver)?);
        let ty = &told.ty;
        let output = parse_quote!(<#ty as #volt::__private::Branch>::Output);
        let text = told.text.unwrap_or_else(|| quote!(#ty).to_string());
        Some(Told {
            text: Some(format!("{text}?")),
            ..Told::customary(output)
        })
    }

    /// The type of what the function is lent, which is no type of a field.
    fn borrowed(&self, init: &Expr) -> Option<Type> {
        let name = plain_name(init).filter(|name| self.local(name).is_none())?;
        let lent = self.lent.iter().find(|lent| lent.name == *name)?;
        let (ty, mutable) = (&lent.ty, lent.mutable.then(<syn::Token![mut]>::default));
        Some(parse_quote!(& #mutable #ty))
    }

    fn told_by_await(&self, base: &Expr) -> Option<Told> {
        if holds_await(base) {
            return None;
        }
        let surroundings = self.surroundings();
        if calls_method(base) {
            // What a private method gives may be a secret: it is told where it is written alone.
            let sibling = surroundings.called_sibling(base)?;
            if let Some(output) = &sibling.output {
                return is_whole(output).then(|| Told::known(output.clone()));
            }
        }
        let (operand, name) = surroundings.operand(base, &mut Errors::default())?;
        let text = Some(format!("{name}::Output"));
        Some(Told {
            text,
            ..Told::known(self.output_of(&operand)?)
        })
    }
}

/// Methods that change what went wrong, by custom, and leave the value as it is.
const ONLY_ERRORS: &[&str] = &[
    "map_err",
    "ok_or",
    "ok_or_else",
    "inspect_err",
    "context",
    "with_context",
    "wrap_err",
    "wrap_err_with",
];

/// Whether the call takes a value out of what an await gave.
fn unwraps_told(call: &ExprMethodCall) -> bool {
    let unwraps = UNWRAPPING.iter().any(|name| call.method == name);
    unwraps && holds_await(&*call.receiver) && !call.args.iter().any(holds_await)
}

fn formats_string(mac: &Macro) -> bool {
    mac.path.is_ident("format")
}

/// Whether the type means the same in another function: it has no lifetime, and no `impl`.
fn is_whole(ty: &Type) -> bool {
    struct Find(bool);
    impl Visit<'_> for Find {
        fn visit_lifetime(&mut self, _: &syn::Lifetime) {
            self.0 = true;
        }

        fn visit_type_reference(&mut self, _: &syn::TypeReference) {
            self.0 = true;
        }

        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_type(ty);
    !find.0
}
