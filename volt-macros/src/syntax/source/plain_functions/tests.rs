//! Functions in the code of a module.

use super::{functions, parameter_count};

fn names(code: &str) -> Vec<String> {
    let functions = functions(code).plain.into_iter();
    functions.map(|function| function.name).collect()
}

#[test]
fn function_with_an_opaque_future_is_found() {
    assert_eq!(names("fn a() -> impl Future<Output = u8> { b() }"), ["a"]);
    assert_eq!(names("pub fn a() -> Pin<Box<impl Future>> { b() }"), ["a"]);
    assert_eq!(names("use x::y; async fn a(n: u8) { b(n).await }"), ["a"]);
    assert_eq!(names("{ fn b() {} async fn a() { { 1 } } }"), ["a"]);
}

#[test]
fn other_function_is_not_found() {
    assert!(names("fn a() -> Pin<Box<dyn Future>> { b() }").is_empty());
    assert!(names("fn a(f: impl Future) -> u8 { b() }").is_empty());
    assert!(names("#[volt::state_machine] async fn a() { b() }").is_empty());
    assert!(names("impl A { async fn a() { b() } }").is_empty());
}

#[test]
fn code_of_a_function_has_its_body() {
    let plain = functions("const N: u8 = 1; fn a() -> impl Future { b(N) } fn c() {}").plain;
    assert_eq!(plain.len(), 1);
    assert_eq!(plain[0].code, "a() -> impl Future  { b(N) }");
}

#[test]
fn names_of_functions_outside_of_types_are_found() {
    let code = "pub fn a<T>() {} impl Of<fn(u8)> for T { fn b() {} } async fn c() { fn d() {} }";
    assert_eq!(functions(code).names, ["a", "c"]);
}

#[test]
fn parameters_of_plain_functions_are_counted() {
    let cases = [
        ("() {}", Some(0)),
        ("( ) {}", Some(0)),
        ("(a: u8) {}", Some(1)),
        ("(a: Map<u8, u8>, b: fn(u8, u8) -> u8,) {}", Some(2)),
        ("((a, b): (u8, u8), c: [u8; 2]) {}", Some(2)),
        ("(&self, a: u8) {}", None),
        ("<T>(a: T) {}", None),
        ("(#[cfg(x)] a: u8) {}", None),
    ];
    for (after, count) in cases {
        assert_eq!(parameter_count(after), count, "{after}");
    }
}
