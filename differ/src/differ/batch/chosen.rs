//! Which layout the macro chooses for a function.

use proc_macro2::TokenStream;

use crate::attribute;
use crate::generate::Function;

/// Whether the machine is explicit. Of a function that a macro writes it is not known.
pub(crate) fn is_explicit(options: &str, function: &Function) -> bool {
    let options = options.trim_matches(['(', ')']).parse();
    let item = function.block(true).parse();
    let (Ok(options), Ok(item)) = (options, item) else {
        return false;
    };
    let expanded: TokenStream = attribute::expand(options, item);
    function.wrap.is_none() && expanded.to_string().contains("inferred :: Parts")
}
