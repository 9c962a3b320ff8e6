//! Locals that are assigned after the last use of their old value, jumps out of a returned
//! expression, changes of another local in an awaited call, and closures that panic.

use super::super::writer::{Flow, Writer};

impl Writer<'_> {
    /// Writes separate lines, whose locals no other line names.
    pub(crate) fn retold(&mut self) -> Option<Flow> {
        let (id, other, last) = (self.id(), self.id(), self.id());
        let text = match self.rng.below(8) {
            0 => format!(
                "let mut w{id} = num({id}); step::<u32>({other}, w{id}).await; w{id} = 0; tick({last}).await; \
                 note(format!(\"{{}}\", !w{id}).len() as u32);"
            ),
            1 => format!(
                "let mut w{id}: u64 = 3; step::<u64>({other}, w{id}).await; w{id} = \"7\".parse().unwrap_or(num({id}).into()); \
                 tick({last}).await; note(w{id}.count_ones());"
            ),
            2 => format!(
                "let (mut w{id}, v{id}) = (d({id}), 1); consume(w{id}); tick({other}).await; w{id} = d({last}); \
                 tick({other}).await; look(&w{id}); note(v{id});"
            ),
            3 => format!(
                "let o{id} = maybe({id}, d({id})); let mut m{id} = d({other}); let h{id} = d({last}); \
                 let p{id} = step::<(DropLogger, Option<DropLogger>)>({other}, (std::mem::replace(&mut m{id}, d({last})), o{id}.or(None))).await; \
                 look(&h{id}); look(&m{id}); drop(p{id});"
            ),
            4 => format!(
                "let l{id} = vec![num({id}), 2]; let mut n{id} = num({other}); \
                 step::<u32>({last}, std::mem::replace(&mut n{id}, l{id}[0])).await; tick({other}).await; \
                 note(n{id}.wrapping_add(l{id}.len() as u32));"
            ),
            5 => format!(
                "let k{id} = maybe({id}, d({id})).or_else(|| {{ if more({other}) {{ Some(d({other})) }} else {{ panic!(\"struck\") }} }}); tick({last}).await;"
            ),
            6 => format!(
                "let k{id} = Some(d({id})).unwrap_or_else(|| panic!(\"nobody asks\")); tick({last}).await;"
            ),
            _ => {
                let returned = self.returns.clone();
                let value = self.fresh(&returned);
                format!(
                    "for _ in 0..2 {{ let r{id} = d({id}); tick({other}).await; if more({id}) {{ \
                     return match maybe({last}, {value}) {{ Some(v) => v, None => continue }}; }} look(&r{id}); }}"
                )
            }
        };
        self.suspended();
        self.line(&text);
        Some(Flow::Falls)
    }
}
