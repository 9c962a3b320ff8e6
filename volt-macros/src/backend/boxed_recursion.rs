//! Functions that may await their own machine again: in a box, or anywhere else on the heap.
//!
//! The constant with the auto traits of a coroutine depends on the machines in it, also on those in
//! boxes. If two functions await each other, each constant would depend on the other: a cycle,
//! E0391. So one of them is `Send` if its arguments are, and a function proves it. No constant
//! depends on its coroutine.
//!
//! A function that awaits itself by its own name is `Send` if a copy of its body is, in which the
//! own future is ([`recursive_copy`]). No constant depends on its own machine then.
//!
//! Functions that await each other have such copies, too, which contain each other
//! ([`linked_copy`]). Their auto traits need no constant of another machine. If unknown functions
//! receive the futures, one machine of the cycle has its auto traits from such a copy.
//!
//! The macro recognises other such functions by their text: it names itself ([`names_itself`]), it
//! closes a cycle of names among the functions that were expanded before ([`names_lead_back`]), or
//! it boxes a future and the words of the package lead back to it ([`words_lead_back`]). A wrong
//! guess changes no program. If the text does not show that a function contains its own machine,
//! its constant is `false` (`MarkerImpl`). If the text shows it wrongly, the proof has the same
//! result as the constant. Only a function with `Send` arguments and a coroutine that is not `Send`
//! then needs the option `local`. A function whose text shows that it stays on its thread gets the
//! constant. So does a function that passes its own future to a function of the package that
//! returns a `dyn Future` without `Send`, or that names a type of the package that contains such a
//! future. A function with an `async` closure also gets the constant, because the compiler may fail
//! to prove `Send` for it.

mod cycles;
mod own_uses;
mod dropped_calls;
mod plain_fn;
mod own_traits;
mod path_ends;
mod own_calls;
mod linked_calls;
mod marked;
mod recursive_copy;
mod linked_copy;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

use crate::names;
use crate::options::{CopyAnswer, Options, Send};
use crate::signature::{FunctionTokens, ImplTarget, Method, machine_name};
use crate::syntax::{
    Erasing, is_stored, stores_future, take_functions, type_leads_to, words_lead_back,
};
use cycles::{WaysBack, enter_functions, names_lead_back};
pub(crate) use dropped_calls::{discard_own_futures, discard_own_futures_of_method};
use linked_calls::{CopiedFn, own_name};
pub(crate) use marked::MarkerImpl;
use own_calls::OwnCalls;
use own_uses::names_itself;
pub(crate) use plain_fn::PlainFn;
use recursive_copy::copy_answer;

/// Returns the declaration of `Send`, or the way to determine it. `tokens` are those of the
/// function, if the caller has them.
pub(crate) fn send(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: Option<&FunctionTokens>,
    options: &Options,
) -> Send {
    let option = options.send_of();
    if !matches!(option, Send::Asked) {
        return option;
    }
    let printed;
    let tokens = match tokens {
        Some(tokens) => tokens,
        None => {
            printed = FunctionTokens::printed(item, method);
            &printed
        }
    };
    let machine = machine_name(options, item, method);
    let copied = CopiedFn {
        item,
        method,
        machine: &machine,
    };
    recursive_send(&copied, tokens, options).unwrap_or(option)
}

