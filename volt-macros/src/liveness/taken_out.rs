//! Locals that awaits borrow, in blocks that may move them or a part of them.
//!
//! What lies in its place is named through a pointer, and nothing is moved from behind a pointer.
//!
//! ```text
//! conn.read(&mut buf).await?;  if done { return Ok(conn.items) }  ..     does `conn.items` move, or is it copied?
//! ```
//!
//! 1. Where the compiler can be asked, it is: both variants of the use are written.
//! 2. Otherwise the block takes the local out of its place where it begins, and puts it back where it ends.
//!    Within the block it is a local like others. Nobody may borrow it there: what is stored borrows nothing
//!    that is lent, but the output of the await before the block may.
//! 3. Otherwise there is a doubt.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::{Expr, Pat, Stmt, Type};

use super::asked::Ask;
use super::dataflow::{Presence, after};
use super::decide::Facts;
use super::lends::{hidden, poll_fn};
use super::lives::{Liveness, Need};
use super::origins::Origins;
use super::points::Effect;
use crate::cfg::{BlockId, End, Step};
use crate::doubt::{Doubts, Reason};
use crate::hir::{AwaitId, LocalId, Use, is_copy, is_reference, is_shared_reference};
use crate::names::{gives_owned, is_owner, looks};

/// A use of a local that lies in its place, for which a place behind a pointer may not do.
#[derive(Clone, Copy)]
struct Taking {
    /// The point, if what is asked there tells.
    asked: Option<(usize, Ask)>,
    reason: Reason,
}

/// Two parts are borrowed at a time.
const SPLIT: Taking = Taking {
    asked: None,
    reason: Reason::LentInParts,
};

/// A `&mut` that is given back, or gets what it refers to itself.
const GIVEN_BACK: Taking = Taking {
    asked: None,
    reason: Reason::Borrow,
};

