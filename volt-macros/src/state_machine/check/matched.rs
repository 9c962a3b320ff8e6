//! The types of what patterns bind, where that of the matched value is told.
//!
//! `Some(line)`, `Ok(page)` and `(left, right)` take apart what an await gives, or a local with a
//! type, by value: then the types of the parts are projections of the whole. They are guessed, for
//! the names may mean something else, and used where a type is needed that nobody can write there.

use syn::{Expr, Pat, PatTupleStruct, Type, parse_quote};

use super::checker::Check;
use super::custom::parameter;
use super::told::Told;
use crate::state_machine::body::LocalId;
use crate::state_machine::parse::peel;
use crate::state_machine::place::is_place;
use crate::state_machine::scope::{Binding, bindings, plain_name};
use crate::state_machine::source_text::source_text;

impl Check<'_> {
    /// Declares what a pattern binds of a value.
    pub(super) fn declare_matched(&mut self, pat: &Pat, value: &Expr) -> Vec<LocalId> {
        let told = self.told_by_value(value);
        let bound = self.declare_pattern(pat);
        self.guess_parts(pat, told, &bound);
        bound
    }

    /// Guesses the types of what a pattern has bound of a value.
    pub(super) fn guess_parts(&mut self, pat: &Pat, told: Option<Told>, bound: &[LocalId]) {
        let Some(told) = told else { return };
        let text = told.text.unwrap_or_else(|| source_text(&told.ty));
        let mut parts = Vec::new();
        self.parts(pat, &told.ty, &text, &mut parts);
        for &local in bound {
            let name = &self.locals[local].name;
            let found = parts
                .iter()
                .position(|(binding, ..)| binding.ident == *name);
            let Some(found) = found.filter(|_| self.locals[local].ty.is_none()) else {
                continue;
            };
            let (_, ty, text) = parts.swap_remove(found);
            let glue = self.glue(&ty);
            let info = &mut self.locals[local];
            info.guess = Some((ty, glue));
            info.customary = !told.known;
            info.type_text = Some(text);
        }
    }

    /// What is told of a value that is matched by parts: not of a reference, behind which parts
    /// are references.
    pub(super) fn told_by_value(&self, value: &Expr) -> Option<Told> {
        if let Some(name) = plain_name(value) {
            let local = self.local(name)?;
            let ty = local.likely_type()?.clone();
            let by_value = matches!(peel(&ty), Type::Path(_) | Type::Tuple(_));
            return by_value.then(|| match local.ty {
                Some(_) => Told::known(ty),
                None => Told::customary(ty),
            });
        }
        if is_place(value) {
            return None;
        }
        self.told(value)
            .filter(|told| !matches!(peel(&told.ty), Type::Reference(_)))
    }

    fn parts(&self, pat: &Pat, ty: &Type, text: &str, out: &mut Vec<(Binding, Type, String)>) {
        let volt = self.volt;
        match pat {
            Pat::Paren(pat) => self.parts(&pat.pat, ty, text, out),
            Pat::Guard(pat) => self.parts(&pat.pat, ty, text, out),
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                let bound = bindings(pat).into_iter();
                out.extend(bound.map(|binding| (binding, ty.clone(), text.to_owned())));
            }
            Pat::TupleStruct(whole) if whole.elems.len() == 1 => {
                let Some((ty, text)) = self.payload(variant(whole).as_deref(), ty, text) else {
                    return;
                };
                self.parts(&whole.elems[0], &ty, &text, out);
            }
            Pat::Tuple(whole) if !whole.elems.iter().any(|pat| matches!(pat, Pat::Rest(_))) => {
                for (index, pat) in whole.elems.iter().enumerate() {
                    let (part, text) = match peel(ty) {
                        Type::Tuple(types) if index < types.elems.len() => {
                            (types.elems[index].clone(), source_text(&types.elems[index]))
                        }
                        _ => (
                            parse_quote!(<#ty as #volt::__private::Part<#index>>::Type),
                            format!("{text}.{index}"),
                        ),
                    };
                    self.parts(pat, &part, &text, out);
                }
            }
            _ => {}
        }
    }
}

impl Check<'_> {
    /// What is in a variant of an `Option` or a `Result`.
    fn payload(&self, variant: Option<&str>, ty: &Type, text: &str) -> Option<(Type, String)> {
        let volt = self.volt;
        let (index, part, text) = match variant? {
            "Some" | "Ok" => (0, "Branch", format!("{text}?")),
            "Err" => (1, "Fails", format!("{text} error")),
            _ => return None,
        };
        if let Some(ty) = parameter(ty, index) {
            let text = source_text(&ty);
            return Some((ty, text));
        }
        let part = quote::format_ident!("{part}");
        let ty = parse_quote!(<#ty as #volt::__private::#part>::Output);
        Some((ty, text))
    }
}

/// The name of a variant without a path.
fn variant(pat: &PatTupleStruct) -> Option<String> {
    pat.path.get_ident().map(ToString::to_string)
}
