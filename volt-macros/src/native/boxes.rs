//! Whether a body may await its own machine again, through a box.
//!
//! A constant that asks whether a coroutine is `Send` asks the machines that it keeps, in boxes too. Of
//! two that await each other in boxes each would ask the other first, for ever. So a machine that
//! boxes futures, or calls itself, says that it is `Send`, and proves it in a function; nobody has
//! to ask then. One that shows by itself that it stays on its thread asks all the same, and so does that of a `main` or a
//! test, which nobody else can name.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::names;
use crate::options::{Options, Send};

/// How it is known whether a machine may go to other threads. `words` are those of the function.
pub(crate) fn send(name: &Ident, options: &Options, words: impl FnOnce() -> TokenStream) -> Send {
    match options.send_of() {
        Send::Asked if *name == names::own_name(name) && boxes(name, &words()) => {
            Send::Declared(name.span())
        }
        send => send,
    }
}

/// Whether the function boxes futures or calls itself, and may be `Send` for all that one sees.
fn boxes(name: &Ident, function: &TokenStream) -> bool {
    let name = name.to_string();
    if !may_box(&name, &function.to_string()) {
        return false;
    }
    let mut found = Found::default();
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
    boxes: bool,
    stays: bool,
    objects: bool,
    sends: bool,
}

impl Found {
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
                    // A method of that name is another's, as `bytes` in `async fn bytes`, but for `self`'s. So is a function of
                    // another module, as `mem::swap`, or of a type of another module, as `net::TcpStream::connect`.
                    let is_of_type =
                        std::mem::replace(&mut is_path, colons > 1) && is_module(&owner);
                    colons = 0;
                    let is_foreign = is_path && (is_module(&before) || is_of_type);
                    let is_own =
                        before != "fn" && (before != "." || owner == "self") && !is_foreign;
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

/// Whether what stands in front of a name is a module, and another one than the function's as far as one sees.
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