impl Facts<'_> {
    /// Decides which blocks take which locals out of their places, and what is asked instead.
    pub(super) fn take_out(&mut self, liveness: &mut Liveness, doubts: &mut Doubts) {
        let origins = Origins::of(self.body, self.cfg);
        for block in (0..self.cfg.blocks.len()).map(BlockId) {
            let found = self.takings(block, liveness);
            for (local, takings) in found {
                self.decide_taking(block, local, &takings, (&origins, &mut *liveness), doubts);
            }
        }
    }

    fn decide_taking(
        &mut self,
        block: BlockId,
        local: LocalId,
        takings: &[Taking],
        (origins, liveness): (&Origins<'_>, &mut Liveness),
        doubts: &mut Doubts,
    ) {
        let asked: Option<Vec<_>> = takings.iter().map(|taking| taking.asked).collect();
        let asked = asked.filter(|asked| {
            let mut asked = asked.iter();
            asked.all(|(at, ask)| self.may_ask(*at, local, *ask, block, liveness))
        });
        if let Some(asked) = asked {
            for (at, ask) in asked {
                self.ask(at);
                if ask == Ask::Part {
                    liveness.parted.insert((block, local));
                }
            }
        } else if let Some(output) = self.may_take_out(block, local, origins, liveness) {
            liveness.taken_out.insert((block, local));
            match output {
                Output::Free => {}
                Output::Owned => drop(liveness.owned_outputs.insert(block)),
                Output::Dropped => drop(liveness.dropped_outputs.insert(block)),
            }
        } else if let Some(first) = takings.iter().find(|taking| taking.asked.is_none()) {
            doubts.note_local(first.reason, &self.body.locals[local.0].ident);
        } else if let Some(first) = takings.first() {
            doubts.note_local(first.reason, &self.body.locals[local.0].ident);
        }
    }

    /// The uses of locals in their places that may move them, in a block that finds them there.
    fn takings(&self, block: BlockId, liveness: &Liveness) -> BTreeMap<LocalId, Vec<Taking>> {
        let mut found: BTreeMap<LocalId, Vec<Taking>> = BTreeMap::new();
        let exprs = self.cfg.blocks[block.0].exprs();
        let exprs = exprs.iter().map(|expr| &self.body.exprs[expr.0]);
        for (local, reason) in exprs.flat_map(|expr| hidden(self.body, self.in_place, expr)) {
            if self.is_held(block, local, liveness) {
                let asked = None;
                found
                    .entry(local)
                    .or_default()
                    .push(Taking { asked, reason });
            }
        }
        let operand = match self.cfg.blocks[block.0].end {
            End::Suspend { id, .. } => self.points.operand[id.0],
            _ => None,
        };
        for at in self.points_of(block) {
            let is_operand = operand.is_some_and(|(begin, end)| (begin..=end).contains(&at));
            let Effect::Use(local, used) = self.points.all[at].effect else {
                continue;
            };
            if is_operand || !self.is_held(block, local, liveness) {
                continue;
            }
            found.entry(local).or_default().extend(
                self.taking(at, local, used)
                    .or_else(|| self.is_given_back(block, local, used).then_some(GIVEN_BACK)),
            );
        }
        for &local in self.in_place {
            if self.is_held(block, local, liveness) && self.splits(block, local) {
                found.entry(local).or_default().push(SPLIT);
            }
        }
        found.retain(|_, takings| !takings.is_empty());
        found
    }

    /// Whether a local lies in its place within a block, for all or some of it.
    fn is_held(&self, block: BlockId, local: LocalId, liveness: &Liveness) -> bool {
        let mut entry = liveness.entry[block.0].iter();
        self.in_place.contains(&local)
            && (self.stable.contains(&local) || entry.any(|live| live.local == local))
    }

    fn taking(&self, at: usize, local: LocalId, used: Use) -> Option<Taking> {
        let data = &self.body.locals[local.0];
        let ty = data.ty.as_ref();
        // A pattern that takes apart what a `&mut` refers to wants to change it, which no guard gives without a word.
        let is_known = ty.is_some_and(|ty| !is_reference(ty) || is_shared_reference(ty));
        if matches!(used, Use::Scrutinee | Use::PartScrutinee)
            && !is_known
            && !self.stable.contains(&local)
        {
            return Some(Taking {
                asked: None,
                reason: Reason::LentThenMoved,
            });
        }
        // Nothing is moved out of what is copied, or lies behind a reference.
        let is_copied = self.plain[local.0] || ty.is_some_and(|ty| is_copy(ty) || is_reference(ty));
        let is_last = !after(&self.later, &self.points.all[at].next).has(local);
        let occurrence = self.points.uses.get(&at);
        let is_nested = occurrence.is_some_and(|it| it.is_nested);
        let (reason, ask) = match used {
            Use::Value | Use::Scrutinee if is_last && (is_nested || occurrence.is_none()) => {
                (Reason::LentThenMoved, None)
            }
            Use::Assigned if self.is_refilled(at, local) => (Reason::LentThenMoved, None),
            _ if is_copied => return None,
            Use::Receiver if is_last && !self.is_look(at, local) => {
                (Reason::MovedOrUsed, Some(Ask::Whole))
            }
            Use::Part | Use::PartReceiver | Use::PartScrutinee
                if self.points.leaves_part(at, local)
                    || used == Use::PartReceiver && self.is_look(at, local) =>
            {
                return None;
            }
            Use::Part | Use::PartReceiver => {
                let ask = is_last.then_some(Ask::Part);
                (Reason::PartialMove, ask)
            }
            Use::PartScrutinee => (Reason::PartialMove, None),
            _ => return None,
        };
        let asked = ask.filter(|_| !is_nested).map(|ask| (at, ask));
        Some(Taking { asked, reason })
    }

    /// Whether the method that is called at a point only looks at what it is called on.
    pub(super) fn is_look(&self, at: usize, local: LocalId) -> bool {
        let Some(method) = self.points.methods.get(&at) else {
            return false;
        };
        if looks(method) {
            return true;
        }
        let mut looked = self.looked.iter();
        looked.any(|it| it.0 == local && it.1 == *method)
    }

    /// Whether a local is assigned where it may have no value: what was held is gone.
    fn is_refilled(&self, at: usize, local: LocalId) -> bool {
        let before = self.presence[at].get(local.0);
        before.is_some_and(|before| *before != Presence::HERE)
    }

    /// Whether it may be asked if a use takes a local or a part of it.
    fn may_ask(
        &self,
        at: usize,
        local: LocalId,
        ask: Ask,
        block: BlockId,
        liveness: &Liveness,
    ) -> bool {
        let can_be_asked = !self.is_generic && self.can_be_asked(at, local);
        match ask {
            Ask::Whole => can_be_asked,
            Ask::Part => {
                let mut entry = liveness.entry[block.0].iter();
                can_be_asked
                    && entry.any(|live| live.local == local && live.need == Need::Used)
                    && !self.is_borrowed_in_part(at, local, block)
            }
        }
    }

    /// Whether another part of a local may be borrowed where one is moved: all of it is taken out of its place
    /// then.
    fn is_borrowed_in_part(&self, at: usize, local: LocalId, block: BlockId) -> bool {
        let Some(here) = self.points.uses.get(&at) else {
            return true;
        };
        let before = self
            .awaited_before(block)
            .and_then(|id| self.points.operand[id.0]);
        let mut uses = self.points.uses.iter();
        uses.any(|(other, used)| {
            let borrows = matches!(
                self.points.all[*other].effect,
                Effect::Use(
                    used,
                    Use::Shared | Use::Mutable | Use::PartReceiver | Use::PartScrutinee) if used == local
            );
            let is_awaited = before.is_some_and(|(begin, end)| (begin..=end).contains(other))
                || self.stable.contains(&local) && self.operand_at(*other).is_some();
            let method = self.points.methods.get(other);
            let is_owned = method.is_some_and(|method| gives_owned(method));
            let is_free = is_owned || self.points.direct.contains(other);
            *other != at
                && borrows
                && !is_free
                && (used.bound.may_be_of(local) || is_awaited || used.statement == here.statement)
        })
    }

    /// The await that a block stands behind.
    fn awaited_before(&self, block: BlockId) -> Option<AwaitId> {
        self.cfg.blocks.iter().find_map(|other| match other.end {
            End::Suspend { id, resume } if resume == block => Some(id),
            _ => None,
        })
    }

    /// Whether a block may take a local out of its place where it begins, because nobody borrows it then.
    fn may_take_out(
        &self,
        block: BlockId,
        local: LocalId,
        origins: &Origins<'_>,
        liveness: &Liveness,
    ) -> Option<Output> {
        let mut entry = liveness.entry[block.0].iter();
        let is_there = entry.any(|live| live.local == local && live.need == Need::Used);
        let temps = liveness.entry[block.0].iter().map(|live| live.local);
        let mut temps = temps.filter(|temp| self.body.locals[temp.0].is_temp());
        let is_free = temps.all(|temp| self.plain[temp.0] || !origins.may_look_at(temp, local));
        if self.stable.contains(&local) || !is_there || !is_free {
            return None;
        }
        let Some(id) = self.awaited_before(block) else {
            return Some(Output::Free);
        };
        let operand = &self.body.exprs[self.body.awaits[id.0].operand.0];
        match () {
            () if !self.names_in_operand(id, local) => Some(Output::Free),
            () if poll_fn(operand).is_some() => Some(Output::Free),
            () if self.is_output_owned(block, id) => Some(Output::Owned),
            () => self.is_output_dropped(block, id).then_some(Output::Dropped),
        }
    }

    /// Whether an await's output is dropped by the first step behind it, which names nothing else.
    fn is_output_dropped(&self, block: BlockId, id: AwaitId) -> bool {
        let Some(Step::Eval(value)) = self.cfg.blocks[block.0].steps.first() else {
            return false;
        };
        let output = self.body.awaits[id.0].output;
        let mut named = self.body.named(*value).into_iter();
        let is_alone = named.all(|local| local == output);
        let (expr, ident) = (&self.body.exprs[value.0], &self.body.locals[output.0].ident);
        is_alone
            && match bare(expr) {
                Expr::Try(node) => is_name(&node.expr, ident),
                expr => is_name(expr, ident),
            }
    }

    /// Whether the type of an await's output is written, and borrows nothing.
    fn is_output_owned(&self, block: BlockId, id: AwaitId) -> bool {
        let Some(Step::Let {
            pat: Pat::Ident(_),
            ty: Some(ty),
            value: Some(value),
            ..
        }) = self.cfg.blocks[block.0].steps.first()
        else {
            return false;
        };
        let output = &self.body.locals[self.body.awaits[id.0].output.0].ident;
        let value = &self.body.exprs[value.0];
        is_owned(ty) && is_name(value, output)
    }
}

