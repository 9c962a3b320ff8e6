//! Rooms: the states that are nested beside a local which stays in its place.
//!
//! Inside a room the local's name is that of a reference to it. What is known of the innermost
//! states goes with it from segment to segment, like that of the states of a machine without
//! rooms. The states around them are asked again when the room is left or another is made.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::poll::Poll;
use super::segment::Segment;
use crate::state_machine::body::{Glue, LocalId};
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::{Machine, State};
use crate::state_machine::names;

/// A variant of a set of states.
pub(super) enum Variant<'a> {
    State(&'a State, &'a Ident, &'a [LocalId]),
    Room(usize),
}

impl Machine {
    /// The variants beside the local of a room, or those of the outermost states. The variant
    /// `Start` of the latter is not among them.
    pub(super) fn level(&self, room: Option<usize>) -> Vec<Variant<'_>> {
        let states = self.states.iter();
        let states = states.filter(|state| self.path(&state.kept).last().copied() == room);
        let variants = states.flat_map(|state| {
            let variants = state.variants();
            variants.map(move |(name, gone)| Variant::State(state, name, gone))
        });
        let rooms = self.rooms.0.iter().enumerate();
        let rooms = rooms.filter(|(_, inner)| inner.within == room);
        let rooms = rooms.map(|(index, _)| Variant::Room(index));
        variants.chain(rooms).collect()
    }

    /// The rooms that a place is in where this is kept: outermost first.
    pub(super) fn path(&self, kept: &[Kept]) -> Vec<usize> {
        self.rooms.path(kept.iter().map(|kept| kept.local))
    }

    /// What is kept and moves from segment to segment.
    pub(super) fn moved<'k>(
        &self,
        kept: &'k [Kept],
    ) -> impl DoubleEndedIterator<Item = &'k Kept> + Clone + use<'k, '_> {
        kept.iter().filter(|kept| !self.is_in_place(kept.local))
    }

    /// Whether a local stays in its place.
    pub(super) fn is_in_place(&self, local: LocalId) -> bool {
        self.beside.contains(&local) || self.rooms.of(local).is_some()
    }

    /// The same as the fields of a state: first what has no destructor, each where it is in other
    /// states too; then the others in the order in which they are dropped.
    pub(super) fn fields<'k>(
        &self,
        kept: &'k [Kept],
    ) -> impl Iterator<Item = &'k Kept> + Clone + use<'k> {
        let (mut plain, droppy): (Vec<_>, Vec<_>) =
            self.moved(kept).partition(|kept| self.is_plain(kept));
        plain.sort_by_key(|kept: &&Kept| self.places[kept.local]);
        plain.into_iter().chain(droppy.into_iter().rev())
    }

    /// Whether a local has no destructor whatever its type stands for.
    pub(super) fn is_plain(&self, kept: &Kept) -> bool {
        self.body.locals[kept.local].glue == Glue::None
    }

    /// The name of the local of a room.
    pub(super) fn room_local(&self, room: usize) -> &Ident {
        self.name(self.rooms.0[room].local)
    }

    /// The type of the states beside the local of a room, or of the outermost ones.
    pub(super) fn level_type(&self, room: Option<usize>) -> TokenStream {
        let arguments = self.function.arguments();
        room.map_or_else(
            || quote!(Self),
            |room| {
                let states = &self.room_names[room].states;
                quote!(#states<#arguments>)
            },
        )
    }

    /// The index of the variant that is the room.
    fn room_index(&self, room: usize) -> usize {
        let within = self.rooms.0[room].within;
        let level = self.level(within);
        let is_it =
            |variant: &Variant<'_>| matches!(variant, Variant::Room(index) if *index == room);
        let index = level.iter().position(is_it).unwrap_or_default();
        index + usize::from(within.is_none())
    }

    /// Vacates the states of a level, from the outermost ones on. The locals of the rooms on the
    /// way are borrowed anew, under new bindings or under those that are there.
    pub(super) fn vacate(&self, path: &[usize], rebinds: bool) -> TokenStream {
        let volt = &self.options.volt;
        let (state, place) = (names::local("state"), names::local("place"));
        let states = names::local("states");
        let enter = path.iter().map(|&room| {
            let (ty, index) = (
                self.level_type(self.rooms.0[room].within),
                self.room_index(room),
            );
            let name = self.room_local(room);
            let at = quote!(#volt::__private::At::<#ty, #index>::of(#state).enter());
            match rebinds {
                true => quote!(let (#state, #place) = #at; (#name,) = #place;),
                false => quote!(let (#state, (mut #name,)) = #at;),
            }
        });
        quote! {
            let #state = #states.as_mut();
            #(#enter)*
            let #state = #volt::__private::Vacant::of(#state);
        }
    }

    /// What makes the innermost states of a path known to be vacant, unless they are already.
    pub(super) fn vacate_once(&self, path: &[usize]) -> Option<TokenStream> {
        let is_known = self.rooms.is_leaf(path.last().copied());
        (!is_known).then(|| self.vacate(path, false))
    }

    /// What goes along with a place in rooms: what is known of the states, and the locals.
    pub(super) fn along(&self, path: &[usize], state: &TokenStream) -> TokenStream {
        let names = path.iter().map(|&room| self.room_local(room));
        match path.is_empty() {
            true => state.clone(),
            false => quote!((#state, #(#names,)*)),
        }
    }

    /// The pattern for it.
    pub(super) fn bound_along(&self, path: &[usize], state: &TokenStream) -> TokenStream {
        let names = path.iter().map(|&room| self.room_local(room));
        match path.is_empty() {
            true => state.clone(),
            false => quote!((#state, #(mut #names,)*)),
        }
    }

    /// Puts a local in its place: from here on its name is that of a reference.
    pub(super) fn furnish(&self, local: LocalId, value: &TokenStream) -> Option<TokenStream> {
        let (state, name) = (names::local("state"), self.name(local));
        let (initial, ty) = (names::local("initial"), &self.body.locals[local].ty);
        if let Some(place) = self.place_beside(local) {
            return Some(quote! {
                let #initial: #ty = #value;
                let #name = &mut #place;
                *#name = #initial;
            });
        }
        let room = self.rooms.of(local)?;
        let mut path = self.rooms.path(std::iter::once(local));
        path.pop();
        let (vacate, index) = (self.vacate(&path, true), self.room_index(room));
        Some(quote! {
            let #initial: #ty = #value;
            #vacate
            let (#state, (mut #name,)) = #state.furnish::<#index>((#initial,));
        })
    }

    /// The pattern of a state from the outermost states on.
    pub(super) fn pattern(
        &self,
        state: &State,
        variant: &Ident,
        fields: &TokenStream,
    ) -> TokenStream {
        let path = self.path(&state.kept);
        let states = |room: Option<usize>| {
            room.map_or(&self.names.states, |room| &self.room_names[room].states)
        };
        let innermost = states(path.last().copied());
        let mut pattern = quote!(#innermost::#variant { #fields .. });
        for &room in path.iter().rev() {
            let (outer, at) = (states(self.rooms.0[room].within), &self.names.at);
            let name = &self.room_names[room].variant;
            pattern = quote!(#outer::#name { #at: #pattern, .. });
        }
        pattern
    }
}

impl Segment<'_> {
    /// Puts arguments in their place.
    pub(super) fn places(&self, arguments: &[LocalId]) -> TokenStream {
        let places = arguments.iter().filter_map(|&local| {
            let name = self.machine.name(local);
            match self.machine.place_beside(local) {
                Some(place) => Some(quote!(let #name = &mut #place;)),
                None => self.machine.furnish(local, &name.to_token_stream()),
            }
        });
        places.collect()
    }

    /// Proofs that what is to stay in its place has no destructor.
    pub(super) fn no_destructors(&self, locals: &[LocalId]) -> TokenStream {
        let in_place = locals
            .iter()
            .filter(|&&local| self.machine.body.locals[local].in_place);
        let in_place = in_place.map(|&local| {
            let (name, ty) = (
                self.machine.name(local),
                &self.machine.body.locals[local].ty,
            );
            let volt = self.volt_at(name.span());
            quote_spanned!(name.span()=> #volt::__private::no_destructor::<#ty>();)
        });
        in_place.collect()
    }
}

impl Poll<'_> {
    /// The segment for when a room is resumed: it asks where the states in it stand.
    pub(super) fn room(&self, room: usize) -> TokenStream {
        let machine = self.machine;
        let mut path = machine
            .rooms
            .path(std::iter::once(machine.rooms.0[room].local));
        path.pop();
        let (state, next) = (names::local("state"), names::local("next"));
        let label = names::label("segment");
        let bound = machine.bound_along(&path, &quote!(#state));
        path.push(room);
        let name = machine.room_local(room);
        let (places, inner) = (&machine.names.next, &machine.room_names[room].next);
        let level = machine.level(Some(room));
        let along = machine.along(&path, &quote!(#state));
        let arms = level.iter().map(|variant| {
            let name = match variant {
                Variant::State(_, name, _) => name,
                Variant::Room(room) => &machine.room_names[*room].variant,
            };
            quote!(#inner::#name(#state) => #places::#name(#along))
        });
        let code = quote! {
            let (#state, (mut #name,)) = #state.enter();
            #next = match #state.project() { #(#arms,)* };
            break #label;
        };
        self.at(&machine.room_names[room].variant, &bound, &code)
    }
}
