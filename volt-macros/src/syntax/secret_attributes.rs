//! The attribute `#[secret]`, which only the macro reads.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, FnArg, Item, Local, Pat, PatIdent, Signature};

/// Removes the attribute from the arguments of a function and from the `let` statements of its
/// body. Returns the names that these bind.
pub(crate) fn take_secrets(sig: &mut Signature, block: &mut Block) -> BTreeSet<String> {
    let mut secrets = SecretBindings(BTreeSet::new());
    for argument in &mut sig.inputs {
        match argument {
            FnArg::Typed(argument) => secrets.take(&mut argument.attrs, &argument.pat),
            FnArg::Receiver(receiver) => {
                if remove(&mut receiver.attrs) {
                    secrets.0.insert("self".to_owned());
                }
            }
        }
    }
    secrets.visit_block_mut(block);
    secrets.0
}

/// The names of the secret bindings.
struct SecretBindings(BTreeSet<String>);

impl SecretBindings {
    fn take(&mut self, attrs: &mut Vec<Attribute>, pat: &Pat) {
        if remove(attrs) {
            self.visit_pat(pat);
        }
    }
}

/// Removes the attribute. Returns `true` if it was there.
fn remove(attrs: &mut Vec<Attribute>) -> bool {
    let before = attrs.len();
    attrs.retain(|attr| !attr.path().is_ident("secret"));
    attrs.len() < before
}

impl VisitMut for SecretBindings {
    fn visit_local_mut(&mut self, local: &mut Local) {
        self.take(&mut local.attrs, &local.pat);
        visit_mut::visit_local_mut(self, local);
    }

    // The attribute of an item inside of the body belongs to that item.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl<'p> Visit<'p> for SecretBindings {
    fn visit_pat_ident(&mut self, pat: &'p PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}
