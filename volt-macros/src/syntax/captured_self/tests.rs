//! Format strings of macros that receive `self` as an argument.

use super::*;

fn with_argument(source: &str) -> String {
    let mut mac: Macro = syn::parse_str(source).unwrap();
    name_captured_self(&mut mac);
    mac.tokens.to_string()
}

#[test]
fn only_captured_self_is_passed() {
    let is_passed = |source| with_argument(source).ends_with(", self = __volt_self");
    assert!(is_passed(r#"format!("{self} {self:?}")"#));
    assert!(is_passed(r#"format!("{self}",)"#));
    assert!(is_passed(r##"print!(r#"{self}"#)"##));
    assert!(is_passed(r#"format!("{{{self}")"#));
    assert!(is_passed(r#"format!("{:self$}", 1)"#));
    assert!(is_passed(r#"write!(f, "{self}")"#));
    assert!(is_passed(r#"assert_eq!("{self}", a, "{self}")"#));
    assert!(!is_passed(r#"format!("{{self}} {selfish}")"#));
    assert!(!is_passed(r#"format!("{}", "{self}")"#));
    assert!(!is_passed(r#"assert_eq!("{self}", a)"#));
    assert!(!is_passed(r#"concat!("{self}")"#));
}

#[test]
fn appended_argument_follows_single_comma() {
    let text = r#""{self}" , self = __volt_self"#;
    assert_eq!(with_argument(r#"format!("{self}")"#), text);
    assert_eq!(with_argument(r#"format!("{self}",)"#), text);
}
