//! Whether a function may give back what its arguments refer to.

use syn::visit::{self, Visit};
use syn::{Lifetime, ReturnType, TypeReference};

/// Whether a reference or a lifetime stands in the type of the output.
pub(super) fn gives_back(output: &ReturnType) -> bool {
    let mut find = Find(false);
    find.visit_return_type(output);
    find.0
}

struct Find(bool);

impl<'ast> Visit<'ast> for Find {
    fn visit_type_reference(&mut self, node: &'ast TypeReference) {
        let lifetime = node.lifetime.as_ref();
        self.0 |= lifetime.is_none_or(|lifetime| lifetime.ident != "static");
        visit::visit_type_reference(self, node);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.0 |= lifetime.ident != "static";
    }
}
