//! Whether a body may await its own machine again, through a box.
//!
//! A constant that asks whether a coroutine is `Send` asks the machines that it keeps, in boxes too. Of
//! two that await each other in boxes each would ask the other first, for ever. So a machine that
//! boxes futures, or calls itself, says that it is `Send`, and proves it in a function; nobody has
//! to ask then. One that shows by itself that it stays on its thread asks all the same.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

use crate::names;
use crate::options::{Options, Send};
use crate::signature::{Home, Method};

/// How it is known whether a machine may go to other threads. `words` are those of a function that is no method.
pub(crate) fn send(
    name: &Ident,
    method: Option<&Method>,
    options: &Options,
    words: impl FnOnce() -> TokenStream,
) -> Send {
    let asked = options.send_of();
    if !matches!(asked, Send::Asked) {
        return asked;
    }
    let words = match method {
        Some(method) => method.original.to_token_stream(),
        None => words(),
    };
    match boxes(name, method.map(|method| &method.home), &words) {
        true => Send::Declared(name.span()),
        false => asked,
    }
}

/// Whether the function boxes futures or calls itself, and may be `Send` for all that one sees.
fn boxes(name: &Ident, home: Option<&Home>, function: &TokenStream) -> bool {
    let name = name.to_string();
    if !may_box(&name, &function.to_string()) {
        return false;
    }
    let home = home.map(|home| home.name().map(Ident::to_string));
    let mut found = Found {
        home: home.map(Option::unwrap_or_default),
        ..Found::default()
    };
    found.look(&name, function.clone());
    // An object that does not say `Send` says that it is none.
    let stays = found.stays || (found.objects && !found.sends);
    found.boxes && !stays
}

/// What asks that a machine which is said to be `Send` is: its name tells in the error why that is asked.
pub(crate) fn send_assertion(options: &Options) -> Ident {
    let name = match options.send {
        Some(_) => "is_send_as_the_option_says",
        None => "boxes_a_future_so_it_is_send_or_needs_the_option_local",
    };
    Ident::new(name, Span::call_site())
}

/// Whether the text of a function has the words of one that boxes futures, or its own name once more. Most have
/// not, and to look through a text takes a fraction of the time that its tokens do.
fn may_box(name: &str, text: &str) -> bool {
    let is_again = |(_, behind): (&str, &str)| behind.contains(name);
    names::BOXES.iter().any(|word| text.contains(word))
        || text.split_once(name).is_some_and(is_again)
}

#[derive(Default)]
struct Found {
    /// The name of the type that the function is a method of.
    home: Option<String>,
    boxes: bool,
    stays: bool,
    objects: bool,
    sends: bool,
}

impl Found {
    /// Whether what stands in front of the function's name, as a path, is what it belongs to.
    fn is_own_path(&self, before: &str) -> bool {
        match &self.home {
            Some(home) => before == home || ["Self", ">"].contains(&before),
            None => ["self", "super", "crate"].contains(&before),
        }
    }

    fn look(&mut self, name: &str, tokens: TokenStream) {
        let (mut before, mut owner, mut colons) = (String::new(), String::new(), 0);
        let mut is_path = false;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    let is_call = matches!(
                        tokens.peek(),
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
                    );
                    // `net::TcpStream::connect` is of a type of another module.
                    let is_of_type =
                        std::mem::replace(&mut is_path, colons > 1) && is_module(&owner);
                    colons = 0;
                    let is_own = match is_path {
                        true => !is_of_type && self.is_own_path(&before),
                        // `bytes.await` in `async fn bytes` is another's method, and `bytes()` in a method is a function.
                        false if before == "." => owner == "self",
                        false => before != "fn" && self.home.is_none(),
                    };
                    // What stands behind a range is no method: `0..boxed`.
                    let is_range = before == "." && owner == ".";
                    self.boxes |= (word == name && is_call && is_own)
                        || (!is_range && names::boxes_future(&before, &word));
                    if word == "dyn" {
                        self.objects = true;
                        self.stays |= names_future_that_stays(tokens.clone());
                    }
                    self.sends |= names::is_send(&word);
                    self.stays |= names::stays_on_its_thread(&word)
                        || word == "raw"
                        || (before == "*" && (word == "const" || word == "mut"));
                    owner = std::mem::replace(&mut before, word);
                }
                TokenTree::Group(group) => {
                    self.look(name, group.stream());
                    before.clear();
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Punct(punct) => {
                    is_path = false;
                    owner = std::mem::replace(&mut before, punct.as_char().to_string());
                }
                TokenTree::Literal(_) => owner = std::mem::take(&mut before),
            }
        }
    }
}

/// Whether what stands in front of a type is a module, and another one than the function's as far as one sees.
fn is_module(before: &str) -> bool {
    before.starts_with(char::is_lowercase) && !["self", "super", "crate"].contains(&before)
}

/// Whether what stands behind a `dyn` is a future that nothing says to be `Send`: `Box<dyn Future<Output = ()> + 'a>`.
fn names_future_that_stays(tokens: impl Iterator<Item = TokenTree>) -> bool {
    let (mut depth, mut is_future, mut is_send, mut before) = (0_usize, false, false, ' ');
    for token in tokens {
        let mut mark = ' ';
        match &token {
            TokenTree::Ident(word) if depth == 0 => {
                let word = word.to_string();
                is_future |= names::is_future(&word);
                is_send |= names::is_send(&word);
            }
            TokenTree::Punct(punct) => {
                mark = punct.as_char();
                match mark {
                    '<' => depth += 1,
                    // The arrow of a function's type closes nothing.
                    '>' if before == '-' => {}
                    '>' if depth == 0 => break,
                    '>' => depth -= 1,
                    ',' | ';' | '=' if depth == 0 => break,
                    _ => {}
                }
            }
            _ => {}
        }
        before = mark;
    }
    is_future && !is_send
}

#[cfg(test)]
mod tests;
