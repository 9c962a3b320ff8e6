//! Temporaries with an extended lifetime: of a `let`, to the end of its block, and of a construct
//! or a macro, within an expression.

use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// `let r: &DropLogger = &d(1);`, which is not used again.
    pub(crate) fn let_reference(&mut self) -> Option<Flow> {
        let id = self.id();
        let text = match self.rng.below(7) {
            0 => format!("let _ = &d({id});"),
            1 => format!("let r{id}: &DropLogger = &d({id});"),
            2 => format!("let r{id}: &DropLogger = &(d({id}), 1).0;"),
            3 => format!("let r{id} = &mut *Box::new(d({id})); touch(r{id});"),
            4 => format!("let ref r{id} = d({id}); look(r{id});"),
            5 if !self.is_sync => self.lent_reference(id),
            _ => format!("let r{id} = Some(d({id})).as_ref().map(|d| look(d));"),
        };
        self.line(&text);
        Some(Flow::Falls)
    }

    /// A reference that is given to an await.
    fn lent_reference(&mut self, id: u32) -> String {
        let other = self.id();
        self.suspended();
        format!("let r{id} = &d({id}); seen({other}, r{id}).await;")
    }

    /// An operand with a temporary that is dropped after the other operands: `note(match .. {
    /// Err(_) => 1, .. } + num(2));`
    pub(crate) fn left_behind(&mut self) -> Option<Flow> {
        let (id, other) = (self.id(), self.id());
        let ty = Ty::U32.outcome(self.rng.chance(50));
        let value = match self.rng.below(4) {
            0 => {
                format!("format!(\"{{}}\", partly_movable({id}).peep({other}).await).len() as u32")
            }
            1 => format!(
                "match {} {{ Ok(n) => n, Err(_) => step::<u32>({id}, {other}u32).await }}",
                self.awaited(&ty)
            ),
            2 => format!(
                "match {} {{ Ok(n) => step::<u32>({id}, n).await, Err(ref e) => {{ look(e); {other} }} }}",
                self.awaited(&ty)
            ),
            _ => format!(
                "if let Ok(n) = {} {{ n }} else {{ step::<u32>({id}, {other}u32).await }}",
                self.awaited(&ty)
            ),
        };
        self.suspended();
        let last = self.id();
        self.line(&format!("note(({value}).wrapping_add(num({last})));"));
        Some(Flow::Falls)
    }
}
