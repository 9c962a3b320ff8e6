//! Functions that are nearly right: those of the tests, with tokens taken out, doubled, exchanged.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Where the choices come from; when they are used up, the function is as it is then.
pub(crate) trait Choices {
    /// A number below `bound`, while there are any.
    fn below(&mut self, bound: usize) -> Option<usize>;
}

/// The contents of `subject!` in the tests that run machines.
const SOURCES: [&str; 12] = [
    include_str!("../../ui-tests/tests/behave/straight.rs"),
    include_str!("../../ui-tests/tests/behave/assigned.rs"),
    include_str!("../../ui-tests/tests/behave/branches.rs"),
    include_str!("../../ui-tests/tests/behave/while_loops.rs"),
    include_str!("../../ui-tests/tests/behave/for_loops.rs"),
    include_str!("../../ui-tests/tests/behave/leaving.rs"),
    include_str!("../../ui-tests/tests/behave/futures.rs"),
    include_str!("../../ui-tests/tests/behave/borrowed_arguments.rs"),
    include_str!("../../ui-tests/tests/behave/taken_apart.rs"),
    include_str!("../../ui-tests/tests/behave/conditional.rs"),
    include_str!("../../ui-tests/tests/behave/moved_or_used.rs"),
    include_str!("../../ui-tests/tests/behave/order.rs"),
];

/// Words with a meaning for the macro.
const WORDS: [&str; 23] = [
    "await", "async", "break", "continue", "return", "loop", "while", "for", "in", "if", "else",
    "match", "let", "mut", "ref", "move", "unsafe", "const", "_", "x", "a", "D", "poll_fn",
];

const PUNCTUATION: [char; 14] = [
    '.', '?', '&', '*', ';', ',', ':', '=', '|', '<', '>', '!', '#', '\'',
];

/// The functions of the tests.
pub(crate) fn corpus() -> Vec<TokenStream> {
    let mut found = Vec::new();
    for source in SOURCES {
        let tokens: TokenStream = source.parse().expect("a file of cases");
        let mut subject = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => subject = ident == "subject",
                TokenTree::Group(group) if subject => {
                    found.push(group.stream());
                    subject = false;
                }
                TokenTree::Punct(_) => {}
                _ => subject = false,
            }
        }
    }
    found
}

/// One of the functions, with some changes.
pub(crate) fn mutated(corpus: &[TokenStream], choices: &mut impl Choices) -> Option<TokenStream> {
    let mut function = corpus[choices.below(corpus.len())?].clone();
    let other = corpus[choices.below(corpus.len())?].clone();
    let edits = 1 + choices.below(4)?;
    for _ in 0..edits {
        let Some(edit) = choices.below(7) else { break };
        let Some(place) = choices.below(count(&function)) else {
            break;
        };
        let Some(from) = choices.below(count(&other)) else {
            break;
        };
        let mut edit = Edit {
            place,
            seen: 0,
            kind: edit,
            word: from,
            graft: nth(&other, from, &mut 0),
        };
        function = edit.stream(function);
    }
    Some(function)
}

/// How many tokens there are, at any depth.
fn count(tokens: &TokenStream) -> usize {
    let counts = tokens.clone().into_iter().map(|token| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    });
    counts.sum()
}

/// The token of that number.
fn nth(tokens: &TokenStream, number: usize, seen: &mut usize) -> Option<TokenTree> {
    for token in tokens.clone() {
        if *seen == number {
            return Some(token);
        }
        *seen += 1;
        if let TokenTree::Group(group) = &token
            && let Some(found) = nth(&group.stream(), number, seen)
        {
            return Some(found);
        }
    }
    None
}

/// A change at one place.
struct Edit {
    place: usize,
    seen: usize,
    kind: usize,
    word: usize,
    graft: Option<TokenTree>,
}

impl Edit {
    fn stream(&mut self, tokens: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        let mut exchanged = None;
        for token in tokens {
            let here = self.seen == self.place;
            self.seen += 1;
            if here {
                match self.kind {
                    0 => {}
                    1 => out.extend([token.clone(), token]),
                    2 => exchanged = Some(token),
                    3 => out.extend(self.graft.take()),
                    4 => out.extend(self.graft.take().into_iter().chain([token])),
                    5 => out.push(Ident::new(WORDS[self.word % WORDS.len()], span()).into()),
                    _ => {
                        let mark = PUNCTUATION[self.word % PUNCTUATION.len()];
                        out.extend([Punct::new(mark, Spacing::Alone).into(), token]);
                    }
                }
            } else {
                out.push(self.inside(token));
            }
            if !here {
                out.extend(exchanged.take());
            }
        }
        out.extend(exchanged);
        out.into_iter().collect()
    }

    fn inside(&mut self, token: TokenTree) -> TokenTree {
        match token {
            TokenTree::Group(group) => {
                let inner = self.stream(group.stream());
                Group::new(group.delimiter(), inner).into()
            }
            other => other,
        }
    }
}

fn span() -> Span {
    Span::call_site()
}
