//! What has to be proven of the arguments that a call is lent.
//!
//! A reference is coerced to what the callee takes, by as many calls of `deref` as that needs. The callee
//! tells: in code that is never run its arguments are given by slots, which so get their types.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprPath, Stmt, Type};

use super::body::Operand;
use super::callee::only_call;
use super::claim::Claim;
use super::claims::{Claiming, When};
use super::composed::{LentCall, Part, operands};
use super::lending::{Surroundings, moved_name};
use super::scope::{holds_word, plain_name};

impl Surroundings<'_> {
    /// What has to be proven of what an operand lends.
    pub(crate) fn claims(&self, operand: &Operand, unsafety: bool) -> Vec<Claim> {
        let mut claims = Vec::new();
        match operand {
            Operand::Call { value, lends, .. } => {
                self.claim_call(value, lends, unsafety, &mut claims)
            }
            Operand::Composed { value, parts, .. } => {
                self.claim_parts(value, parts, unsafety, &mut claims);
            }
            _ => {}
        }
        claims
    }

    fn claim_parts(&self, value: &Expr, parts: &[Part], unsafety: bool, claims: &mut Vec<Claim>) {
        for (value, part) in operands(value).into_iter().zip(parts) {
            match part {
                Part::Lent(LentCall { lends, .. }) => {
                    self.claim_call(value, lends, unsafety, claims);
                }
                Part::Composed(parts) => self.claim_parts(value, parts, unsafety, claims),
                Part::Value | Part::Owned | Part::Borrowed(..) => {}
            }
        }
    }

    fn claim_call(
        &self,
        call: &Expr,
        lends: &[Option<Expr>],
        unsafety: bool,
        claims: &mut Vec<Claim>,
    ) {
        let lends = &lends[usize::from(is_method(call))..];
        let mut claiming = Claiming::new(self, When::Again, unsafety);
        for lend in lends.iter().flatten() {
            match lend {
                Expr::Reference(node) => claiming.place(&node.expr),
                other => claiming.value(other),
            }
        }
        claiming.coerced(call, lends);
        claims.extend(claiming.made());
    }
}

fn is_method(call: &Expr) -> bool {
    match call {
        Expr::Paren(node) => is_method(&node.expr),
        Expr::Group(node) => is_method(&node.expr),
        Expr::Unsafe(node) => only_call(&node.block).is_some_and(is_method),
        call => matches!(call, Expr::MethodCall(_)),
    }
}

impl Claiming<'_> {
    /// The arguments of a call, which may be coerced to what the callee takes.
    fn coerced(&mut self, call: &Expr, lends: &[Option<Expr>]) {
        let targets: Vec<_> = lends
            .iter()
            .map(|lend| self.target(lend.as_ref()?))
            .collect();
        let slots = targets.iter().enumerate();
        let slots = slots.map(|(at, target)| {
            let (span, _) = target.as_ref()?;
            Some(Ident::new(&format!("__volt_slot_{at}"), *span))
        });
        let slots: Vec<Option<Ident>> = slots.collect();
        let Some(call) = self
            .given(call, &slots)
            .filter(|_| targets.iter().any(Option::is_some))
        else {
            return;
        };
        let (slots, targets): (Vec<_>, Vec<_>) = slots
            .into_iter()
            .flatten()
            .zip(targets.into_iter().flatten())
            .unzip();
        for (slot, (span, _)) in slots.iter().zip(&targets) {
            let volt = self.volt_at(*span);
            self.proofs
                .extend(quote_spanned!(*span=> let #slot = #volt::__private::Slot::new();));
        }
        self.proofs.extend(quote!(let _ = #call;));
        for (slot, (span, target)) in slots.iter().zip(targets) {
            self.proofs
                .extend(quote_spanned!(span=> (&&&&&&&#slot.to(#target)).volt_again();));
        }
    }

    /// A reference to what is lent, if the callee may take what it is coerced to.
    fn target(&mut self, lend: &Expr) -> Option<(Span, TokenStream)> {
        let span = lend.span();
        let target = match lend {
            Expr::Paren(node) => return self.target(&node.expr),
            Expr::Reference(node) if self.is_no_pointer(&node.expr) => return None,
            Expr::Reference(node) => {
                Own(self).visit_expr(&node.expr);
                let place = &node.expr;
                quote_spanned!(span=> &#place)
            }
            Expr::MethodCall(call) if !self.is_cow(&call.receiver) => {
                Own(self).visit_expr(&call.receiver);
                quote!(#call)
            }
            Expr::Path(_) => match plain_name(lend) {
                Some(name) if self.is_own(name) => quote_spanned!(span=> &*#name),
                _ => quote!(#lend),
            },
            _ => return None,
        };
        Some((span, target))
    }

    /// Whether it is seen to be a `Cow`, whose `as_ref` may give more than one thing.
    fn is_cow(&self, place: &Expr) -> bool {
        let ty = self.type_of(place);
        ty.is_some_and(|ty| holds_word(quote!(#ty), "Cow").is_some())
    }

    /// Whether the type of a name says that it is not called on the way.
    fn is_no_pointer(&self, place: &Expr) -> bool {
        let plain = |ty| {
            matches!(
                ty,
                &Type::Array(_) | &Type::Tuple(_) | &Type::Ptr(_) | &Type::FnPtr(_)
            )
        };
        self.type_of(place).is_some_and(plain)
    }

    /// The call, with slots for some of its arguments and anything for the others.
    fn given(&mut self, call: &Expr, slots: &[Option<Ident>]) -> Option<Expr> {
        let volt = self.at.volt;
        let mut call = call.clone();
        let args = match &mut call {
            Expr::Paren(node) => return self.given(&node.expr, slots),
            Expr::Group(node) => return self.given(&node.expr, slots),
            Expr::Unsafe(node) => {
                let inner = self.given(only_call(&node.block)?, slots)?;
                node.block.stmts = vec![Stmt::Expr(inner, None)];
                return Some(call);
            }
            Expr::Call(node) => &mut node.args,
            Expr::MethodCall(node) => {
                let receiver = moved_name(&node.receiver).or_else(|| plain_name(&node.receiver));
                if !self.is_own(receiver?) {
                    return None;
                }
                &mut node.args
            }
            _ => return None,
        };
        for (arg, slot) in args.iter_mut().zip(slots) {
            *arg = match slot {
                Some(slot) => syn::parse_quote!(#slot.given()),
                None => syn::parse_quote!(#volt::__private::any()),
            };
        }
        Some(call)
    }
}

/// Enters the names in an expression.
struct Own<'c, 's>(&'c mut Claiming<'s>);

impl<'ast> Visit<'ast> for Own<'_, '_> {
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let Some(name) = path.path.get_ident() {
            self.0.is_own(name);
        }
    }
}
