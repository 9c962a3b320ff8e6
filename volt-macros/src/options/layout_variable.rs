//! The environment variable `VOLT_LAYOUT`, by which functions get the native layout.
//!
//! Cargo builds a crate again if a variable changes that the crate reads by `option_env!`. It does
//! not see that the attribute reads a variable. So the first machine of a crate contains an
//! `option_env!` for it, and an error if its value is unknown.

use std::ffi::OsStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Error;

const VARIABLE: &str = "VOLT_LAYOUT";

/// The states of `TRACKING`. Without a start, as in tests of the macro, no machine has the item.
const OFF: u8 = 0;
const DUE: u8 = 1;
const DONE: u8 = 2;

static TRACKING: AtomicU8 = AtomicU8::new(OFF);

/// Returns `true` if the variable selects the native layout.
pub(super) fn prefers_native() -> bool {
    static PREFERS_NATIVE: OnceLock<bool> = OnceLock::new();
    *PREFERS_NATIVE.get_or_init(|| {
        let value = std::env::var_os(VARIABLE);
        value.as_deref().map(is_native) == Some(Some(true))
    })
}

/// Returns `true` for the value that selects the native layout, and `None` for an unknown one.
fn is_native(value: &OsStr) -> Option<bool> {
    match value.to_str()? {
        "native" => Some(true),
        "" | "auto" => Some(false),
        _ => None,
    }
}

/// Starts to track the variable: the next machine contains an item for that.
pub(crate) fn track_layout_variable() {
    // A later call leaves the state as it is.
    let _ = TRACKING.compare_exchange(OFF, DUE, Ordering::Relaxed, Ordering::Relaxed);
}

/// Returns the item for the first machine of the crate.
pub(crate) fn tracking_item() -> Option<TokenStream> {
    let is_due =
        TRACKING.compare_exchange(DUE, DONE, Ordering::Relaxed, Ordering::Relaxed) == Ok(DUE);
    is_due.then(|| {
        let error = std::env::var_os(VARIABLE).and_then(|value| unknown_value(&value));
        quote! {
            const _: ::core::option::Option<&str> = ::core::option_env!(#VARIABLE);
            #error
        }
    })
}

/// Returns the error for an unknown value.
fn unknown_value(value: &OsStr) -> Option<TokenStream> {
    if is_native(value).is_some() {
        return None;
    }
    let text = format!("unknown value of `{VARIABLE}`: {value:?}, expected `native` or `auto`");
    Some(Error::new(Span::call_site(), text).to_compile_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_value_is_an_error() {
        let is_error = |value: &str| unknown_value(OsStr::new(value)).is_some();
        assert_eq!(["native", "auto", ""].map(is_error), [false; 3]);
        assert_eq!(["explicit", "Native"].map(is_error), [true; 2]);
    }

    #[test]
    fn first_machine_alone_is_tracked() {
        assert!(tracking_item().is_none());
        track_layout_variable();
        let item = tracking_item().map(|item| item.to_string());
        assert!(item.is_some_and(|item| item.contains("VOLT_LAYOUT")));
        track_layout_variable();
        assert!(tracking_item().is_none());
    }
}
