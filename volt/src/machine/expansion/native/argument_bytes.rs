//! `ArgumentBytes`: the bytes of the arguments that have to be stored.

use core::mem::offset_of;

/// The arguments of a machine, as a tuple.
///
/// It is implemented for up to 32 arguments. A machine with more of them records its position.
pub trait ArgumentBytes {
    /// The number of bytes from the begin of the tuple to the end of its last field. The padding
    /// behind that is not stored: the compiler stores each argument on its own, and has room for a
    /// tag there.
    const BYTES: usize;
}

macro_rules! tuples {
    ([$($done:tt)*]) => {
        tuples! { impl $($done)* }
    };
    ([$($done:tt)*] $next:ident $index:tt, $($rest:tt)*) => {
        tuples! { impl $($done)* }
        tuples! { [$($done)* $next $index,] $($rest)* }
    };
    (impl $($argument:ident $index:tt,)*) => {
        impl<$($argument,)*> ArgumentBytes for ($($argument,)*) {
            const BYTES: usize = last_of(&[
                $(offset_of!(Self, $index) + size_of::<$argument>(),)*
            ]);
        }
    };
}

tuples! {
    [] A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15,
    Q 16, R 17, S 18, T 19, U 20, V 21, W 22, X 23, Y 24, Z 25, Aa 26, Ab 27, Ac 28, Ad 29, Ae 30,
    Af 31,
}

/// Returns the last one of the ends of fields.
const fn last_of(mut ends: &[usize]) -> usize {
    let mut last = 0;
    while let [end, rest @ ..] = ends {
        if last < *end {
            last = *end;
        }
        ends = rest;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_at_the_end_is_not_counted() {
        assert_eq!(<()>::BYTES, 0);
        assert_eq!(<(u64, u32)>::BYTES, 12);
        assert_eq!(<(u32, u64)>::BYTES, 12);
        assert_eq!(<(u64, ())>::BYTES, 8);
    }

    #[test]
    fn padding_within_an_argument_is_counted() {
        #[allow(dead_code, reason = "only its size is of interest")]
        struct Padded(u64, u8);
        assert_eq!(<(Padded, u8)>::BYTES, 17);
    }
}
