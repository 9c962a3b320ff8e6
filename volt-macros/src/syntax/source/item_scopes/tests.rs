//! Names of items in the text of a file.

use super::super::bare_code::code;
use super::ItemScopes;

/// Looks up the name in the scope of the letter `§` of a text.
fn is_item(text: &str, name: &str) -> bool {
    let place = text.find('§');
    let scopes = ItemScopes::new(&code(&text.replace('§', " ")));
    let is_item = scopes.may_be_item(place.unwrap_or(0), name, &|_, _| false);
    assert!(!is_item || scopes.have_odd_names(), "{text}");
    is_item
}

#[test]
fn constant_and_unit_struct_are_items() {
    assert!(is_item("const limit: u32 = 3;", "limit"));
    assert!(is_item(
        "#[cfg(a)] pub(crate) const r#limit: u32 = 3;",
        "limit"
    ));
    assert!(is_item("fn f() {} const limit: u32 = 3;", "limit"));
    assert!(is_item("subject! { const limit: u32 = 3; }", "limit"));
    assert!(is_item(
        "subject! { fn f() {§} } const limit: u32 = 3;",
        "limit"
    ));
    assert!(is_item("pub struct limit;", "limit"));
    assert!(is_item("struct None<T>(T);", "None"));
    assert!(!is_item("struct limit { at: u32 }", "limit"));
    assert!(!is_item("const LIMIT: u32 = limit();", "limit"));
    assert!(!is_item("const fn limit() {}", "limit"));
    assert!(!is_item("struct Page { limit: u32 }", "limit"));
}

#[test]
fn local_of_another_function_is_no_item() {
    assert!(!is_item("fn limit() { let limit = 1; }", "limit"));
    assert!(!is_item("fn f(limit: u32) {§}", "limit"));
    assert!(!is_item("fn f<const limit: usize>() {§}", "limit"));
    assert!(!is_item(
        "fn f() { const limit: u32 = 1; } fn g() {§}",
        "limit"
    ));
    assert!(!is_item("fn f() { use Reply::limit; } fn g() {§}", "limit"));
    assert!(!is_item(
        "fn f() { loop { const limit: u32 = 1; } §}",
        "limit"
    ));
    assert!(!is_item(
        "impl Page { const limit: u32 = 1; fn f() {§} }",
        "limit"
    ));
    assert!(!is_item(
        "trait Page { const limit: u32; fn f() {§} }",
        "limit"
    ));
}

/// A struct whose name ends with `use`, and its fields.
#[test]
fn field_of_a_literal_is_no_item() {
    let text = "fn pause(left: u8) -> Pause {
            let counted = Counted::new(left);
            Pause { left, counted }
        }
        impl Future for Pause {
            fn poll(mut self: Pin<&mut Self>) -> Poll<()> {
                match self.left.checked_sub(1) {
                    Some(left) => { self.left = left; Poll::Pending }
                    None => Poll::Ready(()),
                }
            }
        }
        async fn depth(left: u8, text: String) -> usize { § 1 }";
    assert!(!is_item(text, "left"));
    assert!(!is_item(text, "counted"));
    assert!(!is_item(text, "None"));
}

#[test]
fn item_of_a_block_is_in_scope_in_it() {
    assert!(is_item(
        "fn f() { const limit: u32 = 1; fn g() {§} }",
        "limit"
    ));
    assert!(is_item(
        "fn f() { loop { §} const limit: u32 = 1; }",
        "limit"
    ));
    assert!(is_item(
        "fn f() { loop { const a: u8 = 1; §} const b: u8 = 1; }",
        "b"
    ));
    assert!(is_item(
        "fn f() { if !ready { const limit: u8 = 1; §} }",
        "limit"
    ));
    assert!(is_item(
        "fn f() { g(|| { const limit: [u8; 3] = l; §}); }",
        "limit"
    ));
    assert!(is_item(
        "impl A for [u8; 3] { fn f() {§} } const limit: u8 = 1;",
        "limit"
    ));
    assert!(is_item(
        "fn f() { enum Reply { None } use Reply::*; §}",
        "None"
    ));
}

#[test]
fn imported_variant_is_an_item() {
    assert!(is_item("use other::Reply::{Ok, None};", "None"));
    assert!(is_item("use other::{Reply::None, list};", "None"));
    assert!(is_item("use other::{Reply::{None}, list};", "None"));
    assert!(is_item("use other::Reply::none;", "none"));
    assert!(is_item("use other::LIMIT as limit;", "limit"));
    assert!(is_item("use other::None;", "None"));
    assert!(!is_item("use std::option::Option::{None, Some};", "None"));
    assert!(!is_item("use std::prelude::v1::{None, Some};", "None"));
    assert!(!is_item("use Option::{None, Some};", "None"));
    assert!(!is_item("use std::{fmt, mem};", "fmt"));
    assert!(!is_item("use other::{Reply::{Full}, limit};", "limit"));
    assert!(!is_item("use other::count as limit;", "limit"));
}

