//! The name of the machine and who has it already; what it cannot be given.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{ItemFn, Macro, Path};

use super::args::{Options, Trait};
use super::errors::{Errors, Rule};
use super::names;
use super::parse::{Function, Param};
use super::scope::holds_word;

impl Function {
    /// The name of the machine.
    pub(crate) fn machine_name(&self, options: &Options) -> Ident {
        let owner = self.method.as_ref().and_then(|method| method.home.name());
        let name = options.name.clone();
        name.unwrap_or_else(|| names::machine(owner, &self.item.sig.ident))
    }

    /// The name of what a caller stores: that of the machine without what it is lent.
    pub(crate) fn core_name(&self, machine: &Ident) -> Ident {
        match self.splits() {
            true => names::core(machine),
            false => machine.clone(),
        }
    }

    /// Refuses a machine whose name is that of a parameter.
    pub(crate) fn check_name(&self, options: &Options, errors: &mut Errors) {
        let name = self.machine_name(options);
        let mut types = self.generics.type_params();
        if let Some(same) = types.find(|param| param.ident == name) {
            errors.refuse(Rule::NameOfParameter, &same.ident);
        } else if let Some(taken) = self.names_type(&name) {
            let instead = format!("write `#[state_machine(name = {name}Machine)]`, or the like");
            errors.refuse_as(Rule::NameTaken, &taken, &instead);
        }
    }

    /// Refuses a clone of what there can be one of.
    pub(crate) fn check_derived(&self, options: &Options, errors: &mut Errors) {
        let is_mutable = |param: &Param| {
            let lent = param.lent.as_ref();
            lent.is_some_and(|lent| lent.mutability.is_some())
        };
        let mut derived = options.derive.iter();
        let clone = derived.find(|derived| derived.of == Trait::Clone);
        if let Some(clone) = clone.filter(|_| self.params.iter().any(is_mutable)) {
            errors.refuse(Rule::CloneOfLent, &clone.name);
        }
    }

    /// Where the function names a type of this module as `name`. What is in a box may be the
    /// machine itself.
    fn names_type(&self, name: &Ident) -> Option<Ident> {
        let params = self.params.iter().map(|param| &param.ty);
        let types = std::iter::once(&self.output).chain(params);
        let mut named = Named { name, found: None };
        types.for_each(|ty| named.visit_type(ty));
        named.visit_block(&self.item.block);
        named.found
    }
}

/// Whether a function names a type as `name`, not counting what is in a box.
pub(crate) fn names_type(item: &ItemFn, name: &Ident) -> bool {
    let mut named = Named { name, found: None };
    named.visit_signature(&item.sig);
    named.visit_block(&item.block);
    named.found.is_some()
}

/// Looks for a path that begins with a name.
struct Named<'a> {
    name: &'a Ident,
    found: Option<Ident>,
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let first = path.segments.first();
        let named = first.filter(|first| path.leading_colon.is_none() && first.ident == *self.name);
        if let Some(segment) = named {
            self.found.get_or_insert_with(|| segment.ident.clone());
        }
        if first.is_some_and(|first| first.ident != "Box") {
            visit::visit_path(self, path);
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let word = self.name.to_string();
        if let Some(found) = holds_word(mac.tokens.clone(), &word) {
            self.found.get_or_insert(found);
        }
        visit::visit_macro(self, mac);
    }
}
