//! The program for a microcontroller: without the standard library, with all futures in statics.

/// The target of the program.
pub(crate) const TARGET: &str = "thumbv7em-none-eabi";

/// The profile of the program: that of `integration/embedded`.
pub(crate) const PROFILE: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s"),
    ("CARGO_PROFILE_RELEASE_LTO", "fat"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
];

/// Returns a library without the standard library.
pub(crate) fn library(library: &str) -> String {
    let (allowed, items) = library.split_once("use std::").unwrap_or(("", library));
    let items = format!("use core::{items}").replace("std::", "core::");
    format!("{allowed}#![no_std]\n{IMPORTS}{items}")
}

/// Returns the entry of a program that polls the functions with these names, and the statics that
/// have the sizes of their futures.
pub(crate) fn entry(library: &str, names: &str) -> String {
    let calls = library.split("pin!(").skip(1);
    let statics: String = calls.filter_map(static_of).collect();
    format!("{ENTRY}\nconst CALLS: &[fn(&mut Context<'_>) -> bool] = &[{names}];\n{statics}")
}

/// Returns a static with the size of the future of a call, such as `line_0(String::new(), 0)`.
fn static_of(call: &str) -> Option<String> {
    let (function, arguments) = call.split_once(").poll")?.0.split_once('(')?;
    // The value of a generic function is a number.
    let parameters = if function.starts_with("generic") {
        "::<i32>"
    } else {
        ""
    };
    let size = match arguments.matches(", ").count() {
        0 => "size_of_one",
        _ => "size_of_two",
    };
    let future = format!("{size}({function}{parameters})");
    let name = function.to_uppercase();
    Some(format!(
        "#[used]\nstatic mut {name}: Room<{{ {future} }}> = Room::NEW;\n"
    ))
}

/// The names of the standard library that the functions use.
const IMPORTS: &str = "
extern crate alloc;
#[allow(unused_imports, reason = \"the empty library uses none\")]
use alloc::{format, string::String, vec, vec::Vec};
";

const ENTRY: &str = "
fn opaque<T>(future: Pin<&mut dyn Future<Output = T>>) -> Pin<&mut dyn Future<Output = T>> {
    core::hint::black_box(future)
}
struct NoMemory;
// SAFETY: no call returns memory.
unsafe impl core::alloc::GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: core::alloc::Layout) -> *mut u8 {
        core::ptr::null_mut()
    }
    unsafe fn dealloc(&self, _: *mut u8, _: core::alloc::Layout) {}
}
#[global_allocator]
static MEMORY: NoMemory = NoMemory;
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
struct Room<const BYTES: usize>(core::mem::MaybeUninit<[u8; BYTES]>);
impl<const BYTES: usize> Room<BYTES> {
    const NEW: Self = Self(core::mem::MaybeUninit::uninit());
}
const fn size_of_one<A, F>(_: fn(A) -> F) -> usize {
    size_of::<F>()
}
const fn size_of_two<A, B, F>(_: fn(A, B) -> F) -> usize {
    size_of::<F>()
}
#[unsafe(no_mangle)]
pub extern \"C\" fn _start() -> ! {
    let mut cx = Context::from_waker(core::task::Waker::noop());
    for call in core::hint::black_box(CALLS) {
        core::hint::black_box(call(&mut cx));
    }
    loop {}
}";
