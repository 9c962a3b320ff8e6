//! The form of each stored field, and the text of the error for a type that has none.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Expr;

use crate::explicit::explicit_machine::{ExplicitMachine, slot};
use crate::hir::{AwaitId, LocalId, LocalKind, has_own_form};
use crate::layout::FieldContent;
use crate::liveness::QueryId;
use crate::names::located_at;

/// A field that snapshots contain.
pub(super) struct StoredField {
    /// The number of the first state that stores it.
    first: usize,
    /// The local, unless it is an awaited future.
    pub(super) local: Option<LocalId>,
    /// `true` if no state stores it for another use than its destructor.
    is_only_dropped: bool,
    /// The method calls that may have moved it, one for each state.
    queries: Vec<Option<QueryId>>,
}

impl ExplicitMachine<'_> {
    /// Returns `true` if the written type of a field shows that it has its own form. The compiler
    /// checks that, and needs less for it than to find the form.
    fn has_own_form(&self, field: usize) -> bool {
        match self.layout.fields[field].content {
            FieldContent::Local(local) => self.body.has_type(local, has_own_form),
            FieldContent::Future(id) => is_checkpoint(self.body.operand(id)),
        }
    }

    /// Returns each stored field.
    pub(super) fn stored_fields(&self) -> BTreeMap<usize, StoredField> {
        let mut fields = BTreeMap::new();
        for state in self.stored_states() {
            for value in &state.values {
                let field = fields.entry(value.field).or_insert(StoredField {
                    first: state.tag,
                    local: value.local,
                    is_only_dropped: true,
                    queries: Vec::new(),
                });
                field.is_only_dropped &= value.is_only_dropped;
                field.queries.push(value.query);
            }
        }
        fields
    }

    /// Returns the forms of fields that are known, and those that the compiler finds.
    pub(super) fn stored_forms(&self) -> (TokenStream, TokenStream) {
        let (mut known, mut found) = (TokenStream::new(), TokenStream::new());
        for (field, stored) in self.stored_fields() {
            let (form, slot) = (self.form(field), slot(field));
            if self.has_own_form(field) {
                known.extend(quote!(#form #slot;));
                continue;
            }
            let probe = self.form_probe(field, &stored);
            let stored = stored_trait(field);
            let check = quote!(let _: &dyn #stored = #form.__volt_kind(););
            let check = located_at(check, form.span());
            found.extend(quote!(#form #slot #probe { #check }));
        }
        (known, found)
    }

    /// Returns the first probe for the form of a field. If a method may have moved a value that is
    /// only dropped, the probe of the body shows whether any state stores it.
    fn form_probe(&self, field: usize, stored: &StoredField) -> TokenStream {
        let is_queried = stored.queries.iter().any(Option::is_some);
        if !stored.is_only_dropped {
            return quote!(__volt_form_probe);
        }
        if !is_queried {
            return quote!(__volt_dropped_form_probe);
        }
        let field = Literal::usize_unsuffixed(field);
        let queries: BTreeSet<_> = stored.queries.iter().flatten().copied().collect();
        let is_moved = stored.queries.iter().all(Option::is_some).then(|| {
            let answers = queries.into_iter().map(|query| self.answer(query));
            quote!(|| #((#answers))&&*)
        });
        quote!(__volt_queried_form_probe::<{ !__VOLT_PROBE.sizes[#field].drops #is_moved }>)
    }

    /// Returns the trait of each field whose form the compiler finds, with the text of the error
    /// for a type that cannot be stored.
    pub(super) fn stored_traits(&self) -> TokenStream {
        let fields = self.stored_fields().into_iter();
        let fields = fields.filter(|(field, _)| !self.has_own_form(*field));
        let traits = fields.map(|(field, StoredField { first, .. })| {
            let title = first
                .checked_sub(1)
                .map(|id| self.body.awaits[id].title.as_str());
            let texts = match self.layout.fields[field].content {
                FieldContent::Local(local) => self.local_texts(local, title),
                FieldContent::Future(id) => self.future_texts(id),
            };
            let texts = texts.map(|text| Literal::string(&text));
            let stored = stored_trait(field);
            quote!(#stored #([#texts])*)
        });
        traits.collect()
    }

    /// Returns message, label, note and help for a local.
    fn local_texts(&self, local: LocalId, title: Option<&str>) -> [String; 4] {
        let local = &self.body.locals[local.0];
        let value = match local.kind {
            LocalKind::Argument(_) => format!("argument `{}`", local.name),
            LocalKind::Iterator => "iterator of this `for`".to_owned(),
            _ if local.is_hidden() => "value of this expression".to_owned(),
            _ => format!("local `{}`", local.name),
        };
        let (message, label) = match title {
            Some(title) => (
                format!("the {value} of type `{{Self}}` cannot be stored at `{title}`"),
                format!("live at `{title}`"),
            ),
            None => (
                format!("the {value} of type `{{Self}}` cannot be stored"),
                "stored before the first poll".to_owned(),
            ),
        };
        let help = match title {
            Some(_) => {
                "end the scope of the value before the await, or store an owned value instead"
            }
            None => {
                "derive both for a type of yours, and pass an owned value instead of a reference; \
                 a pool or a client is a `Res` of `volt-durable`"
            }
        };
        [
            message,
            label,
            "a stored value implements `Serialize` and `Deserialize`, and borrows nothing"
                .to_owned(),
            help.to_owned(),
        ]
    }

    /// Returns message, label, note and help for an awaited future.
    fn future_texts(&self, id: AwaitId) -> [String; 4] {
        let title = &self.body.awaits[id.0].title;
        [
            format!("the awaited future of type `{{Self}}` cannot be stored at `{title}`"),
            "awaited by a machine that derives `Serialize`".to_owned(),
            "a stored future implements `Serialize` and `Deserialize`, and borrows no local"
                .to_owned(),
            "put `#[step]` on the statement, or await a machine with this derive, or a timer, \
             signal, race or join of `volt-durable`"
                .to_owned(),
        ]
    }

    /// Returns the name of a field's form, at the place of the local or the await.
    pub(super) fn form(&self, field: usize) -> Ident {
        let place = match self.layout.fields[field].content {
            FieldContent::Local(local) => self.ident(local).span(),
            FieldContent::Future(id) => self.body.awaits[id.0].span,
        };
        let span = Span::mixed_site().located_at(place);
        format_ident!("form_{field}", span = span)
    }
}

fn stored_trait(field: usize) -> Ident {
    format_ident!("Stored{}", field, span = Span::mixed_site())
}

/// Returns `true` for the await that `backend::steps` puts before a step.
fn is_checkpoint(operand: &Expr) -> bool {
    let Expr::Call(call) = operand else {
        return false;
    };
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let names = function.path.segments.iter().rev();
    let mut names = names.map(|segment| segment.ident.to_string());
    let is_such = names
        .next()
        .is_some_and(|name| name.ends_with("checkpoint"));
    is_such && names.any(|name| name == "__private")
}
