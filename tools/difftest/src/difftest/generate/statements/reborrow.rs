//! Locals that receive a borrow of another local later, branches whose values are coerced to a
//! written type, and code after a `?` at the beginning of a branch.

use super::super::ty::Ty;
use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// Writes separate lines, whose locals no other line names.
    pub(crate) fn flowing(&mut self) -> Option<Flow> {
        let (id, other, last) = (self.id(), self.id(), self.id());
        let text = format!("let s{id} = String::from(\"a bc\");");
        let end = format!("tick({last}).await; note(t{id}.len() as u32);");
        let text = match self.rng.below(5) {
            0 => format!(
                "{text} let mut t{id} = \"none\"; if flip({id}) {{ t{id} = &s{id}; }} {end}"
            ),
            1 => format!(
                "{text} let mut t{id} = std::collections::BTreeMap::new(); for w in s{id}.split(' ') {{ \
                 let e = t{id}.entry(w.len()).or_insert_with(Vec::new); e.push(w); }} {end}"
            ),
            2 => format!(
                "{text} let t{id} = loop {{ tick({other}).await; if flip({id}) {{ break by(&d({id}), &s{id}[1..]); }} \
                 break by(&d({other}), \"none\"); }}; {end}"
            ),
            3 => format!(
                "let b{id}: Option<Box<dyn Look>> = if flip({id}) {{ tick({other}).await; Some(Box::new(d({id}))) }} \
                 else {{ Some(Box::new(num({other}))) }}; tick({last}).await; drop(b{id});"
            ),
            _ => {
                let asked = self.asked(&Ty::U32)?;
                let value = self.fresh(&asked);
                format!(
                    "let n{id} = if flip({id}) {{ {value}? & 7 }} else {{ num({other}) }}; tick({last}).await; note(n{id});"
                )
            }
        };
        self.suspended();
        self.line(&text);
        Some(Flow::Falls)
    }
}
