//! Expressions without an await.

use super::super::ty::Ty;
use super::super::writer::Writer;

impl Writer<'_> {
    /// An expression of the type; may move locals.
    pub(crate) fn value(&mut self, ty: &Ty) -> String {
        if self.rng.chance(45) {
            let found = self.movable(|local| local.ty == *ty);
            if let Some(index) = self.rng.any(&found) {
                self.take(index);
                let name = self.locals[index].name.clone();
                return if self.rng.chance(12) && ty.looks() {
                    format!("pass({name})")
                } else {
                    name
                };
            }
        }
        if matches!(ty, Ty::Noisy | Ty::Text)
            && self.rng.chance(20)
            && let Some(clone) = self.cloned(ty)
        {
            return clone;
        }
        match ty {
            Ty::U32 if self.rng.chance(35) => self.sum(),
            Ty::Maybe(inner) if self.rng.chance(30) => format!("Some({})", self.value(inner)),
            Ty::Outcome(inner, _) if self.rng.chance(30) => format!("Ok({})", self.value(inner)),
            Ty::Both(a, b) => {
                let a = self.value(a);
                format!("({a}, {})", self.value(b))
            }
            Ty::Boxed(inner) => format!("Box::new({})", self.value(inner)),
            Ty::Pair if self.rng.chance(50) => {
                let n = self.value(&Ty::U32);
                format!("Pair {{ n: {n}, d: {} }}", self.value(&Ty::Noisy))
            }
            _ if self.rng.chance(6) => {
                let id = self.id();
                format!("{{ note({id}); {} }}", self.value(ty))
            }
            _ => self.fresh(ty),
        }
    }

    /// A clone of a local, which may be the last use of it.
    fn cloned(&mut self, ty: &Ty) -> Option<String> {
        let found = self.usable(|local| local.ty == *ty && local.name != "self");
        let index = self.rng.any(&found)?;
        Some(format!("{}.clone()", self.locals[index].name))
    }

    fn sum(&mut self) -> String {
        let numbers = self.usable(|local| {
            let plain = matches!(local.ty, Ty::U32 | Ty::Pair | Ty::Numbers(_) | Ty::Text);
            plain
                || matches!(
                    local.ty,
                    Ty::Host | Ty::OtherImpl(_) | Ty::LargeValue | Ty::Bytes | Ty::PartlyMovable
                )
        });
        let Some(index) = self.rng.any(&numbers) else {
            return self.fresh(&Ty::U32);
        };
        let local = &self.locals[index];
        let name = &local.name;
        let read = match local.ty {
            Ty::U32 if local.borrowed.is_some() => format!("(*{name})"),
            Ty::U32 => name.clone(),
            Ty::Pair | Ty::Host | Ty::OtherImpl(_) | Ty::LargeValue | Ty::PartlyMovable => {
                format!("{name}.n")
            }
            Ty::Numbers(_) => format!("{name}[0]"),
            Ty::Bytes => format!("u32::from({name}[9])"),
            _ => format!("({name}.len() as u32)"),
        };
        match self.rng.below(3) {
            0 => read,
            1 => format!("{read}.wrapping_add({})", self.fresh(&Ty::U32)),
            _ => format!("({read} ^ {}u32)", self.rng.below(9)),
        }
    }

    /// An expression of the type that uses no local.
    pub(crate) fn fresh(&mut self, ty: &Ty) -> String {
        let id = self.id();
        match ty {
            Ty::Unit => format!("note({id})"),
            Ty::U32 if self.rng.chance(12) => self.made(id),
            Ty::U32 if self.rng.chance(50) => format!("{}u32", self.rng.below(9)),
            Ty::U32 => format!("num({id})"),
            Ty::Wide if self.rng.chance(50) => format!("{}u64", self.rng.below(9)),
            Ty::Wide => format!("u64::from(num({id}))"),
            Ty::Bool if self.rng.chance(15) => "true".to_owned(),
            Ty::Bool => format!("flip({id})"),
            Ty::Noisy => format!("d({id})"),
            Ty::Pair => format!("Pair {{ n: {id}, d: d({id}) }}"),
            Ty::Mixed if self.rng.chance(40) => format!("Mixed::Number({id})"),
            Ty::Mixed if self.rng.chance(80) => format!("Mixed::Value(d({id}))"),
            Ty::Mixed => "Mixed::Empty".to_owned(),
            Ty::CopyWithDrop if self.rng.chance(70) => format!("CopyWithDrop::Number({id})"),
            Ty::CopyWithDrop => "CopyWithDrop::Empty".to_owned(),
            Ty::Text => format!("String::from(\"t{id}\")"),
            Ty::ErrorA => format!("error_a({id})"),
            Ty::ErrorB => format!("ErrorB::from(error_a({id}))"),
            Ty::Numbers(length) => format!("[num({id}); {length}]"),
            Ty::Param(name) => format!("{name}::fresh({id})"),
            Ty::Outside => format!("leak_shared(d({id}))"),
            Ty::Host => format!("host({id})"),
            Ty::PartlyMovable => format!("partly_movable({id})"),
            Ty::OtherImpl(inner) => format!("other_impl({id}, {})", self.fresh(inner)),
            Ty::Some => {
                let ty = self.rng.pick(&Ty::FRESH);
                self.fresh(&ty)
            }
            Ty::LargeValue => format!("LargeValue::new({id})"),
            Ty::Bytes => format!("[num({id}) as u8; 256]"),
            Ty::Later(name) => format!("{name}::later({id})"),
            Ty::Source => format!("Source::new({id})"),
            Ty::Maybe(inner) => format!("maybe({id}, {})", self.fresh(inner)),
            Ty::Outcome(inner, false) => format!("outcome({id}, {})", self.fresh(inner)),
            Ty::Outcome(inner, true) => {
                format!("outcome({id}, {}).map_err(ErrorB::from)", self.fresh(inner))
            }
            Ty::Both(a, b) => {
                let a = self.fresh(a);
                format!("({a}, {})", self.fresh(b))
            }
            Ty::Boxed(inner) => format!("Box::new({})", self.fresh(inner)),
            Ty::List(inner) => {
                let first = self.fresh(inner);
                format!("Vec::from([{first}, {}])", self.fresh(inner))
            }
            Ty::Step(inner) => format!("step({id}, {})", self.fresh(inner)),
            Ty::Hidden(inner) => format!("Box::pin(step({id}, {}))", self.fresh(inner)),
        }
    }

    /// A number by way of values that have no name.
    fn made(&mut self, id: u32) -> String {
        match self.rng.below(5) {
            0 => format!("maybe({id}, num({id})).unwrap_or_default()"),
            1 => format!("maybe({id}, d({id})).map_or(0u32, |it| {{ look(&it); 2u32 }})"),
            2 => format!("[num({id}), 2].iter().copied().max().unwrap_or_default()"),
            3 => format!("u32::from(matches!(maybe({id}, 1u32), Some(1)))"),
            _ => format!("(num({id}), 3u32).0"),
        }
    }

    /// A condition; moves nothing.
    pub(crate) fn condition(&mut self) -> String {
        let id = self.id();
        match self.rng.below(8) {
            0 | 1 => {
                let numbers = self.usable(|local| local.ty == Ty::U32 && local.borrowed.is_none());
                match self.rng.any(&numbers) {
                    Some(index) => {
                        format!("{} > {}", self.locals[index].name, self.rng.below(5))
                    }
                    None => format!("flip({id})"),
                }
            }
            2 => {
                let known = self.usable(|local| matches!(local.ty, Ty::Maybe(_)));
                match self.rng.any(&known) {
                    Some(index) => format!("{}.is_some()", self.locals[index].name),
                    None => format!("!flip({id})"),
                }
            }
            3 => {
                let known = self.usable(|local| local.ty == Ty::Bool && local.borrowed.is_none());
                match self.rng.any(&known) {
                    Some(index) => self.locals[index].name.clone(),
                    None => format!("flip({id})"),
                }
            }
            4 => format!("flip({id}) && flip({})", self.id()),
            _ => format!("flip({id})"),
        }
    }
}
