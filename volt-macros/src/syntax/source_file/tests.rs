//! Uses of a name in the text of a file.

use super::{code, declares, module_at, uses};

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
fn path_that_begins_with_a_name_is_found() {
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
fn module_is_read_without_those_in_it() {
    let text =
        "use a::*;\nmod one {\n    struct A { b: B }\n    mod two { fn f() {} }\n}\nfn g() {}\n";
    let place = |word: &str| text.find(word).expect("a word");
    let own = module_at(text, place("fn g"));
    assert!(own.contains("use a") && own.contains("fn g") && !own.contains("struct"));
    let own = module_at(text, place("struct"));
    assert!(own.contains("struct A") && !own.contains("fn f") && !own.contains("use a"));
    let own = module_at(text, place("fn f"));
    assert!(own.contains("fn f") && !own.contains("struct"));
}
