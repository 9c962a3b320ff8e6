//! Operators, as people write them.

use super::*;

#[test]
fn operators_stand_beside_their_only_operand() {
    assert_eq!(tidy("* m . lock ()"), "*m.lock()");
    assert_eq!(tidy("f (* a , ! b , - 1 , a * b)"), "f(*a, !b, -1, a * b)");
    assert_eq!(tidy("& * name"), "&*name");
    assert_eq!(tidy("a == - 1 && ! b"), "a == -1 && !b");
}
