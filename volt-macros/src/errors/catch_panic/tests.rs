//! Panics of the macro.

use super::*;

#[test]
fn panic_returns_none() {
    let path = || syn::parse_str::<syn::Path>("<<").expect("a fault of the macro");
    assert!(catch_macro_panic(path).is_none());
    assert_eq!(catch_macro_panic(|| 1), Some(1));
}
