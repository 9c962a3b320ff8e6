//! Format strings of macros that receive `self` as an argument.

use super::*;

fn given(source: &str) -> String {
    let mut mac: Macro = syn::parse_str(source).unwrap();
    name_captured_self(&mut mac);
    mac.tokens.to_string()
}

#[test]
fn only_captured_self_is_passed() {
    let is_given = |source| given(source).ends_with(", self = __self");
    assert!(is_given(r#"format!("{self} {self:?}")"#));
    assert!(is_given(r#"format!("{self}",)"#));
    assert!(is_given(r##"print!(r#"{self}"#)"##));
    assert!(is_given(r#"format!("{{{self}")"#));
    assert!(is_given(r#"format!("{:self$}", 1)"#));
    assert!(is_given(r#"write!(f, "{self}")"#));
    assert!(is_given(r#"assert_eq!("{self}", a, "{self}")"#));
    assert!(!is_given(r#"format!("{{self}} {selfish}")"#));
    assert!(!is_given(r#"format!("{}", "{self}")"#));
    assert!(!is_given(r#"assert_eq!("{self}", a)"#));
    assert!(!is_given(r#"concat!("{self}")"#));
}

#[test]
fn appended_argument_follows_single_comma() {
    let text = r#""{self}" , self = __self"#;
    assert_eq!(given(r#"format!("{self}")"#), text);
    assert_eq!(given(r#"format!("{self}",)"#), text);
}
