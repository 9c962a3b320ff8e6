//! Locals in macros of the standard library.

use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// Something about a local in a macro.
    pub(crate) fn in_macro(&mut self) -> Option<Flow> {
        let id = self.id();
        let text = match self.rng.below(5) {
            0 => self.in_message(id),
            1 if !self.is_sync => Some(self.asserted(id)),
            _ => self.in_format(id),
        };
        let text = text.unwrap_or_else(|| format!("assert!(num({id}) < 9);"));
        self.line(&text);
        Some(Flow::Falls)
    }

    /// An assertion that waits, and holds.
    fn asserted(&mut self, id: u32) -> String {
        let (value, other) = (self.fresh(&Ty::U32), self.id());
        self.suspended();
        let for_debug = ["", "debug_"][self.rng.below(2)];
        match self.rng.below(2) {
            0 => {
                format!("{for_debug}assert!(step::<u32>({id}, {value}).await < 9999, \"of {id}\");")
            }
            _ => format!(
                "{for_debug}assert_ne!(step::<u32>({id}, {value}).await, step::<u32>({other}, 9999u32).await);"
            ),
        }
    }

    /// A value that is moved if an assertion fails, which it does not.
    fn in_message(&mut self, id: u32) -> Option<String> {
        let found = self.movable(|local| local.ty == Ty::Noisy);
        let name = &self.locals[self.rng.any(&found)?].name;
        Some(format!(
            "assert!(num({id}) < 9, \"{{}}\", {{ consume({name}); {id} }});"
        ))
    }

    /// A name that a string captures, or only has in it.
    fn in_format(&mut self, id: u32) -> Option<String> {
        let found = self.usable(|local| matches!(local.ty, Ty::U32 | Ty::Bool));
        let name = &self.locals[self.rng.any(&found)?].name;
        let made = match self.rng.below(4) {
            0 => format!("format!(\"{{{{{name}}}}}{{{name}:?}}{{}}\", \"{{{name}}}\")"),
            1 => format!("format!(\"{{{name} }}{{{name}:>9}}{{}}\", {name})"),
            2 => format!("stringify!({name})"),
            _ => format!("format!(\"{{{name}}}\")"),
        };
        Some(format!("note({made}.len() as u32 + {id});"))
    }
}
