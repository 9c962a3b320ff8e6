//! The `impl` blocks with machines in the code of a module.
//!
//! The machine of a method has the names of its type and of the method. Blocks of one type can have
//! methods of one name: for two traits, or for two arguments of the type.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, ItemImpl, Path, PathArguments, PathSegment, Type};

use super::super::module_items::item_bodies;
use super::super::name_context::{last_word, uses};
use crate::names::{is_mark, upper_camel};

/// An `impl` block with machines.
#[derive(Debug)]
pub(in crate::syntax::source) struct ImplBlock {
    /// The last name of the type.
    pub(in crate::syntax::source) owner: String,
    /// The name that also distinguishes the block from others of the same type.
    pub(in crate::syntax::source) qualified: String,
    /// `true` if the block is for some arguments of its type.
    pub(in crate::syntax::source) has_arguments: bool,
    /// The names of the `async` methods.
    pub(in crate::syntax::source) methods: Vec<String>,
}

/// Returns the last name of the type of a block, its arguments, and the trait, as one name. It has
/// no lifetimes and parameters of the block. For `impl Handler<Ping> for Actor<Idle>` it is
/// `ActorIdleHandlerPing`.
pub(crate) fn qualified_name(
    generics: &Generics,
    self_ty: &Type,
    trait_path: Option<&Path>,
) -> Option<String> {
    let Type::Path(ty) = self_ty else {
        return None;
    };
    let mut name = String::new();
    let last = [Some(&ty.path), trait_path].into_iter().flatten();
    for segment in last.filter_map(|path| path.segments.last()) {
        name.push_str(&upper_camel(&segment.ident.to_string()));
        name.push_str(&arguments(generics, segment));
    }
    Some(name)
}

/// The words in the generic arguments of a segment, without lifetimes and parameters of the block.
fn arguments(generics: &Generics, segment: &PathSegment) -> String {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return String::new();
    };
    let mut words = Words {
        names: String::new(),
        is_lifetime: false,
        parameters: generics
            .type_params()
            .map(|param| param.ident.to_string())
            .chain(generics.const_params().map(|param| param.ident.to_string()))
            .collect(),
    };
    words.collect(arguments.to_token_stream());
    words.names
}

struct Words {
    names: String,
    is_lifetime: bool,
    parameters: Vec<String>,
}

impl Words {
    fn collect(&mut self, tokens: TokenStream) {
        for token in tokens {
            match &token {
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Ident(word) if !self.is_lifetime => {
                    let word = word.to_string();
                    if !self.parameters.contains(&word) {
                        self.names.push_str(&upper_camel(&word));
                    }
                }
                _ => {}
            }
            self.is_lifetime = is_mark(&token, '\'');
        }
    }
}

/// The blocks under the attribute in the code of a module, outside of function bodies.
pub(in crate::syntax::source) fn impl_blocks(code: &str) -> Vec<ImplBlock> {
    let items = item_bodies(code).into_iter();
    let blocks = items.filter_map(|(head, body)| impl_block(head, body));
    blocks.collect()
}

/// The methods of blocks, each with the name of its type, for all arguments of the type.
pub(in crate::syntax::source) fn methods(blocks: &[ImplBlock]) -> Vec<(String, String)> {
    let blocks = blocks.iter().filter(|block| !block.has_arguments);
    let of_block = |block: &ImplBlock| {
        let names = block.methods.clone().into_iter();
        let owner = block.owner.clone();
        names.map(move |name| (owner.clone(), name))
    };
    blocks.flat_map(of_block).collect()
}

/// The block of a head and a body, if it is an `impl` under the attribute.
fn impl_block(head: &str, body: &str) -> Option<ImplBlock> {
    let word = uses(head, "impl").next()?;
    if !word.before.contains("state_machine") {
        return None;
    }
    let block: ItemImpl = syn::parse_str(&format!("impl {} {{}}", word.after)).ok()?;
    let trait_path = block.trait_.as_ref().map(|(path, _)| path);
    let Type::Path(ty) = &*block.self_ty else {
        return None;
    };
    let is_method = |letter: char| letter.is_alphanumeric() || letter == '_';
    let methods = uses(body, "fn").filter(|of| last_word(of.before) == "async");
    let methods = methods.map(|of| {
        let end = of.after.find(|letter| !is_method(letter));
        of.after[..end.unwrap_or(of.after.len())].to_owned()
    });
    let last = ty.path.segments.last()?;
    Some(ImplBlock {
        owner: last.ident.to_string(),
        has_arguments: !arguments(&block.generics, last).is_empty(),
        qualified: qualified_name(&block.generics, &block.self_ty, trait_path)?,
        methods: methods.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(code: &str) -> Vec<String> {
        let blocks = impl_blocks(code);
        let names = blocks.into_iter().map(|block| block.qualified);
        names.collect()
    }

    #[test]
    fn qualified_name_has_trait_and_arguments() {
        let code = "#[state_machine] impl<'a, T: Clone> Handler<Ping<'a>, T> for m::Actor<Idle, T> \
                    where T: Copy { async fn handle(&self) {} } #[state_machine] impl Actor {}";
        assert_eq!(names(code), ["ActorIdleHandlerPing", "Actor"]);
    }

    #[test]
    fn blocks_without_the_attribute_are_left_out() {
        assert!(
            names("impl Actor { async fn run() {} } fn f() { #[state_machine] impl A {} }")
                .is_empty()
        );
    }

    #[test]
    fn methods_are_async_functions() {
        let blocks = impl_blocks("{ #[state_machine] impl A { fn a() {} pub async fn b() {} } }");
        assert_eq!(blocks[0].methods, ["b"]);
        assert_eq!(blocks[0].owner, "A");
    }

    #[test]
    fn methods_of_some_arguments_are_left_out() {
        let code = "#[state_machine] impl<T: Clone> A<T> { async fn a() {} async fn b() {} } \
                    #[state_machine] impl A<u8> { async fn c() {} }";
        let owned = |name: &str| ("A".to_owned(), name.to_owned());
        assert_eq!(methods(&impl_blocks(code)), [owned("a"), owned("b")]);
    }
}
