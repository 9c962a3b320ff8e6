//! The ends of a segment: into a state, or to a place that several paths lead to.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::code::Code;
use super::segment::Segment;
use crate::state_machine::body::{Await, NodeId, Operand};
use crate::state_machine::model::{JumpKind, State};
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
            Operand::Closure(_) | Operand::Borrowed(_) => None,
        };
        let Some(state) = self.machine.states.iter().find(|state| state.node == id) else {
            return TokenStream::new();
        };
        let set = match state.partial.is_empty() {
            true => self.set(state, future),
            false => self.set_one_of(state, future),
        };
        let label = names::label("machine");
        let resume = self.go_to(&quote!(Resume));
        quote! {
            #set
            #resume
            continue #label;
        }
    }

    /// Goes to a state in which all its locals are there.
    fn set(&self, state: &State, future: Option<TokenStream>) -> TokenStream {
        let (states, this) = (&self.machine.names.states, names::local("state"));
        let (variant, field) = (&state.variant, &self.machine.names.future);
        let future = future.map(|value| quote!(#field: #value,));
        let locals = state.kept.iter().rev().map(|&kept| {
            let (name, value) = (self.machine.name(kept.local), self.keep(kept));
            if *name == value.to_string() {
                quote!(#name)
            } else {
                quote!(#name: #value)
            }
        });
        quote!(#this.set(#states::#variant { #future #(#locals),* });)
    }

    /// Goes to the state's variant that has what is still there.
    fn set_one_of(&self, state: &State, future: Option<TokenStream>) -> TokenStream {
        let (states, this) = (&self.machine.names.states, names::local("state"));
        let field = &self.machine.names.future;
        let declare = future.as_ref().map(|value| quote!(let #field = #value;));
        let future = future.is_some().then(|| quote!(#field,));
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
            let kept = state.kept.iter().rev();
            let kept = kept.filter(|kept| !gone.contains(&kept.local));
            let locals = kept.map(|&kept| {
                let name = self.machine.name(kept.local);
                let value = match kept.maybe {
                    true => self.hold(kept, name.to_token_stream()),
                    false => self.keep(kept),
                };
                quote!(#name: #value)
            });
            quote!((#(#found,)*) => #this.set(#states::#variant { #future #(#locals),* }))
        });
        quote! {
            #declare
            match (#(#names.into_option(),)*) { #(#arms,)* }
        }
    }

    /// Sets where to go on in the next turn of `poll`, if there is a choice.
    pub(super) fn go_to(&self, place: &TokenStream) -> TokenStream {
        if self.machine.jumps.is_empty() {
            return TokenStream::new();
        }
        let (next, places) = (names::local("next"), &self.machine.names.next);
        quote!(#next = #places::#place;)
    }

    pub(super) fn jump(&self, node: NodeId, head: bool) -> Option<TokenStream> {
        let jump = self.machine.jump(node, head)?;
        let kept = jump.kept.iter().map(|&kept| self.carry(kept));
        let value = names::local("value");
        let value = (jump.kind == JumpKind::After { value: true }).then_some(value);
        let (variant, label) = (&jump.variant, names::label("machine"));
        let items = kept.chain(value.map(ToTokens::into_token_stream));
        let go = self.go_to(&quote!(#variant((#(#items,)*))));
        Some(quote!(#go continue #label;))
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
