//! The form of each option of an attribute: a word, a value or a list.

use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Token, token};

use super::keys::unknown_word;

/// The form of an option. The text is an example.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// `explicit`
    Word,
    /// `max_size = 256`
    Value(&'static str),
    /// `public(Send)`
    List(&'static str),
}

/// The accepted options of an attribute.
pub(crate) struct Forms {
    /// Each option, with its form.
    pub(crate) options: &'static [(&'static str, Form)],
    /// The pairs of options of which a list contains at most one, with the reason.
    pub(crate) exclusive: &'static [([&'static str; 2], &'static str)],
}

/// Checks the options of one list.
pub(crate) struct CheckForms {
    forms: &'static Forms,
    seen: Vec<String>,
}

impl CheckForms {
    pub(crate) fn new(forms: &'static Forms) -> Self {
        Self {
            forms,
            seen: Vec::new(),
        }
    }

    /// Returns an error if the option `key` is unknown, is written in another form, or excludes an
    /// option before it.
    pub(crate) fn check(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let mut options = self.forms.options.iter();
        let Some((_, form)) = options.find(|(name, _)| *name == key) else {
            let names: Vec<&str> = self.forms.options.iter().map(|(name, _)| *name).collect();
            return Err(unknown_word(meta.path.span(), "option", key, &names));
        };
        if let Some(text) = form.error(key, meta).or_else(|| self.conflict(key)) {
            return Err(syn::Error::new_spanned(&meta.path, text));
        }
        self.seen.push(key.to_owned());
        Ok(())
    }

    fn conflict(&self, key: &str) -> Option<String> {
        let (other, reason) =
            self.forms
                .exclusive
                .iter()
                .find_map(|(pair, reason)| match pair {
                    [one, other] | [other, one] if *one == key => Some((*other, reason)),
                    _ => None,
                })?;
        let is_seen = self.seen.iter().any(|seen| seen == other);
        is_seen.then(|| {
            format!(
                "`{key}` is combined with `{other}`\n  = note: {reason}\n  = help: remove one of \
                 the two"
            )
        })
    }
}

impl Form {
    /// Returns the text of the error if the option `key` has another form.
    ///
    /// The errors of the parser name the next token only, not the option that lacks it.
    fn error(self, key: &str, meta: &ParseNestedMeta<'_>) -> Option<String> {
        let input = meta.input;
        let (is_right, text, example) = match self {
            Self::Word => {
                let is_word = input.is_empty() || input.peek(Token![,]);
                (is_word, "takes no value", key)
            }
            Self::Value(example) => (input.peek(Token![=]), "requires a value", example),
            Self::List(example) => {
                let is_list = input.peek(token::Paren);
                (is_list, "requires a list in parentheses", example)
            }
        };
        let text = || format!("the option `{key}` {text}\n  = help: write `{example}`");
        (!is_right).then(text)
    }
}
