//! The receiver of a method, and its effect on the other arguments.
//!
//! A receiver is bound before anything is called. If it is `self` by value, the body may take it
//! apart, and the other arguments are parameters, too: see [`coroutine`](super::coroutine).
//!
//! Without a trace a coroutine that waits for its arguments stores the receiver across that wait,
//! and an address. So the other arguments are parameters if they may be smaller than both.

use syn::{Receiver, ReceiverKind, Type};

use super::native_machine::NativeMachine;
use super::type_size::least_size;
use crate::backend::{is_foreign, is_instrument};
use crate::signature::{Argument, Method, Signature, is_receiver};
use crate::syntax::macros_name_self;

/// Returns `true` if the body of a method is in a function outside of any `impl`. The machine is
/// smaller then, because its coroutine stores the receiver once. That applies to a method of a
/// trait in which no macro names `self` or `Self`. It applies, too, if another attribute may change
/// the signature, or if the private trait cannot declare the receiver. `#[instrument]` records
/// `self` by that name, and its settings may use it.
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
    /// Returns the method whose `impl` has the function. A lifted method has its receiver as an
    /// ordinary argument.
    pub(super) fn impl_target(&self) -> Option<&Method> {
        self.method.filter(|_| !self.is_lifted)
    }

    /// Returns the receiver of a function in an `impl`.
    pub(super) fn receiver(&self) -> Option<&Argument> {
        let first = self.signature.arguments.first();
        first.filter(|first| is_receiver(first) && self.impl_target().is_some())
    }

    /// Returns the arguments without the receiver, with their indices.
    pub(super) fn other_arguments(&self) -> impl Iterator<Item = (usize, &Argument)> {
        let first = usize::from(self.receiver().is_some());
        self.signature.arguments.iter().enumerate().skip(first)
    }

    /// Returns `true` if a coroutine captures all arguments: its body may take the receiver apart,
    /// or they are no larger than the state in which it waits for them. The body of a method under
    /// another attribute is in another function.
    pub(super) fn captures_arguments(&self) -> bool {
        let receiver = self.impl_target().and_then(|it| it.original.sig.receiver());
        if self.signature.attrs.iter().any(is_foreign) {
            self.wrapper_makes_coroutine()
        } else if self.is_compact_generic() && !self.may_wait.get() {
            // It would otherwise store them at its gate, as a tuple with padding, and nothing else.
            true
        } else {
            // A coroutine that has begun must not move with a captured reference, which would be
            // reborrowed.
            receiver.is_some_and(|receiver| {
                is_taken_apart(receiver)
                    || self.is_compact_generic()
                    || !self.is_traced() && self.may_be_small()
            })
        }
    }

    /// Returns `true` if the function under other attributes creates the coroutine, because its
    /// body records all awaits.
    pub(super) fn wrapper_makes_coroutine(&self) -> bool {
        let attrs = self.signature.attrs.iter();
        let mut foreign = attrs.filter(|attr| is_foreign(attr)).peekable();
        foreign.peek().is_some() && (!self.is_traced() || foreign.all(is_instrument))
    }

    /// Returns `true` if the arguments of a method may take less than two pointers.
    fn may_be_small(&self) -> bool {
        let others = self.signature.arguments.iter().skip(1);
        let least: usize = others.map(|argument| least_size(&argument.ty)).sum();
        least < 16
    }

    /// Returns `true` if a coroutine receives arguments when it runs, and not all when it is
    /// created.
    pub(super) fn receives_arguments(&self) -> bool {
        self.other_arguments().next().is_some() && !self.captures_arguments()
    }
}

/// Returns `true` if a body may take its receiver apart: it is `self` by value. Of a boxed receiver
/// the compiler stores only the box.
fn is_taken_apart(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(..) => false,
        ReceiverKind::Typed(_, ty) => matches!(&**ty, Type::Path(ty) if ty.path.is_ident("Self")),
        _ => true,
    }
}
