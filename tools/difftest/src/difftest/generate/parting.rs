//! Parts of a local: awaits that borrow it or one of them, and uses that take it apart afterwards.

use super::locals::join;
use super::ty::Ty;
use super::writer::{Flow, Writer};

impl Writer<'_> {
    /// An await that borrows a chest, or a part of one.
    pub(crate) fn chest_awaited(&mut self) -> Option<Flow> {
        let found = self.usable(|local| {
            local.ty == Ty::Chest && local.lent.unwrap_or(local.mutable) && local.name != "self"
        });
        let index = self.dice.any(&found)?;
        self.awaited_at(index);
        Some(Flow::Falls)
    }

    fn awaited_at(&mut self, index: usize) {
        let (name, id) = (self.locals[index].name.clone(), self.id());
        self.suspended();
        match self.dice.below(9) {
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

    /// Looks at a chest or at a part of it, or changes it.
    pub(crate) fn chest_changed(&mut self) -> Option<Flow> {
        let found = self.usable(|local| {
            local.ty == Ty::Chest && local.lent.unwrap_or(local.mutable) && local.name != "self"
        });
        let index = self.dice.any(&found)?;
        self.changed_at(index);
        Some(Flow::Falls)
    }

    fn changed_at(&mut self, index: usize) {
        let (name, id) = (self.locals[index].name.clone(), self.id());
        let text = match self.dice.below(10) {
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

    /// Takes a chest by a method, or parts of it.
    pub(crate) fn chest_parted(&mut self) -> Option<Flow> {
        let found = self.movable(|local| local.ty == Ty::Chest && local.name != "self");
        let index = self.dice.any(&found)?;
        self.parted_at(index);
        Some(Flow::Falls)
    }

    fn parted_at(&mut self, index: usize) {
        let (name, id) = (self.locals[index].name.clone(), self.id());
        self.take(index);
        let list = Ty::List(Box::new(Ty::Noisy));
        match self.dice.below(13) {
            0 => self.bind(&Ty::Noisy, &format!("{name}.open()")),
            1 => self.bind(&Ty::Noisy, &format!("{name}.d")),
            2 => self.bind(&list, &format!("{name}.list")),
            3 => self.bind(&Ty::Chest, &format!("Chest {{ n: num({id}), ..{name} }}")),
            4 => {
                let (d, list) = (format!("v{}", self.id()), format!("v{}", self.id()));
                self.line(&format!(
                    "let Chest {{ d: {d}, list: {list}, .. }} = {name};"
                ));
                self.line(&format!("look(&{list}); consume({d});"));
            }
            5 => self.line(&format!(
                "look(&{name}.list.into_iter().rev().collect::<Vec<D>>());"
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
            11 => self.line(&format!("drop({name}.more.map(pass::<D>));")),
            _ => self.line(&format!(
                "if let Some(v{id}) = {name}.more {{ consume(v{id}); }} else {{ note({id}); }}"
            )),
        }
    }

    /// A chest from its beginning to its end.
    pub(crate) fn chest_told(&mut self) -> Option<Flow> {
        let (name, id) = (format!("v{}", self.id()), self.id());
        self.line(&format!("let mut {name}: Chest = chest({id});"));
        self.declare(&name, &Ty::Chest, true);
        let index = self.locals.len() - 1;
        for _ in 0..1 + self.dice.below(3) {
            if !self.is_movable(index) {
                return Some(Flow::Falls);
            }
            if self.dice.chance(60) {
                self.awaited_at(index);
            } else {
                self.changed_at(index);
            }
        }
        if !self.is_movable(index) {
            return Some(Flow::Falls);
        }
        if self.dice.chance(40) {
            let condition = self.condition();
            self.line(&format!("if {condition} {{"));
            let end = self.branch(&Ty::Unit, |this| this.parted_at(index));
            self.line("}");
            let end = join(end, Some(self.snapshot()));
            return Some(self.meet(end));
        }
        if self.dice.chance(80) {
            self.parted_at(index);
        }
        Some(Flow::Falls)
    }

    /// A chest that may be taken by a method between two locals that an await borrows together.
    pub(crate) fn chest_between(&mut self) -> Option<Flow> {
        let (first, chest, second) = (self.id(), self.id(), self.id());
        let given = self.usable(|local| local.ty == Ty::Noisy && local.lent == Some(true));
        let lent = match self.dice.any(&given) {
            Some(index) => self.locals[index].name.clone(),
            None => {
                let name = format!("v{first}");
                self.line(&format!("let mut {name}: D = d({first});"));
                self.declare(&name, &Ty::Noisy, true);
                format!("&mut {name}")
            }
        };
        self.line(&format!("let v{chest} = chest({chest});"));
        match self.dice.chance(60) {
            true => {
                self.line(&format!("let v{second} = v{chest}.open();"));
                self.declare(&format!("v{second}"), &Ty::Noisy, false);
            }
            false => {
                self.line(&format!("let v{second} = v{chest}.weigh();"));
                self.declare(&format!("v{second}"), &Ty::U32, false);
            }
        }
        self.suspended();
        let id = self.id();
        self.bind(&Ty::U32, &format!("both({id}, {lent}, &v{second}).await"));
        Some(Flow::Falls)
    }

    /// Matches on a part: in one branch it is moved, in the other one all of the chest is there.
    pub(crate) fn chest_matched(&mut self) -> Option<Flow> {
        if self.around.len() >= 4 {
            return None;
        }
        let found = self.movable(|local| local.ty == Ty::Chest && local.name != "self");
        let index = self.dice.any(&found)?;
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
