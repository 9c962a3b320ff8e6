//! Calls of other functions of the family, and of the function by itself.

use super::super::locals::{State, join};
use super::super::signature::{Generic, Instance, Signature};
use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// A call of a function of the family that gives the type.
    pub(crate) fn machine_call(&mut self, ty: &Ty) -> Option<String> {
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
        let (callee, instance) = self.rng.any(&fitting)?;
        let before = (self.snapshot(), self.busy.clone());
        let Some(arguments) = self.arguments(&callee, &instance) else {
            self.restore(&before.0);
            self.busy = before.1;
            return None;
        };
        self.calls_left -= 1;
        let call = self.spelled_call(&callee, &instance, arguments);
        Some(if self.rng.chance(15) {
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
        let call = if receiver && is_name && !place.is_empty() && self.rng.chance(70) {
            let moved = callee.arguments[0].borrowed.is_none();
            let place = if moved {
                format!("{{{place}}}")
            } else {
                place.to_owned()
            };
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

    /// Chooses the generic arguments.
    pub(crate) fn instance(&mut self, callee: &Signature) -> Instance {
        let mut choose = |generic: &Generic| match generic {
            Generic::Type(name) => {
                let ty = self.rng.pick(&Ty::FRESH);
                (name.clone(), ty.clone(), ty.to_string())
            }
            Generic::Length(name) => {
                let length = self.rng.pick(&["1", "3", "20"]).to_owned();
                (name.clone(), Ty::Unit, length)
            }
        };
        Instance {
            chosen: callee.generics.iter().map(&mut choose).collect(),
        }
    }

    /// Returns the arguments of a call, if there is a local for each borrowed argument.
    fn arguments(&mut self, callee: &Signature, instance: &Instance) -> Option<Vec<String>> {
        // Borrowed arguments are chosen first, so that they are not moved away in the same call.
        let mut borrowed = Vec::new();
        for argument in &callee.arguments {
            let ty = instance.apply(&argument.ty);
            borrowed.push(match argument.borrowed {
                Some(changed) => Some(self.lend(&ty, changed)?),
                None => None,
            });
        }
        let mut given = Vec::new();
        for (argument, borrowed) in callee.arguments.iter().zip(borrowed) {
            let ty = instance.apply(&argument.ty);
            given.push(match borrowed {
                Some(borrowed) => borrowed,
                None if argument.name == "self" => self.receiver(&ty),
                None => self.value(&ty),
            });
        }
        Some(given)
    }

    /// Returns the receiver that a method moves: a local, because its type is known.
    fn receiver(&mut self, ty: &Ty) -> String {
        let found = self.movable(|local| local.ty == *ty && !local.untyped);
        match self.rng.any(&found) {
            Some(index) => {
                self.take(index);
                self.locals[index].name.clone()
            }
            None => self.value(ty),
        }
    }

    fn lend(&mut self, ty: &Ty, changed: bool) -> Option<String> {
        let mut found: Vec<(usize, String)> = Vec::new();
        for index in self.usable(|local| !local.untyped) {
            let local = &self.locals[index];
            let name = &local.name;
            let may_change = local.borrowed.unwrap_or(local.mutable);
            if changed && !may_change {
                continue;
            }
            let word = if changed { "&mut " } else { "&" };
            if local.ty == *ty {
                found.push((
                    index,
                    match local.borrowed {
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
        let (index, borrowed) = self.rng.any(&found)?;
        debug_assert_eq!(self.locals[index].now.state, State::There);
        self.busy.push(index);
        Some(borrowed)
    }

    /// `if more(..) { Box::pin(f(..)).await; }`, in `f` itself.
    pub(crate) fn recursion(&mut self) -> Option<Flow> {
        if self.calls_left == 0 || !self.own.is_callable() {
            return None;
        }
        self.calls_left -= 1;
        let id = self.id();
        self.line(&format!("if more({id}) {{"));
        let end = self.branch(&Ty::Unit, Self::call_itself);
        self.line("}");
        let end = join(end, Some(self.snapshot()));
        Some(self.meet(end))
    }

    fn call_itself(&mut self) {
        let own = self.own;
        let instance = own.own_instance();
        let before = self.snapshot();
        let given = self.arguments(own, &instance);
        self.busy.clear();
        let Some(given) = given else {
            return self.restore(&before);
        };
        let call = self.spelled_call(own, &instance, given);
        self.suspended();
        self.bind(&own.returns, &format!("Box::pin({call}).await"));
    }
}
