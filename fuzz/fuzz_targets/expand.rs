//! The macro on functions that are nearly right, as `libFuzzer` chooses them.
//!
//! `cargo +nightly fuzz run --sanitizer none expand`, with `cargo install cargo-fuzz` before it.
//!
//! For each function that the compiler accepts as input of the attribute, the macro must not panic,
//! and must return items.
#![no_main]

macro_rules! room {
    ($($name:ident = $path:literal;)*) => { $(
        #[path = $path]
        #[allow(dead_code, unreachable_pub, unused_imports, reason = "the macro crate uses it")]
        mod $name;
    )* };
}

room! {
    names = "../../volt-macros/src/names/mod.rs";
    syntax = "../../volt-macros/src/syntax/mod.rs";
    errors = "../../volt-macros/src/errors/mod.rs";
    options = "../../volt-macros/src/options/mod.rs";
    signature = "../../volt-macros/src/signature/mod.rs";
    backend = "../../volt-macros/src/backend/mod.rs";
    fallback = "../../volt-macros/src/fallback/mod.rs";
    resolve = "../../volt-macros/src/resolve/mod.rs";
    hir = "../../volt-macros/src/hir/mod.rs";
    cfg = "../../volt-macros/src/cfg/mod.rs";
    liveness = "../../volt-macros/src/liveness/mod.rs";
    layout = "../../volt-macros/src/layout/mod.rs";
    explicit = "../../volt-macros/src/explicit/mod.rs";
    native = "../../volt-macros/src/native/mod.rs";
    pipeline = "../../volt-macros/src/pipeline.rs";
    attribute = "../../volt-macros/src/attribute/mod.rs";
}

mod mutate;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mutate::{Choices, corpus, mutated};
use quote::quote;

/// The bytes that the fuzzer gives, two a choice.
struct Bytes<'a>(&'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: usize) -> Option<usize> {
        let (pair, rest) = self.0.split_first_chunk::<2>()?;
        self.0 = rest;
        Some(usize::from(u16::from_le_bytes(*pair)) % bound.max(1))
    }
}

thread_local! {
    static CORPUS: LazyLock<Vec<proc_macro2::TokenStream>> = const { LazyLock::new(corpus) };
}

fuzz_target!(|bytes: &[u8]| {
    let function = CORPUS.with(|corpus| mutated(corpus, &mut Bytes(bytes)));
    let Some(function) = function else { return };
    // The compiler hands nothing else to an attribute.
    if syn::parse2::<syn::ItemFn>(function.clone()).is_err() {
        return;
    }
    let expanded = attribute::expand(quote!(twin = false), function.clone());
    if let Err(error) = syn::parse2::<syn::File>(expanded) {
        panic!("{error}, made of\n{function}");
    }
});
