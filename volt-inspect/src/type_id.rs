//! The identity of a type, without its lifetimes.

use core::any::TypeId;
use core::marker::PhantomData;

/// Returns the type's identity, which ignores lifetimes.
#[inline]
#[must_use]
pub fn type_id_of<T: ?Sized>() -> TypeId {
    trait Identify {
        fn identify(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identify for PhantomData<T> {
        #[inline]
        fn identify(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let phantom: &dyn Identify = &PhantomData::<T>;
    // SAFETY: the object is a `PhantomData`: no data of any lifetime is reached through it, and
    // type identity is computed after lifetimes are erased.
    let phantom =
        unsafe { core::mem::transmute::<&dyn Identify, &(dyn Identify + 'static)>(phantom) };
    phantom.identify()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_id_ignores_lifetimes() {
        fn of<'a>(_: &'a u8) -> TypeId {
            type_id_of::<&'a u8>()
        }
        let local = 1;
        assert_eq!(of(&local), TypeId::of::<&'static u8>());
        assert_ne!(of(&local), TypeId::of::<u8>());
    }
}
