//! The proof that names of types without a destructor are those of the language.
//!
//! `u32`, and `Option` of such, are taken for what they are called. A type of the user's may have the
//! name too, and a destructor. So the twin asks once for all such names that the function mentions,
//! and again in blocks that may give them another meaning.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, Path, Stmt, TypePath, parse_quote};

use crate::state_machine::check::PRIMITIVES;
use crate::state_machine::model::Machine;
use crate::state_machine::names::path_at;
use crate::state_machine::scope::items;

/// Asks in the body of the twin what the names of types mean.
pub(super) fn ask(machine: &Machine, body: &mut Block) {
    let mut found = Found::default();
    let inputs = machine.function.params.iter().map(|param| &param.ty);
    let locals = machine.body.locals.iter();
    let locals = locals.filter_map(|local| local.likely_type());
    inputs.chain(locals).for_each(|ty| found.visit_type(ty));
    found.visit_block(body);
    if let Some(question) = question(&found.0, &machine.options.volt) {
        let mut ask = Ask(&question);
        body.stmts
            .iter_mut()
            .for_each(|stmt| ask.visit_stmt_mut(stmt));
        body.stmts.insert(0, question);
    }
}

/// The names of types, each once.
#[derive(Default)]
struct Found(Vec<Ident>);

impl<'ast> Visit<'ast> for Found {
    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        visit::visit_type_path(self, ty);
        let name = ty.path.segments.first().map(|first| &first.ident);
        if let Some(name) = name.filter(|_| ty.path.segments.len() == 1)
            && (name == "Option" || name != "str" && PRIMITIVES.iter().any(|known| name == known))
            && !self.0.contains(name)
        {
            self.0.push(name.clone());
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

fn question(names: &[Ident], volt: &Path) -> Option<Stmt> {
    let asked = names.iter().map(|name| {
        let span = Span::call_site().located_at(name.span());
        let volt = path_at(volt, span);
        let of = (name == "Option").then(|| quote_spanned!(span=> <()>));
        quote_spanned!(span=> #volt::__private::plain::<#name #of>())
    });
    let asked: Vec<TokenStream> = asked.collect();
    match &asked[..] {
        [] => None,
        [one] => Some(parse_quote!(const _: () = #one;)),
        several => Some(parse_quote!(const _: () = { #(#several;)* };)),
    }
}

/// Asks once more in the blocks that declare types.
struct Ask<'a>(&'a Stmt);

impl VisitMut for Ask<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let declares = |item: &Item| {
            matches!(
                item,
                Item::Struct(_) | Item::Enum(_) | Item::Union(_) | Item::Type(_) | Item::Use(_)
            )
        };
        if items(&block.stmts).any(declares) {
            block.stmts.insert(0, self.0.clone());
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{ToTokens, format_ident};

    #[test]
    fn names_are_asked_for_together() {
        let volt = parse_quote!(volt);
        assert!(question(&[], &volt).is_none());
        let asked = question(&[format_ident!("u8"), format_ident!("Option")], &volt);
        let text = asked.to_token_stream().to_string().replace(' ', "");
        assert!(
            text.contains("plain::<u8>();volt::__private::plain::<Option<()>>();"),
            "{text}"
        );
    }
}
