//! Statements of one line.

use super::super::locals::{Now, State};
use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// `let x: T = ..;`
    pub(crate) fn let_value(&mut self) -> Option<Flow> {
        let ty = self.kept_type();
        let value = self.value(&ty);
        if ty.copies() && self.rng.chance(15) && ty != Ty::Outside {
            let name = self.name();
            let value = self.typed_value(&ty, value);
            self.line(&format!("let {name} = {value};"));
            self.declare(&name, &ty, false);
            self.locals.last_mut()?.untyped = true;
            return Some(Flow::Falls);
        }
        self.bind(&ty, &value);
        Some(Flow::Falls)
    }

    /// The value, so that its type needs no guess.
    fn typed_value(&mut self, ty: &Ty, value: String) -> String {
        if matches!(ty, Ty::Maybe(_) | Ty::Both(..)) {
            format!("pass::<{ty}>({value})")
        } else {
            value
        }
    }

    /// A type for a local; sometimes that of a future.
    pub(crate) fn kept_type(&mut self) -> Ty {
        let params = self.usable(|local| matches!(local.ty, Ty::Param(_)));
        if self.rng.chance(20)
            && let Some(index) = self.rng.any(&params)
            && let Ty::Param(name) = &self.locals[index].ty
        {
            return Ty::Later(name.clone());
        }
        match self.rng.below(30) {
            0 => Ty::Step(Box::new(Ty::random(&mut self.rng))),
            1 => Ty::Hidden(Box::new(Ty::random(&mut self.rng))),
            2 => Ty::Source,
            _ => self.any_type(),
        }
    }

    /// A type of a value, the parameters among them.
    pub(crate) fn any_type(&mut self) -> Ty {
        if self.rng.chance(15) {
            let params = self.usable(|local| matches!(local.ty, Ty::Param(_)));
            if let Some(index) = self.rng.any(&params) {
                return self.locals[index].ty.clone();
            }
        }
        Ty::random(&mut self.rng)
    }

    /// Binds a value to a name, or to a pattern.
    pub(crate) fn bind(&mut self, ty: &Ty, value: &str) {
        let word = if self.rng.chance(60) { "mut " } else { "" };
        match (self.rng.below(20), ty) {
            (0, _) => self.line(&format!("let _: {ty} = {value};")),
            (1, _) => {
                let name = format!("_v{}", self.id());
                self.line(&format!("let {name}: {ty} = {value};"));
                self.declare(&name, ty, false);
            }
            (2 | 3, Ty::Both(a, b)) => {
                let (first, second) = (format!("v{}", self.id()), self.name());
                self.line(&format!(
                    "let ({first}, {word}{second}): ({a}, {b}) = {value};"
                ));
                self.declare(&first, a, false);
                self.declare(&second, b, !word.is_empty());
            }
            _ => {
                let name = self.name();
                let written = if has_own_type(ty, value) && self.rng.chance(60) {
                    String::new()
                } else {
                    format!(": {ty}")
                };
                self.line(&format!("let {word}{name}{written} = {value};"));
                self.declare(&name, ty, !word.is_empty());
            }
        }
    }

    /// `let x: T;`, to be given a value later.
    pub(crate) fn let_later(&mut self) -> Option<Flow> {
        let ty = self.any_type();
        let word = if self.rng.chance(50) { "mut " } else { "" };
        let name = format!("v{}", self.id());
        self.line(&format!("let {word}{name}: {ty};"));
        self.declare(&name, &ty, !word.is_empty());
        self.locals.last_mut()?.now = Now {
            state: State::Gone,
            ever: false,
            crossed: false,
        };
        Some(Flow::Falls)
    }

    pub(crate) fn look_at(&mut self) -> Option<Flow> {
        let found = self.usable(|local| local.ty.looks());
        let index = self.rng.any(&found)?;
        let local = &self.locals[index];
        let name = local.name.clone();
        let text = match (&local.ty, local.borrowed) {
            (Ty::Noisy, Some(true)) if self.rng.chance(50) => format!("touch({name});"),
            (Ty::Pair | Ty::Host, _) if self.rng.chance(40) => format!("look(&{name}.d);"),
            (Ty::U32, Some(true)) => format!("*{name} = {name}.wrapping_add(1);"),
            (_, Some(_)) => format!("look({name});"),
            (Ty::Noisy, None) if local.mutable && self.rng.chance(40) => {
                format!("touch(&mut {name});")
            }
            (Ty::Noisy, None) if self.rng.chance(20) => {
                format!("{{ let r = &{name}; look(r); }}")
            }
            _ => format!("look(&{name});"),
        };
        self.line(&text);
        Some(Flow::Falls)
    }

    /// Moves a local away by name.
    pub(crate) fn move_away(&mut self) -> Option<Flow> {
        let found = self.movable(|local| !local.ty.copies());
        let index = self.rng.any(&found)?;
        let name = self.locals[index].name.clone();
        let looks = self.locals[index].ty.looks();
        self.take(index);
        let text = match self.rng.below(5) {
            0 if looks => format!("let _ = pass({name});"),
            1 | 2 if looks => format!("consume({name});"),
            3 if self.locals[index].ty == Ty::Noisy => format!("consume({{{name}}});"),
            _ => format!("drop({name});"),
        };
        self.line(&text);
        Some(Flow::Falls)
    }

    /// `let y: T = x;`, perhaps under the same name.
    pub(crate) fn rename(&mut self) -> Option<Flow> {
        let found = self.movable(|local| !local.ty.copies() && local.ty != Ty::Some);
        let index = self.rng.any(&found)?;
        let ty = self.locals[index].ty.clone();
        let name = self.locals[index].name.clone();
        let guarded = self.around.iter().any(|around| index < around.depth);
        self.take(index);
        let new = if self.rng.chance(40) && !guarded && name != "self" {
            name.clone()
        } else {
            format!("v{}", self.id())
        };
        let word = if self.rng.chance(50) { "mut " } else { "" };
        self.line(&format!("let {word}{new}: {ty} = {name};"));
        self.declare(&new, &ty, !word.is_empty());
        Some(Flow::Falls)
    }

    /// `x = ..;`
    pub(crate) fn assign(&mut self) -> Option<Flow> {
        let found = self.those(|this, index| this.is_assignable(index));
        // A local without a value is assigned first.
        let empty: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&index| self.locals[index].now.state != State::There)
            .collect();
        let found = if self.rng.chance(70) && !empty.is_empty() {
            empty
        } else {
            found
        };
        let index = self.rng.any(&found)?;
        let ty = self.locals[index].ty.clone();
        let name = self.locals[index].name.clone();
        let numeric = ty == Ty::U32 && self.locals[index].now.state == State::There;
        if numeric && self.rng.chance(50) {
            let await_it = !self.is_sync && self.rng.chance(40);
            let value = if await_it {
                self.awaited(&ty)
            } else {
                self.value(&ty)
            };
            self.line(&format!("{name} ^= {value};"));
            return Some(Flow::Falls);
        }
        let await_it = !self.is_sync && self.rng.chance(40);
        let value = if await_it {
            self.awaited(&ty)
        } else {
            self.value(&ty)
        };
        self.line(&format!("{name} = {value};"));
        self.assigned(index);
        Some(Flow::Falls)
    }

    /// `x[0] = ..;`
    pub(crate) fn change_inside(&mut self) -> Option<Flow> {
        let found = self.usable(|local| {
            let changes = local.borrowed.unwrap_or(local.mutable);
            matches!(local.ty, Ty::Numbers(_)) && changes && !local.untyped
        });
        let index = self.rng.any(&found)?;
        let name = self.locals[index].name.clone();
        let value = self.fresh(&Ty::U32);
        self.line(&format!("{name}[0] = {value};"));
        // The compiler does not keep a local that is written and never read.
        let mark = if self.locals[index].borrowed.is_some() {
            ""
        } else {
            "&"
        };
        self.line(&format!("look({mark}{name});"));
        Some(Flow::Falls)
    }

    pub(crate) fn noted(&mut self) -> Option<Flow> {
        let id = self.id();
        self.line(&format!("note({id});"));
        Some(Flow::Falls)
    }

    // With an await.

    pub(crate) fn await_alone(&mut self) -> Option<Flow> {
        let ty = match self.rng.below(5) {
            0..=2 => Ty::Unit,
            3 => self.callee_type(),
            _ => self.any_type(),
        };
        let awaited = self.awaited(&ty);
        let text = match (self.rng.below(6), &ty) {
            (0, Ty::Noisy | Ty::U32 | Ty::Text) => format!("consume({awaited});"),
            (1, _) if ty.looks() => format!("drop({awaited});"),
            _ => format!("{awaited};"),
        };
        self.line(&text);
        Some(Flow::Falls)
    }

    pub(crate) fn let_awaited(&mut self) -> Option<Flow> {
        let ty = if self.rng.chance(35) {
            self.callee_type()
        } else {
            self.any_type()
        };
        if self.rng.chance(10) && !ty.copies() {
            let inner = self.awaited(&ty);
            self.bind(&ty.maybe(), &format!("Some({inner})"));
            return Some(Flow::Falls);
        }
        if self.rng.chance(10) {
            let inner = self.awaited(&ty);
            let id = self.rng.below(9);
            let both = Ty::Both(Box::new(ty), Box::new(Ty::U32));
            self.bind(&both, &format!("({inner}, {id}u32)"));
            return Some(Flow::Falls);
        }
        let awaited = self.awaited(&ty);
        if ty.copies() && self.rng.chance(15) {
            let name = self.name();
            self.line(&format!("let {name} = {awaited};"));
            self.declare(&name, &ty, false);
            self.locals.last_mut()?.untyped = true;
            return Some(Flow::Falls);
        }
        self.bind(&ty, &awaited);
        Some(Flow::Falls)
    }

    /// Returns the output type of a function of the family.
    pub(crate) fn callee_type(&mut self) -> Ty {
        let callees = self.callees;
        if callees.is_empty() {
            self.any_type()
        } else {
            let callee = self.rng.pick(callees);
            let instance = self.instance(&callee);
            instance.apply(&callee.returns)
        }
    }
}

/// Returns `true` if the expression determines its type: no part of it is inferred from the
/// context, or coerced.
fn has_own_type(ty: &Ty, value: &str) -> bool {
    let inferred = ["None", "Ok(", "Err(", "Vec::new()"];
    let is_coerced = matches!(
        ty,
        Ty::Outside | Ty::Hidden(_) | Ty::Boxed(_) | Ty::Later(_)
    );
    !is_coerced && !inferred.iter().any(|word| value.contains(word))
}
