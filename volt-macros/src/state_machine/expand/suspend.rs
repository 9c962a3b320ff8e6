//! The ends of a segment: into a state, or to a place that several paths lead to.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::code::Code;
use super::segment::Segment;
use crate::state_machine::body::{Await, NodeId, Operand};
use crate::state_machine::model::JumpKind;
use crate::state_machine::names;

impl Segment<'_> {
    pub(super) fn suspend(&mut self, id: NodeId, point: &Await) -> TokenStream {
        let names = &self.machine.names;
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
            Operand::Call { value, .. } => {
                let value = self.plain(value);
                Some(quote!(#value.into_machine()))
            }
            Operand::Closure(_) | Operand::Borrowed(_) => None,
        };
        let field = &names.future;
        let future = future.map(|value| quote!(#field: #value,));
        let Some(state) = self.machine.states.iter().find(|state| state.node == id) else {
            return TokenStream::new();
        };
        let locals = state.kept.iter().rev().map(|&kept| {
            let (name, value) = (self.machine.name(kept.local), self.keep(kept));
            if *name == value.to_string() {
                quote!(#name)
            } else {
                quote!(#name: #value)
            }
        });
        let (states, variant, this) = (&names.states, &state.variant, names::local("state"));
        let label = names::label("machine");
        let resume = self.go_to(&quote!(Resume));
        quote! {
            #this.set(#states::#variant { #future #(#locals),* });
            #resume
            continue #label;
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
        let kept = jump.kept.iter().map(|&kept| self.keep(kept));
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
