//! The receiver of a method, and what that means for its other arguments.
//!
//! A receiver is bound before anything is called. Where it is `self` by value, the body may take it apart, and the
//! others are parameters, too: see [`coroutine`](super::coroutine).
//!
//! Without a trace a coroutine that waits for its arguments keeps the receiver across that wait, and an address beside it. So
//! the others are parameters where they may be smaller than both.

use syn::{Receiver, ReceiverKind, Type};

use super::native_machine::NativeMachine;
use super::type_size::least_size;
use crate::backend::{is_foreign, is_instrument};
use crate::signature::{Argument, Method, Signature, is_receiver};
use crate::syntax::macros_name_self;

/// Returns `true` if the body of a method is in a function outside of any `impl`. The machine is
/// smaller then, because its coroutine has the receiver once. That is so for the method of a trait
/// in which no macro names `self` or `Self`. It is so, too, where another attribute may change the
/// signature, and where the private trait cannot declare the receiver. `#[instrument]` records `self`
/// by that name, and its settings may use it.
pub(super) fn is_lifted(method: &Method, signature: &Signature) -> bool {
    let is_of_trait = method.impl_target.trait_path.is_some();
    let foreign = signature.attrs.iter().filter(|attr| is_foreign(attr));
    let mut foreign = foreign.peekable();
    let names_self = foreign.peek().is_some() || macros_name_self(&method.original.block);
    let receiver = signature.arguments.first().filter(|it| is_receiver(it));
    let is_declared = |it: &Argument| method.declared_receiver(&it.ty).is_some();
    is_of_trait && !(names_self && receiver.is_none_or(is_declared) && foreign.all(is_instrument))
}

impl NativeMachine<'_> {
    /// The method in whose `impl` the function is. A method that is lifted has its receiver as an
    /// argument like others.
    pub(super) fn impl_target(&self) -> Option<&Method> {
        self.method.filter(|_| !self.is_lifted)
    }

    /// The receiver of a function that stands in an `impl`.
    pub(super) fn receiver(&self) -> Option<&Argument> {
        let first = self.signature.arguments.first();
        first.filter(|first| is_receiver(first) && self.impl_target().is_some())
    }

    /// The arguments but the receiver, with their places.
    pub(super) fn other_arguments(&self) -> impl Iterator<Item = (usize, &Argument)> {
        let first = usize::from(self.receiver().is_some());
        self.signature.arguments.iter().enumerate().skip(first)
    }

    /// Whether a coroutine captures all arguments: its body may take the receiver apart, or they are no larger than
    /// what it needs to wait for them. The body of one under an attribute of others stands in another function.
    pub(super) fn captures_arguments(&self) -> bool {
        let receiver = self.impl_target().and_then(|it| it.original.sig.receiver());
        if self.signature.attrs.iter().any(is_foreign) {
            self.wrapper_makes_coroutine()
        } else {
            receiver.is_some_and(|receiver| {
                is_taken_apart(receiver) || !self.is_traced() && self.may_be_small()
            })
        }
    }

    /// Whether the function under attributes of others makes the coroutine: its body notes all that there is to note.
    pub(super) fn wrapper_makes_coroutine(&self) -> bool {
        let attrs = self.signature.attrs.iter();
        let mut foreign = attrs.filter(|attr| is_foreign(attr)).peekable();
        foreign.peek().is_some() && (!self.is_traced() || foreign.all(is_instrument))
    }

    /// Whether the arguments of a method may take less than two pointers.
    fn may_be_small(&self) -> bool {
        let others = self.signature.arguments.iter().skip(1);
        let least: usize = others.map(|argument| least_size(&argument.ty)).sum();
        least < 16
    }

    /// Whether a coroutine takes arguments when it runs, and not all when it is made.
    pub(super) fn receives_arguments(&self) -> bool {
        self.other_arguments().next().is_some() && !self.captures_arguments()
    }
}

/// Whether a body may take its receiver apart: it is `self` by value. Of what is in a box the compiler keeps the box alone.
fn is_taken_apart(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(..) => false,
        ReceiverKind::Typed(_, ty) => matches!(&**ty, Type::Path(ty) if ty.path.is_ident("Self")),
        _ => true,
    }
}