/// Returns the way to determine `Send` of a function that may await itself again, or that has a
/// copy for the other functions of its cycle.
fn recursive_send(
    copied: &CopiedFn<'_>,
    tokens: &FunctionTokens,
    options: &Options,
) -> Option<Send> {
    let CopiedFn { item, method, .. } = *copied;
    let (name, text) = (&item.sig.ident, tokens.text());
    let is_again = !tokens.has_once(&name.to_string());
    let is_named = is_again && is_named(item, method);
    let may_be_stored =
        may_box(&name.to_string(), text) || is_stored(&name.to_string(), name.span());
    let may_be_copied = || copied.may_have_copy(tokens, options);
    let unlinked =
        (may_be_stored && may_be_copied()).then(|| copied.unlinked_text(tokens, is_again));
    let unlinked = unlinked.flatten();
    let texts = [text, unlinked.as_deref().unwrap_or(text)];
    let ways = text_leads_back(name, method, texts, is_named);
    let of_copy = |answer| Some(Send::OfCopy(name.span(), answer));
    if unlinked.is_some() && !ways.by_machines {
        return of_copy(CopyAnswer::Linked);
    }
    if is_named
        && !ways.by_others
        && let Some(answer) = copy_answer(item, method, tokens, options)
    {
        return of_copy(answer);
    }
    // The future of an `async` block may be stored, with those that it awaits.
    let has_blocks = || text.matches("async").nth(1).is_some();
    let may_lead_back =
        may_be_stored || ways.by_others || has_blocks() || stores_future(text, name.span());
    let has_copy =
        may_lead_back && may_be_copied() && copied.has_copy_at_any_place(tokens, is_again);
    if has_copy && ways.by_others {
        return of_copy(CopyAnswer::Assumed);
    }
    // A method may box that of another value of its type.
    let may_box_itself = || {
        let (own, machine) = (own_name(name, method), copied.machine.to_string());
        is_named || words_lead_back([&own, &machine], name.span(), text)
    };
    let may_contain_itself = may_contain_itself(
        &name.to_string(),
        method.map(|method| &method.impl_target),
        tokens,
        [ways.any(), is_named],
        may_box_itself,
    ) && !erases_itself(name, body(item, method), ways.any());
    match (may_contain_itself, has_copy) {
        (true, true) => of_copy(CopyAnswer::Assumed),
        (true, false) => Some(Send::OfArguments(name.span())),
        (false, true) => Some(Send::AskedInCycle),
        (false, false) => None,
    }
}

/// Returns `true` if the names in a function lead back to it.
pub(super) fn leads_back(item: &ItemFn, method: Option<&Method>) -> bool {
    let tokens = FunctionTokens::printed(item, method);
    let is_named = is_named(item, method);
    text_leads_back(&item.sig.ident, method, [tokens.text(); 2], is_named).any()
}

/// Returns `true` if a function may use its own name for itself.
fn is_named(item: &ItemFn, method: Option<&Method>) -> bool {
    match method {
        Some(method) => OwnCalls::find(method).any(),
        None => names_itself(item),
    }
}

/// Returns the ways in which the names in a text lead back to the function. The second text is that
/// without linked calls. `is_named` is `false` if none of the names means the function itself.
fn text_leads_back(
    name: &Ident,
    method: Option<&Method>,
    texts: [&str; 2],
    is_named: bool,
) -> WaysBack {
    let type_name = |method: &Method| method.impl_target.name().map(Ident::to_string);
    let of_type = method.map(|method| type_name(method).unwrap_or_default());
    let (module, functions) = take_functions(name.span()).unzip();
    enter_functions(module.as_ref(), functions.flatten());
    let leads_to = |from: &str, to: &str| type_leads_to(from, to, name.span());
    names_lead_back(
        &name.to_string(),
        of_type.as_deref(),
        module,
        texts,
        is_named,
        &leads_to,
    )
}

/// Returns `true` if the function passes a future that may contain its machine to a function that
/// erases the type without `Send`, or names a type that does so.
fn erases_itself(name: &Ident, body: TokenStream, leads_back: bool) -> bool {
    let is_future = |token: &TokenTree| match token {
        TokenTree::Ident(word) => leads_back || word == name,
        _ => false,
    };
    Erasing::new(name.span())
        .is_some_and(|erasing| erasing.is_named_in(body.clone()) || erasing.is_in(body, &is_future))
}

fn body(item: &ItemFn, method: Option<&Method>) -> TokenStream {
    let block = method.map_or(&*item.block, |method| &method.original.block);
    block.to_token_stream()
}

/// Returns `true` if the function may await itself again, and shows nothing that is not `Send`.
fn may_contain_itself(
    name: &str,
    impl_target: Option<&ImplTarget>,
    function: &FunctionTokens,
    [leads_back, is_named]: [bool; 2],
    may_box_itself: impl FnOnce() -> bool,
) -> bool {
    if !leads_back && !may_box(name, function.text()) {
        return false;
    }
    let impl_target = impl_target.map(|impl_target| impl_target.name().map(Ident::to_string));
    let mut found = TextFacts {
        impl_target: impl_target.map(Option::unwrap_or_default),
        is_named,
        ..TextFacts::default()
    };
    found.scan(name, function.tokens().clone());
    // A trait object without `Send` in its type is not `Send`.
    let stays = found.stays || (found.objects && !found.sends);
    let is_again = leads_back || found.calls_itself;
    (is_again || found.boxes && may_box_itself()) && !stays
}

