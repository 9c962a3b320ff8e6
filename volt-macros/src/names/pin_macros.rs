//! The macros that pin a value in a block. The macro knows them by their paths: dumps of native
//! machines show the futures that they pin.

use proc_macro2::Ident;
use syn::Macro;

/// The crates whose macro `pin!` or `pin_mut!` rebinds locals: `pin!(a, b);`.
const PINNING: &[(&str, &str)] = &[
    ("futures", "pin_mut"),
    ("futures_lite", "pin"),
    ("futures_util", "pin_mut"),
    ("pin_utils", "pin_mut"),
    ("tokio", "pin"),
];

/// The crates whose macro `pin!` returns a pinned reference to its argument.
const PINNING_STD: [&str; 2] = ["core", "std"];

/// Returns `true` if the macro is `std::pin::pin`. `is_from` returns `true` if the module imports a
/// bare name from a crate.
pub(crate) fn pins_value(mac: &Macro, is_from: impl Fn(&Ident, &str) -> bool) -> bool {
    let path: Vec<_> = mac.path.segments.iter().map(|part| &part.ident).collect();
    match &*path {
        [name] if *name == "pin" => PINNING_STD.iter().any(|root| is_from(name, root)),
        [root, module, name] => {
            PINNING_STD.iter().any(|std| root == std) && *module == "pin" && *name == "pin"
        }
        _ => false,
    }
}

/// Returns `true` if the macro rebinds locals to pinned references, as `tokio::pin` does. `is_from`
/// returns `true` if the module imports a bare name from a crate.
pub(crate) fn pins_locals(mac: &Macro, is_from: impl Fn(&Ident, &str) -> bool) -> bool {
    let path: Vec<_> = mac.path.segments.iter().map(|part| &part.ident).collect();
    PINNING.iter().any(|(root, pin)| match &*path {
        [name] => *name == pin && is_from(name, root),
        [first, name] => first == root && *name == pin,
        _ => false,
    })
}
