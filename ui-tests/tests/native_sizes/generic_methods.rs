//! Methods with type parameters, whose coroutines capture their arguments. A call before the body
//! would make the compiler store an argument and the part that the body moves out of it.

use super::parts::{Part, part, send};
use super::turn::turn;

/// Methods of two equal types: plain, and as machines.
macro_rules! generic_methods {
    ($Type:ident [$($attr:tt)*]) => {
        struct $Type {
            part: Part,
            number: u32,
        }

        $($attr)*
        impl $Type {
            async fn part_of_self<T: Default>(mut self, more: T) -> T {
                self.number += u32::from(size_of_val(&more) > 9);
                send(self.part).await;
                T::default()
            }

            async fn part_of_own<T: Default>(self) -> (T, usize) {
                let number = send(self.part).await;
                (T::default(), number)
            }

            async fn moved<T>(&mut self, more: T) -> usize {
                drop(more);
                turn().await;
                self.number += 1;
                send(part()).await
            }
        }

        impl $Type {
            fn sizes() -> [usize; 3] {
                let new = || Self { part: part(), number: 1 };
                let mut one = new();
                [
                    size_of_val(&new().part_of_self(1_u32)),
                    size_of_val(&new().part_of_own::<u8>()),
                    size_of_val(&one.moved(part())),
                ]
            }
        }
    };
}

generic_methods!(Compiled []);
generic_methods!(Machines [#[volt::state_machine(native)]]);

#[test]
fn captured_arguments_are_stored_as_by_the_compiler() {
    for (compiled, machine) in Compiled::sizes().into_iter().zip(Machines::sizes()) {
        assert!(machine <= compiled, "{machine} for {compiled}");
    }
}
