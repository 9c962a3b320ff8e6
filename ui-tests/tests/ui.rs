//! What the attribute refuses, and how it says so; what it must accept without a word.
//!
//! `TRYBUILD=overwrite cargo test -p ui-tests --test ui` accepts what the compiler says now.

#[test]
fn refusals_and_passes() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/refuse/*.rs");
}
