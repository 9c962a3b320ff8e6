//! Operators, formatted as source code.

use super::*;

#[test]
fn prefix_operators_have_no_space() {
    assert_eq!(tidy("* m . lock ()"), "*m.lock()");
    assert_eq!(tidy("f (* a , ! b , - 1 , a * b)"), "f(*a, !b, -1, a * b)");
    assert_eq!(tidy("& * name"), "&*name");
    assert_eq!(tidy("a == - 1 && ! b"), "a == -1 && !b");
}
