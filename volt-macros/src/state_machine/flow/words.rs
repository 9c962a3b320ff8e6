//! Macros, closures and `async` blocks: what their words mean.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Macro};

use super::graph::{EXIT, Event};
use super::pen::Pen;
use crate::state_machine::body::LocalId;
use crate::state_machine::capture::{Captured, captured_by};
use crate::state_machine::macros::{Known, formatted, known};
use crate::state_machine::scope::mentioned;

impl Pen<'_> {
    /// A closure or an `async` block. Of what it takes a part of, the rest stays.
    pub(super) fn capture(&mut self, expr: &Expr, moves: bool) {
        for (name, local) in self.named(expr.to_token_stream()) {
            let (captured, relied) = captured_by(expr, &name);
            match captured {
                Some(Captured::Whole) if moves => {
                    self.flow.relied.extend(relied);
                    self.event(Event::Move(local));
                }
                Some(_) => self.event(Event::Use(local)),
                None => {}
            }
        }
    }

    /// Names in what is looked at, whatever the rest means.
    pub(super) fn words(&mut self, tokens: TokenStream) {
        for (_, local) in self.named(tokens) {
            self.event(Event::Use(local));
        }
    }

    /// The locals whose names stand somewhere.
    fn named(&self, tokens: TokenStream) -> Vec<(String, LocalId)> {
        let mut found = Vec::new();
        mentioned(tokens, &mut found);
        found.sort();
        found.dedup();
        let known = found.into_iter();
        known
            .filter_map(|name| self.lookup(&name).map(|local| (name, local)))
            .collect()
    }

    pub(super) fn macro_call(&mut self, mac: &Macro) {
        let before = self.flow.events.len();
        if let (Some(known), Some(mac)) = (known(mac), formatted(mac)) {
            let arguments = mac.arguments.iter();
            match known {
                Known::List => self.values(arguments),
                Known::Formats => self.arguments(arguments),
                Known::Asserts(always) => {
                    self.arguments(arguments.clone().take(always));
                    let holds = self.here;
                    self.arguments(arguments.skip(always));
                    self.here = holds;
                }
                // Whether these are evaluated at all is not known.
                Known::Perhaps(_) | Known::Logs | Known::Text => {}
            }
        }
        let moves = |event: &Event| matches!(event, Event::Move(_) | Event::Open(_));
        let is_text = known(mac) == Some(Known::Text);
        if is_text || self.flow.events[before..].iter().any(moves) {
            self.flow.relied.extend(mac.path.get_ident().cloned());
        }
        if !is_text {
            self.words(mac.tokens.clone());
        }
        if holds_question(mac.tokens.clone()) {
            self.edge_to(EXIT);
        }
    }

    /// Arguments that are looked at.
    fn arguments<'e>(&mut self, arguments: impl Iterator<Item = &'e Expr>) {
        for argument in arguments {
            match argument {
                Expr::Assign(named) => self.look(&named.right),
                other => self.look(other),
            }
        }
    }
}

fn holds_question(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '?',
        TokenTree::Group(group) => holds_question(group.stream()),
        _ => false,
    })
}