/// Returns the name of the function that requires `Send`. The compiler's error shows the name.
pub(crate) fn send_assertion(options: &Options) -> Ident {
    let name = match options.send {
        Some(_) => "coroutine_must_be_send",
        None => "boxed_future_must_be_send_or_use_option_local",
    };
    Ident::new(name, Span::call_site())
}

/// Returns `true` if the text of a function has the words of one that boxes futures, or its own
/// name once more. Most functions have not, and to search a text is faster than to search its
/// tokens.
fn may_box(name: &str, text: &str) -> bool {
    let is_again = |(_, behind): (&str, &str)| behind.contains(name);
    names::BOXES.iter().any(|word| text.contains(word))
        || text.split_once(name).is_some_and(is_again)
}

#[derive(Default)]
struct TextFacts {
    /// The name of the type that the function is a method of.
    impl_target: Option<String>,
    /// `true` if the name may be that of the function.
    is_named: bool,
    calls_itself: bool,
    boxes: bool,
    stays: bool,
    objects: bool,
    sends: bool,
}

impl TextFacts {
    /// Returns `true` if the path before the function's name is that of its module or type.
    fn is_own_path(&self, before: &str) -> bool {
        match &self.impl_target {
            Some(impl_target) => before == impl_target || ["Self", ">"].contains(&before),
            None => ["self", "super", "crate"].contains(&before),
        }
    }

    fn scan(&mut self, name: &str, tokens: TokenStream) {
        let (mut before, mut owner, mut colons) = (String::new(), String::new(), 0);
        // `true` after `self` and `self.clone()`.
        let mut is_receiver = false;
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
                    // `net::TcpStream::connect` belongs to a type of another module.
                    let is_of_type =
                        std::mem::replace(&mut is_path, colons > 1) && is_module(&owner);
                    colons = 0;
                    // `bytes.await` in `async fn bytes` belongs to another type, and `bytes()` in a
                    // method is a function.
                    let is_own = if is_path {
                        !is_of_type && self.is_own_path(&before)
                    } else if before == "." {
                        is_receiver
                    } else {
                        before != "fn" && self.impl_target.is_none()
                    };
                    // A word after a range is no method: `0..boxed`.
                    let is_range = before == "." && owner == ".";
                    self.calls_itself |= self.is_named && word == name && is_call && is_own;
                    self.boxes |= !is_range && names::boxes_future(&before, &word);
                    if word == "dyn" {
                        self.objects = true;
                        self.stays |= names_future_that_stays(tokens.clone());
                    }
                    self.sends |= names::is_send(&word);
                    self.stays |= names::names_not_send(&word)
                        || word == "raw"
                        || (word == "async" && is_closure(tokens.clone()))
                        || (before == "*" && (word == "const" || word == "mut"));
                    is_receiver =
                        word == "self" || (is_receiver && before == "." && word == "clone");
                    owner = std::mem::replace(&mut before, word);
                }
                TokenTree::Group(group) => {
                    self.scan(name, group.stream());
                    before.clear();
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Punct(punct) => {
                    is_path = false;
                    is_receiver &= punct.as_char() == '.';
                    owner = std::mem::replace(&mut before, punct.as_char().to_string());
                }
                TokenTree::Literal(_) => owner = std::mem::take(&mut before),
            }
        }
    }
}

/// Returns `true` if the tokens after `async` are those of a closure.
fn is_closure(tokens: impl Iterator<Item = TokenTree>) -> bool {
    let mut tokens =
        tokens.skip_while(|token| matches!(token, TokenTree::Ident(it) if it == "move"));
    tokens
        .next()
        .is_some_and(|token| names::is_mark(&token, '|'))
}

/// Returns `true` if a path before a type is a module, and not the function's own module.
fn is_module(before: &str) -> bool {
    before.starts_with(char::is_lowercase) && !["self", "super", "crate"].contains(&before)
}

/// Returns `true` if a `dyn` names a future without `Send`: `Box<dyn Future<Output = ()> + 'a>`.
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
                    // The arrow of a function type closes no bracket.
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
