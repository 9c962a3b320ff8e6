//! The items of a body, as the copies of an explicit machine contain them.
//!
//! ```text
//! fn first(data: *const u32) -> u32 { *data }
//! fn first(data: *const u32) -> u32 { __volt::unsafe_of_reference!({ *data }) }
//! ```
//!
//! The reference function contains the items as they were written. The compiler reports an unsafe
//! operation there, and would report it again, in other words, in each copy.

use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, Safety, TraitItemFn,
    parse_quote,
};

/// Puts the bodies of the functions among the items in blocks that may contain unsafe operations.
pub(super) fn allow_unsafe_operations(items: &mut [Item]) {
    items
        .iter_mut()
        .for_each(|item| CopiedFunctions.visit_item_mut(item));
}

struct CopiedFunctions;

impl CopiedFunctions {
    fn wrap(attrs: &[Attribute], safety: &Safety, block: &mut Block) {
        if matches!(safety, Safety::Unsafe(_)) || !attrs.iter().all(is_of_compiler) {
            return;
        }
        let body = std::mem::take(&mut block.stmts);
        let inner = Block {
            brace_token: block.brace_token,
            stmts: body,
        };
        block.stmts = parse_quote!(__volt::unsafe_of_reference!(#inner));
    }
}

impl VisitMut for CopiedFunctions {
    fn visit_item_fn_mut(&mut self, node: &mut ItemFn) {
        visit_mut::visit_item_fn_mut(self, node);
        Self::wrap(&node.attrs, &node.sig.safety, &mut node.block);
    }

    fn visit_item_impl_mut(&mut self, node: &mut ItemImpl) {
        if node.attrs.iter().all(is_of_compiler) {
            visit_mut::visit_item_impl_mut(self, node);
        }
    }

    fn visit_item_trait_mut(&mut self, node: &mut ItemTrait) {
        if node.attrs.iter().all(is_of_compiler) {
            visit_mut::visit_item_trait_mut(self, node);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, node: &mut ImplItemFn) {
        visit_mut::visit_impl_item_fn_mut(self, node);
        Self::wrap(&node.attrs, &node.sig.safety, &mut node.block);
    }

    fn visit_trait_item_fn_mut(&mut self, node: &mut TraitItemFn) {
        visit_mut::visit_trait_item_fn_mut(self, node);
        if let Some(block) = &mut node.default {
            Self::wrap(&node.attrs, &node.sig.safety, block);
        }
    }

    /// A module does not see the names of the expansion.
    fn visit_item_mod_mut(&mut self, _: &mut ItemMod) {}
}

/// Returns `true` if the attribute rewrites nothing. Another one has to see the body as it was
/// written.
fn is_of_compiler(attr: &Attribute) -> bool {
    const NAMES: &str = "allow warn deny expect forbid doc must_use deprecated cfg inline cold \
                         track_caller";
    let mut names = NAMES.split_whitespace();
    names.any(|name| attr.path().is_ident(name))
}
