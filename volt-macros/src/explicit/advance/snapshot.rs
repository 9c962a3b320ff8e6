//! `Serialize` and `Deserialize`: the values that each state stores, with their names and forms.
//!
//! The names are those of the locals. The awaited future is `await`, the iterator of a `for` is
//! `for`, and a temporary is `value`. If a state stores several values with one name, the later
//! ones get a number, as in `page#2`.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypePath};

use crate::cfg::BlockId;
use crate::explicit::explicit_machine::{ExplicitMachine, local_ident};
use crate::hir::{AwaitId, LocalId, LocalKind};
use crate::layout::FieldTypes;
use crate::liveness::{Live, Need, QueryId};
use crate::syntax::contains_ident;

/// A state that a snapshot may contain.
pub(super) struct StoredState {
    /// The number in the tag. A state of a step has one too, so the numbers have gaps.
    pub(super) tag: usize,
    pub(super) values: Vec<StoredValue>,
}

/// A value that a state stores.
pub(super) struct StoredValue {
    pub(super) field: usize,
    pub(super) name: String,
    /// The local, unless it is an awaited future.
    pub(super) local: Option<LocalId>,
    /// The number behind the name, if the state stores several values with it.
    pub(super) number: Option<usize>,
    /// The condition under which the slot has no value, unless it always has one.
    unless: Option<TokenStream>,
    /// `true` if no code uses the value: the slot has one only for its destructor.
    pub(super) is_only_dropped: bool,
    /// The method call that may have moved the value.
    pub(super) query: Option<QueryId>,
}

