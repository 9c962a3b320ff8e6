//! The ends of a segment: into a state, or to a place that several paths lead to.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::code::Code;
use super::segment::Segment;
use crate::state_machine::body::{Await, NodeId, Operand};
use crate::state_machine::composed::with_loans;
use crate::state_machine::model::{JumpKind, Rank, State};
use crate::state_machine::names;

impl Segment<'_> {
    pub(super) fn suspend(&mut self, id: NodeId, point: &Await) -> TokenStream {
        let future = match &point.operand {
            Operand::Stored {
                value,
                convert: true,
                ..
            } => {
                let value = self.plain(value);
                Some(quote!(::core::future::IntoFuture::into_future(#value)))
            }
            Operand::Stored { value, .. } => Some(self.plain(value)),
            Operand::Call { value, boxed, .. } => {
                let value = self.plain(value);
                let value = quote!(#value.into_machine());
                Some(match boxed {
                    Some(pin) => quote!(#pin(#value)),
                    None => value,
                })
            }
            Operand::Composed { value, parts, .. } => {
                let value = with_loans(value, parts, self.volt());
                Some(self.plain(&value))
            }
            Operand::Closure(_) | Operand::Borrowed(_) => None,
        };
        let Some(state) = self.machine.states.iter().find(|state| state.node == id) else {
            return TokenStream::new();
        };
        let (name, this) = (&self.machine.names.future, names::local("state"));
        let (declare, future) = match future {
            Some(future) => (Some(quote!(let #name = #future;)), quote!(#name)),
            None => (None, quote!(())),
        };
        let path = self.machine.path(&state.kept);
        let vacate = self.machine.vacate_once(&path);
        let go = match state.partial.is_empty() {
            true => {
                let locals = self.machine.fields(&state.kept);
                let locals = locals.map(|&kept| self.keep(kept));
                let variant = &state.variant;
                let put = quote!(#this.put(#future, (#(#locals,)*)));
                let along = self.machine.along(&path, &put);
                let place = quote!(#variant(#along));
                self.go_to(state.rank(), &place)
            }
            false => self.go_to_one_of(state, &future),
        };
        quote!(#declare #vacate #go)
    }

    /// Goes to the state's variant that has what is still there.
    fn go_to_one_of(&self, state: &State, future: &TokenStream) -> TokenStream {
        let this = names::local("state");
        let path = self.machine.path(&state.kept);
        let maybe: Vec<_> = state.maybe().collect();
        let names = maybe.iter().map(|&local| self.machine.name(local));
        let arms = state.variants().map(|(variant, gone)| {
            let found = maybe.iter().map(|local| {
                let name = self.machine.name(*local);
                match gone.contains(local) {
                    true => quote!(::core::option::Option::None),
                    false => quote!(::core::option::Option::Some(#name)),
                }
            });
            let kept = self.machine.fields(&state.kept);
            let kept = kept.filter(|kept| !gone.contains(&kept.local));
            let locals = kept.map(|&kept| match kept.maybe {
                true => self.hold(kept, self.machine.name(kept.local).to_token_stream()),
                false => self.keep(kept),
            });
            let put = quote!(#this.put(#future, (#(#locals,)*)));
            let along = self.machine.along(&path, &put);
            let go = self.go_to(state.rank(), &quote!(#variant(#along)));
            quote!((#(#found,)*) => { #go })
        });
        quote!(match (#(#names.into_option(),)*) { #(#arms,)* })
    }

    /// Goes on at a place of `poll`: further down, or in another turn.
    fn go_to(&self, rank: Rank, place: &TokenStream) -> TokenStream {
        let (next, places) = (names::local("next"), &self.machine.names.next);
        let (segment, machine) = (names::label("segment"), names::label("machine"));
        let go = if self.rank < Some(rank) {
            quote!(break #segment;)
        } else {
            quote!(continue #machine;)
        };
        quote!(#next = #places::#place; #go)
    }

    pub(super) fn jump(&self, node: NodeId, head: bool) -> Option<TokenStream> {
        let jump = self.machine.jump(node, head)?;
        let kept = self.machine.moved(&jump.kept);
        let kept = kept.map(|&kept| self.carry(kept));
        let value = names::local("value");
        let value = (jump.kind == JumpKind::After { value: true }).then_some(value);
        let (variant, this) = (&jump.variant, names::local("state"));
        let items = kept.chain(value.map(ToTokens::into_token_stream));
        let path = self.machine.path(&jump.kept);
        let is_leaf = self.machine.rooms.is_leaf(path.last().copied());
        let this = is_leaf.then(|| quote!(#this,));
        let places = path.iter().map(|&room| self.machine.room_local(room));
        Some(self.go_to(
            jump.rank(),
            &quote!(#variant((#this #(#places,)* #(#items,)*))),
        ))
    }

    /// What follows a construct: a jump if other paths lead there too.
    pub(super) fn leave(&mut self, id: NodeId, code: Code) -> Code {
        let Some(jump) = self.jump(id, false).filter(|_| code.falls) else {
            return code;
        };
        let Code { stmts, value, .. } = &code;
        let used = self.machine.jump(id, false).map(|jump| jump.kind);
        if used == Some(JumpKind::After { value: true }) {
            let (name, value) = (names::local("value"), code.expr());
            return Code::diverges(quote!(let #name = #value; #jump));
        }
        let value = value.as_ref().map(|value| quote!(#value;));
        Code::diverges(quote!(#stmts #value #jump))
    }

    pub(super) fn is_left(&self, id: NodeId) -> bool {
        self.machine.left.contains(&id)
    }
}
