//! Lines of the report.

use super::*;
use crate::fallback::{FallbackReason, Fallbacks};

/// The line for a function with a fallback reason, without the file.
fn of(source: &str, reason: FallbackReason) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let mut fallbacks = Fallbacks::default();
    fallbacks.note(reason, &item.block.stmts[0]);
    let why = fallbacks.native_reason(&item.sig.ident);
    let line = line(&item.sig.ident, Outcome::Native(&why));
    line.split_once('\t').expect("a file").1.to_owned()
}

#[test]
fn report_has_line_of_fallback_reason() {
    let found = of(
        "async fn f() {\n\n    loop {}\n}",
        FallbackReason::UnsafeCode,
    );
    assert_eq!(
        found,
        "3\tf\tnative\tthe function contains `unsafe` code: `loop { }`\t1\n"
    );
}

#[test]
fn report_names_unknown_macro() {
    let found = of(
        "async fn f() {\n    a::pick! { 1 }\n}",
        FallbackReason::UnknownMacro,
    );
    let expected = "2\tf\tnative\ta macro is unknown to the attribute: `a::pick!`\t1\n";
    assert_eq!(found, expected);
}
