//! The macro on functions that are nearly right.
//!
//! The macro must not panic for any function that the compiler passes to the attribute, and its
//! output must be items. `fuzz` has the same test for libFuzzer.

macro_rules! room {
    ($($name:ident = $path:literal;)*) => { $(
        #[path = $path]
        #[allow(dead_code, unreachable_pub, unused_imports, reason = "the macro crate uses it")]
        mod $name;
    )* };
}

room! {
    names = "../../../volt-macros/src/names/mod.rs";
    syntax = "../../../volt-macros/src/syntax/mod.rs";
    errors = "../../../volt-macros/src/errors/mod.rs";
    options = "../../../volt-macros/src/options/mod.rs";
    signature = "../../../volt-macros/src/signature/mod.rs";
    backend = "../../../volt-macros/src/backend/mod.rs";
    fallback = "../../../volt-macros/src/fallback/mod.rs";
    resolve = "../../../volt-macros/src/resolve/mod.rs";
    hir = "../../../volt-macros/src/hir/mod.rs";
    cfg = "../../../volt-macros/src/cfg/mod.rs";
    liveness = "../../../volt-macros/src/liveness/mod.rs";
    layout = "../../../volt-macros/src/layout/mod.rs";
    explicit = "../../../volt-macros/src/explicit/mod.rs";
    native = "../../../volt-macros/src/native/mod.rs";
    pipeline = "../../../volt-macros/src/pipeline.rs";
    attribute = "../../../volt-macros/src/attribute/mod.rs";
}

#[path = "../../../fuzz/fuzz_targets/mutate.rs"]
mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};

use mutate::{Choices, corpus, mutated};
use proc_macro2::TokenStream;
use quote::quote;

/// How many functions each of the tests tries. There are two, for two processors.
const TRIED: u64 = 750;

/// splitmix64.
struct Rng(u64);

impl Choices for Rng {
    fn below(&mut self, bound: usize) -> Option<usize> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound.max(1) as u64).ok()
    }
}

/// Returns the fault of the expansion of a function.
fn fault(function: &TokenStream) -> Option<String> {
    let expanded = catch_unwind(AssertUnwindSafe(|| {
        attribute::expand(quote!(), function.clone())
    }));
    match expanded.map(syn::parse2::<syn::File>) {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(format!("no items: {error}")),
        Err(_) => Some("a panic".to_owned()),
    }
}

#[test]
fn functions_of_the_tests_expand_to_items() {
    let corpus = corpus();
    assert!(corpus.len() > 80, "{} functions", corpus.len());
    for function in &corpus {
        assert_eq!(fault(function), None, "{function}");
    }
}

#[test]
fn nearly_right_function_never_panics() {
    try_functions(1);
}

#[test]
fn another_nearly_right_function_never_panics() {
    try_functions(2);
}

fn try_functions(seed: u64) {
    let corpus = corpus();
    let mut rng = Rng(seed);
    let mut tried = 0;
    let mut faults = Vec::new();
    while tried < TRIED {
        let function = mutated(&corpus, &mut rng).expect("rng never end");
        // The compiler hands nothing else to an attribute, and no type parameter without a name.
        let is_named =
            |item: &syn::ItemFn| item.sig.generics.type_params().all(|it| it.ident != "_");
        if syn::parse2::<syn::ItemFn>(function.clone()).is_ok_and(|item| is_named(&item)) {
            tried += 1;
            faults.extend(fault(&function).map(|fault| format!("{fault}\n{function}")));
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}
