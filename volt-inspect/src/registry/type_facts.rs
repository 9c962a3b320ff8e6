//! `TypeFacts`: the facts about a type that its registration passes to a runtime.

use core::any::{TypeId, type_name};
use core::pin::Pin;

use super::trace_fn::{TraceFn, WalkBy};
use crate::description::PositionLayout;
use crate::inspect::Registrable;
use crate::inspector::{InspectBy, Inspector};
use crate::type_id::type_id_of;

/// The facts about a type that its registration needs. Most of them are constants, so the code of
/// each type only passes the address of a constant.
#[derive(Debug)]
pub(crate) struct TypeFacts {
    /// Returns the type and the types of the pinned pointers to it.
    pub(super) names: fn() -> TypeNames,
    pub(super) inspect: InspectBy,
    pub(super) trace_fn: Option<TraceFn>,
    pub(super) position: PositionLayout,
}

impl TypeFacts {
    /// Returns the facts about a type that has no trace function.
    pub(super) const fn of<F: Registrable>() -> Self {
        Self::new::<F>(InspectBy::Call(inspect_registered::<F>))
    }

    /// Returns the facts about a type of wrappers or machines: its trace function, and the place of
    /// its position.
    pub(crate) const fn traced<F: Registrable>(
        trace_fn: TraceFn,
        position: PositionLayout,
    ) -> Self {
        let inspect = match trace_fn {
            TraceFn::Machine {
                walk: WalkBy::Machine(access),
                ..
            } => InspectBy::Machine(access),
            _ => InspectBy::Call(inspect_registered::<F>),
        };
        Self {
            trace_fn: Some(trace_fn),
            position,
            ..Self::new::<F>(inspect)
        }
    }

    const fn new<F>(inspect: InspectBy) -> Self {
        Self {
            names: TypeNames::of::<F>,
            inspect,
            trace_fn: None,
            position: PositionLayout::Unknown,
        }
    }
}

/// The identity of a type, and its name.
pub(super) type TypeName = (TypeId, &'static str);

pub(super) fn name_of<T: ?Sized>() -> TypeName {
    (type_id_of::<T>(), type_name::<T>())
}

/// A type of futures, and the types of the thin pointers to a pinned future of that type.
pub(super) struct TypeNames {
    pub(super) future: TypeName,
    /// Each pinned pointer, and a reference to it.
    pub(super) pointers: [[TypeName; 2]; if cfg!(feature = "alloc") { 2 } else { 1 }],
}

impl TypeNames {
    #[cold]
    #[inline(never)]
    pub(super) fn of<F>() -> Self {
        Self {
            future: name_of::<F>(),
            pointers: [
                [name_of::<Pin<&mut F>>(), name_of::<&mut Pin<&mut F>>()],
                #[cfg(feature = "alloc")]
                {
                    use alloc::boxed::Box;
                    [name_of::<Pin<Box<F>>>(), name_of::<&mut Pin<Box<F>>>()]
                },
            ],
        }
    }
}

/// # Safety
///
/// The requirements of [`InspectFn`](crate::InspectFn), for type `F`.
unsafe fn inspect_registered<F: Registrable>(future: *mut (), inspector: &mut Inspector<'_>) {
    // SAFETY: promised by the caller.
    let future = unsafe { &mut *future.cast::<F>() };
    // SAFETY: promised by the caller.
    unsafe { Pin::new_unchecked(future) }.inspect(inspector);
}