impl ExplicitMachine<'_> {
    /// Returns the branch of `advance` that writes and reads the stored values. The bounds of a
    /// typed machine hold only in its own implementation.
    pub(super) fn snapshot_branch(&self) -> Option<TokenStream> {
        if self.typed.is_some() || self.options.snapshot().is_none() {
            return None;
        }
        let values = self.snapshot_values();
        Some(quote!(else if __VoltMode::WRITES || __VoltMode::READS { #values }))
    }

    /// Returns the implementation of both traits.
    pub(in crate::explicit) fn snapshot(&self) -> Option<TokenStream> {
        self.options.snapshot()?;
        let (private, name) = (self.private(), self.name);
        let (lists, tables) = (self.signature.lists(), self.snapshot_tables());
        let errors = self.errors_of_older_names();
        Some(quote!(#errors #private::snapshot! { #name #lists #tables }))
    }

    /// Returns the implementation of both traits for a machine with typed fields.
    pub(in crate::explicit) fn typed_snapshot(&self, typed: &FieldTypes) -> Option<TokenStream> {
        self.options.snapshot()?;
        let (private, name) = (self.private(), self.name);
        let (parameters, arguments) = (self.signature.parameters(), self.signature.arguments());
        let (bounds, ty, slots) = (self.signature.bounds(), self.static_type(), self.slots());
        let (tables, values) = (self.snapshot_tables(), self.snapshot_values());
        let (tag, mode) = (local_ident("tag"), local_ident("mode"));
        let stored = self.stored_states().flat_map(|state| state.values);
        let fields: BTreeSet<_> = stored.map(|value| value.field).collect();
        let types = fields.iter().map(|field| &typed.types[*field]);
        let types = types.filter(|ty| self.names_parameter(ty)).map(bounded);
        let serde = quote!(#private::serde);
        let errors = self.errors_of_older_names();
        Some(quote! {
            #errors
            #private::snapshot_typed! {
                #name [#parameters] [#arguments]
                [#bounds #(#types: #serde::Serialize + #serde::de::DeserializeOwned,)*]
                #tables
                [#ty] (__VoltMode, #tag, #mode)
                slots { #slots }
                { #values }
            }
        })
    }

    /// Returns `true` if a type depends on a type parameter. The other types need no bound, and
    /// are checked at their places.
    fn names_parameter(&self, ty: &TokenStream) -> bool {
        let mut parameters = self.signature.generics.type_params();
        parameters.any(|parameter| contains_ident(ty.clone(), &parameter.ident.to_string()))
    }

    /// Returns the names of the states, and those of their values.
    fn snapshot_tables(&self) -> TokenStream {
        let titles = self.stored_states();
        let titles = titles.map(|state| Literal::string(self.title_of(&state)));
        let tags = self.stored_states();
        let tags = tags.map(|state| Literal::usize_unsuffixed(state.tag));
        let fields = self.stored_states().map(|state| {
            let names = state.values.iter();
            let names = names.map(|value| Literal::string(&value.name));
            quote!(&[#(#names),*])
        });
        let (private, older, indices) = (self.private(), self.older_names(), self.value_indices());
        let traits = self.stored_traits();
        quote! {
            traits { #traits }
            names #private::SnapshotNames {
                states: &[#(#titles),*],
                tags: &[#(#tags),*],
                values: &[#(#fields),*],
                indices: #indices,
                older: #older,
            };
        }
    }

    /// Returns the name of a state.
    pub(super) fn title_of(&self, state: &StoredState) -> &str {
        match state.tag {
            0 => "start",
            number => &self.body.awaits[number - 1].title,
        }
    }

    /// Returns the code that writes and reads the values of all states.
    fn snapshot_values(&self) -> TokenStream {
        let (private, tag, mode) = (self.private(), local_ident("tag"), local_ident("mode"));
        let fields = self.stored_fields();
        let values = fields.iter().rev().fold(quote!(()), |others, (field, of)| {
            let form = self.form(*field);
            match of.local.and_then(|local| self.default_of(local)) {
                None => quote!((#form, #others)),
                Some(default) => quote!((#private::WithDefault::new(#form, #default), #others)),
            }
        });
        let conditions = self.conditions_of_values();
        let (known, others) = self.stored_forms();
        quote! {
            #private::snapshot_values! {
                (__VoltMode, #tag, #mode)
                known { #known }
                forms { #others }
                values #values
                conditions [#conditions]
            }
        }
    }

    /// Returns the values that their slots may lack, each with its state and its condition.
    fn conditions_of_values(&self) -> TokenStream {
        let states = self.stored_states().enumerate();
        let conditions = states.flat_map(|(state, of)| {
            let values = of.values.into_iter().enumerate();
            values.filter_map(move |(value, of)| Some((state, value, of.unless?)))
        });
        let conditions = conditions.map(|(state, value, unless)| {
            let [state, value] = [state, value].map(Literal::usize_unsuffixed);
            quote!((#state, #value, #unless),)
        });
        conditions.collect()
    }

    /// Returns the index of each value of each state in the list of all values.
    fn value_indices(&self) -> TokenStream {
        let fields: Vec<_> = self.stored_fields().into_keys().collect();
        let values = self.stored_states().flat_map(|state| state.values);
        let indices = values.filter_map(|value| fields.binary_search(&value.field).ok());
        let indices = indices.map(Literal::usize_unsuffixed);
        quote!(&[#(#indices),*])
    }

    /// Returns the states that a snapshot may contain: the start, then each await outside of steps.
    pub(super) fn stored_states(&self) -> impl Iterator<Item = StoredState> {
        let awaits = (0..self.layout.resumes.len()).map(AwaitId);
        let awaits = awaits.filter(|id| !self.body.awaits[id.0].is_step);
        let start = StoredState {
            tag: 0,
            values: self.stored_arguments(),
        };
        [start].into_iter().chain(awaits.map(|id| StoredState {
            tag: id.0 + 1,
            values: self.stored_values(id),
        }))
    }

    fn stored_arguments(&self) -> Vec<StoredValue> {
        let mut values = Vec::new();
        for local in self.arguments() {
            self.add_value(&mut values, local, None, None);
        }
        values
    }

    /// Returns the values that are stored at an await.
    fn stored_values(&self, id: AwaitId) -> Vec<StoredValue> {
        let mut values = Vec::new();
        let resume = self.layout.resumes[id.0];
        for live in self.entry(resume) {
            let unless = self.unless(resume, live);
            self.add_value(&mut values, live.local, unless, self.dropped(resume, live));
        }
        let (name, number) = unique(&values, "await");
        values.push(StoredValue {
            field: self.layout.future(id),
            name,
            local: None,
            number,
            unless: None,
            is_only_dropped: false,
            query: None,
        });
        values
    }

    /// Returns the need of a local that no code uses where a block begins.
    fn dropped(&self, block: BlockId, live: &Live) -> Option<Need> {
        let kept = &self.liveness.dead_borrows;
        let is_dropped = live.need != Need::Used && !kept.contains_key(&(block, live.local));
        is_dropped.then_some(live.need)
    }

    /// Returns the condition under which the slot of a local has no value where a block begins. It
    /// is that of the layout, in which other fields have the bytes of such a slot.
    fn unless(&self, block: BlockId, live: &Live) -> Option<TokenStream> {
        let private = self.private();
        let others = self.liveness.dead_borrows.get(&(block, live.local));
        let is_unborrowed = others.map(|others| {
            let others: Vec<_> = others.iter().copied().collect();
            self.borrow_nothing(&others)
        });
        let unless = match (live.need, is_unborrowed) {
            (Need::Used, None) => return None,
            (Need::Scope, None) => quote!(#private::StoredUnless::NoDestructor),
            (Need::Used | Need::Scope, Some(is_unborrowed)) => {
                quote!(const { #private::StoredUnless::of(false, #is_unborrowed) })
            }
            (Need::Unless(query), is_unborrowed) => {
                let answer = self.answer(query);
                let is_unborrowed = is_unborrowed.unwrap_or_else(|| quote!(true));
                quote!(const { #private::StoredUnless::of(#answer, #is_unborrowed) })
            }
        };
        Some(unless)
    }

    fn add_value(
        &self,
        values: &mut Vec<StoredValue>,
        local: LocalId,
        unless: Option<TokenStream>,
        dropped: Option<Need>,
    ) {
        let Some(field) = self.field(local) else {
            return;
        };
        let data = &self.body.locals[local.0];
        let name = match data.kind {
            LocalKind::Iterator => "for",
            _ if data.is_hidden() => "value",
            _ => &data.name,
        };
        let (name, number) = unique(values, name);
        values.push(StoredValue {
            field,
            name,
            local: Some(local),
            number,
            unless,
            is_only_dropped: dropped.is_some(),
            query: match dropped {
                Some(Need::Unless(query)) => Some(query),
                _ => None,
            },
        });
    }
}

/// Returns a name that no value has yet, and the number in it.
fn unique(values: &[StoredValue], name: &str) -> (String, Option<usize>) {
    let numbers = [None].into_iter().chain((2..).map(Some));
    let mut names = numbers.map(|number| (numbered(name, number), number));
    let free = names.find(|(name, _)| values.iter().all(|value| value.name != *name));
    free.unwrap_or_default()
}

pub(super) fn numbered(name: &str, number: Option<usize>) -> String {
    number.map_or_else(|| name.to_owned(), |number| format!("{name}#{number}"))
}

/// Returns the type that has to implement the traits: the contents of a pinned box, the values of
/// an iterator, or the type itself.
fn bounded(ty: &TokenStream) -> TokenStream {
    let Ok(Type::Path(path)) = syn::parse2::<Type>(ty.clone()) else {
        return ty.clone();
    };
    let named = match &path.qself {
        Some(qself) => &qself.ty,
        None => return contents(&path).unwrap_or_else(|| ty.clone()),
    };
    match &**named {
        Type::Path(path) => contents(path).unwrap_or_else(|| ty.clone()),
        _ => ty.clone(),
    }
}

/// Returns `T` for `Pin<Box<T>>` and `vec::IntoIter<T>`.
fn contents(path: &TypePath) -> Option<TokenStream> {
    let last = path.path.segments.last()?;
    let argument = single_argument(last)?;
    match (&*last.ident.to_string(), argument) {
        ("IntoIter", argument) => Some(argument.to_token_stream()),
        ("Pin", Type::Path(inner)) => {
            let inner = inner.path.segments.last()?;
            let content = single_argument(inner).filter(|_| inner.ident == "Box")?;
            Some(content.to_token_stream())
        }
        _ => None,
    }
}

/// Returns the only generic argument of a path's segment.
fn single_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    let mut arguments = arguments.args.iter();
    match (arguments.next(), arguments.next()) {
        (Some(GenericArgument::Type(ty)), None) => Some(ty),
        _ => None,
    }
}
