//! `for`, over values of a written type.

use super::super::locals::join;
use super::super::ty::Ty;
use super::super::writer::{AroundKind, Flow, Writer};

impl Writer<'_> {
    pub(crate) fn for_each(&mut self, prefix: &str, suffix: &str) -> Option<Flow> {
        let label = self.loop_label();
        let (iterable, item) = self.iterable();
        self.prepare_turns();
        let spelled = label
            .clone()
            .map_or(String::new(), |label| format!("{label}: "));
        let (pattern, bound) = self.item_pattern(&item);
        self.line(&format!("{prefix}{spelled}for {pattern} in {iterable} {{"));
        let around = self.enter(AroundKind::Loop, label, &Ty::Unit, true);
        let entry = self.snapshot();
        self.scoped(|this| {
            for (name, ty) in bound {
                this.declare(&name, &ty, false);
            }
            let count = 1 + this.rng.below(4);
            let flow = this.statements(count);
            this.end_turn(flow, around);
        });
        let breaks = self.around[around].breaks.take();
        self.around.truncate(around);
        self.line(&format!("}}{suffix}"));
        Some(self.meet(join(Some(entry), breaks)))
    }

    /// Something to be gone through, and what it is made of.
    fn iterable(&mut self) -> (String, Ty) {
        let goes = |ty: &Ty| matches!(ty, Ty::List(_) | Ty::Maybe(_)) || is_short(ty);
        let found = self.movable(|local| goes(&local.ty) && !local.untyped);
        if let Some(index) = self.rng.any(&found)
            && self.rng.chance(60)
        {
            self.take(index);
            let local = self.locals[index].clone();
            let item = item_of(&local.ty);
            return match self.rng.below(4) {
                0 => (
                    format!("{}.into_iter().enumerate()", local.name),
                    counted(item),
                ),
                1 if local.ty.copies() => (format!("{}.into_iter().rev()", local.name), item),
                _ => (local.name, item),
            };
        }
        if !self.is_sync && self.rng.chance(30) {
            let ty = self.any_type().maybe();
            let item = item_of(&ty);
            return (self.awaited_visibly(&ty), item);
        }
        let text = match self.rng.below(5) {
            0 => "(0..3u32).rev()",
            1 => "(0u32..3).skip(1)",
            2 => "0..=1u32",
            3 => return ("(1..3u32).enumerate()".to_owned(), counted(Ty::U32)),
            _ => "0..2u32",
        };
        (text.to_owned(), Ty::U32)
    }

    /// Binds the item of a turn to names.
    fn item_pattern(&mut self, item: &Ty) -> (String, Vec<(String, Ty)>) {
        let name = format!("v{}", self.id());
        match item {
            Ty::Both(first, second) if **first == Ty::Unit => {
                let bound = vec![(name.clone(), (**second).clone())];
                (format!("(_, {name})"), bound)
            }
            _ if self.rng.chance(10) => ("_".to_owned(), Vec::new()),
            _ => (name.clone(), vec![(name, item.clone())]),
        }
    }
}

fn is_short(ty: &Ty) -> bool {
    matches!(ty, Ty::Numbers(length) if length == "1" || length == "3")
}

fn item_of(ty: &Ty) -> Ty {
    match ty {
        Ty::List(item) | Ty::Maybe(item) => (**item).clone(),
        _ => Ty::U32,
    }
}

/// `usize` is not among the types, so the number is not used.
fn counted(item: Ty) -> Ty {
    Ty::Both(Box::new(Ty::Unit), Box::new(item))
}
