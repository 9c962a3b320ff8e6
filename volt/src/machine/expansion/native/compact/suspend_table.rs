//! `SuspendTable`: the slots of a machine's suspend points, in a static or on the heap.
//!
//! A coroutine that depends on type parameters has one layout for each choice of them, and a static
//! in generic code is one for all choices. So the slots of such a coroutine are on the heap. Their
//! key is the identity of the coroutine's type without its lifetimes, on which no layout depends.
//!
//! The identity is a constant of the program. It selects one of the lists of `INSTANCES`, and the
//! list is short. Readers take no lock. A list only grows, and nothing in it is ever freed.

use alloc::boxed::Box;
use core::any::TypeId;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::super::position::{SlotSource, Table};
use volt_inspect::machine::{SuspendSlot, type_id_of};

/// The table of a machine with slots for its suspend points.
pub trait SuspendTable: Table {
    /// The slots in a static, or none if the coroutine depends on type parameters.
    const SLOTS: &'static [SuspendSlot];
    /// The number of slots. There may be fewer than suspend points.
    const POINTS: usize = Self::SLOTS.len();
    /// `true` if the coroutine waits with its arguments at its first suspend point.
    const IS_GATED: bool = false;
}

/// The slots of a coroutine `C` with the table `T`.
#[derive(Debug)]
pub(super) struct SlotsOf<C, T>(PhantomData<fn() -> (C, T)>);

impl<C, T: SuspendTable> SlotSource for SlotsOf<C, T> {
    const IS_STATIC: bool = T::SLOTS.len() == T::POINTS;

    #[inline]
    fn known() -> &'static [SuspendSlot] {
        if Self::IS_STATIC {
            return T::SLOTS;
        }
        let type_id = type_id_of::<C>();
        find(list_of(type_id).load(Ordering::Acquire), type_id).unwrap_or_default()
    }

    #[inline]
    fn created() -> &'static [SuspendSlot] {
        if Self::IS_STATIC {
            return T::SLOTS;
        }
        let type_id = type_id_of::<C>();
        let list = list_of(type_id);
        // ORDERING: Acquire, for the instances that `create` has published.
        let first = list.load(Ordering::Acquire);
        find(first, type_id).unwrap_or_else(|| create(list, type_id, T::POINTS))
    }
}

/// The slots of one type of coroutines.
struct Instance {
    type_id: TypeId,
    slots: Box<[SuspendSlot]>,
    next: *const Self,
}

/// A list of instances, or null.
type InstanceList = AtomicPtr<Instance>;

static INSTANCES: [InstanceList; 256] = [const { AtomicPtr::new(ptr::null_mut()) }; 256];

/// Returns the list in which the slots of a type are.
#[inline]
fn list_of(type_id: TypeId) -> &'static InstanceList {
    let mut bits = TypeIdBits(0);
    type_id.hash(&mut bits);
    &INSTANCES[bits.finish() as usize % INSTANCES.len()]
}

/// Returns the slots of a type in a list.
#[inline]
fn find(first: *const Instance, type_id: TypeId) -> Option<&'static [SuspendSlot]> {
    let mut next = first;
    // SAFETY: `create` has published the instance, which is never freed.
    while let Some(instance) = unsafe { next.as_ref::<'static>() } {
        if instance.type_id == type_id {
            return Some(&instance.slots);
        }
        next = instance.next;
    }
    None
}

/// Adds the slots of a type to its list, unless another thread does so.
#[cold]
#[inline(never)]
fn create(list: &InstanceList, type_id: TypeId, points: usize) -> &'static [SuspendSlot] {
    let mut instance = Box::new(Instance {
        type_id,
        slots: (0..points).map(|_| SuspendSlot::new()).collect(),
        next: ptr::null(),
    });
    let mut first = list.load(Ordering::Acquire);
    loop {
        if let Some(slots) = find(first, type_id) {
            return slots;
        }
        instance.next = first;
        let added = Box::into_raw(instance);
        // ORDERING: Release, for readers of the new instance. Acquire, for instances of others.
        match list.compare_exchange(first, added, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it is in the list now, so it is never freed, and no code writes it.
            Ok(_) => return unsafe { &(*added).slots },
            Err(other) => first = other,
        }
        // SAFETY: it is not in the list, so it is still the one from `into_raw`.
        instance = unsafe { Box::from_raw(added) };
    }
}

/// The bits of a type's identity. They are a hash already.
struct TypeIdBits(u64);

impl Hasher for TypeIdBits {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write_u64(&mut self, bits: u64) {
        self.0 ^= bits;
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn created<const N: usize>() -> &'static [SuspendSlot] {
        let type_id = type_id_of::<[u8; N]>();
        let list = list_of(type_id);
        find(list.load(Ordering::Acquire), type_id).unwrap_or_else(|| create(list, type_id, N))
    }

    #[test]
    fn threads_share_the_slots_of_a_type() {
        let slots = || created::<7>().as_ptr().addr();
        let threads: Vec<_> = (0..4).map(|_| thread::spawn(slots)).collect();
        let mut found = threads.into_iter().map(|it| it.join().expect("no panic"));
        let first = found.next().expect("four threads");
        assert!(found.all(|other| other == first));
        assert_eq!(created::<7>().len(), 7);
    }

    /// There are more types than lists, so some lists have several.
    #[test]
    fn types_in_one_list_have_their_own_slots() {
        let list = AtomicPtr::new(ptr::null_mut());
        let ids = [type_id_of::<u8>(), type_id_of::<u16>(), type_id_of::<u32>()];
        for (points, type_id) in ids.into_iter().enumerate() {
            assert_eq!(create(&list, type_id, points).len(), points);
        }
        for (points, type_id) in ids.into_iter().enumerate() {
            let first = list.load(Ordering::Acquire);
            assert_eq!(find(first, type_id).map(<[_]>::len), Some(points));
            // A second call finds the slots of the first.
            assert_eq!(create(&list, type_id, 9).len(), points);
        }
        let mut next = list.into_inner().cast_const();
        while !next.is_null() {
            // SAFETY: made by `create`, and the list is gone.
            let instance = unsafe { Box::from_raw(next.cast_mut()) };
            next = instance.next;
        }
    }
}
