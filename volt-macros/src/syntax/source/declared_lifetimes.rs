//! The lifetime parameters of the types that a module declares.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    FnArg, Generics, ItemImpl, Lifetime, Path, Signature, Token, Type, TypeParamBound, WhereClause,
    WherePredicate,
};

use super::file_modules::{DeclaredLifetimes, module_of};
use super::indexed_code::IndexedCode;
use super::name_context::{NameContext, last_word};
use crate::names::is_primitive;

/// The lifetime parameters of a type that the module of the span declares outside of bodies.
pub(crate) fn declared_lifetimes(span: Span, name: &str) -> Option<DeclaredLifetimes> {
    module_of(span)?.declared_lifetimes(name, find)
}

fn find(items: &IndexedCode, name: &str) -> Option<DeclaredLifetimes> {
    let mut uses = items.uses(name).into_iter();
    let mut declared = uses
        .by_ref()
        .filter(|of| ["struct", "enum", "union", "trait"].contains(&last_word(of.before)));
    let found = declared.next()?;
    // Conditions select one of two declarations.
    if declared.next().is_some() {
        return None;
    }
    lifetimes(&found)
}

fn lifetimes(declaration: &NameContext<'_>) -> Option<DeclaredLifetimes> {
    let after = declaration.after;
    let Some(length) = brackets(after) else {
        return Some(DeclaredLifetimes::default());
    };
    let generics: Generics = syn::parse_str(&after[..length]).ok()?;
    let clause = where_clause(&after[length..]);
    let is_static = |lifetime: &Lifetime| lifetime.ident == "static";
    let are_static = generics.lifetimes().map(|param| {
        let is_bound = |predicate: &&WherePredicate| {
            matches!(predicate, WherePredicate::Lifetime(bound)
                if bound.lifetime == param.lifetime && bound.bounds.iter().any(is_static))
        };
        param.bounds.iter().any(is_static) || predicates(&clause).any(|of| is_bound(&of))
    });
    let is_type_static = |bounds: &Punctuated<TypeParamBound, Token![+]>| {
        let mut bounds = bounds.iter();
        bounds.any(|bound| matches!(bound, TypeParamBound::Lifetime(of) if is_static(of)))
    };
    let are_types_static = generics.type_params().map(|param| {
        let is_bound = |predicate: &&WherePredicate| {
            matches!(predicate, WherePredicate::Type(bound)
                if matches!(&bound.bounded_ty, Type::Path(ty) if ty.path.is_ident(&param.ident))
                    && is_type_static(&bound.bounds))
        };
        is_type_static(&param.bounds) || predicates(&clause).any(|of| is_bound(&of))
    });
    Some(DeclaredLifetimes {
        are_static: are_static.collect(),
        are_types_static: are_types_static.collect(),
    })
}

fn predicates(clause: &Option<WhereClause>) -> impl Iterator<Item = &WherePredicate> {
    clause.iter().flat_map(|clause| &clause.predicates)
}

/// The length of the generics with which the code begins.
fn brackets(code: &str) -> Option<usize> {
    if !code.starts_with('<') {
        return None;
    }
    let mut depth = 0_usize;
    for (at, letter) in code.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if !code[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The where clause of a declaration, before its fields or after those of a tuple.
fn where_clause(code: &str) -> Option<WhereClause> {
    let end = code.find(['{', ';'])?;
    let start = code[..end].find("where")?;
    syn::parse_str(code[start..end].trim_end()).ok()
}

/// Returns `true` if a path in an `impl` header leaves out the lifetimes of a type or trait that
/// the module declares.
pub(crate) fn leaves_out_lifetimes(block: &ItemImpl) -> bool {
    let mut header = Header::new(&block.generics);
    header.visit_type(&block.self_ty);
    if let Some((path, _)) = &block.trait_ {
        header.visit_path(path);
    }
    header.is_short
}

/// Returns `true` if a type in the signature of a function leaves out the lifetimes of a type that
/// the module declares.
pub(crate) fn signature_leaves_out_lifetimes(signature: &Signature) -> bool {
    let mut header = Header::new(&signature.generics);
    for input in &signature.inputs {
        if let FnArg::Typed(input) = input {
            header.visit_type(&input.ty);
        }
    }
    header.visit_return_type(&signature.output);
    header.is_short
}

/// The paths of a header.
struct Header<'g> {
    generics: &'g Generics,
    is_short: bool,
}

impl<'g> Header<'g> {
    fn new(generics: &'g Generics) -> Self {
        Self {
            generics,
            is_short: false,
        }
    }

    /// Returns `true` if the path may name a type of the module: it is neither a parameter nor an
    /// associated type.
    fn is_of_module(&self, path: &Path) -> bool {
        let mut params = self.generics.type_params();
        path.get_ident()
            .is_some_and(|name| params.all(|param| param.ident != *name))
    }
}

impl Visit<'_> for Header<'_> {
    fn visit_path(&mut self, path: &Path) {
        if let Some(last) = path.segments.last()
            && self.is_of_module(path)
        {
            let name = last.ident.to_string();
            // A module uses a primitive type often, and declares no type of its name.
            if !is_primitive(&name) {
                let declared = declared_lifetimes(last.ident.span(), &name);
                self.is_short |= declared.is_some_and(|declared| !declared.are_static.is_empty());
            }
        }
        visit::visit_path(self, path);
    }

    // Elided lifetimes in the type of a function belong to that function.
    fn visit_type_fn_ptr(&mut self, _: &syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments(&mut self, _: &syn::ParenthesizedGenericArguments) {}
}

#[cfg(test)]
mod tests {
    use super::super::bare_code::code;
    use super::super::module_items::without_bodies as items;
    use super::*;

    fn declared(text: &str) -> Option<DeclaredLifetimes> {
        find(&IndexedCode::new(items(&code(text))), "Hold")
    }

    fn are_static(text: &str) -> Option<Vec<bool>> {
        declared(text).map(|declared| declared.are_static)
    }

    #[test]
    fn lifetimes_of_a_declared_type_are_found() {
        assert_eq!(are_static("struct Hold<'a, T>(&'a T);"), Some(vec![false]));
        let found = are_static("pub enum Hold<'a: 'static, 'b> { A(&'b &'a u8) }");
        assert_eq!(found, Some(vec![true, false]));
        let found = are_static("struct Hold<'a>(&'a u8) where 'a: 'static;");
        assert_eq!(found, Some(vec![true]));
        assert_eq!(are_static("struct Hold { text: String }"), Some(Vec::new()));
    }

    #[test]
    fn bounds_of_type_parameters_are_found() {
        let found = declared("struct Hold<'a, T: Debug + 'static, U>(&'a T, U) where U: 'static;");
        assert_eq!(found.map(|of| of.are_types_static), Some(vec![true, true]));
    }

    #[test]
    fn other_uses_of_the_name_are_no_declaration() {
        assert_eq!(are_static("fn f(hold: Hold) {} use m::Hold;"), None);
        assert_eq!(are_static("fn f() { struct Hold<'a>(&'a u8); }"), None);
        let under_conditions = "#[cfg(a)] struct Hold<'a>(&'a u8); #[cfg(b)] struct Hold;";
        assert_eq!(are_static(under_conditions), None);
    }
}
