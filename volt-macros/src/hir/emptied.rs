//! Values that a durable function moves on some of the paths to an await, or out of a part of a
//! local: an empty value is left in their places.
//!
//! ```text
//! for call in reply.calls { .. }         for call in __WellTyped::moved(&mut reply.calls).__volt_take() { .. }
//! count(reply.calls)                     count(a branch by the type: a copy, or as above)
//! if let Some(next) = page.next { .. }   if let Some(next) = __WellTyped::moved(&mut page.next).__volt_take() { .. }
//! ```
//!
//! The drop of an empty value has no effect, so the remaining parts are dropped as in the plain
//! function. A value of a `Copy` type is copied. No other code can see the empty value, because
//! the compiler has rejected a use after the move in the function's own text.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, Local, Pat, PatIdent, PatTupleStruct, Stmt, parse_quote_spanned};

use super::facts::{Use, has_empty_value, is_some_of_all, operands_mut};
use crate::names::takes_moved;
use crate::resolve::{LocalId, Resolved};

/// The locals in whose places empty values are left, by their unique names.
#[derive(Debug, Default)]
pub(crate) struct EmptiedLocals {
    /// Locals that are moved, or of which a part is moved.
    pub(crate) moved: BTreeSet<String>,
    /// Locals of which a part is moved or copied. A part that is copied may be borrowed meanwhile.
    /// So a part is emptied at once only if a loop or a `Some(..)` takes it, or a `let` whose type
    /// shows that it is not `Copy`. For all other parts the compiler decides.
    pub(crate) taken: BTreeSet<String>,
    /// Locals from which other values may borrow across a block. They are accessed by pointers, so
    /// the compiler would not find a `&mut` to a copied part beside another borrow. It decides of
    /// each place.
    pub(crate) borrowed: BTreeSet<String>,
}

impl EmptiedLocals {
    pub(crate) fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.taken.is_empty()
    }
}

/// Leaves an empty value wherever one of the locals, or a part of it, is moved. Returns the locals
/// in which this may happen.
///
/// No other value may borrow from them across a block, unless they are known to be `borrowed`.
pub(crate) fn leave_empty(resolved: &mut Resolved, locals: &EmptiedLocals) -> Vec<LocalId> {
    if locals.is_empty() {
        return Vec::new();
    }
    let mut places = MovedPlaces {
        locals,
        is_awaited: false,
        emptied: BTreeSet::new(),
    };
    places.visit_block_mut(&mut resolved.block);
    let emptied = places.emptied;
    let mut found = Vec::new();
    for (id, local) in resolved.locals.iter_mut().enumerate() {
        let name = local.ident.to_string();
        if emptied.contains(&name) {
            local.mutable = true;
            if !locals.borrowed.contains(&name) {
                found.push(LocalId(id));
            }
        }
    }
    MutableLocals(emptied).visit_block_mut(&mut resolved.block);
    found
}

/// Replaces the places whose values are moved.
struct MovedPlaces<'l> {
    locals: &'l EmptiedLocals,
    /// `true` in an awaited operand, whose future may contain what the operand borrows. So a part
    /// in it is copied, which the compiler confirms.
    is_awaited: bool,
    /// The locals of places that were replaced.
    emptied: BTreeSet<String>,
}

