//! The parts of a machine that are inspected: its locals, and the futures that it awaits.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::visit::{self, Visit};

use super::box_content::value_type;
use crate::explicit::explicit_machine::{ExplicitMachine, local_ident, slot};
use crate::hir::{AwaitId, LocalId, Stmt, Value};
use crate::liveness::{Need, held_futures};
use crate::syntax::contains_ident;

/// The awaits at which a local is shown, as sets of bits.
#[derive(Default)]
struct InspectedAwaits {
    /// Its value is shown.
    readable: u128,
    /// The awaited future has borrowed it, so its value is not read.
    borrowed: u128,
    /// It is stored for its destructor only, such as the guard of a lock. Its type is shown.
    scope: u128,
}

/// The locals that are dormant if they are futures, each with the locals that may borrow from it,
/// and the awaits as a set of bits.
type DormantAwaits = BTreeMap<(LocalId, BTreeSet<LocalId>), u128>;

impl ExplicitMachine<'_> {
    /// Returns the futures of all awaits, in which a trace continues.
    pub(super) fn awaited_futures(&self) -> Vec<TokenStream> {
        let tag = local_ident("tag");
        let awaits = (0..self.layout.resumes.len()).map(AwaitId);
        let futures = awaits.map(|id| {
            let slot = slot(self.layout.future(id));
            let content = self.body.local_of(self.body.operand(id));
            if let Some(content) = content.filter(|local| self.has_known_content(*local)) {
                let value_type = value_type(content);
                quote!(#value_type.__volt_content(#slot).__volt_trace_future())
            } else if self.awaits_closure(id) {
                quote!(#slot.__volt_trace_polled(#tag))
            } else {
                quote!(#slot.__volt_trace_future())
            }
        });
        futures.collect()
    }

    /// Returns `true` if the type of a future may contain that of a closure, which each instance of
    /// `advance` has anew.
    pub(super) fn awaits_closures(&self) -> bool {
        (0..self.layout.resumes.len()).any(|id| self.awaits_closure(AwaitId(id)))
    }

    fn awaits_closure(&self, id: AwaitId) -> bool {
        let operand = self.body.awaits[id.0].operand;
        let named = self.body.named(operand);
        let values = named.iter().filter_map(|local| self.value_of(*local));
        !self.layout.recreated[id.0]
            && (contains_closure(&self.body.exprs[operand.0])
                || values.into_iter().any(takes_closure))
    }

    /// Returns the value with which a local is declared.
    pub(super) fn value_of(&self, local: LocalId) -> Option<&Expr> {
        let stmts = self.body.scopes.iter().flat_map(|scope| &scope.stmts);
        stmts.into_iter().find_map(|stmt| match stmt {
            Stmt::Let(declared) if declared.binds.contains(&local) => match declared.value {
                Some(Value::Expr(value)) => Some(&self.body.exprs[value.0]),
                _ => None,
            },
            _ => None,
        })
    }

    pub(super) fn awaited_slots(&self) -> impl Iterator<Item = Ident> {
        let awaits = 0..self.layout.resumes.len();
        awaits.map(|id| slot(self.layout.future(AwaitId(id))))
    }

    /// Returns the locals that are shown, each with its name and its awaits. The value of a
    /// borrowed local is not read.
    pub(super) fn debug_locals(&self) -> Vec<TokenStream> {
        let shown = self.inspected_at().into_iter();
        let shown = shown.filter(|(local, _)| !self.body.locals[local.0].is_hidden());
        let shown = shown.flat_map(|(local, awaits)| self.debug_local(local, awaits));
        shown.chain(self.dormant_locals()).collect()
    }

    /// Returns the awaits at which each local is shown.
    fn inspected_at(&self) -> BTreeMap<LocalId, InspectedAwaits> {
        let mut shown: BTreeMap<LocalId, InspectedAwaits> = BTreeMap::new();
        for (id, resume) in self.layout.resumes.iter().enumerate() {
            for live in self.entry(*resume) {
                let shown = shown.entry(live.local).or_default();
                match live.need {
                    Need::Used if self.is_borrowed(id, live.local) => shown.borrowed |= 1 << id,
                    Need::Used => shown.readable |= 1 << id,
                    Need::Scope => shown.scope |= 1 << id,
                    Need::Unless(_) => {}
                }
            }
        }
        shown
    }

    /// Returns `true` if the future of the await may have borrowed the local.
    fn is_borrowed(&self, id: usize, local: LocalId) -> bool {
        let borrows = &self.liveness.operands[id].borrows;
        let is_stable = self.liveness.stable.contains(&local);
        is_stable || !self.layout.recreated[id] && borrows.contains(&local)
    }

    /// Returns the locals that are part of the tree if they are futures.
    fn dormant_locals(&self) -> Vec<TokenStream> {
        let mut dormant = DormantAwaits::new();
        let mut denials: BTreeMap<LocalId, TokenStream> = BTreeMap::new();
        for ((local, across), held) in held_futures(self.body, self.cfg, self.liveness) {
            let denial = self.denial(local, held.polled_at, across);
            denials.entry(local).or_default().extend(denial);
            *dormant.entry((local, held.borrowers)).or_default() |= 1 << across.0;
        }
        let shown = dormant.into_iter();
        let shown = shown.filter(|((local, _), _)| {
            let data = &self.body.locals[local.0];
            !data.is_hidden() && !self.options.secrets.contains(&data.name)
        });
        let shown = shown.map(|((local, borrowers), awaits)| {
            let private = self.private();
            let name = Literal::string(&self.body.locals[local.0].name);
            let awaits = Literal::u128_unsuffixed(awaits);
            let (receiver, borrowers) = (self.typed_slot(local), borrowers.into_iter());
            let borrowers = borrowers.map(|other| self.typed_slot(other));
            let denials = denials.remove(&local);
            let denials = denials.filter(|denials| !denials.is_empty());
            let awaits = match denials {
                None => quote!(#awaits),
                Some(denials) => quote!({ #denials #awaits }),
            };
            quote!(#private::DebugLocal::dormant(
                #name,
                #awaits,
                #receiver.__volt_local_future()
                #(.unless(#borrowers.__volt_may_borrow()))*
            ))
        });
        shown.collect()
    }

    /// Returns a statement that does not compile if the local is a future, with the option
    /// `deny(dormant)`.
    fn denial(&self, local: LocalId, polled_at: AwaitId, across: AwaitId) -> Option<TokenStream> {
        self.options.deny_dormant?;
        let span = |id: AwaitId| self.body.awaits[id.0].span;
        let line = Literal::usize_unsuffixed(span(polled_at).start().line);
        let place = Span::mixed_site().located_at(span(across));
        let slot = self.slot(local);
        Some(quote_spanned!(place=> #slot.__volt_deny_dormant::<#line>();))
    }

    fn debug_local(
        &self,
        local: LocalId,
        awaits: InspectedAwaits,
    ) -> impl Iterator<Item = TokenStream> {
        let private = self.private();
        let name = &self.body.locals[local.0].name;
        let (is_secret, name) = (self.options.secrets.contains(name), Literal::string(name));
        let (slot, typed) = (self.slot(local), self.typed_slot(local));
        let readable = set(awaits.readable).map(|awaits| {
            if is_secret {
                quote!(#private::DebugLocal::secret(#name, #awaits))
            } else {
                quote!(#typed.__volt_debug_local(#name, #awaits))
            }
        });
        let borrowed = set(awaits.borrowed);
        let borrowed =
            borrowed.map(|awaits| quote!(#private::DebugLocal::borrowed(#name, #awaits)));
        let scope = set(awaits.scope).filter(|_| !is_secret);
        let scope = scope.map(|awaits| quote!(#slot.__volt_held_local(#name, #awaits)));
        readable.into_iter().chain(borrowed).chain(scope)
    }

    /// Returns the slot of a local, for a method that depends on its type.
    fn typed_slot(&self, local: LocalId) -> TokenStream {
        let slot = self.slot(local);
        // The type may have the trait only for `'static`.
        if self.may_be_dyn(local) {
            quote!((**#slot))
        } else {
            quote!(#slot)
        }
    }

    /// Returns `true` if the type of a local may name a trait object with a lifetime of the
    /// function.
    fn may_be_dyn(&self, local: LocalId) -> bool {
        let names_dyn = |ty: &syn::Type| contains_ident(quote!(#ty), "dyn");
        let arguments = &self.signature.arguments;
        let any = arguments.iter().any(|argument| names_dyn(&argument.ty));
        match &self.body.locals[local.0].ty {
            Some(ty) => names_dyn(ty),
            None => any,
        }
    }
}

/// Returns `true` if an expression contains a closure or an `async` block.
fn contains_closure(expr: &Expr) -> bool {
    struct Search(bool);

    impl<'ast> Visit<'ast> for Search {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= matches!(expr, Expr::Closure(_) | Expr::Async(_));
            visit::visit_expr(self, expr);
        }
    }

    let mut search = Search(false);
    search.visit_expr(expr);
    search.0
}

/// Returns `true` for a call with a closure or an `async` block as an argument.
fn takes_closure(value: &Expr) -> bool {
    let mut arguments = match value {
        Expr::Call(call) => call.args.iter(),
        Expr::MethodCall(call) => call.args.iter(),
        _ => return false,
    };
    arguments.any(|argument| matches!(argument, Expr::Closure(_) | Expr::Async(_)))
}

/// Returns the set as a literal, if it is not empty.
fn set(awaits: u128) -> Option<Literal> {
    (awaits != 0).then(|| Literal::u128_unsuffixed(awaits))
}
