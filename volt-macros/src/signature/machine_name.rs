//! The name of the machine, and its conflicts.

use proc_macro2::Ident;
use quote::format_ident;
use syn::visit::{self, Visit};
use syn::{ItemFn, Macro, Path};

use super::method::Method;
use crate::names::{self, is_primitive};
use crate::options::Options;
use crate::syntax::{
    begins_path, contains_ident, count_machines_before, declares_module, declares_type,
    has_machine, has_other_block, imports_by_glob, may_share_machine_name, qualified_name,
};

/// The name of the machine, which the function uses for nothing else.
pub(crate) fn machine_name(options: &Options, item: &ItemFn, method: Option<&Method>) -> Ident {
    let owner = method.and_then(|method| method.impl_target.name());
    let default_name = || {
        let qualified = method.and_then(qualified_owner);
        let owner = qualified.as_ref().or(owner);
        let function = method.map_or(&item.sig.ident, |method| &method.original.sig.ident);
        unambiguous(
            names::machine(owner, &item.sig.ident),
            owner,
            function,
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
/// the module declares or imports, that the file uses and imports by a glob, or to another machine.
pub(crate) fn unambiguous(
    name: Ident,
    owner: Option<&Ident>,
    function: &Ident,
    item: &ItemFn,
) -> Ident {
    let (place, text) = (item.sig.ident.span(), name.to_string());
    let is_taken = |suffix: &str| {
        let text = format!("{text}{suffix}");
        !suffix.is_empty() && has_machine(place, &text)
            || names_type(item, &text)
            || declares_type(place, &text)
            || imports_by_glob(place, &text)
    };
    let before = may_share_machine_name(&function.to_string()).then(|| {
        let owner = owner.map(Ident::to_string);
        count_machines_before(&text, owner.as_deref(), function)
    });
    let suffixes = ["", "Future", "Machine"].map(str::to_owned).into_iter();
    let suffixes = suffixes.chain((2..).map(|number| format!("Machine{number}")));
    let mut free = suffixes.filter(|suffix| !is_taken(suffix));
    let free = free.nth(before.unwrap_or_default());
    format_ident!("{name}{}", free.unwrap_or_default(), span = name.span())
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
fn names_type(item: &ItemFn, name: &str) -> bool {
    let mut named = NamesType {
        name: name.to_owned(),
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