impl MovedPlaces<'_> {
    /// Replaces a place whose value is moved or copied.
    fn leave(&mut self, place: &mut Expr) {
        let EmptiedLocals { moved, taken, .. } = self.locals;
        let is_part = matches!(place, Expr::Field(_));
        let Some(local) = local_of(place) else { return };
        if moved.contains(&local) {
            self.take(place);
        } else if is_part && taken.contains(&local) {
            self.copy_or_leave(place, local);
        }
    }

    /// Replaces a place by a copy of its value, or by the value that is moved out of it.
    fn copy_or_leave(&mut self, place: &mut Expr, local: String) {
        if !self.is_awaited {
            *place = copied_or_left(place);
            self.emptied.insert(local);
        }
    }

    /// Replaces a place whose value is not `Copy`, or that a loop or a pattern takes.
    fn take(&mut self, place: &mut Expr) {
        let EmptiedLocals {
            moved,
            taken,
            borrowed,
        } = self.locals;
        let is_part = matches!(place, Expr::Field(_));
        let is_such = |local: &String| moved.contains(local) || is_part && taken.contains(local);
        let local = local_of(place).filter(is_such);
        if let Some(local) = local {
            if borrowed.contains(&local) {
                return self.copy_or_leave(place, local);
            }
            let span = place.span();
            *place = parse_quote_spanned!(span=> __WellTyped::moved(&mut #place).__volt_take());
            self.emptied.insert(local);
        }
    }
}

/// Returns the value of a part, which is copied if its type is `Copy`.
///
/// A `&mut` to such a part may be an error: the part may be borrowed meanwhile, or behind an `Arc`.
/// It follows a call that does not return in this case, so the compiler checks no borrow there.
fn copied_or_left(part: &Expr) -> Expr {
    parse_quote_spanned! {part.span()=>
        __WellTyped::value(if __WellTyped::part(&#part).__volt_is_copied() {
            __WellTyped::part(&#part).__volt_copy()
        } else {
            __WellTyped::part(&#part).__volt_assume_moved();
            __WellTyped::moved(&mut #part).__volt_take()
        })
        .__volt_take()
    }
}

/// Returns the place of a value in whose place an empty one is left, or which is copied.
pub(crate) fn moved_place(value: &Expr) -> Option<&Expr> {
    match value {
        Expr::MethodCall(node) if takes_moved(&node.method) => lent_place(&node.receiver),
        _ => None,
    }
}

/// Returns the place whose address is passed to a function of the expansion.
fn lent_place(receiver: &Expr) -> Option<&Expr> {
    let Expr::Call(node) = receiver else {
        return None;
    };
    match node.args.first()? {
        Expr::Reference(place) => Some(&place.expr),
        Expr::If(value) => match &*value.cond {
            Expr::MethodCall(is_copied) => lent_place(&is_copied.receiver),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the name of a place that is a name, or a part of it.
fn local_of(place: &Expr) -> Option<String> {
    match place {
        Expr::Field(node) => local_of(&node.base),
        Expr::Path(node) => node.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

impl VisitMut for MovedPlaces<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // A closure captures a part where it is created, which its text does not show.
        if matches!(expr, Expr::Closure(_) | Expr::Async(_)) {
            return;
        }
        let is_awaited = self.is_awaited;
        self.is_awaited |= matches!(expr, Expr::Await(_));
        visit_mut::visit_expr_mut(self, expr);
        self.is_awaited = is_awaited;
        match expr {
            Expr::ForLoop(node) => self.take(&mut node.expr),
            Expr::Match(node) if takes_some(node.arms.iter().map(|arm| &arm.pat)) => {
                self.take(&mut node.expr);
            }
            Expr::Let(node) if takes_some([&*node.pat]) => self.take(&mut node.expr),
            // Their operands may be places.
            Expr::Paren(_) | Expr::Await(_) | Expr::Macro(_) => {}
            expr => {
                let operands = operands_mut(expr, Use::Value).unwrap_or_default();
                for (operand, used) in operands {
                    if used == Use::Value {
                        self.leave(operand);
                    }
                }
            }
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        visit_mut::visit_arm_mut(self, arm);
        self.leave(&mut arm.body);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        if let Some(Stmt::Expr(value, None)) = block.stmts.last_mut() {
            self.leave(value);
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let Some(init) = &mut local.init else { return };
        if has_type_with_empty_value(&local.pat) {
            self.take(&mut init.expr);
        } else if takes_all(&local.pat) {
            self.leave(&mut init.expr);
        } else if takes_some([&local.pat]) {
            self.take(&mut init.expr);
        }
    }
}

/// Declares locals as mutable.
struct MutableLocals(BTreeSet<String>);

impl VisitMut for MutableLocals {
    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        visit_mut::visit_pat_ident_mut(self, pat);
        if pat.by_ref.is_none() && self.0.contains(&pat.ident.to_string()) {
            pat.mutability.get_or_insert_default();
        }
    }
}

/// Returns `true` if the patterns move the whole value of an `Option`, or leave nothing of it.
fn takes_some<'p>(pats: impl IntoIterator<Item = &'p Pat>) -> bool {
    let mut is_taken = false;
    let is_such = |pat: &Pat| {
        let is_some =
            is_some_of_all(pat) && some_of(pat).is_some_and(|of| of.elems.iter().all(takes_all));
        is_taken |= is_some;
        is_some || is_rest(pat)
    };
    pats.into_iter().all(is_such) && is_taken
}

fn some_of(pat: &Pat) -> Option<&PatTupleStruct> {
    match pat {
        Pat::TupleStruct(node) => Some(node),
        _ => None,
    }
}

/// Returns `true` for `None` and `_`.
fn is_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(node) => node.ident == "None",
        Pat::Path(node) => {
            let last = node.path.segments.last();
            last.is_some_and(|last| last.ident == "None")
        }
        _ => false,
    }
}

/// Returns `true` if a pattern is a name whose type has an empty value, and is not `Copy`.
fn has_type_with_empty_value(pat: &Pat) -> bool {
    matches!(pat, Pat::Type(node) if takes_all(&node.pat) && has_empty_value(&node.ty))
}

/// Returns `true` if a pattern moves all of a value to one name.
fn takes_all(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(node) => node.by_ref.is_none() && node.subpat.is_none(),
        Pat::Type(node) => takes_all(&node.pat),
        _ => false,
    }
}
