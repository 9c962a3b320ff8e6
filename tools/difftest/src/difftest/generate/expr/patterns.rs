//! Patterns of arguments and of `let` statements.

use super::super::rng::Rng;
use super::super::signature::Bound;
use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

/// Returns a pattern for a value of the type, if there is one. Its names begin with `name`.
pub(crate) fn pattern(rng: &mut Rng, name: &str, ty: &Ty) -> Option<(String, Vec<Bound>)> {
    match ty {
        Ty::Both(a, b) => {
            let (first, mut bound) = part(rng, &format!("{name}1"), a);
            let (second, more) = part(rng, &format!("{name}2"), b);
            bound.extend(more);
            Some((format!("({first}, {second})"), bound))
        }
        Ty::Pair => {
            let bind = |index: u8, ty: Ty| Bound {
                name: format!("{name}{index}"),
                ty,
                mutable: false,
                typed: false,
            };
            let bound = vec![bind(1, Ty::U32), bind(2, Ty::Noisy)];
            Some((format!("Pair {{ n: {name}1, d: {name}2 }}"), bound))
        }
        _ => None,
    }
}

/// A pattern for one part of a tuple.
fn part(rng: &mut Rng, name: &str, ty: &Ty) -> (String, Vec<Bound>) {
    if rng.chance(12) {
        return ("_".to_owned(), Vec::new());
    }
    if let Some(nested) = Some(ty).filter(|ty| matches!(ty, Ty::Both(..))) {
        return pattern(rng, name, nested).expect("a tuple has a pattern");
    }
    let mutable = rng.chance(40);
    let bound = Bound {
        name: name.to_owned(),
        ty: ty.clone(),
        mutable,
        typed: true,
    };
    let word = if mutable { "mut " } else { "" };
    (format!("{word}{name}"), vec![bound])
}

impl Writer<'_> {
    /// Declares the names of a pattern. A name without a type is bound again with one.
    pub(crate) fn declare_bound(&mut self, bound: Vec<Bound>) {
        let untyped: Vec<_> = bound.iter().filter(|bound| !bound.typed).cloned().collect();
        for Bound {
            name,
            ty,
            mutable,
            typed,
        } in bound
        {
            self.declare(&name, &ty, mutable);
            let last = self.locals.len() - 1;
            self.locals[last].untyped = !typed;
        }
        for Bound { name, ty, .. } in untyped {
            let last = self.locals.iter().rposition(|local| local.name == name);
            self.take(last.expect("just declared"));
            self.line(&format!("let {name}: {ty} = {name};"));
            self.declare(&name, &ty, false);
        }
    }

    /// `let [a, b] = [d(1), d(2)];`, of what an await gives, too.
    fn array_apart(&mut self) -> Flow {
        let (first, second) = (self.id(), self.id());
        let array = format!("[d({first}), d({second})]");
        let awaited = !self.is_sync && self.rng.chance(50);
        let array = if awaited {
            self.suspended();
            format!("std::future::ready({array}).await")
        } else {
            array
        };
        let (first, second) = (format!("v{first}"), format!("v{second}"));
        self.line(&format!("let [{first}, {second}] = {array};"));
        self.declare(&first, &Ty::Noisy, false);
        self.declare(&second, &Ty::Noisy, false);
        Flow::Falls
    }

    /// `let Pair { n: a, d: b } = x;`, `let (a, b): (A, B) = x;`
    pub(crate) fn take_apart(&mut self) -> Option<Flow> {
        if self.rng.chance(20) {
            return Some(self.array_apart());
        }
        let found =
            self.movable(|local| matches!(local.ty, Ty::Pair | Ty::Both(..)) && !local.untyped);
        let index = self.rng.any(&found)?;
        let (of, ty) = (
            self.locals[index].name.clone(),
            self.locals[index].ty.clone(),
        );
        let name = format!("v{}_", self.id());
        let (text, bound) = pattern(&mut self.rng, &name, &ty)?;
        // The remaining part would be initialized on some paths only.
        if text.contains('_') && text.replace(&name, "").contains('_') {
            return None;
        }
        self.take(index);
        match ty {
            Ty::Pair => self.line(&format!("let {text} = {of};")),
            _ => self.line(&format!("let {text}: {ty} = {of};")),
        }
        self.declare_bound(bound);
        Some(Flow::Falls)
    }
}
