//! Code for one expression: its statements, its value, whether it gets to its end.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// Code for an expression.
#[derive(Default)]
pub(super) struct Code {
    pub(super) stmts: TokenStream,
    /// The value; none for `()`, and for code that does not get to its end.
    pub(super) value: Option<TokenStream>,
    /// Whether the value is the name of a local of the expansion.
    pub(super) is_name: bool,
    /// Whether the code can get to its end.
    pub(super) falls: bool,
}

impl Code {
    pub(super) fn value(value: TokenStream) -> Self {
        Self {
            value: Some(value),
            falls: true,
            ..Self::default()
        }
    }

    pub(super) fn name(name: &Ident) -> Self {
        Self {
            is_name: true,
            ..Self::value(name.to_token_stream())
        }
    }

    pub(super) fn diverges(stmts: TokenStream) -> Self {
        Self {
            stmts,
            ..Self::default()
        }
    }

    /// The code as the inside of a block.
    pub(super) fn inside(&self) -> TokenStream {
        let Self { stmts, value, .. } = self;
        quote!(#stmts #value)
    }

    pub(super) fn block(&self) -> TokenStream {
        let inside = self.inside();
        quote!({ #inside })
    }

    /// The code as one expression.
    pub(super) fn expr(&self) -> TokenStream {
        match &self.value {
            Some(value) if self.stmts.is_empty() => value.clone(),
            _ => self.block(),
        }
    }

    /// The code as an expression whose value is a temporary, as that of an await is.
    pub(super) fn temporary(&self) -> TokenStream {
        if self.is_name {
            self.block()
        } else {
            self.expr()
        }
    }

    /// Code that does not get to its end has no value.
    pub(super) fn settled(self) -> Self {
        match (self.falls, self.value) {
            (false, Some(value)) => Code::diverges(value),
            (falls, value) => Code {
                falls,
                value,
                ..self
            },
        }
    }
}

/// The code of a branch, which may already be a block.
pub(super) fn as_block(code: &Code) -> TokenStream {
    let inside = code.inside();
    let mut tokens = inside.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(proc_macro2::TokenTree::Group(group)), None)
            if group.delimiter() == proc_macro2::Delimiter::Brace =>
        {
            inside
        }
        _ => quote!({ #inside }),
    }
}
