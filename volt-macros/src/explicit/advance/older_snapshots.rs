//! The names and defaults by which a machine reads snapshots of older builds.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::LitStr;

use super::snapshot::{StoredState, numbered};
use crate::explicit::explicit_machine::ExplicitMachine;
use crate::hir::LocalId;

/// An older name, with the index of the state or of the value that has it now.
struct OlderName {
    name: LitStr,
    text: String,
    index: usize,
}

impl ExplicitMachine<'_> {
    /// Returns the older names of the states and of their values, or `None`: all names that a
    /// snapshot may have, and the index for each name beyond the present ones.
    pub(super) fn older_names(&self) -> TokenStream {
        let states: Vec<_> = self.stored_states().collect();
        let older = self.older_states(&states);
        let values: Vec<_> = states
            .iter()
            .map(|state| self.older_values(state))
            .collect();
        if older.is_empty() && values.iter().all(Vec::is_empty) {
            return quote!(::core::option::Option::None);
        }
        let titles = states.iter().map(|state| self.title_of(state));
        let titles = titles.chain(older.iter().map(|older| older.text.as_str()));
        let titles = titles.map(Literal::string);
        let indices = index_list(&older);
        let names = states.iter().zip(&values).map(|(state, older)| {
            let names = state.values.iter().map(|value| value.name.as_str());
            let names = names.chain(older.iter().map(|older| older.text.as_str()));
            let names = names.map(Literal::string);
            quote!(&[#(#names),*])
        });
        let value_indices = values.iter().map(|older| {
            let indices = index_list(older);
            quote!(&#indices)
        });
        let private = self.private();
        quote! {
            ::core::option::Option::Some(#private::OlderNames {
                states: &[#(#titles),*],
                state_indices: &#indices,
                values: &[#(#names),*],
                value_indices: &[#(#value_indices),*],
            })
        }
    }

    /// Returns an error for each older name that a snapshot cannot distinguish from another one,
    /// and for each label that is on no stored state.
    pub(super) fn errors_of_older_names(&self) -> TokenStream {
        if self.options.older.is_empty() {
            return TokenStream::new();
        }
        let mut errors = Vec::new();
        let states: Vec<_> = self.stored_states().collect();
        let titles = states.iter().map(|state| self.title_of(state).to_owned());
        let taken: Vec<_> = titles.collect();
        repeated(&self.older_states(&states), &taken, "state", &mut errors);
        for state in &states {
            let taken: Vec<_> = state.values.iter().map(|it| it.name.clone()).collect();
            repeated(&self.older_values(state), &taken, "value", &mut errors);
        }
        for (title, names) in self.options.older.states() {
            if !taken.contains(title)
                && let Some(name) = names.first()
            {
                let text = format!(
                    "no stored state has the name `{title}`, so `was` has no effect\n  = help: put \
                     the label on the statement with the await"
                );
                errors.push((text, name.span()));
            }
        }
        // A value of several states is reported once.
        errors.dedup_by(|(text, _), (other, _)| text == other);
        let errors = errors.iter().map(|(text, span)| error(*span, text));
        errors.collect()
    }

    /// Returns the function that makes the value of a local which a snapshot lacks.
    pub(super) fn default_of(&self, local: LocalId) -> Option<&TokenStream> {
        self.options.older.default_of(self.written_name(local)?)
    }

    fn older_states(&self, states: &[StoredState]) -> Vec<OlderName> {
        let older = states.iter().enumerate().flat_map(|(index, state)| {
            let names = self.options.older.of_state(self.title_of(state)).iter();
            names.map(move |name| OlderName {
                text: name.value(),
                name: name.clone(),
                index,
            })
        });
        older.collect()
    }

    fn older_values(&self, state: &StoredState) -> Vec<OlderName> {
        let values = state.values.iter().enumerate();
        let older = values.flat_map(|(index, value)| {
            let local = value.local.and_then(|local| self.written_name(local));
            let names = local.map_or(&[][..], |local| self.options.older.of_local(local));
            names.iter().map(move |name| OlderName {
                text: numbered(&name.value(), value.number),
                name: name.clone(),
                index,
            })
        });
        older.collect()
    }

    /// Returns the name of a local that the user has written.
    fn written_name(&self, local: LocalId) -> Option<&str> {
        let local = &self.body.locals[local.0];
        (!local.is_hidden()).then_some(&*local.name)
    }
}

fn index_list(older: &[OlderName]) -> TokenStream {
    let indices = older
        .iter()
        .map(|older| Literal::usize_unsuffixed(older.index));
    quote!([#(#indices),*])
}

/// Adds an error for each older name that is taken, or that an earlier one has.
fn repeated(older: &[OlderName], taken: &[String], kind: &str, errors: &mut Vec<(String, Span)>) {
    for (at, OlderName { name, text, .. }) in older.iter().enumerate() {
        let has_other = older[..at].iter().any(|other| other.text == *text);
        if has_other || taken.contains(text) {
            let text = format!(
                "another {kind} has the name `{text}`\n  = note: a snapshot with this name would \
                 have two meanings\n  = help: rename the other {kind}, or remove the older name"
            );
            errors.push((text, name.span()));
        }
    }
}

fn error(span: Span, text: &str) -> TokenStream {
    quote_spanned!(span=> ::core::compile_error!(#text);)
}
