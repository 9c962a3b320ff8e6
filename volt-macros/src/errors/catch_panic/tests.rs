//! Work that panics.

use super::*;

#[test]
fn panic_gives_nothing() {
    let path = || syn::parse_str::<syn::Path>("<<").expect("a fault of the macro");
    assert!(unless_panicking(path).is_none());
    assert_eq!(unless_panicking(|| 1), Some(1));
}
