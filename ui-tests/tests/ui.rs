//! Programs that the attribute rejects, with their messages, and programs that it accepts without
//! one.
//!
//! Each file of `refuse/` breaks one rule, and its message is next to it. The files of `pass/`
//! compile and run. All of them take minutes, a single one does not:
//!
//! ```text
//! cargo test -p ui-tests --test ui -- refusals trybuild=await_in_guard
//! ```
//!
//! With `TRYBUILD=overwrite` before it, the current messages of the compiler are accepted.

#[test]
fn refusals_and_passes() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/refuse/*.rs");
}
