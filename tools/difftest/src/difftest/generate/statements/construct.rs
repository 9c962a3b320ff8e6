//! Blocks, and the part that `if` and loops have in common.

use super::super::locals::{Snapshot, State, join};
use super::super::ty::Ty;
use super::super::writer::{Around, AroundKind, Flow, Writer};

impl Writer<'_> {
    /// A construct with a value of the type, between `prefix` and `suffix`.
    pub(crate) fn construct(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        if self.around.len() >= 4 {
            return None;
        }
        match self.rng.weighted(&[26, 16, 18, 16, 8, 8, 8, 8, 10]) {
            0 => self.if_else(prefix, ty, suffix),
            1 => self.if_let(prefix, ty, suffix),
            2 => self.matching(prefix, ty, suffix),
            3 => self.endless(prefix, ty, suffix),
            4 => self.labelled(prefix, ty, suffix),
            5 => self.plain_block(prefix, ty, suffix),
            6 if *ty == Ty::Unit => self.while_true(prefix, suffix),
            8 if *ty == Ty::Unit => self.for_each(prefix, suffix),
            7 if *ty == Ty::Unit => self.while_let(prefix, suffix),
            _ => self.if_else(prefix, ty, suffix),
        }
    }

    /// A construct as a statement, of which the value is dropped at its end.
    pub(crate) fn construct_alone(&mut self) -> Option<Flow> {
        if self.rng.chance(25) {
            self.construct("", &Ty::Noisy, ";")
        } else {
            self.construct("", &Ty::Unit, "")
        }
    }

    /// A construct whose value is bound.
    pub(crate) fn construct_bound(&mut self) -> Option<Flow> {
        let ty = if self.rng.chance(25) {
            self.callee_type()
        } else {
            self.any_type()
        };
        let word = if self.rng.chance(50) { "mut " } else { "" };
        let targets = self.those(|this, index| {
            this.is_assignable(index) && this.locals[index].ty == ty && this.is_visible(index)
        });
        let target = if self.rng.chance(30) {
            self.rng.any(&targets)
        } else {
            None
        };
        let (name, prefix) = match target {
            Some(index) => {
                let name = self.locals[index].name.clone();
                (name.clone(), format!("{name} = "))
            }
            None => {
                let name = self.name();
                (name.clone(), format!("let {word}{name}: {ty} = "))
            }
        };
        let flow = self.construct(&prefix, &ty, ";")?;
        match target {
            Some(index) => {
                self.locals[index].now.state = State::There;
                self.locals[index].now.ever = true;
            }
            None => self.declare(&name, &ty, !word.is_empty()),
        }
        Some(flow)
    }

    // Blocks.

    /// The whole body of a function.
    pub(crate) fn whole(&mut self, ty: &Ty) {
        let count = 3 + self.rng.below(7);
        if self.statements(count) == Flow::Falls {
            self.tail(ty);
        }
    }

    /// Statements, and the value at their end.
    pub(crate) fn body(&mut self, ty: &Ty) -> Flow {
        let count = 1 + self.rng.below(4);
        if self.statements(count) == Flow::Leaves {
            return Flow::Leaves;
        }
        self.tail(ty)
    }

    fn tail(&mut self, ty: &Ty) -> Flow {
        if *ty == Ty::Unit && self.rng.chance(80) {
            let choice = self.rng.chance(20) && self.budget > 0;
            let choice = choice.then(|| self.if_let("", ty, "")).flatten();
            return choice.unwrap_or(Flow::Falls);
        }
        if self.rng.chance(12)
            && self.budget > 0
            && let Some(flow) = self.construct("", ty, "")
        {
            return flow;
        }
        let value = match self.rng.below(10) {
            0..3 if !self.is_sync => self.awaited(ty),
            3..5 => {
                let id = self.id();
                format!("by(&d({id}), {})", self.value(ty))
            }
            _ => self.value(ty),
        };
        self.line(&value);
        Flow::Falls
    }

    /// The body of a branch; gives what is known at its end, if that is reached.
    pub(crate) fn branch(&mut self, ty: &Ty, prepare: impl FnOnce(&mut Self)) -> Option<Snapshot> {
        let entry = self.snapshot();
        let guarded = !self.switches.conditional_moves || self.rng.chance(30);
        let around = self.enter(AroundKind::Branch, None, &Ty::Unit, guarded);
        let flow = self.scoped(|this| {
            prepare(this);
            let count = 1 + this.rng.below(3);
            if this.statements(count) == Flow::Leaves {
                return Flow::Leaves;
            }
            if !this.mend(around) {
                this.write_return();
                return Flow::Leaves;
            }
            // The final value must not move a local that was just assigned again.
            let strict = std::mem::replace(&mut this.strict, true);
            let flow = this.tail(ty);
            this.strict = strict;
            flow
        });
        self.around.truncate(around);
        let end = (flow == Flow::Falls).then(|| self.snapshot());
        self.restore(&entry);
        end
    }

    pub(crate) fn enter(
        &mut self,
        kind: AroundKind,
        label: Option<String>,
        ty: &Ty,
        guarded: bool,
    ) -> usize {
        let depth = self.locals.len();
        self.around.push(Around {
            kind,
            label,
            ty: ty.clone(),
            is_given: kind == AroundKind::Block,
            depth,
            guards: if guarded { depth } else { 0 },
            entry: self.snapshot(),
            breaks: None,
        });
        self.around.len() - 1
    }

    // Constructs without a condition.

    fn plain_block(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        let word = if self.rng.chance(25) { "unsafe " } else { "" };
        self.line(&format!("{prefix}{word}{{"));
        let flow = self.scoped(|this| this.body(ty));
        self.line(&format!("}}{suffix}"));
        Some(flow)
    }

    fn labelled(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        let label = format!("'b{}", self.id());
        self.line(&format!("{prefix}{label}: {{"));
        let around = self.enter(AroundKind::Block, Some(label), ty, false);
        let flow = self.scoped(|this| this.body(ty));
        let end = (flow == Flow::Falls).then(|| self.snapshot());
        let breaks = self.around[around].breaks.take();
        self.around.truncate(around);
        self.line(&format!("}}{suffix}"));
        Some(self.meet(join(end, breaks)))
    }
}
