//! Combinators, and the futures that they are given.

use super::super::signature::{Instance, Signature};
use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// A combinator of the given output type, of futures that may borrow.
    pub(crate) fn composed(&mut self, ty: &Ty) -> String {
        if let Ty::Both(first, second) = ty
            && self.rng.chance(80)
        {
            let (first, second) = (self.future(first), self.future(second));
            return format!("volt::future::join({first}, {second})");
        }
        if let Ty::Outcome(both, bitter) = ty
            && let Ty::Both(first, second) = &**both
        {
            let first = self.future(&first.clone().outcome(*bitter));
            let second = self.future(&second.clone().outcome(*bitter));
            return format!("volt::future::try_join({first}, {second})");
        }
        let (first, second) = (self.future(ty), self.future(ty));
        if self.rng.chance(60) {
            format!("volt::future::race({first}, {second})")
        } else {
            let third = self.future(ty);
            format!("({first}, {second}, {third}).race()")
        }
    }

    /// A future of a combinator: a call of the family, wherever there is one.
    fn future(&mut self, ty: &Ty) -> String {
        let call = self.rng.chance(70).then(|| self.machine_call(ty));
        call.flatten().unwrap_or_else(|| self.operand(ty, false))
    }

    /// Binds the outputs of several functions of the family, with locals that they can borrow.
    pub(crate) fn let_joined(&mut self) -> Option<Flow> {
        let callees = self.callees.iter().filter(|callee| callee.is_callable());
        let callees: Vec<Signature> = callees.cloned().collect();
        let both = [self.rng.any(&callees)?, self.rng.any(&callees)?];
        self.calls_left = self.calls_left.max(2);
        let [first, second] = both.map(|callee| {
            let instance = self.instance(&callee);
            self.let_lent(&callee, &instance);
            instance.apply(&callee.returns)
        });
        let both = match (first, second) {
            (Ty::Outcome(first, bitter), Ty::Outcome(second, other)) if bitter == other => {
                Ty::Both(first, second).outcome(bitter)
            }
            (first, second) => Ty::Both(Box::new(first), Box::new(second)),
        };
        let composed = self.composed(&both);
        self.suspended();
        self.busy.clear();
        self.bind(&both, &format!("{composed}.await"));
        Some(Flow::Falls)
    }

    /// Declares a local for each borrowed argument of a function.
    fn let_lent(&mut self, callee: &Signature, instance: &Instance) {
        for argument in callee
            .arguments
            .iter()
            .filter(|argument| argument.borrowed.is_some())
        {
            let (name, ty) = (format!("v{}", self.id()), instance.apply(&argument.ty));
            let value = self.value(&ty);
            self.line(&format!("let mut {name}: {ty} = {value};"));
            self.declare(&name, &ty, true);
        }
    }
}
