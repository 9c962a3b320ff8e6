//! Names for people, and names of types.

use super::*;

#[test]
fn function_that_is_run_keeps_its_own_name_for_people() {
    for name in ["main", "reads_twice"] {
        let function = Ident::new(name, Span::call_site());
        assert_eq!(own_name(&run_function(&function)), name);
        assert_eq!(own_name(&function), name);
    }
}

#[test]
fn snake_becomes_camel() {
    assert_eq!(upper_camel("fetch_page"), "FetchPage");
    assert_eq!(upper_camel("_hidden"), "Hidden");
    assert_eq!(upper_camel("r#loop"), "Loop");
}
