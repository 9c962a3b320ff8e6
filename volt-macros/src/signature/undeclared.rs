//! Lifetimes that nothing declares. The compiler says best which, and what declares it: it reads a signature once, where
//! an expansion repeats it.

use syn::visit::{self, Visit};
use syn::{Generics, Lifetime, LifetimeParam, Signature};

/// Whether a signature names a lifetime that neither it nor the `impl` around it declares.
pub(crate) fn names_undeclared(sig: &Signature, outer: Option<&Generics>) -> bool {
    let mut found = Found::default();
    found.visit_signature(sig);
    if let Some(outer) = outer {
        found.visit_generics(outer);
    }
    let is_declared = |name: &&Lifetime| {
        name.ident == "static" || name.ident == "_" || found.declared.contains(name)
    };
    !found.named.iter().all(is_declared)
}

#[derive(Default)]
struct Found<'a> {
    named: Vec<&'a Lifetime>,
    declared: Vec<&'a Lifetime>,
}

impl<'a> Visit<'a> for Found<'a> {
    fn visit_lifetime(&mut self, node: &'a Lifetime) {
        self.named.push(node);
    }

    /// Those of a `for<'a>` among them.
    fn visit_lifetime_param(&mut self, node: &'a LifetimeParam) {
        self.declared.push(&node.lifetime);
        visit::visit_lifetime_param(self, node);
    }
}
