//! The options of `#[step(..)]`.

use proc_macro2::{Ident, TokenStream};
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Meta, Path, Token};

use super::keys::{parse_options, unknown_word};

/// The accepted options.
const KEYS: [&str; 4] = ["retry", "backoff", "key", "tx"];

/// The error of another value of `backoff`.
const BACKOFF: &str =
    "`backoff` names a function: `backoff = wait` of `async fn wait(failed: u32)`";

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
            "retry" => self.retry = Some(value_of(meta, "`retry` is a number: `retry = 3`")?),
            "backoff" => self.backoff = Some(value_of(meta, BACKOFF)?),
            "key" => self.key = Some(value_of(meta, "`key` names a local: `key = name`")?),
            "tx" => self.has_transaction = true,
            _ => return Err(unknown_word(meta.path.span(), "option", key, &KEYS)),
        }
        Ok(())
    }
}

/// Reads the value of an option, up to the next comma.
fn value_of<T: Parse>(meta: &ParseNestedMeta<'_>, expected: &str) -> syn::Result<T> {
    let value = meta.value().and_then(|value| value.parse());
    let is_whole = meta.input.is_empty() || meta.input.peek(Token![,]);
    match value {
        Ok(value) if is_whole => Ok(value),
        Ok(_) | Err(_) => Err(meta.error(expected)),
    }
}
