//! Which layout the macro chooses for a function.

use proc_macro2::TokenStream;

use crate::attribute;
use crate::generate::Function;

/// Returns `true` if the machine is explicit. The layout of a function that a macro writes is not
/// known.
pub(crate) fn is_explicit(options: &str, function: &Function) -> bool {
    let options = options.trim_matches(['(', ')']).parse();
    let item = function.block(true).parse();
    let (Ok(options), Ok(item)) = (options, item) else {
        return false;
    };
    function.wrap.is_none() && is_explicit_machine(&attribute::expand(options, item))
}

fn is_explicit_machine(expanded: &TokenStream) -> bool {
    expanded.to_string().contains("inferred :: Bytes")
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::{attribute, is_explicit_machine};

    #[test]
    fn layouts_are_distinguished() {
        let item = quote! { async fn page(number: u32) -> u32 { wait().await; number } };
        let of = |options| is_explicit_machine(&attribute::expand(options, item.clone()));
        assert!(of(quote!()));
        assert!(!of(quote!(native)));
    }
}
