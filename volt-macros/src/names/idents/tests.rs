//! Names of functions, and names of types.

use super::*;

#[test]
fn inner_function_reports_name_of_user() {
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
