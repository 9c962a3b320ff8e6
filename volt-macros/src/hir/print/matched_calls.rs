//! Matched calls, as the copies of a body contain them.
//!
//! ```text
//! match load(1) { Ok(page) => .. }    match __WellTyped::operand(load(1)) { Ok(page) => .. }
//! ```
//!
//! If the call returns a future, because its `.await` is missing, the compiler advises the await
//! only in an `async fn`. So it would report the error of each copy in other words. The value has
//! no type if the reference function has an error.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

use crate::hir::body::{Body, ExprId};
use crate::names::is_of_expansion;
use crate::resolve::is_capital;
use crate::syntax::is_of_value;

impl Body {
    /// Returns the printed value of a `match` or a `let`. A call passes through a function if a
    /// pattern shows that its type is not `!`.
    pub(crate) fn matched<'p>(
        &self,
        id: ExprId,
        pats: impl IntoIterator<Item = &'p Pat>,
        printed: TokenStream,
    ) -> TokenStream {
        let value = &self.exprs[id.0];
        if is_function_call(value) && pats.into_iter().any(is_of_value) {
            passed(value, &printed)
        } else {
            printed
        }
    }
}

/// Does the same with an expression that is printed in place.
pub(super) fn pass_matched_call<'p>(
    value: &mut Expr,
    is_call: bool,
    pats: impl IntoIterator<Item = &'p Pat>,
) {
    if is_call && pats.into_iter().any(is_of_value) {
        *value = Expr::Verbatim(passed(value, &value.to_token_stream()));
    }
}

/// Returns `true` for a call of a function that is no constructor.
pub(super) fn is_function_call(value: &Expr) -> bool {
    match value {
        Expr::Call(call) if is_of_expansion(&call.func) => false,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                let last = path.path.segments.last();
                last.is_some_and(|last| !is_capital(&last.ident))
            }
            _ => false,
        },
        _ => false,
    }
}

fn passed(value: &Expr, printed: &TokenStream) -> TokenStream {
    quote_spanned!(value.span()=> __WellTyped::operand(#printed))
}
