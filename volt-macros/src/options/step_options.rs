//! The options of `#[step(..)]`.

use proc_macro2::{Ident, TokenStream};
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Meta, Path};

use super::keys::{parse_options, unknown_word};

/// The accepted options.
const KEYS: [&str; 4] = ["retry", "backoff", "key", "tx"];

/// The options of one step.
#[derive(Debug, Default)]
pub(crate) struct StepOptions {
    /// The number of further attempts after an `Err`.
    pub(crate) retry: Option<Expr>,
    /// A function that returns the future to await before the next attempt.
    pub(crate) backoff: Option<Path>,
    /// The local that is bound to the key of the step.
    pub(crate) key: Option<Ident>,
    /// `true` if the step has a transaction.
    pub(crate) has_transaction: bool,
}

impl StepOptions {
    /// Reads the options of an attribute.
    pub(crate) fn of(step: &Attribute) -> syn::Result<Self> {
        let mut options = Self::default();
        let tokens = match &step.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(_) => {
                let text = "expected `#[step]` or `#[step(..)]`";
                return Err(syn::Error::new_spanned(step, text));
            }
        };
        parse_options(tokens, |key, meta| options.read(key, meta))?;
        if let (None, Some(backoff)) = (&options.retry, &options.backoff) {
            let text = "`backoff` requires `retry`";
            return Err(syn::Error::new_spanned(backoff, text));
        }
        Ok(options)
    }

    fn read(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match key {
            "retry" => self.retry = Some(meta.value()?.parse()?),
            "backoff" => self.backoff = Some(meta.value()?.parse()?),
            "key" => self.key = Some(meta.value()?.parse()?),
            "tx" => self.has_transaction = true,
            _ => return Err(unknown_word(meta.path.span(), "option", key, &KEYS)),
        }
        Ok(())
    }
}
