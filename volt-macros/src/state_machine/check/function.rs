//! From a function to its body.

use super::checker::Check;
use crate::state_machine::body::{Body, Origin};
use crate::state_machine::errors::Errors;
use crate::state_machine::parse::{Function, generic_name};
use crate::state_machine::scope::Binding;

/// Takes the body of `function` apart.
pub(crate) fn body(function: &Function, errors: &mut Errors) -> Body {
    let generics = &function.generics.params;
    let lent = function.params.iter().filter_map(|param| {
        let reference = param.lent.as_ref()?;
        Some((param.name.clone(), reference.mutability.is_some()))
    });
    let mut check = Check {
        generic: generics.iter().map(generic_name).collect(),
        lent: lent.collect(),
        locals: Vec::new(),
        scope: Vec::new(),
        next: 0,
        label: None,
        errors,
    };
    for param in function.stored() {
        let binding = Binding {
            ident: param.name.clone(),
            mutable: param.mutable,
            by_ref: false,
        };
        check.declare(&binding, Some(param.ty.clone()), Origin::Argument);
    }
    let root = check.block(None, &function.item.block);
    Body {
        root,
        locals: check.locals,
    }
}
