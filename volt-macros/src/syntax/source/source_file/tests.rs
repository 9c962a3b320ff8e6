//! Uses of a name in the text of a file.

use super::super::bare_code::code;
use super::super::file_modules::FileModules;
use super::super::indexed_code::IndexedCode;
use super::super::module_items::without_bodies as items;
use super::super::name_context::uses;
use super::declares as declares_in;

fn declares(code: &str, name: &str) -> bool {
    declares_in(&IndexedCode::new(code.to_owned()), name)
}

fn is_of_another(text: &str) -> bool {
    let code = code(text);
    uses(&code, "Connect").any(|of| of.is_of_another_item())
}

#[test]
fn use_of_a_struct_is_found() {
    assert!(is_of_another("let c = Connect { id: 1 };"));
    assert!(is_of_another("let c = Connect::new(1);"));
    assert!(is_of_another("matches!(packet, Connect(_))"));
    assert!(is_of_another("fn f(c: &dyn Connect) {}"));
    assert!(is_of_another("if let Connect { id } = c {}"));
}

#[test]
fn use_of_a_machine_is_not_found() {
    assert!(!is_of_another("struct Held { connect: Connect }"));
    assert!(!is_of_another("Connect::STATES.len()"));
    assert!(!is_of_another("fn f() -> Connect { connect() }"));
    assert!(!is_of_another("impl Show for Connect { }"));
    assert!(!is_of_another("protocol::Connect { id: 1 }"));
    assert!(!is_of_another("Connected { id: 1 }"));
}

#[test]
fn comment_and_literal_are_no_code() {
    assert!(!is_of_another("// Connect { id }\n/* Connect(1) */"));
    assert!(!is_of_another(
        "let text = \"Connect { \\\" }\"; let c = '\"';"
    ));
    assert!(!is_of_another("let text = r#\"Connect::new(\" \"#;"));
    assert!(is_of_another(
        "let c = '\"'; Connect { id: 1 }; let d = '\\'';"
    ));
    assert!(is_of_another("fn f<'a>(c: &'a str) { Connect(c) }"));
    assert!(is_of_another("let r#type = 1; Connect(r#type)"));
}

#[test]
fn declaration_is_found() {
    assert!(declares(&code("pub struct Connect { id: u32 }"), "Connect"));
    assert!(declares(&code("use protocol::{Ack, Connect};"), "Connect"));
    assert!(declares(&code("use protocol::Open as Connect;"), "Connect"));
    assert!(!declares(
        &code("use protocol::*; let c: Connect = x;"),
        "Connect"
    ));
}

#[test]
fn path_with_name_as_root_is_found() {
    let begins = |text: &str| {
        let code = code(text);
        uses(&code, "log").any(|of| of.begins_path() || of.is_imported())
    };
    assert!(begins("log::info!(\"a\")"));
    assert!(begins("use log::warn;"));
    assert!(!begins("crate::log::info()"));
    assert!(!begins("async fn log() {} catalog::of(log)"));
}

#[test]
fn inner_modules_are_not_read() {
    let text =
        "use a::*;\nmod one {\n    struct A { b: B }\n    mod two { fn f() {} }\n}\nfn g() {}\n";
    let place = |word: &str| text.find(word).expect("a word");
    let file = FileModules::new(text);
    let code_at = |word: &str| {
        file.module_at(place(word))
            .expect("a module")
            .code()
            .text()
            .to_owned()
    };
    let own = code_at("fn g");
    assert!(own.contains("use a") && own.contains("fn g") && !own.contains("struct"));
    let own = code_at("struct");
    assert!(own.contains("struct A") && !own.contains("fn f") && !own.contains("use a"));
    let own = code_at("fn f");
    assert!(own.contains("fn f") && !own.contains("struct"));
}

#[test]
fn import_names_its_crate() {
    let is_of_crate = |text: &str| {
        let code = code(text);
        uses(&code, "json")
            .any(|of| of.is_imported() && uses(of.statement(), "serde_json").next().is_some())
    };
    assert!(is_of_crate("use serde_json::json;"));
    assert!(is_of_crate("use serde_json::{Value, json};"));
    assert!(is_of_crate("use ::serde_json::{self, json}; fn f() {}"));
    assert!(!is_of_crate("use other::json; use serde_json::Value;"));
    assert!(!is_of_crate("serde_json::from_str(json)"));
}

#[test]
fn item_of_the_module_is_declared() {
    let declares = |text: &str| declares(&items(&code(text)), "Connect");
    assert!(declares("struct Connect { id: u32 }"));
    assert!(declares("fn f() {} pub(crate) enum Connect {}"));
    assert!(declares("use protocol::{Close, Connect};"));
    assert!(declares("use protocol::{Close, v5::{Connect, Open}};"));
    assert!(declares("use protocol::Packet as Connect;"));
    assert!(declares("{ struct Connect; fn f() {} }"));
}

#[test]
fn item_of_a_body_is_not_declared() {
    let declares = |text: &str| declares(&items(&code(text)), "Connect");
    assert!(!declares("fn f() { struct Connect; }"));
    assert!(!declares("impl Service for S { type Connect = u8; }"));
    assert!(!declares(
        "fn f() { use protocol::Connect; } struct Held(Connect);"
    ));
    assert!(!declares("{ fn f() { struct Connect; } }"));
}
