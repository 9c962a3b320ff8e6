//! The name of the machine, and its conflicts.

use proc_macro2::Ident;
use quote::format_ident;
use syn::visit::{self, Visit};
use syn::{ItemFn, Macro, Path};

use super::method::Method;
use crate::names::{self, is_primitive};
use crate::options::Options;
use crate::syntax::{
    begins_path, contains_ident, declares_module, declares_type, has_other_block, imports_by_glob,
    qualified_name,
};

/// The name of the machine, which the function uses for nothing else.
pub(crate) fn machine_name(options: &Options, item: &ItemFn, method: Option<&Method>) -> Ident {
    let owner = method.and_then(|method| method.impl_target.name());
    let default_name = || {
        let qualified = method.and_then(qualified_owner);
        unambiguous(
            names::machine(qualified.as_ref().or(owner), &item.sig.ident),
            item,
        )
    };
    options.name.clone().unwrap_or_else(default_name)
}

/// The name of the method's block, if another block of the same type has a method of the same name.
fn qualified_owner(method: &Method) -> Option<Ident> {
    let (target, name) = (&method.impl_target, &method.original.sig.ident);
    let (owner, place) = (target.name()?, name.span());
    let qualified = qualified_name(
        &target.generics,
        &target.self_ty,
        target.trait_path.as_ref(),
    )?;
    has_other_block(place, &owner.to_string(), &name.to_string(), &qualified)
        .then(|| Ident::new(&qualified, owner.span()))
}

/// The name of a machine, with a suffix if the name belongs to a type that the function names, that
/// the module declares or imports, or that the file uses and imports by a glob.
pub(crate) fn unambiguous(name: Ident, item: &ItemFn) -> Ident {
    let place = item.sig.ident.span();
    let is_taken = |name: &Ident| {
        let text = name.to_string();
        names_type(item, name) || declares_type(place, &text) || imports_by_glob(place, &text)
    };
    let with = |suffix: &str| format_ident!("{name}{suffix}", span = name.span());
    let mut names = ["", "Future", "Machine"].map(with).into_iter();
    names.find(|name| !is_taken(name)).unwrap_or(name)
}

/// Returns `true` if the machine also gets a type alias with the name of its function. It does not
/// if the name looks like a type, as `Page`, or is a primitive type, as `u8`.
pub(crate) fn has_alias(options: &Options, function: &Ident, machine: &Ident) -> bool {
    let is_type = |name: &str| name.starts_with(char::is_uppercase) || is_primitive(name);
    let name = function.to_string();
    // The alias would hide a crate of that name.
    let is_crate = || begins_path(function.span(), &name);
    let is_declared = || declares_module(function.span(), &name);
    let is_free = || !is_type(&name) && !is_crate() && !is_declared();
    options.alias && function != machine && is_free()
}

/// Returns `true` if a function names a type as `name`, outside of a box.
fn names_type(item: &ItemFn, name: &Ident) -> bool {
    let mut named = NamesType {
        name: name.to_string(),
        found: false,
    };
    named.visit_signature(&item.sig);
    named.visit_block(&item.block);
    named.found
}

/// Searches for a path that begins with a name.
struct NamesType {
    name: String,
    found: bool,
}

impl<'ast> Visit<'ast> for NamesType {
    fn visit_path(&mut self, path: &'ast Path) {
        // Each comparison with an identifier requests its text from the compiler.
        let first = path.segments.first().map(|first| first.ident.to_string());
        self.found |= path.leading_colon.is_none() && first.as_ref() == Some(&self.name);
        if first.is_some_and(|first| first != "Box") {
            visit::visit_path(self, path);
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.found |= contains_ident(mac.tokens.clone(), &self.name);
        visit::visit_macro(self, mac);
    }
}
