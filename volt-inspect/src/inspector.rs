//! `Inspector`: the walk over a tree of futures.

use core::any::{TypeId, type_name};
use core::fmt::{self, Debug};
use core::pin::Pin;

use crate::description::State;
use crate::node::Node;
use crate::status::Status;
use crate::type_id::type_id_of;
use crate::visitor::Visitor;
use crate::wait::Wait;

/// The depth at which a walk stops.
pub const MAX_DEPTH: usize = 64;

/// The number of nodes after which a walk stops.
pub const MAX_NODES: usize = 1_000;

/// The calls of [`Inspector::future`] within each other after which a walk stops. Wrappers that
/// open no node, such as boxes, do not count as depth.
const MAX_CALLS: usize = 4 * MAX_DEPTH;

/// A function that inspects a future whose type is erased.
///
/// # Safety
///
/// The address is that of a live, pinned future of the type for which the function is registered,
/// and the caller has exclusive access to that future.
#[doc(hidden)]
pub type InspectFn = unsafe fn(*mut (), &mut Inspector<'_>);

/// Reads machines of one type by their addresses.
///
/// Expanded machines are read by constants of few types. So a type of machines adds no code for
/// this to a program.
#[doc(hidden)]
pub trait MachineAccess: Sync {
    /// Visits the states of a machine, from the outermost to the innermost.
    ///
    /// # Safety
    ///
    /// There is a live machine of the type at the address. Nothing has a mutable reference into it.
    unsafe fn trace(&self, machine: *const (), visit: &mut dyn FnMut(&'static State));

    /// Reports a machine as one node, with the future that it awaits.
    ///
    /// # Safety
    ///
    /// There is a live and pinned machine of the type at the address, and the caller has exclusive
    /// access to it.
    unsafe fn inspect(&self, machine: *mut (), inspector: &mut Inspector<'_>);
}

/// The trait has no bound `Debug`, which would add code for all tables to each program.
impl Debug for dyn MachineAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MachineAccess")
    }
}

/// The way to inspect a future of a registered type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum InspectBy {
    /// Calls a function.
    Call(InspectFn),
    /// Reads a machine by its address.
    Machine(&'static dyn MachineAccess),
    /// Continues in the future to which a thin pointer points. The pointee is pinned, or `Unpin`.
    Pointee {
        /// The type of the pointee.
        type_id: TypeId,
        /// The name of that type.
        name: &'static str,
    },
}

/// A function that returns the way to inspect a registered type.
pub(crate) type Find = fn(TypeId) -> Option<InspectBy>;

/// Walks a tree of futures, and passes each node to a [`Visitor`].
///
/// An [`Inspect`](crate::Inspect) implementation calls its methods. A walk is at most [`MAX_DEPTH`]
/// nodes deep and visits at most [`MAX_NODES`] nodes. Each node beyond a limit is counted
/// ([`Visitor::omitted`]), and the futures in it are not visited.
pub struct Inspector<'a> {
    visitor: &'a mut dyn Visitor,
    find: Find,
    depth: usize,
    calls: usize,
    nodes: usize,
    /// The facts about the next node that its parent has reported.
    next: Option<NextNode>,
}

/// The facts about a node that its parent reports.
#[derive(Clone, Copy)]
struct NextNode {
    /// The number of the child, if the parent has several.
    index: Option<usize>,
    /// The local variable that stores the future. Empty if there is none.
    local: &'static str,
    status: Status,
}

impl NextNode {
    /// Returns the status of the node: that of the parent, unless only the future itself knows that
    /// it has not started or has ended.
    fn status(self, own: Status) -> Status {
        match self.status {
            Status::Waiting => own,
            Status::Dormant if own != Status::Waiting => own,
            known => known,
        }
    }
}

impl<'a> Inspector<'a> {
    pub(crate) fn with_find(visitor: &'a mut dyn Visitor, find: Find) -> Self {
        Self {
            visitor,
            find,
            depth: 0,
            calls: 0,
            nodes: 0,
            next: None,
        }
    }

    /// Reports one future. `describe` reports its values, the event for which it waits, and the
    /// futures in it.
    pub fn node(&mut self, node: &Node, describe: impl FnOnce(&mut Self)) {
        if self.begin_node(node) {
            describe(self);
            self.end_node();
        }
    }

    /// Begins a node. Returns `false` if it is omitted.
    ///
    /// The function does not depend on the closure that describes the node. Each program has one
    /// instance of it.
    #[doc(hidden)]
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn begin_node(&mut self, node: &Node) -> bool {
        let next = self.next.take().unwrap_or(NextNode {
            index: None,
            local: "",
            status: Status::Waiting,
        });
        if self.depth == MAX_DEPTH || self.nodes == MAX_NODES {
            self.omit(1);
            return false;
        }
        self.nodes += 1;
        let status = next.status(node.status);
        let local = next.local;
        self.visitor
            .enter(&Node { local, ..*node }, next.index, status);
        self.depth += 1;
        true
    }

    /// Ends the node that the last call of [`begin_node`](Self::begin_node) has begun.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    pub fn end_node(&mut self) {
        self.depth -= 1;
        self.next = None;
        self.visitor.leave();
    }

    /// Reports a value that the current node stores.
    ///
    /// A visitor can hide the values of a type. Report the value itself, not as a `dyn Debug`, so
    /// that its type is known.
    pub fn value<T: Debug + ?Sized>(&mut self, name: &'static str, value: &T) {
        self.value_of_type(name, &value, type_name::<T>());
    }

    /// Reports a value with the name of its type.
    #[doc(hidden)]
    pub fn value_of_type(
        &mut self,
        name: &'static str,
        value: &dyn Debug,
        type_name: &'static str,
    ) {
        if !self.wants_values() {
            return;
        }
        if self.visitor.hides_values_of(type_name) {
            self.visitor.value(name, &format_args!("<secret>"));
        } else {
            self.visitor.value(name, value);
        }
    }

    /// Reports a local variable that the current node stores, with the name of its type.
    ///
    /// A visitor finds guards of locks by it. The value is not read.
    pub fn local(&mut self, name: &'static str, type_name: &'static str) {
        self.visitor.local(name, type_name);
    }

    /// Reports the event for which the current node waits.
    pub fn waits(&mut self, wait: Wait<'_>) {
        self.visitor.wait(&wait);
    }

    /// Inspects the only future in this one.
    ///
    /// The type needs no bound. If it is [registered](crate::register), its
    /// [`Inspect`](crate::Inspect) implementation is called. Otherwise the future is a node with
    /// the name of its type.
    pub fn future<F>(&mut self, future: Pin<&mut F>) {
        // SAFETY: nothing is moved out.
        let future: *mut F = unsafe { Pin::get_unchecked_mut(future) };
        // SAFETY: the future has this type, and is borrowed and pinned.
        unsafe { self.future_at(future.cast(), type_id_of::<F>(), type_name::<F>()) };
    }

    /// Inspects the future at an address in the same way as [`future`](Self::future).
    ///
    /// # Safety
    ///
    /// The address is that of a live, pinned future of the type with this identity, and the caller
    /// has exclusive access to it. `name` is the name of the type.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    pub unsafe fn future_at(&mut self, future: *mut (), type_id: TypeId, name: &'static str) {
        if self.calls == MAX_CALLS {
            self.omit(1);
            return;
        }
        self.calls += 1;
        // SAFETY: promised by the caller.
        unsafe { self.erased_future(future, type_id, name) };
        self.calls -= 1;
    }

    /// Inspects the future at an address, without a limit of calls.
    ///
    /// # Safety
    ///
    /// The same as for [`future_at`](Self::future_at).
    #[doc(hidden)]
    pub unsafe fn erased_future(&mut self, future: *mut (), type_id: TypeId, name: &'static str) {
        match (self.find)(type_id) {
            // SAFETY: promised by the caller; the type is registered.
            Some(inspect) => unsafe { self.inspect_by(inspect, future) },
            None => self.node(&Node::unknown(name), |_| ()),
        }
    }

    /// Inspects the future at an address in the way that is registered for its type.
    ///
    /// # Safety
    ///
    /// The same as for [`InspectFn`].
    pub(crate) unsafe fn inspect_by(&mut self, inspect: InspectBy, future: *mut ()) {
        match inspect {
            // SAFETY: promised by the caller.
            InspectBy::Call(inspect) => unsafe { inspect(future, self) },
            // SAFETY: promised by the caller.
            InspectBy::Machine(access) => unsafe { access.inspect(future, self) },
            InspectBy::Pointee { type_id, name } => {
                // SAFETY: the future is a thin pointer: a `Pin` has the representation of its
                // pointer. Exclusive access to the pointer is exclusive access to its target.
                let pointee = unsafe { future.cast::<*mut ()>().read() };
                // SAFETY: the target is live, of this type, and pinned or `Unpin`.
                unsafe { self.future_at(pointee, type_id, name) };
            }
        }
    }

    /// Reports a future that is not inspected, by the name of its type.
    #[doc(hidden)]
    pub fn opaque<F>(&mut self) {
        self.node(&Node::opaque::<F>(), |_| ());
    }

    /// Inspects one of several futures in this one. `index` is its number.
    pub fn child<F>(&mut self, index: usize, status: Status, future: Pin<&mut F>) {
        self.as_child(index, status, |inspector| inspector.future(future));
    }

    /// Reports a future that this one has already dropped: it is done or gone.
    pub fn ended_child(&mut self, index: usize, status: Status) {
        self.as_child(index, status, |inspector| {
            inspector.node(&Node::new(""), |_| ());
        });
    }

    /// Runs `inspect`, which reports at most one node: the child with this number.
    #[doc(hidden)]
    pub fn as_child(&mut self, index: usize, status: Status, inspect: impl FnOnce(&mut Self)) {
        let next = NextNode {
            index: Some(index),
            local: "",
            status,
        };
        self.as_next(next, inspect);
    }

    /// Inspects a future in a local variable of this one, which has been polled and which the
    /// current step does not poll.
    ///
    /// Its status is [`Status::Dormant`], unless the future itself knows that it has not started or
    /// has ended.
    pub fn dormant<F>(&mut self, local: &'static str, future: Pin<&mut F>) {
        self.as_dormant(local, |inspector| inspector.future(future));
    }

    /// Runs `inspect`, which reports at most one node: the future in this local variable.
    #[doc(hidden)]
    pub fn as_dormant(&mut self, local: &'static str, inspect: impl FnOnce(&mut Self)) {
        let next = NextNode {
            index: None,
            local,
            status: Status::Dormant,
        };
        self.as_next(next, inspect);
    }

    fn as_next(&mut self, next: NextNode, inspect: impl FnOnce(&mut Self)) {
        let outer = self.next.replace(next);
        inspect(self);
        self.next = outer;
    }

    /// Returns `true` if the type is [registered](crate::register), so that an inspection of a
    /// value calls its [`Inspect`](crate::Inspect) implementation.
    #[must_use]
    pub fn is_registered<F>(&self) -> bool {
        self.is_registered_id(type_id_of::<F>())
    }

    /// Returns `true` if the type with this identity is registered.
    #[doc(hidden)]
    #[must_use]
    pub fn is_registered_id(&self, type_id: TypeId) -> bool {
        (self.find)(type_id).is_some()
    }

    /// Returns `true` if the visitor uses values. An implementation can skip values that are costly
    /// to compute.
    #[must_use]
    pub fn wants_values(&self) -> bool {
        self.visitor.wants_values()
    }

    /// Returns `true` if a node would be omitted. An implementation with many children can stop.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.nodes == MAX_NODES
    }

    /// Counts nodes that an implementation does not report because the inspector is full.
    pub fn omit(&mut self, nodes: usize) {
        self.visitor.omitted(nodes);
    }

    /// Returns the way to inspect a type, if it is registered.
    pub(crate) fn find_inspect<F: ?Sized>(&self) -> Option<InspectBy> {
        (self.find)(type_id_of::<F>())
    }
}

impl Debug for Inspector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspector")
            .field("depth", &self.depth)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
