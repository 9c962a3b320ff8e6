//! What the attribute refuses, and how it says so; what it must accept without a word.
//!
//! Each file of `refuse/` breaks one rule and stands beside the message that it gets; those of
//! `pass/` compile and run. All of them take minutes, one by itself does not:
//!
//! ```text
//! cargo test -p ui-tests --test ui -- refusals trybuild=await_in_guard
//! ```
//!
//! With `TRYBUILD=overwrite` before it, what the compiler says now is accepted.

#[test]
fn refusals_and_passes() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/refuse/*.rs");
}
