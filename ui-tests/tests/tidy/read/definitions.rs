//! The types and the tests that a Rust file defines.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use crate::tokens::{asks_for_test, is_mark, line, words_of};

/// The name of a type or of a test.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// `true` if a `cfg` selects the definition, so that another one can replace it.
    pub(crate) is_conditional: bool,
}

/// The definitions of a file.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// Types and traits of modules, outside of tests. Associated types are not among them.
    pub(crate) types: Vec<Definition>,
    /// Functions with an attribute whose path ends in `test`.
    pub(crate) tests: Vec<Definition>,
}

/// Macros whose input is an item of the calling module.
const ITEM_MACROS: [&str; 2] = ["pin_project", "pin_project_lite"];

const TYPES: [&str; 5] = ["struct", "enum", "union", "trait", "type"];

impl Definitions {
    pub(crate) fn of(text: &str) -> Self {
        let mut definitions = Self::default();
        if let Ok(tokens) = TokenStream::from_str(text) {
            let module = Scope {
                is_module: true,
                ..Scope::default()
            };
            definitions.walk(tokens, module);
        }
        definitions
    }

    fn walk(&mut self, stream: TokenStream, scope: Scope) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut item = Item::default();
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1);
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ';' => item = Item::default(),
                TokenTree::Ident(word) => self.word(word, next, scope, &mut item),
                TokenTree::Group(group) if at > 0 && is_mark(&tokens[at - 1], '#') => {
                    item.read_attribute(group);
                }
                TokenTree::Group(group) => {
                    self.walk(group.stream(), scope.inside(&item, group));
                    if group.delimiter() == Delimiter::Brace {
                        item = Item::default();
                    }
                }
                _ => {}
            }
        }
    }

    fn word(&mut self, word: &Ident, next: Option<&TokenTree>, scope: Scope, item: &mut Item) {
        let keyword = word.to_string();
        let name = match next {
            Some(TokenTree::Ident(name)) => Some(name),
            _ => None,
        };
        let definition = |name: &Ident| Definition {
            name: name.to_string(),
            line: line(name.span()),
            is_conditional: scope.is_conditional || item.is_conditional,
        };
        let is_type = TYPES.contains(&keyword.as_str());
        if is_type && scope.is_module && !scope.is_test && !item.is_test {
            self.types.extend(name.map(definition));
        } else if keyword == "fn" && item.is_test_function {
            self.tests.extend(name.map(definition));
        }
        item.is_module |= keyword == "mod" && name.is_some();
        item.is_item_macro |= ITEM_MACROS.contains(&keyword.as_str());
    }
}

/// The place of a token stream.
#[derive(Clone, Copy, Debug, Default)]
struct Scope {
    /// `true` if only inline modules enclose the stream.
    is_module: bool,
    is_test: bool,
    is_conditional: bool,
}

impl Scope {
    fn inside(self, item: &Item, group: &Group) -> Self {
        let is_brace = group.delimiter() == Delimiter::Brace;
        Self {
            is_module: self.is_module && is_brace && (item.is_module || item.is_item_macro),
            is_test: self.is_test || item.is_test,
            is_conditional: self.is_conditional || item.is_conditional,
        }
    }
}

/// The attributes and keywords of the item that is being read.
#[derive(Debug, Default)]
struct Item {
    is_test: bool,
    is_test_function: bool,
    is_conditional: bool,
    is_module: bool,
    is_item_macro: bool,
}

impl Item {
    fn read_attribute(&mut self, group: &Group) {
        let words = words_of(group.stream());
        let is_cfg = words.first().is_some_and(|word| word == "cfg");
        self.is_conditional |= is_cfg;
        self.is_test |= is_cfg && asks_for_test(group.stream());
        let path = group
            .stream()
            .into_iter()
            .take_while(|token| matches!(token, TokenTree::Ident(_)) || is_mark(token, ':'));
        let name = path
            .filter(|token| matches!(token, TokenTree::Ident(_)))
            .last();
        self.is_test_function |= name.is_some_and(|name| name.to_string() == "test");
    }
}

#[cfg(test)]
mod tests {
    use super::Definitions;

    fn types(text: &str) -> Vec<String> {
        let found = Definitions::of(text).types.into_iter();
        found.map(|definition| definition.name).collect()
    }

    #[test]
    fn types_of_modules_are_found() {
        let text = "struct A; enum B { C } mod m { pub(crate) trait D { type E; } } type F = u8;";
        assert_eq!(types(text), ["A", "B", "D", "F"]);
    }

    #[test]
    fn types_of_functions_and_tests_are_left_out() {
        let text =
            "fn f() { struct A; } #[cfg(test)] mod tests { struct B; } impl C { type D = u8; }";
        assert!(types(text).is_empty());
    }

    #[test]
    fn type_in_an_item_macro_is_found() {
        let text = "pin_project_lite::pin_project! { struct A { #[pin] b: u8 } }\n\
                    macro_rules! m { () => { struct C; } }";
        assert_eq!(types(text), ["A"]);
    }

    #[test]
    fn type_under_a_condition_is_marked() {
        let text = "#[cfg(unix)] struct A; struct B; #[cfg(unix)] mod m { struct C; }";
        let marked = Definitions::of(text).types.into_iter();
        let marked: Vec<bool> = marked.map(|found| found.is_conditional).collect();
        assert_eq!(marked, [true, false, true]);
    }

    #[test]
    fn tests_are_found_under_every_attribute() {
        let text = "#[test] fn a() {} #[volt::test(workers = 2)] async fn b() {} fn c() {}\n\
                    macro_rules! m { ($n:ident) => { #[test] fn $n() {} } }";
        let found = Definitions::of(text).tests.into_iter();
        let found: Vec<(String, usize)> = found.map(|test| (test.name, test.line)).collect();
        assert_eq!(found, [("a".to_owned(), 1), ("b".to_owned(), 1)]);
    }
}
