//! `ArgumentBytes`: the bytes of arguments, without the padding between them.

use core::mem::offset_of;

/// The bytes of one argument in a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentField {
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// The arguments of a machine, as a tuple.
///
/// The tuple has padding between its fields and behind them. The compiler stores each argument of
/// its own future as a field, and the tag in the padding between them. A machine that would be
/// larger with the tuple stores the bytes of the fields without padding.
///
/// It is implemented for up to 32 arguments. A machine with more of them records its position.
///
/// An explicit machine that stores the compiler's future has no such tuple: its arguments are in
/// its fields, and `ArgumentTuple` moves them out.
pub trait ArgumentBytes {
    /// The arguments in their order.
    const FIELDS: &'static [ArgumentField];
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
            const FIELDS: &'static [ArgumentField] = &[$(
                ArgumentField {
                    offset: offset_of!(Self, $index),
                    size: size_of::<$argument>(),
                },
            )*];
        }
    };
}

tuples! {
    [] A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15,
    Q 16, R 17, S 18, T 19, U 20, V 21, W 22, X 23, Y 24, Z 25, Aa 26, Ab 27, Ac 28, Ad 29, Ae 30,
    Af 31,
}

/// Returns the number of bytes of all fields.
pub(crate) const fn bytes_of(mut fields: &[ArgumentField]) -> usize {
    let mut bytes = 0;
    while let [field, rest @ ..] = fields {
        bytes += field.size;
        fields = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_counted() {
        assert_eq!(bytes_of(<()>::FIELDS), 0);
        assert_eq!(bytes_of(<(u64, u32)>::FIELDS), 12);
        assert_eq!(bytes_of(<(u32, (), u64)>::FIELDS), 12);
    }

    #[test]
    fn padding_within_an_argument_is_counted() {
        #[allow(dead_code, reason = "only its size is of interest")]
        struct Padded(u64, u8);
        assert_eq!(bytes_of(<(Padded, u8)>::FIELDS), 17);
    }
}
