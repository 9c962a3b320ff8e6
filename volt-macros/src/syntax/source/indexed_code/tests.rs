//! Uses that the index finds, and that a search finds.

use super::super::name_context::uses;
use super::IndexedCode;

const CODE: &str = "{ use a::{b, é}; fn b(a: r#fn) { b.a(é, a_b, ab); r#fn } } a";

#[test]
fn index_finds_the_uses_of_a_search() {
    let code = IndexedCode::new(CODE.to_owned());
    let mut count = 0;
    for name in ["a", "b", "é", "a_b", "ab", "fn", "r#fn", "use", "none"] {
        let found = code.uses(name).into_iter();
        let found: Vec<_> = found.map(|of| (of.before, of.after)).collect();
        let searched = uses(CODE, name).map(|of| (of.before, of.after));
        assert_eq!(found, searched.collect::<Vec<_>>(), "{name}");
        count += found.len();
    }
    assert_eq!(count, 17);
}
