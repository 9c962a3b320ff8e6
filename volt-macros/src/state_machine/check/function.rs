//! From a function to its body.

use super::checker::Check;
use crate::state_machine::body::{Body, Origin};
use crate::state_machine::errors::Errors;
use crate::state_machine::generics::generic_name;
use crate::state_machine::lending::Lent;
use crate::state_machine::parse::Function;
use crate::state_machine::scope::{Binding, mentioned};
use quote::ToTokens;
use syn::{GenericParam, Path};

/// Takes the body of `function` apart.
pub(crate) fn body(function: &Function, volt: &Path, errors: &mut Errors) -> Body {
    let generics = &function.generics.params;
    let lent = function.params.iter().filter_map(|param| {
        let reference = param.lent.as_ref()?;
        Some(Lent {
            name: param.name.clone(),
            mutable: reference.mutability.is_some(),
            ty: (*reference.elem).clone(),
        })
    });
    let consts = function.generics.const_params();
    let consts = consts.map(|param| (param.ident.clone(), param.ty.clone()));
    let generic = generics.iter();
    let generic = generic.filter(|param| !matches!(param, GenericParam::Lifetime(_)));
    let mut words: Vec<_> = function
        .params
        .iter()
        .map(|param| param.name.to_string())
        .collect();
    mentioned(function.item.block.to_token_stream(), &mut words);
    let mut check = Check {
        volt,
        generics: &function.generics,
        generic: generic.map(generic_name).collect(),
        lent: lent.collect(),
        home: function.method.as_ref().map(|method| &method.home),
        consts: consts.collect(),
        words,
        locals: Vec::new(),
        scope: Vec::new(),
        turns: Vec::new(),
        unsafety: None,
        nested: 0,
        is_inner: false,
        at_end: false,
        later: None,
        next: 0,
        label: None,
        claims: Vec::new(),
        items: Vec::new(),
        is_unsafe: function.unsafety().is_some(),
        errors,
    };
    for param in function.stored() {
        let binding = Binding {
            ident: param.name.clone(),
            mutable: param.mutable,
            by_ref: false,
        };
        let local = check.declare(&binding, Some(param.ty.clone()), Origin::Argument);
        if param.in_place {
            check.put_in_place(local);
        }
    }
    let root = check.block(None, &function.item.block);
    Body {
        root,
        locals: check.locals,
        claims: check.claims,
    }
}
