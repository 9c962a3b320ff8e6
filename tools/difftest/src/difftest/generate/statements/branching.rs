//! `if`, `if let`, `let else` and `match`.

use super::super::locals::{Snapshot, join};
use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

/// The scrutinee of a branch, and the names that a pattern of it can bind.
struct Scrutinee {
    text: String,
    ty: Ty,
}

impl Writer<'_> {
    pub(crate) fn if_else(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        let before = self.link();
        let condition = if !self.is_sync && self.rng.chance(20) {
            self.awaited(&Ty::Bool)
        } else if !self.is_sync && self.rng.chance(20) {
            self.awaiting_condition()
        } else {
            self.condition()
        };
        let further = self.further();
        self.line(&format!("{prefix}if {before}{condition}{further} {{"));
        let mut ends = self.branch(ty, |_| {});
        let mut otherwise = *ty != Ty::Unit || self.rng.chance(50);
        while otherwise && self.rng.chance(25) {
            let condition = self.condition();
            self.line(&format!("}} else if {condition} {{"));
            ends = join(ends, self.branch(ty, |_| {}));
            otherwise = *ty != Ty::Unit || self.rng.chance(50);
        }
        if otherwise {
            self.line("} else {");
            ends = join(ends, self.branch(ty, |_| {}));
        } else {
            ends = join(ends, Some(self.snapshot()));
        }
        self.line(&format!("}}{suffix}"));
        Some(self.meet(ends))
    }

    pub(crate) fn if_let(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        let before = self.link();
        let scrutinee = self.scrutinee()?;
        let patterns = self.patterns(&scrutinee);
        let (pattern, binding) = patterns[0].clone();
        let (text, further) = (&scrutinee.text, self.further());
        let condition = format!("{before}let {pattern} = {text}{further}");
        self.line(&format!("{prefix}if {condition} {{"));
        let mut ends = self.branch(ty, |this| this.open(binding));
        if *ty != Ty::Unit || self.rng.chance(50) {
            self.line("} else {");
            ends = join(ends, self.branch(ty, |_| {}));
        } else {
            ends = join(ends, Some(self.snapshot()));
        }
        self.line(&format!("}}{suffix}"));
        Some(self.meet(ends))
    }

    /// Returns a link of a condition chain, which moves nothing and may await. It is written first.
    pub(crate) fn link(&mut self) -> String {
        if !self.switches.let_chains || !self.rng.chance(35) {
            return String::new();
        }
        if self.is_sync || self.rng.chance(60) {
            return format!("{} && ", self.condition());
        }
        let (id, flipped) = (self.id(), self.id());
        self.suspended();
        format!("step::<bool>({id}, flip({flipped})).await && ")
    }

    /// Returns a further condition. Names that a pattern binds have no written type, and cannot be
    /// live across an await.
    pub(crate) fn further(&mut self) -> String {
        if self.switches.let_chains && self.rng.chance(20) {
            format!(" && {}", self.condition())
        } else {
            String::new()
        }
    }

    pub(crate) fn let_else(&mut self) -> Option<Flow> {
        let scrutinee = self.scrutinee()?;
        let (pattern, binding) = self.patterns(&scrutinee)[0].clone();
        self.line(&format!("let {pattern} = {} else {{", scrutinee.text));
        let before = self.snapshot();
        self.scoped(Self::leave);
        self.restore(&before);
        self.line("};");
        self.open(binding);
        Some(Flow::Falls)
    }

    pub(crate) fn matching(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        if self.rng.chance(25) {
            return self.matching_number(prefix, ty, suffix);
        }
        let scrutinee = self.scrutinee()?;
        self.line(&format!("{prefix}match {} {{", scrutinee.text));
        self.indent += 1;
        let mut ends = None;
        for (pattern, binding) in self.patterns(&scrutinee) {
            if binding.is_some() && self.rng.chance(20) {
                let guard = self.condition();
                self.line(&format!("{pattern} if {guard} => {{"));
                ends = join(ends, self.arm(ty, binding.clone()));
            }
            self.line(&format!("{pattern} => {{"));
            ends = join(ends, self.arm(ty, binding));
        }
        self.indent -= 1;
        self.line(&format!("}}{suffix}"));
        Some(self.meet(ends))
    }

    fn arm(&mut self, ty: &Ty, binding: Option<(String, Ty)>) -> Option<Snapshot> {
        let end = self.branch(ty, |this| this.open(binding));
        self.line("}");
        end
    }

    fn matching_number(&mut self, prefix: &str, ty: &Ty, suffix: &str) -> Option<Flow> {
        let number = if !self.is_sync && self.rng.chance(40) {
            self.awaited(&Ty::U32)
        } else {
            self.value(&Ty::U32)
        };
        self.line(&format!("{prefix}match {number} {{"));
        self.indent += 1;
        let mut ends = None;
        for pattern in ["0 | 2", "1 if", "m if m > 3", "_"] {
            if pattern != "_" && self.rng.chance(40) {
                continue;
            }
            let guard = if pattern == "1 if" {
                format!(" {}", self.condition())
            } else {
                String::new()
            };
            self.line(&format!("{pattern}{guard} => {{"));
            ends = join(ends, self.arm(ty, None));
        }
        self.indent -= 1;
        self.line(&format!("}}{suffix}"));
        Some(self.meet(ends))
    }

    // Scrutinees.

    /// Something to take apart.
    fn scrutinee(&mut self) -> Option<Scrutinee> {
        let matched = |ty: &Ty| matches!(ty, Ty::Maybe(_) | Ty::Outcome(..) | Ty::Mixed);
        if self.rng.chance(60) {
            let fits = |this: &Self, index: usize| {
                this.is_movable(index) && matched(&this.locals[index].ty)
            };
            let found = self.those(fits);
            if let Some(index) = self.rng.any(&found) {
                self.take(index);
                let local = &self.locals[index];
                return Some(Scrutinee {
                    text: local.name.clone(),
                    ty: local.ty.clone(),
                });
            }
        }
        let inner = self.any_type();
        let ty = match self.rng.below(3) {
            0 => inner.maybe(),
            1 => inner.outcome(false),
            _ => Ty::Mixed,
        };
        let text = if !self.is_sync && self.rng.chance(60) {
            self.awaited(&ty)
        } else {
            self.fresh(&ty)
        };
        Some(Scrutinee { text, ty })
    }

    /// All patterns of the type, and what each binds by value.
    fn patterns(&mut self, scrutinee: &Scrutinee) -> Vec<(String, Option<(String, Ty)>)> {
        let mut binds = |word: &str, ty: &Ty| {
            let name = format!("v{}", self.id());
            (format!("{word}({name})"), Some((name, ty.clone())))
        };
        let mut patterns = match &scrutinee.ty {
            Ty::Maybe(inner) => vec![binds("Some", inner), ("None".to_owned(), None)],
            Ty::Outcome(inner, bitter) => {
                let error = if *bitter { Ty::ErrorB } else { Ty::ErrorA };
                vec![binds("Ok", inner), binds("Err", &error)]
            }
            _ => vec![
                binds("Mixed::Number", &Ty::U32),
                binds("Mixed::Value", &Ty::Noisy),
                ("Mixed::Empty".to_owned(), None),
            ],
        };
        if self.rng.chance(30) && scrutinee.ty == Ty::Mixed {
            patterns.swap(0, 1);
        }
        // Of what is not in a local something would be left until the end of the whole.
        let is_local = scrutinee.text.chars().all(char::is_alphanumeric);
        if is_local && self.rng.chance(20) {
            patterns.truncate(1);
            patterns.push(("_".to_owned(), None));
        }
        patterns
    }

    /// Gives what a pattern bound a written type, or is done with it at once.
    pub(crate) fn open(&mut self, binding: Option<(String, Ty)>) {
        let Some((name, ty)) = binding else { return };
        self.declare(&name, &ty, false);
        let index = self.locals.len() - 1;
        self.locals[index].untyped = true;
        if ty.copies() && self.rng.chance(30) {
            return;
        }
        self.take(index);
        if self.rng.chance(20) {
            self.line(&format!("drop({name});"));
            return;
        }
        let word = if self.rng.chance(50) { "mut " } else { "" };
        let new = if self.rng.chance(70) {
            name.clone()
        } else {
            format!("v{}", self.id())
        };
        self.line(&format!("let {word}{new}: {ty} = {name};"));
        self.declare(&new, &ty, !word.is_empty());
    }
}
