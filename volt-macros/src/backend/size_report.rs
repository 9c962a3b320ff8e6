//! The report of sizes, an item that the compiler evaluates.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::names;
use crate::options::Options;
use crate::signature::Signature;

/// Returns an item whose evaluation fails with the sizes of the machine as the message, if the
/// sizes of this function are requested.
///
/// The environment variable `VOLT_STATE_MACHINE_SIZES` names a file with the functions that were
/// reported already, one a line: file, line and name, with tabs between them. Packages that cargo
/// builds as dependencies report nothing. The size of a machine with type parameters is not known.
/// `offsets` is an expression for the offsets of the machine's fields.
pub(crate) fn size_report(
    options: &Options,
    signature: &Signature,
    name: &Ident,
    offsets: impl FnOnce(&TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    if signature.is_generic() || options.editor {
        return None;
    }
    let reported = reported()?;
    let place = place(&signature.name);
    if reported.lines().any(|line| line == place) {
        return None;
    }
    let (volt, arguments) = (&options.volt, signature.static_arguments());
    let machine = quote!(#name<#arguments>);
    let (offsets, conditions) = (offsets(&machine), signature.conditions());
    Some(quote! {
        #(#conditions)*
        const _: () = #volt::__private::report_size::<#machine>(#place, #offsets);
    })
}

/// Returns the reported functions, if the sizes of this package are requested.
fn reported() -> Option<String> {
    let file = std::env::var_os("VOLT_STATE_MACHINE_SIZES")?;
    std::env::var_os("CARGO_PRIMARY_PACKAGE")?;
    std::fs::read_to_string(file).ok()
}

/// Returns the file, the line and the name of a function.
fn place(function: &Ident) -> String {
    let (span, name) = (function.span(), names::own_name(function));
    format!("{}\t{}\t{name}", span.file(), span.start().line)
}
