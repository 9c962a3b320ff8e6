//! Statements that leave: `return`, `break`, `continue`, `?`.

use super::super::locals::{Snapshot, join};
use super::super::ty::Ty;
use super::super::writer::{AroundKind, Flow, Writer};

/// Where a way out leads.
#[derive(Clone, Copy, Debug)]
enum Exit {
    Return,
    Break(usize),
    Continue(usize),
}

impl Writer<'_> {
    /// `if .. { ..; break; }`, and the like.
    pub(crate) fn leave_perhaps(&mut self) -> Option<Flow> {
        let condition = self.condition();
        let before = self.snapshot();
        self.line(&format!("if {condition} {{"));
        self.scoped(Self::leave);
        self.line("}");
        // The changes on the way out do not apply here, nor does an await there.
        self.restore(&before);
        Some(Flow::Falls)
    }

    /// Leaves; what is moved on the way need not come back.
    pub(crate) fn leave(&mut self) -> Flow {
        let exit = self.exit();
        let saved = self.free(exit);
        let count = self.rng.below(3);
        let flow = self.statements(count);
        if flow == Flow::Falls {
            self.jump(exit);
        }
        self.ask_again(saved);
        Flow::Leaves
    }

    /// Leaves by the `break` of a loop.
    pub(crate) fn break_out(&mut self, around: usize) {
        let exit = Exit::Break(around);
        let saved = self.free(exit);
        let count = self.rng.below(2);
        if self.statements(count) == Flow::Falls {
            self.jump(exit);
        }
        self.ask_again(saved);
    }

    /// Takes back what [`Self::free`] did.
    fn ask_again(&mut self, saved: Vec<usize>) {
        for (around, guards) in self.around.iter_mut().zip(saved) {
            around.guards = guards;
        }
    }

    fn exit(&mut self) -> Exit {
        let mut exits = vec![Exit::Return];
        for (index, around) in self.around.iter().enumerate() {
            match around.kind {
                AroundKind::Loop => exits.extend([
                    Exit::Break(index),
                    Exit::Break(index),
                    Exit::Continue(index),
                ]),
                AroundKind::Block => exits.extend([Exit::Break(index); 2]),
                AroundKind::Branch => {}
            }
        }
        let nameable = |exit: &Exit| match *exit {
            Exit::Return => true,
            Exit::Break(index) | Exit::Continue(index) => {
                self.around[index].label.is_some() || self.is_innermost_loop(index)
            }
        };
        exits.retain(nameable);
        self.rng.pick(&exits)
    }

    fn is_innermost_loop(&self, index: usize) -> bool {
        let kind = self.around[index].kind;
        let inner = &self.around[index + 1..];
        kind == AroundKind::Loop && inner.iter().all(|around| around.kind == AroundKind::Branch)
    }

    /// Ends the requirements of the scopes that are left; returns the previous ones.
    fn free(&mut self, exit: Exit) -> Vec<usize> {
        let saved = self.around.iter().map(|around| around.guards).collect();
        let (from, max_guards) = match exit {
            Exit::Return => (0, 0),
            Exit::Break(index) if self.switches.conditional_moves => (index, 0),
            Exit::Break(index) | Exit::Continue(index) => (index, self.around[index].depth),
        };
        for around in &mut self.around[from..] {
            around.guards = around.guards.min(max_guards);
        }
        saved
    }

    fn jump(&mut self, exit: Exit) {
        match exit {
            Exit::Return => self.write_return(),
            Exit::Break(index) | Exit::Continue(index) if !self.ready(index, exit) => {
                self.write_return();
            }
            Exit::Break(index) => {
                let ty = self.around[index].ty.clone();
                let value = match (ty, self.around[index].is_given) {
                    (Ty::Unit, true) if self.rng.chance(40) => Some(format!("note({})", self.id())),
                    (Ty::Unit, _) => None,
                    (ty, _) => Some(self.given(&ty)),
                };
                let label = self.spelled(index);
                let value = value.map_or(String::new(), |value| format!(" {value}"));
                self.line(&format!("break{label}{value};"));
                self.arrive(index);
            }
            Exit::Continue(index) => {
                let label = self.spelled(index);
                self.line(&format!("continue{label};"));
            }
        }
    }

    /// Makes what is known fit for the end of what is left, if it can be done.
    fn ready(&mut self, index: usize, exit: Exit) -> bool {
        if matches!(exit, Exit::Break(_)) && self.switches.conditional_moves {
            return true;
        }
        let guards = self.around[index].guards;
        self.around[index].guards = self.around[index].depth;
        let mended = self.mend(index);
        self.around[index].guards = guards;
        mended
    }

    /// Notes what is known at a `break`.
    fn arrive(&mut self, index: usize) {
        let depth = self.around[index].depth;
        let here: Snapshot = self.snapshot()[..depth].to_vec();
        let breaks = self.around[index].breaks.take();
        self.around[index].breaks = join(breaks, Some(here));
    }

    fn spelled(&mut self, index: usize) -> String {
        match &self.around[index].label {
            Some(label) if !self.is_innermost_loop(index) || self.next_id.is_multiple_of(2) => {
                format!(" {label}")
            }
            _ => String::new(),
        }
    }

    /// A value, or what gives one after an await.
    fn given(&mut self, ty: &Ty) -> String {
        if !self.is_sync && self.rng.chance(30) {
            self.awaited(ty)
        } else {
            self.value(ty)
        }
    }

    pub(crate) fn write_return(&mut self) {
        let ty = self.returns.clone();
        if ty == Ty::Unit && self.rng.chance(70) {
            self.line("return;");
            return;
        }
        let value = self.given(&ty);
        self.line(&format!("return {value};"));
    }

    /// Returns the type of an operand of `?` whose value has the given type.
    pub(crate) fn asked(&self, inner: &Ty) -> Option<Ty> {
        let inner = inner.clone();
        match &self.returns {
            Ty::Maybe(_) => Some(inner.maybe()),
            Ty::Outcome(_, bitter) => {
                let bitter = *bitter && self.next_id.is_multiple_of(2);
                Some(inner.outcome(bitter))
            }
            _ => None,
        }
    }

    /// `let x: T = ..?;`
    pub(crate) fn question(&mut self) -> Option<Flow> {
        let inner = self.any_type();
        let asked = self.asked(&inner)?;
        let text = if !self.is_sync && self.rng.chance(65) {
            self.awaited(&asked)
        } else {
            let found = self.movable(|local| local.ty == asked);
            match self.rng.any(&found) {
                Some(index) => {
                    self.take(index);
                    self.locals[index].name.clone()
                }
                None => self.fresh(&asked),
            }
        };
        match self.rng.below(4) {
            0 => self.line(&format!("{text}?;")),
            _ => self.bind(&inner, &format!("{text}?")),
        }
        Some(Flow::Falls)
    }
}
