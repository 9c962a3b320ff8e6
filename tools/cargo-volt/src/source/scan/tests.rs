//! Which functions are found, and where.

use super::{Found, Kind, scan};

fn found(text: &str) -> Found {
    scan(text).expect("it parses")
}

fn kinds(text: &str) -> Vec<(String, Kind, bool)> {
    let functions = found(text).functions.into_iter();
    functions
        .map(|one| (one.full_name(), one.kind, one.generic))
        .collect()
}

fn kind(name: &str, kind: Kind, generic: bool) -> (String, Kind, bool) {
    (name.to_owned(), kind, generic)
}

#[test]
fn functions_in_modules_and_functions_are_found() {
    let text = "mod a { mod b { async fn f() { async fn g() {} } } } fn h() { async fn i() {} }";
    let expected = [
        kind("f", Kind::Free, false),
        kind("g", Kind::Free, false),
        kind("i", Kind::Free, false),
    ];
    assert_eq!(kinds(text), expected);
}

#[test]
fn methods_differ_from_trait_methods() {
    let text = "impl A { async fn f(&self) {} fn g() {} } impl T for A { async fn h(&self) {} }
                trait T { async fn h(&self); async fn i(&self) {} }";
    let expected = [
        kind("A::f", Kind::Method, false),
        kind("A::h", Kind::OfTrait, false),
        kind("::h", Kind::OfTrait, false),
        kind("::i", Kind::OfTrait, false),
    ];
    assert_eq!(kinds(text), expected);
}

#[test]
fn function_in_a_method_is_no_method() {
    let text = "impl A { fn f() { async fn g() {} } } trait T { fn f() { async fn h() {} } }";
    let expected = [kind("g", Kind::Free, false), kind("h", Kind::Free, false)];
    assert_eq!(kinds(text), expected);
}

#[test]
fn programs_and_tests_are_entries() {
    let text = "#[tokio::main] async fn main() {} #[cfg(test)] mod t { #[test] async fn f() {} }
                #[inline] async fn g() {}";
    let expected = [
        kind("main", Kind::Entry, false),
        kind("f", Kind::Entry, false),
        kind("g", Kind::Free, false),
    ];
    assert_eq!(kinds(text), expected);
}

#[test]
fn parameters_but_lifetimes_make_it_generic() {
    let text = "async fn f<'a>(x: &'a u8) {} async fn g<T>(x: T) {} async fn h(x: &impl Copy) {}
                impl<T> A<T> { async fn i() {} } async fn j<const N: usize>() {}";
    let generic: Vec<bool> = kinds(text).into_iter().map(|one| one.2).collect();
    assert_eq!(generic, [false, true, true, true, true]);
}

#[test]
fn places_match_the_text() {
    let text = "/// ä\n#[instrument]\npub async fn f() {}\n";
    let function = &found(text).functions[0];
    assert_eq!(function.line, 3);
    assert_eq!(&text[function.below..function.below + 3], "pub");
    assert_eq!(function.above.map(|at| &text[at..at + 4]), Some("#[in"));
    assert_eq!(&text[function.range.clone()], text.trim_end());
}

#[test]
fn function_without_attribute_begins_at_async() {
    let text = "  async unsafe fn f() {}";
    let function = &found(text).functions[0];
    assert_eq!((function.below, function.above), (2, None));
    assert_eq!(function.range, 2..text.len());
}

#[test]
fn mark_and_script_line_move_nothing() {
    for head in [
        "\u{feff}",
        "#!/bin/x y\n",
        "\u{feff}#!/bin/x\n",
        "#![no_std]\n",
    ] {
        let text = format!("{head}async fn f() {{}}");
        assert_eq!(found(&text).functions[0].below, head.len(), "{head:?}");
    }
}

#[test]
fn macro_of_items_is_entered_and_others_are_counted() {
    let text = "cfg_x! { async fn f() {} impl A { async fn g() {} } } impl A { async fn h() {} }
                macro_rules! m { () => { async fn i() {} async unsafe fn j() {} async {} } }
                fn k() { n!(async fn l() {}); }";
    let found = found(text);
    let names: Vec<_> = found
        .functions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["f", "g", "h"]);
    assert_eq!(found.in_macros, 3);
    let blocks: Vec<_> = found.functions.iter().map(|one| one.block).collect();
    assert_eq!(blocks, [None, Some(0), Some(1)]);
    assert_eq!(&text[found.blocks[1].at..][..4], "impl");
}

#[test]
fn text_without_rust_is_an_error() {
    assert!(scan("async fn {").is_err());
}
