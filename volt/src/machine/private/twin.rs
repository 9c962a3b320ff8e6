//! The size of the compiler's own future for a function that is never called.

/// A function pointer whose output is a future.
pub trait Native: Copy {
    /// The compiler's future.
    type Future;
}

macro_rules! native {
    ($($argument:ident)*) => {
        impl<R, $($argument),*> Native for fn($($argument),*) -> R {
            type Future = R;
        }

        impl<R, $($argument),*> Native for unsafe fn($($argument),*) -> R {
            type Future = R;
        }
    };
}

native!();
native!(A);
native!(A B);
native!(A B C);
native!(A B C D);
native!(A B C D E);
native!(A B C D E F);
native!(A B C D E F G);
native!(A B C D E F G H);
native!(A B C D E F G H I);
native!(A B C D E F G H I J);
native!(A B C D E F G H I J K);
native!(A B C D E F G H I J K L);

/// The size of the future that `function` would return.
#[must_use]
pub const fn size_of_native<F: Native>(_: F) -> usize {
    size_of::<F::Future>()
}

/// What `Some` has to be, as a pattern takes it.
pub type Some = fn(()) -> Option<()>;

/// What `None` has to be.
pub type None = Option<()>;

/// What `Ok` has to be.
pub type Ok = fn(()) -> Result<(), ()>;

/// What `Err` has to be.
pub type Err = fn(()) -> Result<(), ()>;

/// Ends the temporaries of what it is given with the statement that it stands in.
#[must_use]
pub const fn ended<T>(value: T) -> T {
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_is_that_of_the_future() {
        async fn nothing(_: u8) {}
        const SIZE: usize = size_of_native(nothing as fn(_) -> _);
        assert_eq!(SIZE, size_of_val(&nothing(1)));
    }
}
