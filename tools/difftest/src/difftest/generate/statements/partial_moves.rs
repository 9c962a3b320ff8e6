//! Parts of a local: awaits that borrow the local or a part, and later partial moves.

use super::super::locals::join;
use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// An await that borrows a `PartlyMovable`, or a part of one.
    pub(crate) fn parts_awaited(&mut self) -> Option<Flow> {
        let found = self.usable(|local| {
            local.ty == Ty::PartlyMovable
                && local.borrowed.unwrap_or(local.mutable)
                && local.name != "self"
        });
        let index = self.rng.any(&found)?;
        self.awaited_at(index);
        Some(Flow::Falls)
    }

    fn awaited_at(&mut self, index: usize) {
        let (name, id) = (self.locals[index].name.clone(), self.id());
        self.suspended();
        match self.rng.below(9) {
            0 | 1 => self.bind(&Ty::U32, &format!("{name}.stir({id}).await")),
            2 => self.line(&format!("{name}.stir({id}).await;")),
            3 => self.bind(&Ty::U32, &format!("{name}.peep({id}).await")),
            4 => {
                let held = format!("v{}", self.id());
                self.line(&format!("let {held} = {name}.first({id}).await;"));
                self.line(&format!("look({held});"));
            }
            5 => self.line(&format!("look({name}.first({id}).await);")),
            6 => self.bind(&Ty::U32, &format!("lend({id}, &mut {name}.d).await")),
            7 => self.bind(
                &Ty::U32,
                &format!("both({id}, &mut {name}.d, &{name}.list).await"),
            ),
            _ => self.bind(&Ty::U32, &format!("seen({id}, &{name}.list).await")),
        }
    }

    /// Reads a `PartlyMovable` or a part of it, or changes it.
    pub(crate) fn parts_changed(&mut self) -> Option<Flow> {
        let found = self.usable(|local| {
            local.ty == Ty::PartlyMovable
                && local.borrowed.unwrap_or(local.mutable)
                && local.name != "self"
        });
        let index = self.rng.any(&found)?;
        self.changed_at(index);
        Some(Flow::Falls)
    }

    fn changed_at(&mut self, index: usize) {
        let (name, id) = (self.locals[index].name.clone(), self.id());
        let text = match self.rng.below(10) {
            0 => format!("look(&{name}.weigh());"),
            1 => format!("look({name}.held());"),
            2 => format!("{{ let held = {name}.held(); look(held); }}"),
            3 => format!("{name}.n ^= {name}.list.len() as u32;"),
            4 => format!("{name}.list.push(d({id}));"),
            5 => format!("{name}.d = d({id});"),
            6 => format!("drop({name}.more.take());"),
            7 => format!("if let [held, ..] = {name}.list.as_slice() {{ look(held); }}"),
            8 => {
                format!(
                    "match &{name}.list[..] {{ [.., held] => look(held), [] => look(&{id}u32) }}"
                )
            }
            _ => format!("look(&std::mem::take(&mut {name}.list));"),
        };
        self.line(&text);
    }

    /// Moves a `PartlyMovable` by a method, or moves parts of it.
    pub(crate) fn parts_moved(&mut self) -> Option<Flow> {
        let found = self.movable(|local| local.ty == Ty::PartlyMovable && local.name != "self");
        let index = self.rng.any(&found)?;
        self.parted_at(index);
        Some(Flow::Falls)
    }

    fn parted_at(&mut self, index: usize) {
        let (name, id) = (self.locals[index].name.clone(), self.id());
        self.take(index);
        let list = Ty::List(Box::new(Ty::Noisy));
        match self.rng.below(13) {
            0 => self.bind(&Ty::Noisy, &format!("{name}.open()")),
            1 => self.bind(&Ty::Noisy, &format!("{name}.d")),
            2 => self.bind(&list, &format!("{name}.list")),
            3 => self.bind(
                &Ty::PartlyMovable,
                &format!("PartlyMovable {{ n: num({id}), ..{name} }}"),
            ),
            4 => {
                let (d, list) = (format!("v{}", self.id()), format!("v{}", self.id()));
                self.line(&format!(
                    "let PartlyMovable {{ d: {d}, list: {list}, .. }} = {name};"
                ));
                self.line(&format!("look(&{list}); consume({d});"));
            }
            5 => self.line(&format!(
                "look(&{name}.list.into_iter().rev().collect::<Vec<DropLogger>>());"
            )),
            6 => {
                self.line(&format!("consume({name}.d);"));
                self.line(&format!("look(&{name}.list);"));
            }
            7 => self.line(&format!("look(&with(&{name}.list, {name}.d));")),
            8 => self.line(&format!("(|| consume({name}.open()))();")),
            9 => self.line(&format!("(move || consume({name}.d))();")),
            10 => {
                let (first, second) = (format!("v{}", self.id()), format!("v{}", self.id()));
                self.line(&format!("let ({first}, {second}) = ({name}.d, {name}.n);"));
                self.line(&format!("look(&{second}); consume({first});"));
            }
            11 => self.line(&format!("drop({name}.more.map(pass::<DropLogger>));")),
            _ => self.line(&format!(
                "if let Some(v{id}) = {name}.more {{ consume(v{id}); }} else {{ note({id}); }}"
            )),
        }
    }

    /// Awaits a method that moves a part of an argument or local, alone or next to another part.
    pub(crate) fn part_consumed(&mut self) -> Option<Flow> {
        let found = self.movable(|local| consumed_part(&local.ty).is_some());
        let index = self.rng.any(&found)?;
        let (name, id) = (self.locals[index].name.clone(), self.id());
        let [part, rest] = consumed_part(&self.locals[index].ty)?;
        self.take(index);
        self.suspended();
        let closed = format!("{name}.{part}.closed({id}).await");
        let beside = format!("{name}.{part}.closed_beside({id}, &{name}.{rest}).await");
        match self.rng.below(6) {
            0 => self.bind(&Ty::U32, &closed),
            1 => self.line(&format!("{closed};")),
            2 => self.bind(&Ty::Noisy, &beside),
            3 => {
                let other = format!("v{}", self.id());
                self.line(&format!("let {other} = &{name}.{rest};"));
                let text = format!("{name}.{part}.closed_beside({id}, {other}).await");
                self.bind(&Ty::Noisy, &text);
            }
            4 => self.line(&format!("look(&with(&{name}.{rest}, {beside}));")),
            _ => self.bind(&Ty::Noisy, &format!("Some({beside}).unwrap()")),
        }
        Some(Flow::Falls)
    }

    /// The whole life of a `PartlyMovable`.
    pub(crate) fn parts_lifecycle(&mut self) -> Option<Flow> {
        let (name, id) = (format!("v{}", self.id()), self.id());
        self.line(&format!(
            "let mut {name}: PartlyMovable = partly_movable({id});"
        ));
        self.declare(&name, &Ty::PartlyMovable, true);
        let index = self.locals.len() - 1;
        for _ in 0..1 + self.rng.below(3) {
            if !self.is_movable(index) {
                return Some(Flow::Falls);
            }
            if self.rng.chance(60) {
                self.awaited_at(index);
            } else {
                self.changed_at(index);
            }
        }
        if !self.is_movable(index) {
            return Some(Flow::Falls);
        }
        if self.rng.chance(40) {
            let condition = self.condition();
            self.line(&format!("if {condition} {{"));
            let end = self.branch(&Ty::Unit, |this| this.parted_at(index));
            self.line("}");
            let end = join(end, Some(self.snapshot()));
            return Some(self.meet(end));
        }
        if self.rng.chance(80) {
            self.parted_at(index);
        }
        Some(Flow::Falls)
    }

    /// A value that a method may move between two locals that an await borrows together.
    pub(crate) fn part_owner_between(&mut self) -> Option<Flow> {
        let (first, partly_movable, second) = (self.id(), self.id(), self.id());
        let given = self.usable(|local| local.ty == Ty::Noisy && local.borrowed == Some(true));
        let borrowed = match self.rng.any(&given) {
            Some(index) => self.locals[index].name.clone(),
            None => {
                let name = format!("v{first}");
                self.line(&format!("let mut {name}: DropLogger = d({first});"));
                self.declare(&name, &Ty::Noisy, true);
                format!("&mut {name}")
            }
        };
        self.line(&format!(
            "let v{partly_movable} = partly_movable({partly_movable});"
        ));
        if self.rng.chance(60) {
            self.line(&format!("let v{second} = v{partly_movable}.open();"));
            self.declare(&format!("v{second}"), &Ty::Noisy, false);
        } else {
            self.line(&format!("let v{second} = v{partly_movable}.weigh();"));
            self.declare(&format!("v{second}"), &Ty::U32, false);
        }
        self.suspended();
        let id = self.id();
        self.bind(
            &Ty::U32,
            &format!("both({id}, {borrowed}, &v{second}).await"),
        );
        Some(Flow::Falls)
    }

    /// Matches on a part: one branch moves it, and in the other one the whole value remains.
    pub(crate) fn parts_matched(&mut self) -> Option<Flow> {
        if self.around.len() >= 4 {
            return None;
        }
        let found = self.movable(|local| local.ty == Ty::PartlyMovable && local.name != "self");
        let index = self.rng.any(&found)?;
        let (name, bound) = (self.locals[index].name.clone(), format!("v{}", self.id()));
        self.line(&format!("match {name}.more {{"));
        self.indent += 1;
        self.line(&format!("Some({bound}) => {{"));
        let ends = self.branch(&Ty::Unit, |this| {
            this.take(index);
            this.open(Some((bound, Ty::Noisy)));
        });
        self.line("}");
        self.line("None => {");
        let ends = join(ends, self.branch(&Ty::Unit, |_| {}));
        self.line("}");
        self.indent -= 1;
        self.line("}");
        Some(self.meet(ends))
    }
}

/// Returns a part of such a type that methods move, and another part.
fn consumed_part(ty: &Ty) -> Option<[&'static str; 2]> {
    match ty {
        Ty::PartlyMovable => Some(["d", "list"]),
        Ty::Pair | Ty::Host => Some(["d", "n"]),
        Ty::Both(other, part) if **part == Ty::Noisy && other.looks() => Some(["1", "0"]),
        Ty::Both(part, other) if **part == Ty::Noisy && other.looks() => Some(["0", "1"]),
        Ty::Boxed(inner) => consumed_part(inner),
        _ => None,
    }
}
