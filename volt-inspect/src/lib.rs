//! A trait for futures that report where they wait, and the inspector that walks them.
//!
//! A runtime can list its tasks, but the type of a task's future is erased. [`Inspect`] gives the
//! runtime a view into the future: a node for each future in it, the values that it stores, and the
//! event for which it waits. The crate is for authors of middleware, channels, locks and
//! combinators. It is `no_std`, has no dependency, and allocates nothing.
//!
//! An inspection has exclusive access to the pinned future, as a poll has. So an implementation
//! projects to its fields in the same way as `poll` does, and needs no `unsafe`.
//!
//! # A wrapper
//!
//! ```
//! use pin_project_lite::pin_project;
//! use std::pin::Pin;
//! use std::task::{Context, Poll};
//! use volt_inspect::{Inspect, Inspector, Node, TreeWriter, registrable};
//!
//! pin_project! {
//!     struct Traced<F> {
//!         request: u64,
//!         is_registered: bool,
//!         #[pin]
//!         future: F,
//!     }
//! }
//!
//! impl<F: Future> Future for Traced<F> {
//!     type Output = F::Output;
//!
//!     fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
//!         let this = self.project();
//!         if !*this.is_registered {
//!             volt_inspect::register::<Self>();
//!             *this.is_registered = true;
//!         }
//!         this.future.poll(cx)
//!     }
//! }
//!
//! impl<F> Inspect for Traced<F> {
//!     fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
//!         let this = self.project();
//!         inspector.node(&Node::new("Traced"), |inspector| {
//!             inspector.value("request", this.request);
//!             inspector.future(this.future);
//!         });
//!     }
//! }
//!
//! registrable!(Traced<F>);
//!
//! let future = std::future::ready(());
//! let traced = std::pin::pin!(Traced { request: 7, is_registered: false, future });
//! let mut tree = TreeWriter::new(String::new()).with_values();
//! traced.inspect(&mut Inspector::new(&mut tree));
//! let expected = "Traced\n  request: 7\n  core::future::ready::Ready<()>\n";
//! assert_eq!(tree.into_inner(), expected);
//! ```
//!
//! The type of the inner future needs no bound. The inspector finds the implementation of a type
//! that was [registered](register), and shows any other type by its name. Registration needs a
//! runtime, so the example shows the name.
//!
//! # A leaf
//!
//! A leaf reports the event for which it waits: a [`Wait`].
//!
//! ```
//! use std::pin::Pin;
//! use volt_inspect::{Inspect, Inspector, Node, TreeWriter, Wait, registrable};
//!
//! # struct Semaphore { available: usize }
//! struct Acquire<'a> {
//!     semaphore: &'a Semaphore,
//!     wanted: usize,
//! }
//!
//! impl Inspect for Acquire<'_> {
//!     fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
//!         inspector.node(&Node::new("Acquire"), |inspector| {
//!             inspector.waits(Wait::Permits {
//!                 address: std::ptr::from_ref(self.semaphore).addr(),
//!                 available: self.semaphore.available,
//!                 wanted: self.wanted,
//!             });
//!         });
//!     }
//! }
//!
//! registrable!(Acquire<'a>);
//! # let semaphore = Semaphore { available: 1 };
//! # let acquire = std::pin::pin!(Acquire { semaphore: &semaphore, wanted: 2 });
//! # let mut tree = TreeWriter::new(String::new());
//! # acquire.inspect(&mut Inspector::new(&mut tree));
//! # assert!(tree.into_inner().starts_with("Acquire\n  waits for 2 permits of the semaphore at 0x"));
//! ```
//!
//! A lock that stores a [`Held`] also reports the task that holds it, and the place at which the
//! task acquired it. The documentation of `Held` has an example.
//!
//! # A combinator
//!
//! A combinator reports its children by number, each with its [`Status`].
//!
//! ```
//! use pin_project_lite::pin_project;
//! use std::pin::Pin;
//! use volt_inspect::{Inspect, Inspector, Node, Status, TreeWriter, registrable};
//!
//! pin_project! {
//!     struct Both<A, B> {
//!         // `None` after its completion.
//!         #[pin]
//!         first: Option<A>,
//!         #[pin]
//!         second: Option<B>,
//!     }
//! }
//!
//! fn report<F>(inspector: &mut Inspector<'_>, index: usize, child: Pin<&mut Option<F>>) {
//!     match child.as_pin_mut() {
//!         Some(future) => inspector.child(index, Status::Waiting, future),
//!         None => inspector.ended_child(index, Status::Done),
//!     }
//! }
//!
//! impl<A, B> Inspect for Both<A, B> {
//!     fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
//!         let this = self.project();
//!         inspector.node(&Node::new("Both"), |inspector| {
//!             report(inspector, 0, this.first);
//!             report(inspector, 1, this.second);
//!         });
//!     }
//! }
//!
//! registrable!(Both<A, B>);
//!
//! let second = Some(std::future::ready(()));
//! let both = std::pin::pin!(Both { first: None::<std::future::Pending<()>>, second });
//! let mut tree = TreeWriter::new(String::new());
//! both.inspect(&mut Inspector::new(&mut tree));
//! let expected = "Both\n  [0] done\n  [1] core::future::ready::Ready<()>\n";
//! assert_eq!(tree.into_inner(), expected);
//! ```
//!
//! # Trait objects
//!
//! The type of the future in a `Pin<Box<dyn Future>>` is unknown, so an inspection ends there. It
//! continues in a `Pin<Box<dyn InspectFuture>>` (feature `alloc`).
//!
//! # Features
//!
//! - `alloc`: inspections continue in a `Pin<Box<F>>` and in boxed trait objects.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

mod description;
mod status;
mod node;
mod wait;
mod visitor;
mod type_id;
mod inspector;
mod inspect;
mod registry;
mod held;
mod inspection_poll;
#[cfg(feature = "alloc")]
mod boxed;
#[doc(hidden)]
pub mod machine;

pub use held::Held;
pub use inspect::{Inspect, InspectFuture, Registrable};
#[doc(hidden)]
pub use inspection_poll::InspectionPollGuard;
pub use inspection_poll::is_inspection_poll;
#[doc(hidden)]
pub use inspector::{InspectBy, InspectFn, MachineAccess};
pub use inspector::{Inspector, MAX_DEPTH, MAX_NODES};
pub use node::{Node, Place};
#[doc(hidden)]
pub use registry::register_nested;
#[doc(hidden)]
pub use registry::{RegisterHook, TraceFn, TypeRegistration, WalkBy, set_hook};
pub use registry::{register, register_unpin};
pub use status::Status;
pub use visitor::{TreeWriter, Visitor};
pub use wait::{Direction, Wait};
