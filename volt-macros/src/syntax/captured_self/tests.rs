//! Format strings of macros, with another name for `self`.

use super::*;

fn rename(source: &str) -> String {
    let mut mac: Macro = syn::parse_str(source).unwrap();
    rename_captured(&mut mac, "self", "__self");
    mac.tokens.to_string()
}

#[test]
fn only_the_format_string_is_renamed() {
    assert_eq!(
        rename(r#"format!("{self} {self:?}")"#),
        r#""{__self} {__self:?}""#
    );
    assert_eq!(rename(r##"print!(r#"{self}"#)"##), r##"r#"{__self}"#"##);
    assert_eq!(
        rename(r#"format!("{{self}} {selfish}")"#),
        r#""{{self}} {selfish}""#
    );
    assert_eq!(rename(r#"format!("{{{self}")"#), r#""{{{__self}""#);
    assert_eq!(rename(r#"format!("{:self$}", 1)"#), r#""{:__self$}" , 1"#);
    assert_eq!(rename(r#"format!("{}", "{self}")"#), r#""{}" , "{self}""#);
    assert_eq!(rename(r#"write!(f, "{self}")"#), r#"f , "{__self}""#);
    assert_eq!(
        rename(r#"assert_eq!("{self}", a, "{self}")"#),
        r#""{self}" , a , "{__self}""#
    );
    assert_eq!(rename(r#"concat!("{self}")"#), r#""{self}""#);
}
