//! The writer of a function: its text, and the state at its end.

use super::locals::{Local, Now, Snapshot, State};
use super::rng::Rng;
use super::signature::Signature;
use super::switches::Switches;
use super::ty::Ty;

/// The reachability of the next statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Falls,
    Leaves,
}

/// A construct around the next statement.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    pub(crate) kind: AroundKind,
    pub(crate) label: Option<String>,
    /// The type of the value of a `break`.
    pub(crate) ty: Ty,
    /// `true` if a `break` may have any value.
    pub(crate) is_given: bool,
    /// The number of locals outside of the loop.
    pub(crate) depth: usize,
    /// So many of the locals outside must be there again at the end.
    pub(crate) guards: usize,
    /// The state at the start of the loop, or of each turn.
    pub(crate) entry: Snapshot,
    /// The state at its breaks.
    pub(crate) breaks: Option<Snapshot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AroundKind {
    Loop,
    Block,
    Branch,
}

/// Writes one function.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    pub(crate) rng: Rng,
    pub(crate) switches: &'a Switches,
    pub(crate) out: String,
    pub(crate) indent: usize,
    pub(crate) locals: Vec<Local>,
    pub(crate) around: Vec<Around>,
    pub(crate) returns: Ty,
    /// The function itself.
    pub(crate) own: &'a Signature,
    /// Functions that may be called.
    pub(crate) callees: &'a [Signature],
    pub(crate) calls_left: usize,
    /// Counts places of the source.
    pub(crate) next_id: u32,
    pub(crate) budget: usize,
    /// `true` if awaits are forbidden here.
    pub(crate) is_sync: bool,
    /// `true` if guarded locals must not be moved, because they could not be assigned again.
    pub(crate) strict: bool,
    /// Locals that are borrowed by the expression being written.
    pub(crate) busy: Vec<usize>,
}

impl Writer<'_> {
    // The text.

    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(crate) fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// A new name, or one that hides another.
    pub(crate) fn name(&mut self) -> String {
        if self.rng.chance(12) {
            let hidden: Vec<usize> = (0..self.locals.len())
                .filter(|&index| self.may_hide(index))
                .collect();
            if let Some(index) = self.rng.any(&hidden) {
                return self.locals[index].name.clone();
            }
        }
        format!("v{}", self.id())
    }

    /// A local that has to be given a value again must stay in sight.
    fn may_hide(&self, index: usize) -> bool {
        let local = &self.locals[index];
        self.is_visible(index)
            && local.now.state == State::There
            && local.name.starts_with(char::is_alphabetic)
            && local.name != "self"
    }

    // The state.

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.locals.iter().map(|local| local.now).collect()
    }

    pub(crate) fn restore(&mut self, snapshot: &Snapshot) {
        self.locals.truncate(snapshot.len());
        for (local, now) in self.locals.iter_mut().zip(snapshot) {
            local.now = *now;
        }
    }

    /// Goes on with what two ways lead to.
    pub(crate) fn meet(&mut self, joined: Option<Snapshot>) -> Flow {
        match joined {
            Some(joined) => {
                self.restore(&joined);
                Flow::Falls
            }
            None => Flow::Leaves,
        }
    }

    pub(crate) fn declare(&mut self, name: &str, ty: &Ty, mutable: bool) {
        self.locals.push(Local {
            name: name.to_owned(),
            ty: ty.clone(),
            mutable,
            borrowed: None,
            untyped: false,
            now: Now::there(),
        });
    }

    pub(crate) fn is_visible(&self, index: usize) -> bool {
        let name = &self.locals[index].name;
        !self.locals[index + 1..]
            .iter()
            .any(|other| other.name == *name)
            && name != "_"
    }

    pub(crate) fn is_usable(&self, index: usize) -> bool {
        let local = &self.locals[index];
        self.is_visible(index)
            && local.now.state == State::There
            && !(local.untyped && local.now.crossed)
            && !self.busy.contains(&index)
    }

    /// Returns `true` if the local can be moved, and the requirements of the enclosing scopes still
    /// hold.
    pub(crate) fn is_movable(&self, index: usize) -> bool {
        let local = &self.locals[index];
        let guarded = self.around.iter().any(|around| index < around.guards);
        self.is_usable(index)
            && local.borrowed.is_none()
            && (!guarded || local.mutable && !self.strict)
    }

    /// Returns `true` if the local can be assigned.
    pub(crate) fn is_assignable(&self, index: usize) -> bool {
        let local = &self.locals[index];
        let again = self.around.iter().any(|around| {
            let outside = index < around.depth;
            outside
                && around.entry[index].state != State::There
                && (around.guards > index || !local.mutable)
                && around.kind != AroundKind::Block
        });
        let first = local.now.state == State::Gone && !local.now.ever;
        self.is_visible(index)
            && local.borrowed.is_none()
            && !local.untyped
            && !self.busy.contains(&index)
            && (local.mutable || first)
            && !again
    }

    pub(crate) fn those(&self, wanted: impl Fn(&Self, usize) -> bool) -> Vec<usize> {
        let all = 0..self.locals.len();
        all.filter(|&index| wanted(self, index)).collect()
    }

    pub(crate) fn usable(&self, wanted: impl Fn(&Local) -> bool) -> Vec<usize> {
        self.those(|this, index| this.is_usable(index) && wanted(&this.locals[index]))
    }

    pub(crate) fn movable(&self, wanted: impl Fn(&Local) -> bool) -> Vec<usize> {
        self.those(|this, index| this.is_movable(index) && wanted(&this.locals[index]))
    }

    /// Notes that the local is moved away, if that is what using its value does.
    pub(crate) fn take(&mut self, index: usize) {
        let local = &mut self.locals[index];
        if !local.ty.copies() {
            local.now.state = State::Gone;
        }
    }

    /// Notes that the local was given a value.
    pub(crate) fn assigned(&mut self, index: usize) {
        let crossed = self.locals[index].now.crossed;
        self.locals[index].now = Now {
            crossed,
            ..Now::there()
        };
    }

    /// Notes an await.
    pub(crate) fn suspended(&mut self) {
        for local in &mut self.locals {
            local.now.crossed = true;
        }
    }

    // Scopes.

    /// Writes the contents of braces. Locals that are declared there go out of scope.
    pub(crate) fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.locals.len();
        self.indent += 1;
        let value = body(self);
        self.indent -= 1;
        self.locals.truncate(depth);
        value
    }

    /// Assigns the locals that must have a value at the end of the enclosing scopes. Returns `true`
    /// if this was possible.
    pub(crate) fn mend(&mut self, around: usize) -> bool {
        let Around { guards, entry, .. } = self.around[around].clone();
        let lost = |this: &Self, index: usize| {
            entry[index].state == State::There && this.locals[index].now.state != State::There
        };
        let lost: Vec<usize> = (0..guards).filter(|&index| lost(self, index)).collect();
        if !lost.iter().all(|&index| self.is_assignable(index)) {
            return false;
        }
        for index in lost {
            let ty = self.locals[index].ty.clone();
            let value = self.fresh(&ty);
            self.line(&format!("{} = {value};", self.locals[index].name));
            self.locals[index].now = Now::there();
        }
        true
    }
}
