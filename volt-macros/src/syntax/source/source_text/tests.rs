//! Operators, formatted as source code.

use super::*;

#[test]
fn prefix_operators_have_no_space() {
    assert_eq!(tidy("* m . lock ()"), "*m.lock()");
    assert_eq!(tidy("f (* a , ! b , - 1 , a * b)"), "f(*a, !b, -1, a * b)");
    assert_eq!(tidy("& * name"), "&*name");
    assert_eq!(tidy("a == - 1 && ! b"), "a == -1 && !b");
}

#[test]
fn parameters_of_closures_have_no_space() {
    assert_eq!(tidy("lazy (| cx | poll (cx))"), "lazy(|cx| poll(cx))");
    assert_eq!(tidy("lazy (move | cx | * cx)"), "lazy(move |cx| *cx)");
    assert_eq!(
        tidy("fold (0 , | sum : u32 , next | sum | next)"),
        "fold(0, |sum: u32, next| sum | next)"
    );
    assert_eq!(tidy("lazy (|| a | b)"), "lazy(|| a | b)");
    assert_eq!(tidy("(a | b , c | d)"), "(a | b, c | d)");
    assert_eq!(tidy("let run = | x | x ;"), "let run = |x| x;");
}
