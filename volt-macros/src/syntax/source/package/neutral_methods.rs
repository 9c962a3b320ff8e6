//! Methods of traits of the package that require nothing of a future but that it is one.
//!
//! ```text
//! trait Heap: Future + Sized { fn heap(self) -> Pin<Box<Self>> { Box::pin(self) } }
//! impl<F: Future> Heap for F {}
//! ```
//!
//! The bounds of the method, of its trait and of all implementations decide. Each implementation
//! has to be one for all types.

use proc_macro2::Span;
use syn::visit::Visit;
use syn::{ItemImpl, ItemTrait, Signature, Type};

use super::function_words::with_words;
use super::neutral_items::NeutralBounds;
use super::package_words::{MethodOfTrait, PackageWords};

/// Returns `true` if all methods of a name in the package are such methods.
pub(crate) fn is_neutral_method(name: &str, place: Span) -> bool {
    with_words(place, |words| is_neutral(words, name)).unwrap_or(false)
}

fn is_neutral(words: &PackageWords, name: &str) -> bool {
    let Some(methods) = words.methods.get(name) else {
        return false;
    };
    methods.iter().all(|method| is_of_all(words, method))
}

/// Returns `true` if the trait around a method is implemented for all types that satisfy neutral
/// bounds. The method may be that of the trait, or of its implementation.
fn is_of_all(words: &PackageWords, method: &MethodOfTrait) -> bool {
    let Ok(signature) = syn::parse_str::<Signature>(&method.head) else {
        return false;
    };
    let around = format!("{} {{}}", method.around);
    let mut bounds = NeutralBounds::new();
    bounds.visit_signature(&signature);
    let is_of_all = match syn::parse_str::<ItemTrait>(&around) {
        Ok(node) => {
            bounds.visit_item_trait(&node);
            let impls = words.impls.get(&node.ident.to_string());
            impls.is_some_and(|impls| impls.iter().all(|head| is_impl_of_all(head)))
        }
        Err(_) => is_impl_of_all(&method.around),
    };
    is_of_all && bounds.are_neutral
}

/// Returns `true` for the head of an implementation for a type parameter, with neutral bounds.
fn is_impl_of_all(head: &str) -> bool {
    let Ok(node) = syn::parse_str::<ItemImpl>(&format!("{head} {{}}")) else {
        return false;
    };
    let mut bounds = NeutralBounds::new();
    bounds.visit_generics(&node.generics);
    let mut parameters = node.generics.type_params();
    let is_parameter = matches!(
        &*node.self_ty,
        Type::Path(ty) if parameters.any(|parameter| ty.path.is_ident(&parameter.ident))
    );
    node.trait_.is_some() && is_parameter && bounds.are_neutral
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neutral(code: &str) -> bool {
        let mut package = PackageWords::default();
        package.enter("", None, code);
        is_neutral(&package, "heap")
    }

    #[test]
    fn bounds_of_traits_and_implementations_decide() {
        let method = "fn heap(self) -> Pin<Box<Self>> { Box::pin(self) }";
        let of = |trait_head: &str, rest: &str| format!("{trait_head} {{ {method} }} {rest}");
        let all = "impl<F: Future> Heap for F {}";
        assert!(neutral(&of("pub trait Heap: Future + Sized", all)));
        assert!(neutral(&of("trait Heap where Self: Future + Sized", all)));
        let declared = "trait Heap { fn heap(self) -> Pin<Box<Self>>; }";
        assert!(neutral(&of(
            "impl<F> Heap for F where F: Future",
            &format!("{declared} {all}")
        )));
        assert!(!neutral(&of("trait Heap: Future + Send", all)));
        assert!(!neutral(&of("trait Heap: Task", all)));
        assert!(!neutral(&of(
            "trait Heap",
            "impl<F: Future + Send> Heap for F {}"
        )));
        assert!(!neutral(&of("trait Heap", "impl Heap for Odd {}")));
        assert!(!neutral(&of("trait Heap", "")));
        assert!(!neutral(&of("impl Odd", "")));
        let sends = "impl Tasks { fn heap(self) -> u32 where Self: Send { 1 } }";
        assert!(!neutral(&of("trait Heap", &format!("{all} {sends}"))));
        assert!(!neutral(all));
    }
}
