//! What cannot be lifted out of the `impl` of a trait.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprPath, FnArg, Item, Path, TypeImplTrait, TypePath};

use super::errors::{Errors, Rule};
use super::method::Method;

/// Refuses what a method of a trait cannot have.
pub(crate) fn check_of_trait(method: &Method, errors: &mut Errors) {
    let mut check = Check { method, errors };
    for input in &method.original.sig.inputs {
        if let FnArg::Typed(input) = input {
            Arguments(check.errors).visit_type(&input.ty);
        }
    }
    check.visit_impl_item_fn(&method.original);
}

/// Looks for `impl Trait` in arguments.
struct Arguments<'a>(&'a mut Errors);

impl<'ast> Visit<'ast> for Arguments<'_> {
    fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
        self.0.refuse(Rule::ImplTraitArgument, ty);
    }
}

/// Looks for types of `Self` that the `impl` does not give.
struct Check<'a> {
    method: &'a Method,
    errors: &'a mut Errors,
}

impl Check<'_> {
    /// Refuses `Self::Item`, if the path is that of a type and the `impl` has no such type.
    fn check(&mut self, path: &Path, least: usize) {
        let names: Vec<_> = path.segments.iter().map(|segment| &segment.ident).collect();
        let Some((_, given)) = &self.method.home.of else {
            return;
        };
        if names.len() >= least && names[0] == "Self" && !given.contains(names[1]) {
            let instead = format!(
                "name the trait that gives it: `<Self as Trait>::{}`",
                path.segments[1].to_token_stream()
            );
            self.errors.refuse_as(Rule::SupertraitType, path, &instead);
        }
    }
}

impl<'ast> Visit<'ast> for Check<'_> {
    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        if ty.qself.is_none() {
            self.check(&ty.path, 2);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = expr
        {
            self.check(path, 3);
        }
        visit::visit_expr(self, expr);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
