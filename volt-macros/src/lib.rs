//! The attributes of volt: `state_machine`, and `main` and `test` for programs.
//!
//! This file has the entry points. The modules `attribute` and `entry` contain the code. They use
//! only `proc_macro2`, and are tested as ordinary modules. `pipeline` has the stages of the macro.
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
/// returns a named struct, for example `Fetch` for `fn fetch`. The struct implements `Future`,
/// `StateMachine` and `Debug`. Every `async fn` is accepted.
///
/// # Layouts
///
/// - *Explicit*: the machine stores the live locals of each state, and is never larger than the
///   compiler's future. The macro chooses this layout if it knows that it means the same as the
///   plain function.
/// - *Native*: a struct around the compiler's coroutine, for every other function. It stores its
///   arguments once, and finds the current await by the tag of the coroutine.
///
/// `Fetch::LAYOUT` has the layout and its reason. The machine also has a type alias with the name
/// of the function.
///
/// On an `impl` block the attribute creates a machine for each `async fn`, for example `ConnRead`
/// for `Conn::read`. A method can have its own options, `#[state_machine(..)]`, and
/// `#[state_machine(skip)]` leaves it unchanged.
///
/// # Options
///
/// | option | on | effect |
/// | --- | --- | --- |
/// | `explicit` | all | requires the explicit layout: each fallback reason is an error with a help |
/// | `native` | all | requires the native layout |
/// | `name = Ident` | functions, methods | the name of the machine. By default it is `Fetch` for `fetch`, and `ConnRead` for `Conn::read`. A name of the prelude gets a suffix: `SendMachine` for `send`. So does a type that the function or its module names: `PageFuture` for `page` |
/// | `alias = false` | functions | omits the type alias with the name of the function |
/// | `send` | all | asserts at the function that the machine is `Send` |
/// | `local` | native machines | the machine stays on its thread, and no query decides `Send` |
/// | `boxed` | generic native machines | stores the coroutine in a box, so that the machine can be named in full |
/// | `inline = N` | generic native machines | stores the coroutine in `N` bytes, which is checked for each instance |
/// | `trace = false` | native machines | records no await: the machine is smaller, and a dump shows no line |
/// | `derive(Clone, PartialEq, Eq, Hash)` | explicit machines | derives some of these traits, which the stored values have to implement |
/// | `derive(Serialize, Deserialize)` | explicit machines | writes and reads a suspended machine with serde. It needs the feature `serde` of volt, and a distinct name for each state |
/// | `max_size = N` | all | the maximum size of the machine in bytes, checked at compile time; by default none |
/// | `vis = pub` | functions, methods of a trait | the visibility of the machine, by default that of the function |
/// | `public(Send, Sync, Unpin, parameters = N)` | all | an error if the machine does not implement one of the traits, has another number of type parameters, or cannot be named by users |
/// | `crate = path` | all | the path of volt, by default `::volt` |
/// | `skip` | methods | leaves the method unchanged |
///
/// Options of a block apply to all of its methods. An option of a method overrides that of the
/// block.
///
/// The attribute `#[state(Name)]` on a statement with an await sets the name of the state.
#[proc_macro_attribute]
pub fn state_machine(options: TokenStream, item: TokenStream) -> TokenStream {
    options::track_layout_variable();
    expand(item, |item| attribute::expand(options.into(), item))
}

/// Runs an `async fn` in its own runtime, as the `main` of a program.
///
/// The function may return every type that `main` may return, and its body may contain any code.
///
/// # Options
///
/// - `flavor = "multi_thread"`, the default, or `"current_thread"`: runs tasks on worker threads,
///   or all of them on this thread, as `volt::LocalRuntime` does.
/// - `workers = N`: the number of worker threads; by default one for each processor.
/// - `start_paused = true`: starts with the clock paused; by default it runs. See
///   `volt::time::pause`.
/// - `tokio_context = true`: starts a tokio runtime beside this one, for libraries that require it;
///   by default none. It needs the feature `tokio` of volt.
/// - `orphans = "ignore"`, the default, `"log"`, `"cancel"` or `"panic"`: the treatment of a task
///   that nothing can wake. See `volt::runtime::OrphanPolicy`. With `"panic"`, a test that awaits
///   such a task fails with the place where it waits.
/// - `crate = path`: the path of volt; by default `::volt`.
///
/// All other settings are methods of `volt::Builder`.
#[proc_macro_attribute]
pub fn main(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(item, |item| {
        entry::expand(entry::EntryKind::Main, options.into(), item)
    })
}

/// Runs an `async fn` as a test, in its own runtime.
///
/// The options are those of `main`, except that the default is `flavor = "current_thread"`.
/// `workers = N` implies `"multi_thread"`. Other attributes of tests, such as `#[ignore]` and
/// `#[should_panic]`, apply as usual.
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(item, |item| {
        entry::expand(entry::EntryKind::Test, options.into(), item)
    })
}

/// Expands an attribute on an item.
fn expand(
    item: TokenStream,
    expand: impl FnOnce(proc_macro2::TokenStream) -> proc_macro2::TokenStream,
) -> TokenStream {
    let item = syntax::preserve_groups(item.into());
    if !options::is_editor() {
        return expand(item).into();
    }
    syntax::with_written_groups(expand(item.clone()), item).into()
}
