//! Layouts under `VOLT_LAYOUT=native`.

use proc_macro2::TokenStream;
use syn::ItemFn;

use super::expand_function;
use crate::errors::Errors;
use crate::options::Options;

/// Returns `true` if the function is native because of the variable, with these options.
fn is_native(options: &str, function: &str) -> bool {
    let mut errors = Errors::default();
    let tokens: TokenStream = options.parse().expect("tokens");
    let options = Options {
        prefers_native: true,
        ..Options::default().with(tokens, &mut errors)
    };
    assert!(errors.is_empty());
    let item: ItemFn = syn::parse_str(function).expect("a function");
    let expansion = expand_function(&item, None, None, &options);
    let items = expansion.items.to_string();
    // The reason is a part of a native machine's table.
    items.contains("VOLT_LAYOUT")
}

#[test]
fn variable_selects_the_native_layout() {
    assert!(is_native(
        "",
        "async fn plain(n: u8) -> u8 { leaf(n).await }"
    ));
    assert!(is_native(
        "send",
        "async fn plain(n: &u8) -> u8 { leaf(n).await }"
    ));
}

#[test]
fn options_of_the_layout_override_the_variable() {
    const PLAIN: &str = "async fn plain(n: u8) -> u8 { leaf(n).await }";
    for options in ["explicit", "derive(Clone)", "max_size = 64", "public(Send)"] {
        assert!(!is_native(options, PLAIN), "{options}");
    }
}

#[test]
fn generic_function_keeps_its_parameters() {
    assert!(!is_native(
        "",
        "async fn generic<T>(n: T) -> T { let n: T = n; leaf::<u8>(1).await; n }"
    ));
}

/// Returns the items of a function with these options, and `true` if it is refused.
fn items(options: &str, function: &str) -> (String, bool) {
    let mut errors = Errors::default();
    let tokens: TokenStream = options.parse().expect("tokens");
    let options = Options::default().with(tokens, &mut errors);
    let item: ItemFn = syn::parse_str(function).expect("a function");
    let expansion = expand_function(&item, None, None, &options);
    (expansion.items.to_string(), expansion.errors.is_some())
}

#[test]
fn refused_durable_function_has_its_traits() {
    const DURABLE: &str = "derive(Serialize, Deserialize)";
    let guarded = "async fn f(n: u8) -> u8 { match n { 0 if leaf().await => 1, n => n } }";
    let (items_of_durable, is_refused) = items(DURABLE, guarded);
    assert!(is_refused && items_of_durable.contains("snapshot_stub"));
    let (items_of_explicit, is_refused) = items("explicit", guarded);
    assert!(is_refused && !items_of_explicit.contains("snapshot_stub"));
    let (accepted, is_refused) = items(DURABLE, "async fn f(n: u8) -> u8 { leaf(n).await }");
    assert!(!is_refused && !accepted.contains("snapshot_stub"));
}
