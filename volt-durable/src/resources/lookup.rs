//! `Lookup`: the place where a `Res` finds its value while a machine is read.

use std::any::{TypeId, type_name};
use std::cell::RefCell;
use std::sync::Arc;

use super::provided::Provided;

/// The type of a resource that machines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NeededType {
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
}

impl NeededType {
    fn of<T: ?Sized + 'static>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: type_name::<T>(),
        }
    }
}

/// The place where a `Res` finds its value while a machine is read.
#[derive(Debug, Default)]
enum Lookup {
    /// No worker reads the machine.
    #[default]
    Absent,
    /// A worker with these resources reads it.
    Worker(Arc<Provided>),
    /// A probe collects the types of all resources.
    Types(Vec<NeededType>),
}

/// The value that a `Res` finds.
#[derive(Debug)]
pub(super) enum Found<T: ?Sized> {
    Value(Arc<T>),
    /// No worker reads the machine.
    NoWorker,
    /// The worker has no resource of this type.
    Missing,
}

thread_local! {
    static CURRENT: RefCell<Lookup> = const { RefCell::new(Lookup::Absent) };
}

/// Finds the value of a `Res`, or records its type.
pub(super) fn find<T: ?Sized + Send + Sync + 'static>() -> Found<T> {
    CURRENT.with_borrow_mut(|lookup| match lookup {
        Lookup::Absent => Found::NoWorker,
        Lookup::Worker(provided) => provided.get().map_or(Found::Missing, Found::Value),
        Lookup::Types(types) => {
            let needed = NeededType::of::<T>();
            if !types.contains(&needed) {
                types.push(needed);
            }
            Found::NoWorker
        }
    })
}

/// Calls a function that reads a machine with the resources of a worker.
pub(crate) fn provide<T>(provided: &Arc<Provided>, read: impl FnOnce() -> T) -> T {
    within(Lookup::Worker(Arc::clone(provided)), read).0
}

/// Calls a function that reads a machine. Returns the types of all `Res` that it has read.
pub(super) fn collect(read: impl FnOnce()) -> Vec<NeededType> {
    match within(Lookup::Types(Vec::new()), read).1 {
        Lookup::Types(types) => types,
        Lookup::Absent | Lookup::Worker(_) => Vec::new(),
    }
}

/// Calls a function with a lookup. Returns its result, and the lookup after it.
fn within<T>(lookup: Lookup, call: impl FnOnce() -> T) -> (T, Lookup) {
    /// Restores the outer lookup, also after a panic.
    struct Restore(Lookup);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.replace(std::mem::take(&mut self.0));
        }
    }
    let _restore = Restore(CURRENT.replace(lookup));
    let value = call();
    (value, CURRENT.take())
}
