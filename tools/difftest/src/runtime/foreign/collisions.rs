//! Traits for all types, whose methods have names that an expansion could call.
//!
//! Each method takes the value, so method resolution finds it before a method that borrows. A
//! program imports the traits whose methods its functions do not call.

macro_rules! collisions {
    ($($Trait:ident: $method:ident;)*) => {
        $(
            /// A method of this name for all types.
            #[allow(clippy::wrong_self_convention, reason = "a method by value is found first")]
            pub trait $Trait: Sized {
                /// Takes the value, and returns no part of it.
                fn $method(self) -> Collision {
                    Collision
                }
            }

            impl<T> $Trait for T {}
        )*

        /// The name of each trait, and of its method.
        pub const ALL: &[(&str, &str)] = &[$((stringify!($Trait), stringify!($method)),)*];
    };
}

/// The output of each method: a type that no caller expects.
#[derive(Debug)]
pub struct Collision;

collisions! {
    Advance: advance;
    AsMut: as_mut;
    At: at;
    Borrow: borrow;
    Deref: deref;
    Get: get;
    Hold: hold;
    Inspect: inspect;
    IntoInner: into_inner;
    IsFinished: is_finished;
    Lend: lend;
    Load: load;
    Map: map;
    Next: next;
    Poll: poll;
    Put: put;
    Set: set;
    Start: start;
    Store: store;
    Tag: tag;
    Take: take;
    Write: write;
}
