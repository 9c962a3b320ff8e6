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
use syn::{Expr, GenericArgument, Pat, PathArguments, Stmt, Type};

use super::asked::Ask;
use super::decide::Facts;
use super::lends::{hidden, poll_fn};
use super::lives::{Liveness, Need};
use super::origins::Origins;
use super::presence::Presence;
use crate::cfg::{BlockId, Step};
use crate::doubt::{Doubts, Reason};
use crate::hir::{AwaitId, LocalId, Use, is_copy, is_plain, is_reference, is_shared_reference};
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
        let asked = takings.iter().map(|taking| {
            let may_ask = |(at, ask): &_| self.may_ask(*at, local, *ask, block, liveness);
            taking.asked.filter(may_ask)
        });
        if let Some(asked) = asked.collect::<Option<Vec<_>>>() {
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
        } else {
            let unasked = takings.iter().find(|taking| taking.asked.is_none());
            let first = unasked.unwrap_or(&takings[0]);
            doubts.note_local(first.reason, &self.body.locals[local.0].ident);
        }
    }

    /// The uses of locals in their places that may move them, in a block that finds them there.
    fn takings(&self, block: BlockId, liveness: &Liveness) -> BTreeMap<LocalId, Vec<Taking>> {
        let exprs = self.cfg.blocks[block.0].exprs().into_iter();
        let exprs = exprs.map(|expr| &self.body.exprs[expr.0]);
        let hidden = exprs.flat_map(|expr| hidden(self.body, self.in_place, expr));
        let asked = None;
        let hidden = hidden.map(|(local, reason)| (local, Taking { asked, reason }));
        let points = self.points_of(block).into_iter();
        let used = points.filter_map(|at| self.taking_at(at, block));
        let is_split = |local: &&LocalId| {
            self.is_held(block, **local, liveness) && self.splits(block, **local)
        };
        let split = self.in_place.iter().filter(is_split);
        let split = split.map(|local| (*local, SPLIT));
        let mut found: BTreeMap<LocalId, Vec<Taking>> = BTreeMap::new();
        for (local, taking) in hidden.chain(used).chain(split) {
            if self.is_held(block, local, liveness) {
                found.entry(local).or_default().push(taking);
            }
        }
        found
    }

    /// Whether a local lies in its place within a block, for all or some of it.
    fn is_held(&self, block: BlockId, local: LocalId, liveness: &Liveness) -> bool {
        self.in_place.contains(&local)
            && (self.stable.contains(&local) || liveness.need(block, local).is_some())
    }

    /// What the use at a point may take, if that is not the operand at the block's end.
    fn taking_at(&self, at: usize, block: BlockId) -> Option<(LocalId, Taking)> {
        let (local, used) = self.points.used(at)?;
        if self.operand_at(at).is_some() || !self.in_place.contains(&local) {
            return None;
        }
        let given_back = || {
            let is_given_back = self.is_given_back(block, local, used);
            is_given_back.then_some(GIVEN_BACK)
        };
        let taking = self.taking(at, local, used).or_else(given_back)?;
        Some((local, taking))
    }

    fn taking(&self, at: usize, local: LocalId, used: Use) -> Option<Taking> {
        let (reason, ask) = self.taken(at, local, used)?;
        let occurrence = self.points.uses.get(&at);
        let is_nested = occurrence.is_some_and(|it| it.is_nested);
        let asked = ask.filter(|_| !is_nested).map(|ask| (at, ask));
        Some(Taking { asked, reason })
    }

    /// Why a place behind a pointer may not do for a use, and what may be asked of it.
    fn taken(&self, at: usize, local: LocalId, used: Use) -> Option<(Reason, Option<Ask>)> {
        let is_last = self.is_last(at, local);
        // Nothing is moved out of what is copied, or lies behind a reference.
        let is_copied = self.plain[local.0] || self.body.has_type(local, is_plain);
        match used {
            Use::Scrutinee | Use::PartScrutinee if self.may_open(local) => {
                Some((Reason::LentThenMoved, None))
            }
            Use::Value | Use::Scrutinee if is_last && self.is_unseen(at) => {
                Some((Reason::LentThenMoved, None))
            }
            Use::Assigned if self.is_refilled(at, local) => Some((Reason::LentThenMoved, None)),
            _ if is_copied => None,
            Use::Receiver if is_last && !self.is_look(at, local) => {
                Some((Reason::MovedOrUsed, Some(Ask::Whole)))
            }
            Use::Part | Use::PartReceiver | Use::PartScrutinee
                if self.points.leaves_part(at, local) =>
            {
                None
            }
            Use::PartReceiver if self.is_look(at, local) => None,
            Use::Part | Use::PartReceiver => {
                Some((Reason::PartialMove, is_last.then_some(Ask::Part)))
            }
            Use::PartScrutinee => Some((Reason::PartialMove, None)),
            _ => None,
        }
    }

    /// Whether a pattern may take apart what a `&mut` refers to: it wants to change that, which no guard gives
    /// without a word.
    fn may_open(&self, local: LocalId) -> bool {
        let is_known = |ty: &Type| !is_reference(ty) || is_shared_reference(ty);
        !self.body.has_type(local, is_known) && !self.stable.contains(&local)
    }

    /// Whether the use at a point is not to be replaced: it stands in a closure, or has no name.
    fn is_unseen(&self, at: usize) -> bool {
        self.points.uses.get(&at).is_none_or(|used| used.is_nested)
    }

    /// Whether the method that is called at a point only looks at what it is called on.
    pub(super) fn is_look(&self, at: usize, local: LocalId) -> bool {
        let method = self.points.methods.get(&at);
        method.is_some_and(|it| looks(it) || self.looks.has(local, it))
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
        let is_used = || liveness.need(block, local) == Some(Need::Used);
        let is_free = || is_used() && !self.is_borrowed_in_part(at, local, block);
        can_be_asked && (ask == Ask::Whole || is_free())
    }

    /// Whether another part of a local may be borrowed where one is moved: all of it is taken out of its place
    /// then.
    fn is_borrowed_in_part(&self, at: usize, local: LocalId, block: BlockId) -> bool {
        let Some(here) = self.points.uses.get(&at) else {
            return true;
        };
        let before = self.cfg.awaited_before(block);
        let mut uses = self.points.uses.iter();
        uses.any(|(other, used)| {
            let awaited = self.operand_at(*other);
            let is_awaited =
                awaited.is_some() && (awaited == before || self.stable.contains(&local));
            *other != at
                && self.borrows_part(*other, local)
                && (used.bound.may_be_of(local) || is_awaited || used.statement == here.statement)
        })
    }

    /// Whether a part of a local is borrowed at a point, and what has it may live on.
    fn borrows_part(&self, at: usize, local: LocalId) -> bool {
        let borrows = [
            Use::Shared,
            Use::Mutable,
            Use::PartReceiver,
            Use::PartScrutinee,
        ];
        let borrows = borrows.map(|used| Some((local, used)));
        borrows.contains(&self.points.used(at))
            && !self.is_method_owned(at)
            && !self.points.direct.contains(&at)
    }

    /// Whether a method is called at a point whose values own what they hold.
    pub(super) fn is_method_owned(&self, at: usize) -> bool {
        let method = self.points.methods.get(&at);
        method.is_some_and(|method| gives_owned(method))
    }

    /// Whether a block may take a local out of its place where it begins, because nobody borrows it then.
    fn may_take_out(
        &self,
        block: BlockId,
        local: LocalId,
        origins: &Origins<'_>,
        liveness: &Liveness,
    ) -> Option<Output> {
        let is_there = liveness.need(block, local) == Some(Need::Used);
        let lives = liveness.entry[block.0].iter().map(|live| live.local);
        let mut temps = lives.filter(|temp| self.body.locals[temp.0].is_temp());
        let is_free = temps.all(|temp| self.plain[temp.0] || !origins.may_look_at(temp, local));
        if self.stable.contains(&local) || !is_there || !is_free {
            return None;
        }
        match self.cfg.awaited_before(block) {
            None => Some(Output::Free),
            Some(id) if !self.names_in_operand(id, local) => Some(Output::Free),
            Some(id) if poll_fn(self.body.operand(id)).is_some() => Some(Output::Free),
            Some(id) if self.is_output_owned(block, id) => Some(Output::Owned),
            Some(id) => self.is_output_dropped(block, id).then_some(Output::Dropped),
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
            let last = node.path.segments.last();
            let is_known = is_owner(&node.path);
            is_known && last.is_some_and(|last| holds_owned(&last.arguments)) || is_copy(ty)
        }
        Type::Tuple(node) => node.elems.iter().all(is_owned),
        Type::Array(node) => is_owned(&node.elem),
        Type::Paren(node) => is_owned(&node.elem),
        _ => false,
    }
}

fn holds_owned(arguments: &PathArguments) -> bool {
    let is_owned = |argument: &_| matches!(argument, GenericArgument::Type(ty) if is_owned(ty));
    match arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(list) => list.args.iter().all(is_owned),
        PathArguments::Parenthesized(_) => false,
    }
}
