//! Guards of match arms, which the compiler repeats for each alternative of the pattern.

use syn::visit::{self, Visit};
use syn::{Block, ExprAsync, ExprAwait, ExprClosure, ExprConst, Item, Pat, PatGuard};

/// The largest number that is counted. A slot takes 16 bytes.
const MOST: usize = 64;

/// Returns the number of suspend points of guards beyond one for each await.
pub(super) fn repeated_awaits(body: &Block) -> usize {
    let mut guards = GuardAwaits::default();
    guards.visit_block(body);
    guards.repeated.min(MOST)
}

/// Counts awaits of a future itself, and not those of its blocks and closures.
#[derive(Default)]
struct GuardAwaits {
    awaits: usize,
    repeated: usize,
}

impl<'ast> Visit<'ast> for GuardAwaits {
    fn visit_pat_guard(&mut self, node: &'ast PatGuard) {
        let before = self.awaits;
        visit::visit_pat_guard(self, node);
        let more = alternatives(&node.pat).saturating_sub(1);
        let repeated = more.saturating_mul(self.awaits - before);
        self.repeated = self.repeated.saturating_add(repeated);
    }

    fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
        self.awaits += 1;
        visit::visit_expr_await(self, node);
    }

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_const(&mut self, _: &'ast ExprConst) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Returns the number of patterns without `|` that together match the same values.
fn alternatives(pat: &Pat) -> usize {
    match pat {
        Pat::Or(or) => {
            let cases = or.cases.iter().map(alternatives);
            cases.fold(0, usize::saturating_add)
        }
        Pat::Ident(ident) => {
            let inner = ident.subpat.as_ref();
            inner.map_or(1, |(_, inner)| alternatives(inner))
        }
        Pat::Paren(paren) => alternatives(&paren.pat),
        Pat::Reference(reference) => alternatives(&reference.pat),
        Pat::Slice(slice) => combinations(slice.elems.iter()),
        Pat::Struct(fields) => combinations(fields.fields.iter().map(|field| &*field.pat)),
        Pat::Tuple(tuple) => combinations(tuple.elems.iter()),
        Pat::TupleStruct(tuple) => combinations(tuple.elems.iter()),
        _ => 1,
    }
}

/// Returns the number of such patterns for several parts of a value.
fn combinations<'p>(parts: impl Iterator<Item = &'p Pat>) -> usize {
    parts.map(alternatives).fold(1, usize::saturating_mul)
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn guard_is_repeated_for_each_alternative() {
        let body = parse_quote!({
            match pair {
                (1 | 2, Some(3 | 4) | None) if first().await && second().await => 1,
                5 | 6 if is_known() => third().await,
                _ if fourth().await => 2,
                _ => 3,
            }
        });
        assert_eq!(repeated_awaits(&body), 10);
    }

    #[test]
    fn awaits_of_blocks_in_guards_do_not_count() {
        let body = parse_quote!({
            match number {
                1 | 2 if poll(async { first().await }) => 1,
                _ => 2,
            }
        });
        assert_eq!(repeated_awaits(&body), 0);
    }
}
