//! Closures: those that are polled in place, and those that capture locals.

use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// A closure that is called at once, and contains the name of a local. It moves the local,
    /// copies a part, reads it in a loop or a branch, or declares another item of this name.
    pub(crate) fn called(&mut self) -> Option<Flow> {
        let kind = self.rng.below(6);
        let found = self.those(|this, index| {
            let local = &this.locals[index];
            let fits = match kind {
                0 | 1 => this.is_visible(index),
                2 | 3 => {
                    let has_number = matches!(local.ty, Ty::Pair | Ty::Host);
                    this.is_usable(index) && has_number && local.borrowed.is_none()
                }
                4 => this.is_usable(index) && local.ty.looks(),
                _ => this.is_movable(index) && local.ty.looks(),
            };
            fits && local.name != "self"
        });
        let index = self.rng.any(&found)?;
        let (name, id) = (self.locals[index].name.clone(), self.id());
        self.line(&match kind {
            0 => format!("(move || {{ let {name}: DropLogger = d({id}); look(&{name}); }})();"),
            1 => format!("(move |{name}: u32| look(&{name}))(num({id}));"),
            2 | 3 => format!("(move || look(&{name}.n))();"),
            4 => {
                let looked = self.seen_within(index);
                format!("(|| loop {{ {looked}if flip({id}) {{ break; }} }})();")
            }
            _ if id % 3 == 0 => format!("(move || consume({name}))();"),
            _ if id % 3 == 1 => {
                format!("(move || loop {{ look(&{name}); if flip({id}) {{ break; }} }})();")
            }
            _ => format!("(move || if flip({id}) {{ look(&{name}); }})();"),
        });
        if kind == 5 {
            self.take(index);
        }
        Some(Flow::Falls)
    }

    /// `poll_fn(|cx| ..)`; the closure may look at locals and change them.
    pub(crate) fn inlined(&mut self, ty: &Ty) -> String {
        // Captured locals are used at every poll.
        self.suspended();
        let id = self.id();
        let mut body = String::new();
        for _ in 0..self.rng.below(4) {
            if let Some(text) = self.borrowing() {
                body += &text;
            }
        }
        if self.rng.chance(15) {
            let wake = "cx.waker().wake_by_ref(); return std::task::Poll::Pending;";
            body += &format!("if more({}) {{ {wake} }} ", self.id());
        }
        let sources = self.usable(|local| {
            local.ty == Ty::Source && (local.mutable || local.borrowed == Some(true))
        });
        let polled = match (ty, self.rng.any(&sources)) {
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

    /// A statement of the closure that borrows a local.
    fn borrowing(&mut self) -> Option<String> {
        let found = self.usable(|local| local.ty.looks());
        let index = self.rng.any(&found)?;
        let local = &self.locals[index];
        let name = local.name.clone();
        let owned = local.mutable && local.borrowed.is_none();
        let changed = match (&local.ty, local.borrowed) {
            (Ty::Noisy, None) if owned => format!("touch(&mut {name}); "),
            (Ty::Noisy, Some(true)) => format!("touch({name}); "),
            (Ty::Pair | Ty::Host, None) if owned => format!("touch(&mut {name}.d); "),
            (Ty::Pair | Ty::Host, Some(true)) => format!("touch(&mut {name}.d); "),
            (Ty::U32, None) if owned => format!("{name} = {name}.wrapping_add(1); "),
            (Ty::U32, Some(true)) => format!("*{name} = {name}.wrapping_add(1); "),
            _ => return Some(self.seen_within(index)),
        };
        Some(if self.rng.chance(60) {
            changed
        } else {
            self.seen_within(index)
        })
    }

    fn seen_within(&self, index: usize) -> String {
        let local = &self.locals[index];
        let place = if local.borrowed.is_some() { "&*" } else { "&" };
        format!("look({place}{}); ", local.name)
    }
}
