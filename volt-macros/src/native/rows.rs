//! The rows of a table, each one token for the macro of the runtime.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::quote;

/// Returns a row of the states.
pub(super) fn state(title: &str, span: Span) -> Group {
    let start = span.start();
    let (line, column) = (number(start.line), number(start.column + 1));
    row(quote!(#title, #line, #column))
}

/// Returns a row of the steps.
pub(super) fn step((from, to): (usize, usize)) -> Group {
    let (from, to) = (number(from), number(to));
    row(quote!(#from, #to))
}

/// Returns a number of slots. Each type of coroutine has its own if it depends on type parameters.
pub(super) fn slots(count: usize, depends_on_types: bool) -> TokenStream {
    let count = number(count);
    let each = depends_on_types.then(|| quote!(of each type));
    quote!(#count #each)
}

/// Returns a number of slots of a coroutine that waits with its arguments at its first suspend
/// point.
pub(super) fn gated_slots(count: usize) -> TokenStream {
    let slots = slots(count, true);
    quote!(#slots true)
}

/// Returns tokens in parentheses, as one token.
pub(super) fn row(tokens: TokenStream) -> Group {
    Group::new(Delimiter::Parenthesis, tokens)
}

pub(super) fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
