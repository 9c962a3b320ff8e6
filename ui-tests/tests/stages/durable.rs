//! Assumptions about durable functions, which the macro must not make about other functions.

use crate::fallback::FallbackReason;
use crate::hir::StoredTypes;
use crate::pipeline::{Analysis, analyse};
use crate::resolve::LocalKind;

fn analysis(body: &str, types: StoredTypes) -> Analysis {
    let source = format!("async fn f(a: A, n: u32) -> u32 {{ {body} }}");
    let item: syn::ItemFn = syn::parse_str(&source).expect("a function");
    analyse(&item.sig, &item.block, types)
}

fn reasons(body: &str, types: StoredTypes) -> Vec<FallbackReason> {
    let analysis = analysis(body, types);
    let found = analysis.fallbacks.all().iter();
    found.map(|fallback| fallback.reason).collect()
}

/// Asserts that only a durable function has no such reason.
#[track_caller]
fn assert_durable(body: &str, reason: FallbackReason) {
    assert_eq!(reasons(body, StoredTypes::Any), [reason], "{body}");
    assert_eq!(reasons(body, StoredTypes::Owned), [], "{body}");
}

/// Asserts that a function has the reason, durable or not.
#[track_caller]
fn assert_any(body: &str, reason: FallbackReason) {
    for types in [StoredTypes::Any, StoredTypes::Owned] {
        assert_eq!(reasons(body, types), [reason], "{body} {types:?}");
    }
}

#[test]
fn dead_values_of_snapshots_own_their_content() {
    let body = "let t = text(); let w = t.split(' '); drop(t); h().await; 1";
    assert_durable(body, FallbackReason::Borrow);
    let body = "let t = text(); let w = t.split(' '); drop(t); #[step] h().await; 1";
    assert_any(body, FallbackReason::Borrow);
}

#[test]
fn iterators_of_snapshots_have_no_named_temporaries() {
    let named = |body, types| {
        let locals = analysis(body, types).body.locals;
        locals
            .iter()
            .filter(|local| local.kind == LocalKind::Receiver)
            .count()
    };
    let outside = "for l in text(n).rows() { h(l).await; } 1";
    assert_eq!(named(outside, StoredTypes::Any), 1);
    assert_eq!(named(outside, StoredTypes::Owned), 0);
    let inside = "#[step] for l in text(n).rows() { h(l).await; } 1";
    assert_eq!(named(inside, StoredTypes::Owned), 1);
}

#[test]
fn locals_are_emptied_in_durable_functions() {
    let body = "if n > 1 { k(a).await; } h().await; 1";
    assert_durable(body, FallbackReason::ConditionalMove);
}

#[test]
fn edition_of_an_else_is_claimed_in_durable_functions() {
    // A value that is left when the pattern does not match may be dropped after the `else`.
    let body = "if let Ok(m) = g(n) { h().await; m } else { k(n) }";
    let tails = |types| analysis(body, types).body.tails.len();
    assert_eq!(tails(StoredTypes::Owned), 1);
    assert_eq!(tails(StoredTypes::Any), 0);
}
