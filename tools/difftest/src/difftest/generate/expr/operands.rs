//! Awaits that are a part of something larger.

use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// `let x: T = ..;` with an await, or two, among the operands.
    pub(crate) fn let_operands(&mut self) -> Option<Flow> {
        match self.rng.below(11) {
            0 => self.both_awaited(),
            1 => self.pair_awaited(),
            2 => self.pushed(),
            3 => self.numbers_awaited(),
            4 => self.nested_await(),
            5 => self.behind_a_local(),
            6 => self.condition_awaited(),
            7 => self.asked_within(),
            8 => self.behind_nothing(),
            9 => self.called_once(),
            _ => self.added(),
        }
    }

    fn both_awaited(&mut self) -> Option<Flow> {
        let (a, b) = (self.any_type(), self.any_type());
        let first = self.awaited_visibly(&a);
        let second = self.awaited(&b);
        let text = if self.rng.chance(50) {
            format!("two({first}, {second})")
        } else {
            format!("({first}, {second})")
        };
        self.bind(&Ty::Both(Box::new(a), Box::new(b)), &text);
        Some(Flow::Falls)
    }

    fn pair_awaited(&mut self) -> Option<Flow> {
        let d = self.awaited_visibly(&Ty::Noisy);
        let n = self.awaited(&Ty::U32);
        let text = match self.rng.below(3) {
            0 => format!("Pair {{ d: {d}, n: {} }}", self.rng.below(9)),
            _ => format!("Pair {{ d: {d}, n: {n} }}"),
        };
        self.bind(&Ty::Pair, &text);
        Some(Flow::Falls)
    }

    fn pushed(&mut self) -> Option<Flow> {
        let lists = self.usable(|local| {
            let noisy = Ty::List(Box::new(Ty::Noisy));
            local.ty == noisy && local.mutable && !local.untyped
        });
        let index = self.rng.any(&lists)?;
        self.busy.push(index);
        let value = self.awaited(&Ty::Noisy);
        self.busy.clear();
        self.line(&format!("{}.push({value});", self.locals[index].name));
        Some(Flow::Falls)
    }

    fn numbers_awaited(&mut self) -> Option<Flow> {
        let (a, b) = (self.awaited_visibly(&Ty::U32), self.awaited(&Ty::U32));
        let n = self.rng.below(9);
        self.bind(&Ty::Numbers("3".to_owned()), &format!("[{a}, {n}, {b}]"));
        Some(Flow::Falls)
    }

    /// An awaited future that is created by another await.
    fn nested_await(&mut self) -> Option<Flow> {
        let ty = self.any_type();
        let inner = self.awaited(&ty);
        let id = self.id();
        self.bind(&ty, &format!("step::<{ty}>({id}, {inner}).await"));
        Some(Flow::Falls)
    }

    /// A local is moved, or copied, before the await.
    fn behind_a_local(&mut self) -> Option<Flow> {
        let found = self.movable(|local| !local.untyped && local.ty != Ty::Some);
        let index = self.rng.any(&found)?;
        self.take(index);
        let (name, a) = (
            self.locals[index].name.clone(),
            self.locals[index].ty.clone(),
        );
        let b = self.any_type();
        let second = self.awaited(&b);
        self.bind(
            &Ty::Both(Box::new(a), Box::new(b)),
            &format!("({name}, {second})"),
        );
        Some(Flow::Falls)
    }

    /// A constant before the await, of a type that may have a destructor.
    fn behind_nothing(&mut self) -> Option<Flow> {
        let (a, b) = (self.any_type(), self.any_type());
        let text = format!("(None, {})", self.awaited(&b));
        self.bind(&Ty::Both(Box::new(a.maybe()), Box::new(b)), &text);
        Some(Flow::Falls)
    }

    /// A callee that moves a local, and is moved itself before the await.
    fn called_once(&mut self) -> Option<Flow> {
        let found = self.movable(|local| {
            matches!(local.ty, Ty::Noisy | Ty::Pair | Ty::Host)
                && !local.untyped
                && local.name != "self"
        });
        let index = self.rng.any(&found)?;
        let (name, once) = (self.locals[index].name.clone(), self.id());
        self.line(&format!(
            "let once{once}: Box<dyn FnOnce(u32) -> u32> = Box::new(move |n| {{ consume({name}); n }});"
        ));
        self.take(index);
        let n = self.awaited(&Ty::U32);
        self.bind(&Ty::U32, &format!("once{once}({n})"));
        Some(Flow::Falls)
    }

    /// `Some(a().await?)`, `x = a().await?;`
    fn asked_within(&mut self) -> Option<Flow> {
        let inner = self.any_type();
        let asked = self.asked(&inner)?;
        let text = format!("{}?", self.awaited(&asked));
        let targets =
            self.those(|this, index| this.is_assignable(index) && this.locals[index].ty == inner);
        match self.rng.any(&targets) {
            Some(index) => {
                self.line(&format!("{} = {text};", self.locals[index].name));
                self.assigned(index);
            }
            None => self.bind(&inner.maybe(), &format!("Some({text})")),
        }
        Some(Flow::Falls)
    }

    fn condition_awaited(&mut self) -> Option<Flow> {
        let condition = self.awaiting_condition();
        self.bind(&Ty::Bool, &condition);
        Some(Flow::Falls)
    }

    fn added(&mut self) -> Option<Flow> {
        let found =
            self.usable(|local| local.ty == Ty::U32 && local.borrowed.is_none() && !local.untyped);
        let index = self.rng.any(&found)?;
        let (name, n) = (self.locals[index].name.clone(), self.awaited(&Ty::U32));
        // A receiver that the await mentions may be changed by it, as far as the macro sees.
        let stays = !self.locals[index].mutable || !n.contains(&name);
        let text = match self.rng.below(3) {
            0 => format!("{n} ^ {name}"),
            1 if stays => format!("{name}.wrapping_add({n})"),
            _ => format!("{name} ^ {n}"),
        };
        self.bind(&Ty::U32, &text);
        Some(Flow::Falls)
    }

    /// A condition with an await in it.
    pub(crate) fn awaiting_condition(&mut self) -> String {
        match self.rng.below(6) {
            0 => format!("!{}", self.awaited_fresh(&Ty::Bool)),
            1 => self.two_conditions("&&", Self::awaited_bool, Self::condition),
            2 => self.two_conditions("||", Self::condition, Self::awaited_bool),
            3 => {
                let either = self.two_conditions("||", Self::awaited_bool, Self::condition);
                format!("({either}) && {}", self.awaited_bool())
            }
            4 => format!("{} > {}", self.awaited_fresh(&Ty::U32), self.rng.below(4)),
            _ => self.two_conditions("&&", Self::condition, Self::awaited_bool),
        }
    }

    fn awaited_bool(&mut self) -> String {
        self.awaited_fresh(&Ty::Bool)
    }

    /// The two are written in the order in which they come.
    fn two_conditions(
        &mut self,
        word: &str,
        first: impl FnOnce(&mut Self) -> String,
        second: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let first = first(self);
        format!("{first} {word} {}", second(self))
    }
}
