//! `Walk`: a walk over the machines of a future, by their states or as a tree.

use core::any::{TypeId, type_name};
use core::fmt;
use core::pin::Pin;

use volt_inspect::machine::{State, StateMachine, Tables, trace_at, type_id_of};
use volt_inspect::{Inspector, Node, Status};

/// A walk over a machine and the futures that it awaits.
///
/// Both kinds find the awaited future in the same way, so they share that code. A walk by states
/// only reads. A walk as a tree has exclusive access to the machine.
pub enum Walk<'a, 'b> {
    /// Visits the states of nested machines.
    States(&'a mut dyn FnMut(&'static State)),
    /// Reports each future to an inspector.
    Tree(&'a mut Inspector<'b>),
}

impl fmt::Debug for Walk<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::States(_) => "States",
            Self::Tree(_) => "Tree",
        })
    }
}

impl Walk<'_, '_> {
    /// Visits a state of a machine with these tables, then the future that is awaited there.
    pub(crate) fn enter(
        &mut self,
        state: &'static State,
        tables: &'static Tables,
        inner: impl FnOnce(&mut Walk<'_, '_>),
    ) {
        if let Self::Tree(inspector) = self
            && !inspector.begin_node(&Node::of_state(state).tables(tables))
        {
            return;
        }
        if let Self::States(visit) = self {
            visit(state);
        }
        inner(self);
        if let Self::Tree(inspector) = self {
            inspector.end_node();
        }
    }

    /// Reports a future in a local that the current await does not poll. A walk by states has only
    /// the awaited futures.
    pub(crate) fn dormant(&mut self, local: &'static str, inspect: impl FnOnce(&mut Walk<'_, '_>)) {
        if let Self::Tree(inspector) = self {
            inspector.as_dormant(local, |inspector| inspect(&mut Walk::Tree(inspector)));
        }
    }

    /// Reports one of several futures that the current state polls. A walk by states ends at them.
    pub(crate) fn child(&mut self, index: usize, inspect: impl FnOnce(&mut Walk<'_, '_>)) {
        if let Self::Tree(inspector) = self {
            let inspect = |inspector: &mut Inspector<'_>| inspect(&mut Walk::Tree(inspector));
            inspector.as_child(index, Status::Waiting, inspect);
        }
    }

    /// Reports a future by the name of its type. A walk by states has no node for it.
    pub(crate) fn type_of<F>(&mut self) {
        if let Self::Tree(inspector) = self {
            inspector.opaque::<F>();
        }
    }

    /// Continues in an awaited machine.
    ///
    /// # Safety
    ///
    /// `machine` is the address of a live machine, and nothing has a mutable reference into it. In
    /// a tree the caller has exclusive access to the machine, which is pinned, and the pointer may
    /// write.
    pub(crate) unsafe fn machine<M: StateMachine>(&mut self, machine: *const M) {
        match self {
            // SAFETY: promised by the caller.
            Self::States(visit) => unsafe { &*machine }.trace(visit),
            Self::Tree(inspector) => {
                // SAFETY: promised by the caller.
                let machine = unsafe { &mut *machine.cast_mut() };
                // SAFETY: promised by the caller.
                unsafe { Pin::new_unchecked(machine) }.inspect_machine(inspector);
            }
        }
    }

    /// Continues in an awaited future of an unknown kind.
    ///
    /// # Safety
    ///
    /// The same as for [`machine`](Self::machine).
    pub(crate) unsafe fn future<F>(&mut self, future: *const F) {
        // SAFETY: promised by the caller.
        unsafe { self.future_at(future.cast(), type_id_of::<F>(), type_name::<F>()) };
    }

    /// Continues in an awaited future of a type with this identity and name.
    ///
    /// # Safety
    ///
    /// The same as for [`machine`](Self::machine), for the future at the address.
    #[cold]
    #[inline(never)]
    unsafe fn future_at(&mut self, future: *const (), type_id: TypeId, name: &'static str) {
        match self {
            // SAFETY: promised by the caller.
            Self::States(visit) => unsafe { trace_at(future, type_id, visit) },
            // SAFETY: promised by the caller.
            Self::Tree(inspector) => unsafe {
                inspector.future_at(future.cast_mut(), type_id, name);
            },
        }
    }

    /// Continues in an awaited future by the first of these types that is registered, or by its
    /// own. A walk by states ends there.
    ///
    /// # Safety
    ///
    /// The same as for [`machine`](Self::machine). The future may be used as one of each type.
    pub(crate) unsafe fn future_of_types<F>(
        &mut self,
        future: *const F,
        types: [Option<TypeId>; 2],
    ) {
        if let Self::Tree(inspector) = self {
            let mut types = types.into_iter().flatten();
            if let Some(ty) = types.find(|ty| inspector.is_registered_id(*ty)) {
                let future = future.cast_mut().cast();
                // SAFETY: promised by the caller.
                return unsafe { inspector.erased_future(future, ty, type_name::<F>()) };
            }
        }
        // SAFETY: promised by the caller.
        unsafe { self.future(future) };
    }

    /// Continues in a value, if its type is registered and the walk reports a tree.
    ///
    /// # Safety
    ///
    /// The same as for [`machine`](Self::machine).
    pub(crate) unsafe fn registered<T>(&mut self, value: *const T) {
        let is_registered = |inspector: &Inspector<'_>| inspector.is_registered::<T>();
        if matches!(self, Self::Tree(inspector) if is_registered(inspector)) {
            // SAFETY: promised by the caller.
            unsafe { self.future(value) };
        }
    }
}