#[test]
fn variant_of_a_glob_is_an_item() {
    assert!(is_item(
        "enum Reply { #[a] r#none, Some(u32) } use Reply::*;",
        "none"
    ));
    assert!(is_item(
        "enum Reply { A { b: u8 }, Some(u32) } use Reply::*;",
        "Some"
    ));
    assert!(is_item(
        "enum Reply { none } mod a { use super::Reply::*; §}",
        "none"
    ));
    assert!(is_item(
        "enum Reply { none } mod a { use crate::b::Reply::*; §}",
        "none"
    ));
    assert!(is_item("enum Option { None } use Option::*;", "None"));
    assert!(is_item("use other::Reply::*;", "None"));
    assert!(!is_item("use other::Reply::*;", "limit"));
    assert!(!is_item("use other::*;", "None"));
    assert!(!is_item("use Option::*;", "None"));
    assert!(!is_item(
        "enum Reply { Full } use Reply::*; fn f() { None }",
        "None"
    ));
    assert!(!is_item(
        "enum Reply { Full(None), A { limit: u8 } } use Reply::*;",
        "None"
    ));
    assert!(!is_item(
        "enum Reply { A { none: u8 }, B(u8, limit) } use Reply::*;",
        "none"
    ));
    assert!(!is_item("enum Reply { None, Full }", "None"));
}

#[test]
fn glob_import_of_a_module_is_followed() {
    assert!(is_item(
        "const limit: u8 = 1; mod a { use super::*; §}",
        "limit"
    ));
    assert!(is_item(
        "const limit: u8 = 1; mod a { use crate::*; §}",
        "limit"
    ));
    assert!(is_item(
        "mod a { pub const limit: u8 = 1; } use self::a::*;",
        "limit"
    ));
    assert!(is_item(
        "mod a { pub const limit: u8 = 1; } use a::*;",
        "limit"
    ));
    assert!(is_item(
        "mod a { pub const limit: u8 = 1; } use a::{limit};",
        "limit"
    ));
    assert!(is_item(
        "mod a { pub enum E { none } } use a::E; use E::*;",
        "none"
    ));
    assert!(is_item(
        "mod a { pub enum E { none } } use a::*; mod b { use super::*; use super::a::E::*; §}",
        "none"
    ));
    assert!(is_item(
        "const limit: u8 = 1; mod a { mod b { use super::super::*; §} }",
        "limit"
    ));
    assert!(!is_item("const limit: u8 = 1; mod a { §}", "limit"));
    assert!(!is_item("mod a { const limit: u8 = 1; }", "limit"));
    assert!(!is_item(
        "const limit: u8 = 1; mod a { mod b { use super::*; §} }",
        "limit"
    ));
    assert!(!is_item(
        "mod a { pub fn limit() {} } use a::limit;",
        "limit"
    ));
    assert!(!is_item(
        "use super::*; use a::*; mod a { use super::*; }",
        "limit"
    ));
}

/// Looks up `limit`, which another file declares.
fn is_item_of_package(text: &str) -> bool {
    let scopes = ItemScopes::new(&code(&text.replace('§', " ")));
    let is_item = scopes.may_be_item(text.find('§').unwrap_or(0), "limit", &|path, name| {
        name == "limit" && matches!(&**path.last().expect("a path"), "shapes" | "crate")
    });
    assert!(!is_item || scopes.have_imports(), "{text}");
    is_item
}

#[test]
fn import_from_another_file_may_be_an_item() {
    assert!(is_item_of_package("use crate::shapes::*;"));
    assert!(is_item_of_package("use crate::shapes::{Shape, limit};"));
    assert!(is_item_of_package("use crate::*;"));
    assert!(is_item_of_package(
        "use inner::*; mod inner { pub use super::super::shapes::*; }"
    ));
    assert!(!is_item_of_package(
        "use crate::shapes::most; use std::mem::*;"
    ));
    assert!(!is_item_of_package(
        "use inner::*; mod inner { pub fn limit() {} }"
    ));
    assert!(!is_item_of_package(
        "mod inner { use crate::shapes::*; } fn f() {§}"
    ));
}

/// Looks up the name in the scope of the letter `§` of a text.
fn is_foreign(text: &str, name: &str) -> bool {
    let place = text.find('§');
    let scopes = ItemScopes::new(&code(&text.replace('§', " ")));
    scopes.may_be_foreign(place.unwrap_or(0), name)
}

#[test]
fn import_of_another_crate_is_foreign() {
    assert!(is_foreign("use codes::*; fn f() {§}", "limit"));
    assert!(is_foreign("use ::codes::http::*; fn f() {§}", "limit"));
    assert!(is_foreign("use codes::{limit, other}; fn f() {§}", "limit"));
    assert!(is_foreign("use codes::LIMIT as limit; fn f() {§}", "limit"));
    assert!(is_foreign("fn f() { use codes::*; §}", "limit"));
    assert!(is_foreign(
        "use codes::*; mod tests { use super::*; fn f() {§} }",
        "limit"
    ));
    assert!(!is_foreign("use codes::other; fn f() {§}", "limit"));
    assert!(!is_foreign("use std::io::prelude::*; fn f() {§}", "limit"));
    assert!(!is_foreign("use super::*; fn f() {§}", "limit"));
    assert!(!is_foreign("use crate::codes::*; fn f() {§}", "limit"));
    assert!(!is_foreign(
        "use codes::*; mod tests { fn f() {§} }",
        "limit"
    ));
    assert!(!is_foreign(
        "mod codes {} use codes::*; fn f() {§}",
        "limit"
    ));
    assert!(!is_foreign("fn g() { use codes::*; } fn f() {§}", "limit"));
}
