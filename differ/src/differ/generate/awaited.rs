//! What is awaited.

use super::locals::State;
use super::signature::{Generic, Instance, Signature};
use super::ty::Ty;
use super::writer::Writer;

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

    fn operand(&mut self, ty: &Ty, inlined: bool) -> String {
        if let Some(call) = self
            .dice
            .chance(45)
            .then(|| self.machine_call(ty))
            .flatten()
        {
            return call;
        }
        if self.dice.chance(30)
            && let Some(kept) = self.kept_future(ty)
        {
            return kept;
        }
        if inlined && self.dice.chance(15) {
            return self.inlined(ty);
        }
        let id = self.id();
        if *ty == Ty::Unit {
            return format!("tick({id})");
        }
        let value = self.value(ty);
        if self.dice.chance(8) {
            return format!("Box::pin(step::<{ty}>({id}, {value}))");
        }
        format!("step::<{ty}>({id}, {value})")
    }

    /// A future that stands in a local.
    fn kept_future(&mut self, ty: &Ty) -> Option<String> {
        let is_step = |kept: &Ty| matches!(kept, Ty::Step(inner) if **inner == *ty);
        let is_hidden = |kept: &Ty| matches!(kept, Ty::Hidden(inner) if **inner == *ty);
        if self.dice.chance(25) {
            let found = self.usable(|local| {
                local.mutable
                    && local.lent.is_none()
                    && (is_step(&local.ty) || is_hidden(&local.ty))
            });
            let index = self.dice.any(&found)?;
            return Some(format!("(&mut {})", self.locals[index].name));
        }
        let found = self.movable(|local| is_step(&local.ty) || is_hidden(&local.ty));
        let index = self.dice.any(&found)?;
        self.take(index);
        Some(self.locals[index].name.clone())
    }

    /// A closure that is polled in place.
    fn inlined(&mut self, ty: &Ty) -> String {
        let id = self.id();
        let mut body = String::new();
        if self.dice.chance(50) {
            let seen = self.usable(|local| local.ty.looks() && !local.untyped);
            if let Some(index) = self.dice.any(&seen) {
                let place = if self.locals[index].lent.is_some() {
                    "&*"
                } else {
                    "&"
                };
                body += &format!("look({place}{}); ", self.locals[index].name);
            }
        }
        if self.dice.chance(40) {
            let counted =
                self.usable(|local| local.ty == Ty::U32 && local.mutable && !local.untyped);
            if let Some(index) = self.dice.any(&counted) {
                let name = &self.locals[index].name;
                body += &format!("{name} = {name}.wrapping_add(1); ");
            }
        }
        let sources = self
            .usable(|local| local.ty == Ty::Source && (local.mutable || local.lent == Some(true)));
        let polled = match (ty, self.dice.any(&sources)) {
            (Ty::U32, Some(index)) => format!("{}.poll_next(cx)", self.locals[index].name),
            (Ty::U32, None) => format!("poll_some(cx, {id})"),
            _ => format!("poll_with(cx, {id}, || {})", self.fresh(ty)),
        };
        if body.is_empty() {
            format!("poll_fn(|cx| {polled})")
        } else {
            format!("poll_fn(|cx| {{ {body}{polled} }})")
        }
    }

    // Calls.

    /// A call of a function of the family that gives the type.
    fn machine_call(&mut self, ty: &Ty) -> Option<String> {
        if self.calls_left == 0 {
            return None;
        }
        let callees = self.callees.iter().filter(|callee| callee.is_callable());
        let fitting: Vec<(Signature, Instance)> = callees
            .map(|callee| {
                let instance = self.instance(callee);
                (callee.clone(), instance)
            })
            .filter(|(callee, instance)| instance.apply(&callee.returns) == *ty)
            .collect();
        let (callee, instance) = self.dice.any(&fitting)?;
        let before = (self.snapshot(), self.dice.clone());
        let Some(arguments) = self.arguments(&callee, &instance) else {
            self.restore(&before.0);
            self.busy.clear();
            return None;
        };
        self.calls_left -= 1;
        let call = self.spelled_call(&callee, &instance, arguments);
        Some(if callee.is_boxable() && self.dice.chance(15) {
            format!("Box::pin({call})")
        } else {
            call
        })
    }

    /// A call as it is written.
    fn spelled_call(
        &mut self,
        callee: &Signature,
        instance: &Instance,
        mut given: Vec<String>,
    ) -> String {
        let receiver = callee
            .arguments
            .iter()
            .any(|argument| argument.name == "self");
        let place = given.first().map_or("", |receiver| {
            receiver
                .trim_start_matches("&mut ")
                .trim_start_matches(['&', '*'])
        });
        let is_name = place.chars().all(|c| c.is_alphanumeric() || c == '_');
        let call = if receiver && is_name && !place.is_empty() && self.dice.chance(70) {
            let place = place.to_owned();
            given.remove(0);
            let (name, turbofish) = (&callee.name, instance.turbofish(callee));
            format!("{place}.{name}{turbofish}({})", given.join(", "))
        } else {
            format!("{}({})", instance.path(callee), given.join(", "))
        };
        if callee.risky {
            format!("unsafe {{ {call} }}")
        } else {
            call
        }
    }

    /// Chooses what stands for the generic parameters.
    pub(crate) fn instance(&mut self, callee: &Signature) -> Instance {
        let mut choose = |generic: &Generic| match generic {
            Generic::Type(name) => {
                let ty = self.dice.pick(&Ty::FRESH);
                (name.clone(), ty.clone(), ty.to_string())
            }
            Generic::Length(name) => {
                let length = self.dice.pick(&["1", "3", "20"]).to_owned();
                (name.clone(), Ty::Unit, length)
            }
        };
        Instance {
            chosen: callee.generics.iter().map(&mut choose).collect(),
        }
    }

    /// The arguments of a call, if there is something to be lent wherever that is asked for.
    fn arguments(&mut self, callee: &Signature, instance: &Instance) -> Option<Vec<String>> {
        // What is lent is chosen first, so that it is not moved away in the same call.
        let mut lent = Vec::new();
        for argument in &callee.arguments {
            let ty = instance.apply(&argument.ty);
            lent.push(match argument.lent {
                Some(changed) => Some(self.lend(&ty, changed)?),
                None => None,
            });
        }
        let mut given = Vec::new();
        for (argument, lent) in callee.arguments.iter().zip(lent) {
            let ty = instance.apply(&argument.ty);
            given.push(match lent {
                Some(lent) => lent,
                None => self.value(&ty),
            });
        }
        Some(given)
    }

    fn lend(&mut self, ty: &Ty, changed: bool) -> Option<String> {
        let mut found: Vec<(usize, String)> = Vec::new();
        for index in self.usable(|local| !local.untyped) {
            let local = &self.locals[index];
            let name = &local.name;
            let may_change = local.lent.unwrap_or(local.mutable);
            if changed && !may_change {
                continue;
            }
            let word = if changed { "&mut " } else { "&" };
            if local.ty == *ty {
                found.push((
                    index,
                    match local.lent {
                        Some(_) if self.next_id.is_multiple_of(3) => format!("{word}*{name}"),
                        Some(is_mutable) if is_mutable && !changed => format!("&*{name}"),
                        Some(_) => name.clone(),
                        None => format!("{word}{name}"),
                    },
                ));
            } else if matches!(local.ty, Ty::Pair | Ty::Host) && *ty == Ty::Noisy {
                found.push((index, format!("{word}{name}.d")));
            } else if matches!(local.ty, Ty::Pair | Ty::Host) && *ty == Ty::U32 {
                found.push((index, format!("{word}{name}.n")));
            } else if let Ty::Both(_, second) = &local.ty
                && **second == *ty
            {
                found.push((index, format!("{word}{name}.1")));
            }
        }
        let (index, lent) = self.dice.any(&found)?;
        debug_assert_eq!(self.locals[index].now.state, State::There);
        self.busy.push(index);
        Some(lent)
    }
}
