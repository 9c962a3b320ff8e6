//! The attributes of volt: `state_machine`, and `main` and `test` for programs.
//!
//! This file has the entry points. The modules `attribute` and `entry` do the work. They use
//! `proc_macro2` only and are tested as ordinary modules.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

mod names;
mod syntax;
mod errors;
mod options;
mod signature;
mod backend;
mod fallback;
mod resolve;
mod hir;
mod cfg;
mod liveness;
mod layout;
mod explicit;
mod native;
mod pipeline;
mod attribute;
mod entry;

/// Turns an `async fn` into a named state machine.
///
/// The function keeps its signature and its meaning. Instead of the compiler's hidden coroutine it
/// returns a named struct, `Fetch` for `fn fetch`, which is a `Future`, a `StateMachine` that tells
/// its states, and `Debug`. It goes on any `async fn`.
///
/// # Layouts
///
/// - *Explicit*, where the macro is sure of every step: at each suspend point the machine holds exactly the
///   locals that are needed behind it. It is never larger than the compiler's future.
/// - *Native*, everywhere else: the compiler's own coroutine in the struct. It keeps its arguments
///   once, and takes up to 40 bytes more to say where it stands.
///
/// `Fetch::LAYOUT` says which, and why. The machine stands under the function's own name among the types, too.
///
/// On an `impl` block the attribute makes a machine of each `async fn` in it, `ConnRead` for
/// `Conn::read`; `#[state_machine(..)]` on a method gives it options of its own, and
/// `#[state_machine(skip)]` leaves it alone.
///
/// # Options
///
/// | option | on | what it does |
/// | --- | --- | --- |
/// | `explicit` | all | makes every doubt about the explicit layout an error that says what to write |
/// | `native` | all | asks for the native layout |
/// | `name = Ident` | functions, methods | names the machine; otherwise it is `Fetch` for `fetch`, `ConnRead` for `Conn::read`, `SendMachine` for `send`, as `Send` is in the prelude, `PageFuture` for `page`, if that function itself names a `Page` |
/// | `alias = false` | functions | leaves out the type alias by the function's own name, where a module or a type has that name; a function in camel case has none |
/// | `send` | all | asserts, where the function is written, that the machine may go to another thread |
/// | `local` | native machines | says that the machine stays on its thread; nothing is asked then |
/// | `boxed` | native machines with type parameters | keeps the coroutine in a box, so that the machine can be named in full |
/// | `inline = N` | the same | keeps the coroutine in `N` bytes, which is checked for each instance |
/// | `trace = false` | native machines | notes no sites: the machine is smaller, and a dump shows no line |
/// | `derive(Clone, PartialEq, Eq, Hash)` | explicit machines | gives the machine these traits, or some of them: what it keeps has to have them |
/// | `max_size = N` | all | an upper bound for the size of the machine in bytes, checked at compile time |
/// | `vis = pub` | functions, methods of a trait | the visibility of the machine, if it differs
/// from that of the function |
/// | `public(Send, Sync, Unpin, parameters = N)` | all | an error if the machine lacks one of the
/// traits, has another number of type parameters, or cannot be named by users |
/// | `crate = path` | all | where volt is, if not at `::volt` |
/// | `skip` | methods | leaves the method as it is |
///
/// Options of a block hold for all of its methods; one that stands on a method takes the place of
/// the block's.
///
/// A statement with an await can be labelled by `#[state(Name)]`, which is the state's name then.
#[proc_macro_attribute]
pub fn state_machine(options: TokenStream, item: TokenStream) -> TokenStream {
    let item = syntax::preserve_groups(item.into());
    attribute::expand(options.into(), item).into()
}

/// Runs an `async fn` in a runtime of its own: the `main` of a program.
///
/// The function may return whatever a `main` may, and its body may be anything.
///
/// # Options
///
/// - `flavor = "multi_thread"`, the default, or `"current_thread"`: whether there are workers, or
///   everything runs on this thread, as with `volt::LocalRuntime`.
/// - `workers = N`: the number of workers; by default one for each processor.
/// - `start_paused = true`: starts with the clock paused; see `volt::time::pause`.
/// - `tokio_context = true`: has a tokio runtime beside it, for libraries that want one; with volt's feature `tokio`.
/// - `orphans = "ignore"`, the default, `"log"`, `"cancel"` or `"panic"`: what becomes of a task
///   that nothing can wake; see `volt::runtime::OrphanPolicy`. With `"panic"`, a test that awaits
///   such a task fails with the place where it waits.
/// - `crate = path`: where to find volt.
///
/// For everything else there is `volt::Builder`.
#[proc_macro_attribute]
pub fn main(options: TokenStream, item: TokenStream) -> TokenStream {
    let item = syntax::preserve_groups(item.into());
    entry::expand(entry::EntryKind::Main, options.into(), item).into()
}

/// Runs an `async fn` as a test, in a runtime of its own.
///
/// The options are those of `main`, but the default is `flavor = "current_thread"`; `workers = N`
/// implies `"multi_thread"`. Other attributes of tests, `#[ignore]` and `#[should_panic]`, work as
/// ever.
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    let item = syntax::preserve_groups(item.into());
    entry::expand(entry::EntryKind::Test, options.into(), item).into()
}
