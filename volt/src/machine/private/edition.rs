//! What has to be proven before edition 2024 only.
//!
//! Before edition 2024 what the last expression of a block leaves behind lives longer than the locals
//! of the block, and has to be proven as well:
//!
//! ```edition2021,compile_fail
//! struct Guard(u32);
//!
//! impl Drop for Guard {
//!     fn drop(&mut self) {}
//! }
//!
//! impl Guard {
//!     fn number(&self) -> u32 {
//!         self.0
//!     }
//! }
//!
//! #[volt::state_machine]
//! async fn tail(text: String, delay: std::future::Ready<()>) -> u32 {
//!     let held: String = text;
//!     delay.await;
//!     Some(Guard(1)).unwrap().number()
//! }
//!
//! let machine = tail(String::new(), std::future::ready(()));
//! assert_eq!(futures_lite::future::block_on(machine), 1);
//! ```
//!
//! ```edition2024
//! struct Guard(u32);
//!
//! impl Drop for Guard {
//!     fn drop(&mut self) {}
//! }
//!
//! impl Guard {
//!     fn number(&self) -> u32 {
//!         self.0
//!     }
//! }
//!
//! #[volt::state_machine]
//! async fn tail(text: String, delay: std::future::Ready<()>) -> u32 {
//!     let held: String = text;
//!     delay.await;
//!     Some(Guard(1)).unwrap().number()
//! }
//!
//! let machine = tail(String::new(), std::future::ready(()));
//! assert_eq!(futures_lite::future::block_on(machine), 1);
//! ```
//!
//! What an `if let` matches lived through its `else` then, with what the pattern did not take. The machine
//! drops it before the `else`, so it must not be told there:
//!
//! ```edition2021,compile_fail
//! # struct Guard(u32);
//! # impl Drop for Guard {
//! #     fn drop(&mut self) {}
//! # }
//! #[volt::state_machine]
//! async fn other(delay: std::future::Ready<Result<u32, Guard>>) -> u32 {
//!     if let Ok(number) = delay.await {
//!         number
//!     } else {
//!         println!("not there");
//!         0
//!     }
//! }
//!
//! let machine = other(std::future::ready(Err(Guard(1))));
//! assert_eq!(futures_lite::future::block_on(machine), 0);
//! ```
//!
//! ```edition2024
//! # struct Guard(u32);
//! # impl Drop for Guard {
//! #     fn drop(&mut self) {}
//! # }
//! #[volt::state_machine]
//! async fn other(delay: std::future::Ready<Result<u32, Guard>>) -> u32 {
//!     if let Ok(number) = delay.await {
//!         number
//!     } else {
//!         println!("not there");
//!         0
//!     }
//! }
//!
//! let machine = other(std::future::ready(Err(Guard(1))));
//! assert_eq!(futures_lite::future::block_on(machine), 0);
//! ```
//!
//! What is not matched of an `Option` is `None`, and an error may be a text, or without a destructor:
//!
//! ```edition2021
//! # struct Guard(u32);
//! # impl Drop for Guard {
//! #     fn drop(&mut self) {}
//! # }
//! #[volt::state_machine]
//! async fn other(
//!     delay: std::future::Ready<Option<Guard>>,
//!     again: std::future::Ready<Result<Guard, String>>,
//! ) -> u32 {
//!     if let Some(guard) = delay.await {
//!         guard.0
//!     } else if let Ok(guard) = again.await {
//!         println!("there");
//!         guard.0
//!     } else {
//!         println!("not there");
//!         0
//!     }
//! }
//!
//! let machine = other(std::future::ready(None), std::future::ready(Ok(Guard(1))));
//! assert_eq!(futures_lite::future::block_on(machine), 1);
//! ```

use core::marker::PhantomData;

use super::lasting::Answer;

/// An answer that only has to hold before edition 2024: what lives to the end of a statement or of a
/// block then, and less long since.
#[derive(Debug)]
pub struct Unless<const SINCE_2024: bool, A>(PhantomData<fn() -> A>);

impl<A: Answer> Answer for Unless<false, A> {
    const PROOF: () = A::PROOF;
}

impl<A> Answer for Unless<true, A> {
    const PROOF: () = ();
}

/// Says in which editions an answer has to hold.
pub fn unless<const SINCE_2024: bool, A>(_: A) -> Unless<SINCE_2024, A> {
    Unless(PhantomData)
}

/// What nobody sees, in a macro.
#[derive(Debug)]
pub struct Hidden;

impl Answer for Hidden {
    const PROOF: () = panic!("{}", HIDDEN);
}

/// What a macro is told of which nobody sees what it makes on its way.
const HIDDEN: &str = "before edition 2024, what this macro makes on its way (the note below points at it) may \
                      live to the end of the statement: bind its value first, `let value: T = ..;`";

/// Refuses the value of a macro that stands at the end of a block.
pub fn unseen<T: Seen>(value: T) -> T {
    value
}

/// What no value is of which nobody sees how it is made.
#[diagnostic::on_unimplemented(
    message = "before edition 2024, what this macro leaves behind may live longer than the locals of \
               the block that it ends",
    label = "what it makes on its way cannot be seen",
    note = "bind it first: `let value: T = ..;` and `value`"
)]
pub trait Seen {}
