//! The proof that names mean locals where a `use` may bring others into their scope.
//!
//! `use kinds::*` in a block hides the locals around it by the functions and constants of their names,
//! if there are any. So the twin takes the address of the place, which these do not have.

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, Stmt, UseTree, parse2};

use crate::state_machine::scope::{brings_all, items, names_of_use};

/// Asks for the places of these names in each block of the twin with a `use` that may bring them.
pub(super) fn ask(block: &mut Block, names: &[Ident]) {
    if !names.is_empty() {
        Ask(names).visit_block_mut(block);
    }
}

struct Ask<'a>(&'a [Ident]);

impl VisitMut for Ask<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let brought: Vec<&UseTree> = items(&block.stmts).filter_map(tree).collect();
        let may_be = |name: &Ident| {
            let mut brought = brought.iter();
            brought.any(|tree| brings_all(tree) || names_of_use(tree).contains(&name))
        };
        let mut asked: Vec<&Ident> = Vec::new();
        for name in self.0.iter().filter(|name| may_be(name)) {
            if !asked.contains(&name) {
                asked.push(name);
            }
        }
        let asked: Vec<Stmt> = asked.into_iter().filter_map(question).collect();
        block.stmts.splice(..0, asked);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn tree(item: &Item) -> Option<&UseTree> {
    match item {
        Item::Use(item) => Some(&item.tree),
        _ => None,
    }
}

fn question(name: &Ident) -> Option<Stmt> {
    let span = proc_macro2::Span::call_site().located_at(name.span());
    let asked = quote_spanned! {span=>
        let _ = || {
            let _ = &raw const #name;
        };
    };
    let block: Block = parse2(quote_spanned!(span=> { #asked })).ok()?;
    block.stmts.into_iter().next()
}
