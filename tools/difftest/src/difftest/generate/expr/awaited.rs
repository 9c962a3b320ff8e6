//! Operands of `.await`.

use super::super::ty::Ty;
use super::super::writer::Writer;

impl Writer<'_> {
    /// An expression that waits for a value of the type, `.await` included.
    pub(crate) fn awaited(&mut self, ty: &Ty) -> String {
        self.awaited_as(ty, true)
    }

    /// The same, so that the type of the value can be read.
    pub(crate) fn awaited_visibly(&mut self, ty: &Ty) -> String {
        self.awaited_as(ty, false)
    }

    fn awaited_as(&mut self, ty: &Ty, inlined: bool) -> String {
        let operand = self.operand(ty, inlined);
        self.suspended();
        self.busy.clear();
        format!("{operand}.await")
    }

    /// One that uses no local.
    pub(crate) fn awaited_fresh(&mut self, ty: &Ty) -> String {
        let id = self.id();
        let value = self.fresh(ty);
        self.suspended();
        format!("step::<{ty}>({id}, {value}).await")
    }

    /// Returns an operand of `.await`. The locals that it borrows are in use from then on.
    pub(crate) fn operand(&mut self, ty: &Ty, inlined: bool) -> String {
        if self.rng.chance(9) {
            return self.composed(ty);
        }
        if let Some(call) = self.rng.chance(45).then(|| self.machine_call(ty)).flatten() {
            return call;
        }
        if self.rng.chance(30)
            && let Some(kept) = self.kept_future(ty)
        {
            return kept;
        }
        if inlined && self.rng.chance(15) {
            return self.inlined(ty);
        }
        if *ty == Ty::U32
            && self.rng.chance(35)
            && let Some(foreign) = self.foreign()
        {
            return foreign;
        }
        if self.rng.chance(8)
            && let Some(beside) = self.beside(ty)
        {
            return beside;
        }
        let id = self.id();
        if *ty == Ty::Unit {
            return format!("tick({id})");
        }
        if self.rng.chance(8) {
            let id = self.chained(id);
            return format!("step::<{ty}>({id}, {})", self.value(ty));
        }
        let value = self.value(ty);
        if self.rng.chance(8) {
            return format!("Box::pin(step::<{ty}>({id}, {value}))");
        }
        format!("step::<{ty}>({id}, {value})")
    }

    /// A number from a method chain. Each receiver is a temporary, which a method moves, copies or
    /// borrows.
    fn chained(&mut self, id: u32) -> String {
        let (first, last) = (self.id(), self.id());
        match self.rng.below(3) {
            0 => format!("chained({id}).moved({first}).ended({last})"),
            1 => format!("chained({id}).moved({first}).marked({last}).copied({first})"),
            _ => format!("chained({id}).marked({first}).borrowed({last}).copied({last})"),
        }
    }

    /// A future of another crate's, which borrows a local.
    fn foreign(&mut self) -> Option<String> {
        let changes = self.rng.chance(50);
        let found = self.usable(|local| {
            let may = !changes || local.mutable || local.borrowed == Some(true);
            local.ty == Ty::Noisy && may && local.name != "self"
        });
        let index = self.rng.any(&found)?;
        self.busy.push(index);
        let (id, local) = (self.id(), &self.locals[index]);
        let name = &local.name;
        Some(match (changes, local.borrowed) {
            (true, Some(_)) => format!("lend({id}, {name})"),
            (true, None) => format!("lend({id}, &mut {name})"),
            (false, Some(_)) => format!("seen({id}, &*{name})"),
            (false, None) => format!("seen({id}, &{name})"),
        })
    }

    /// A call with a borrow of a temporary, which is created from a local.
    fn beside(&mut self, ty: &Ty) -> Option<String> {
        let found = self.usable(|local| local.ty == Ty::Noisy && local.name != "self");
        let index = self.rng.any(&found)?;
        self.busy.push(index);
        let (id, made) = (self.id(), self.id());
        let local = &self.locals[index];
        let borrowed = if local.borrowed.is_some() { "&*" } else { "&" };
        let made = format!("&of({made}, {borrowed}{})", local.name);
        Some(format!("beside::<{ty}>({id}, {made}, {})", self.value(ty)))
    }

    /// A future that is stored in a local.
    fn kept_future(&mut self, ty: &Ty) -> Option<String> {
        let is_step = |kept: &Ty| matches!(kept, Ty::Step(inner) if **inner == *ty);
        let is_hidden = |kept: &Ty| matches!(kept, Ty::Hidden(inner) if **inner == *ty);
        let is_later =
            |kept: &Ty| matches!(kept, Ty::Later(name) if *ty == Ty::Param(name.clone()));
        if self.rng.chance(25) {
            let found = self.usable(|local| {
                local.mutable
                    && local.borrowed.is_none()
                    && (is_step(&local.ty) || is_hidden(&local.ty))
            });
            let index = self.rng.any(&found)?;
            self.busy.push(index);
            return Some(format!("(&mut {})", self.locals[index].name));
        }
        let fits = |kept: &Ty| is_step(kept) || is_hidden(kept) || is_later(kept);
        let found = self.movable(|local| fits(&local.ty));
        let index = self.rng.any(&found)?;
        self.take(index);
        Some(self.locals[index].name.clone())
    }
}
