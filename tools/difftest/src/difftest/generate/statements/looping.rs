//! `loop`, `while` and `while let`.

use super::super::locals::{State, join};
use super::super::ty::Ty;
use super::super::writer::{AroundKind, Flow, Writer};

impl Writer<'_> {
    /// `loop`, with a way out.
    pub(crate) fn endless(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        let label = self.loop_label();
        self.prepare_turns();
        let spelled = label
            .clone()
            .map_or(String::new(), |label| format!("{label}: "));
        self.line(&format!("{prefix}{spelled}loop {{"));
        let around = self.enter(AroundKind::Loop, label, ty, true);
        self.around[around].is_given = true;
        self.scoped(|this| {
            let early = this.rng.chance(60);
            if early {
                this.way_out(around);
            } else {
                this.noted();
            }
            let count = 1 + this.rng.below(3);
            let mut flow = this.statements(count);
            if flow == Flow::Falls && !early {
                this.way_out(around);
                let count = this.rng.below(3);
                flow = this.statements(count);
            }
            this.end_turn(flow, around);
        });
        let breaks = self.around[around].breaks.take();
        self.around.truncate(around);
        self.line(&format!("}}{suffix}"));
        Some(self.meet(breaks))
    }

    pub(crate) fn while_true(&mut self, prefix: &str, suffix: &str) -> Option<Flow> {
        let label = self.loop_label();
        self.prepare_turns();
        let condition = format!("more({})", self.id());
        let condition = match self.rng.below(4) {
            0 if !self.is_sync => {
                let id = self.id();
                self.suspended();
                format!("step::<bool>({id}, {condition}).await")
            }
            1 => format!("{condition} && {}", self.condition()),
            _ => condition,
        };
        self.turns((prefix, suffix), label, &format!("while {condition}"), None);
        Some(Flow::Falls)
    }

    pub(crate) fn while_let(&mut self, prefix: &str, suffix: &str) -> Option<Flow> {
        let label = self.loop_label();
        self.prepare_turns();
        let before = self.link();
        let inner = self.any_type();
        let name = format!("v{}", self.id());
        let (id, value) = (self.id(), self.fresh(&inner));
        let item = format!("again({id}, || {value})");
        let lists = self.usable(|local| {
            matches!(&local.ty, Ty::List(item) if **item == Ty::Noisy)
                && local.mutable
                && local.borrowed.is_none()
        });
        let (item, inner) = match self.rng.below(3) {
            0 if !self.is_sync => {
                let id = self.id();
                self.suspended();
                (
                    format!("step::<Option<{inner}>>({id}, {item}).await"),
                    inner,
                )
            }
            1 if !lists.is_empty() => {
                let list = self.rng.pick(&lists);
                (format!("{}.pop()", self.locals[list].name), Ty::Noisy)
            }
            _ => (item, inner),
        };
        let further = self.further();
        let head = format!("while {before}let Some({name}) = {item}{further}");
        self.turns((prefix, suffix), label, &head, Some((name, inner)));
        Some(Flow::Falls)
    }

    /// A loop that ends at the condition in its head.
    fn turns(
        &mut self,
        (prefix, suffix): (&str, &str),
        label: Option<String>,
        head: &str,
        binding: Option<(String, Ty)>,
    ) {
        let spelled = label
            .clone()
            .map_or(String::new(), |label| format!("{label}: "));
        self.line(&format!("{prefix}{spelled}{head} {{"));
        let around = self.enter(AroundKind::Loop, label, &Ty::Unit, true);
        let entry = self.snapshot();
        self.scoped(|this| {
            this.open(binding);
            let count = 1 + this.rng.below(4);
            let flow = this.statements(count);
            this.end_turn(flow, around);
        });
        let breaks = self.around[around].breaks.take();
        self.around.truncate(around);
        self.line(&format!("}}{suffix}"));
        self.meet(join(Some(entry), breaks));
    }

    pub(crate) fn loop_label(&mut self) -> Option<String> {
        let labelled = self.rng.chance(60);
        labelled.then(|| format!("'l{}", self.id()))
    }

    /// Before a loop: what is known must hold before each turn.
    pub(crate) fn prepare_turns(&mut self) {
        let unsure = self.switches.conditional_moves;
        for local in &mut self.locals {
            local.now.crossed = true;
            let weak = local.now.state == State::There && !local.ty.copies() && self.rng.chance(10);
            if unsure && local.mutable && (weak || local.now.state != State::There) {
                local.now.state = State::Unsure;
                local.now.ever = true;
            }
        }
    }

    /// `if done(..) { break; }`
    fn way_out(&mut self, around: usize) {
        let id = self.id();
        self.line(&format!("if done({id}) {{"));
        let before = self.snapshot();
        self.scoped(|this| this.break_out(around));
        self.restore(&before);
        self.line("}");
    }

    pub(crate) fn end_turn(&mut self, flow: Flow, around: usize) {
        if flow == Flow::Leaves {
            return;
        }
        if !self.mend(around) {
            self.write_return();
        }
    }
}
