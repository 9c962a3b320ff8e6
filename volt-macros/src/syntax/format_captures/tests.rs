//! Format strings, and the names in them.

use super::*;

fn names(text: &str) -> Vec<&str> {
    captured(text).collect()
}

#[test]
fn names_in_braces_are_captured() {
    assert_eq!(names("{w} {x:?} { y } {z }"), ["w", "x", "y", "z"]);
    assert_eq!(names("{} {0} {:?} {1:#x}"), Vec::<&str>::new());
    assert_eq!(names("{größe}{_x}"), ["größe", "_x"]);
}

#[test]
fn widths_are_captured() {
    assert_eq!(names("{:w$}{:.w$}{x:>w$.p$}"), ["w", "w", "x", "w", "p"]);
    assert_eq!(names("{:0w$}{:w<1$}{:w>w$}{:1$}"), ["w", "w"]);
}

#[test]
fn escaped_braces_capture_nothing() {
    assert_eq!(names("{{w}} {{{x}}} }} w {{"), ["x"]);
    assert_eq!(names("{"), Vec::<&str>::new());
}
