//! The accepted options of `#[state_machine(..)]`, and the form of each: a word, a value or a list.

use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Token, token};

use super::keys::unknown_word;

/// The form of an option. The text is an example.
#[derive(Clone, Copy)]
enum Form {
    /// `explicit`
    Word,
    /// `max_size = 256`
    Value(&'static str),
    /// `public(Send)`
    List(&'static str),
}

/// The accepted options.
const OPTIONS: [(&str, Form); 16] = [
    ("name", Form::Value("name = Machine")),
    ("alias", Form::Value("alias = false")),
    ("crate", Form::Value("crate = my_crate::volt")),
    ("max_size", Form::Value("max_size = 256")),
    ("derive", Form::List("derive(Clone)")),
    ("send", Form::Word),
    ("local", Form::Word),
    ("vis", Form::Value("vis = pub(crate)")),
    ("public", Form::List("public(Send)")),
    ("explicit", Form::Word),
    ("native", Form::Word),
    ("boxed", Form::Word),
    ("inline", Form::Value("inline = 256")),
    ("trace", Form::Value("trace = false")),
    ("secret", Form::Word),
    ("deny", Form::List("deny(dormant)")),
];

/// The pairs of options of which a list contains at most one, with the reason.
const EXCLUSIVE: [([&str; 2], &str); 3] = [
    (["explicit", "native"], "a machine has one layout"),
    (
        ["send", "local"],
        "`send` asserts that the machine is `Send`, and `local` makes it not `Send`",
    ),
    (["boxed", "inline"], "a coroutine is stored in one place"),
];

/// Checks the options of one list.
#[derive(Default)]
pub(super) struct Forms {
    seen: Vec<String>,
}

impl Forms {
    /// Returns an error if the option `key` is unknown, is written in another form, or excludes an
    /// option before it.
    pub(super) fn check(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let Some((_, form)) = OPTIONS.iter().find(|(name, _)| *name == key) else {
            let names = OPTIONS.map(|(name, _)| name);
            return Err(unknown_word(meta.path.span(), "option", key, &names));
        };
        if let Some(text) = form.error(key, meta).or_else(|| self.conflict(key)) {
            return Err(syn::Error::new_spanned(&meta.path, text));
        }
        self.seen.push(key.to_owned());
        Ok(())
    }

    fn conflict(&self, key: &str) -> Option<String> {
        let (other, reason) = EXCLUSIVE.iter().find_map(|(pair, reason)| match pair {
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