/// What is known of the output of the await before a block that takes out of its place what that await has
/// borrowed.
#[derive(Clone, Copy)]
enum Output {
    /// There is none, or it cannot borrow from the local.
    Free,
    /// Its type says that it borrows nothing.
    Owned,
    /// It is dropped by the first step.
    Dropped,
}

fn is_name(expr: &Expr, name: &Ident) -> bool {
    matches!(bare(expr), Expr::Path(node) if node.path.is_ident(name))
}

/// The expression without blocks and parentheses that hold nothing else.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => bare(&node.expr),
        Expr::Block(node) => match &node.block.stmts[..] {
            [Stmt::Expr(inner, None)] => bare(inner),
            _ => expr,
        },
        expr => expr,
    }
}

/// Whether the type is written as one whose values borrow nothing.
fn is_owned(ty: &Type) -> bool {
    match ty {
        Type::Path(node) => {
            let Some(last) = node.path.segments.last() else {
                return false;
            };
            let arguments = match &last.arguments {
                syn::PathArguments::None => true,
                syn::PathArguments::AngleBracketed(list) => list.args.iter().all(
                    |argument| matches!(argument, syn::GenericArgument::Type(ty) if is_owned(ty)),
                ),
                syn::PathArguments::Parenthesized(_) => false,
            };
            is_owner(&node.path) && arguments || is_copy(ty)
        }
        Type::Tuple(node) => node.elems.iter().all(is_owned),
        Type::Array(node) => is_owned(&node.elem),
        Type::Paren(node) => is_owned(&node.elem),
        Type::Group(node) => is_owned(&node.elem),
        _ => false,
    }
}
