//! The types of parts of values, and of what methods give, as a machine asks for them.

use volt_combinators::lent::Awaited;

/// What awaiting a method gives, if it is told.
///
/// The parameter is always that of [`told`]: as this stands in a constant, a method that keeps its
/// output to itself is one error, for nothing that depends on a constant with an error is looked at
/// again.
pub trait Told<const ASKED: u8> {
    /// The value of the await.
    type Output;
}

impl<M: Awaited> Told<1> for M {
    type Output = M::Output;
}

/// Asks whether what a method gives is told.
#[must_use]
pub const fn told<M: Awaited>() -> u8 {
    1
}

/// A tuple with a part of that number.
pub trait Part<const N: usize> {
    /// The type of the part.
    type Type;
}

macro_rules! parts {
    (@each $all:tt $($n:tt $P:ident)+) => {
        $(parts!(@one $all $n $P);)+
    };
    (@one [$($T:ident)+] $n:tt $P:ident) => {
        impl<$($T),+> Part<$n> for ($($T,)+) {
            type Type = $P;
        }
    };
    ($($n:tt $T:ident)+) => {
        parts!(@each [$($T)+] $($n $T)+);
    };
}

parts!(0 A);
parts!(0 A 1 B);
parts!(0 A 1 B 2 C);
parts!(0 A 1 B 2 C 3 D);
parts!(0 A 1 B 2 C 3 D 4 E);
parts!(0 A 1 B 2 C 3 D 4 E 5 F);
parts!(0 A 1 B 2 C 3 D 4 E 5 F 6 G);
parts!(0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H);
