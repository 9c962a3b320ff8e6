//! The contents of a Rust file, read from its tokens.
//!
//! Tokens, not a syntax tree: comments and strings are skipped, except the attributes that a string
//! quotes. The inside of a macro call such as `pin_project! { .. }`, opaque in a syntax tree, is
//! read like any code.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};

use crate::quoted::{Attribute, quoted};
use crate::tokens::{Tokens, asks_for_test, is_mark, line, path_of, words_of};

/// A path in the code, for example `crate::task::Runnable`.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// The inline modules around it, outermost first.
    pub(crate) inside: Vec<String>,
    /// `true` if only test builds contain it.
    pub(crate) test: bool,
    /// The name that a `use` gives it here; `None` elsewhere and for globs.
    pub(crate) alias: Option<String>,
}

/// A `mod name;` line.
#[derive(Debug)]
pub(crate) struct ModLine {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) inside: Vec<String>,
    pub(crate) test: bool,
    /// `true` if a `cfg` selects the module.
    pub(crate) conditional: bool,
    /// The file that `#[path = ".."]` names.
    pub(crate) path: Option<String>,
}

/// A name and its line.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) test: bool,
}

/// The facts of a Rust file that the rules use.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) mentions: Vec<Mention>,
    pub(crate) mods: Vec<ModLine>,
    pub(crate) attributes: Vec<Attribute>,
    /// Names of called macros, without the `!`.
    pub(crate) macros: Vec<Spot>,
    /// Items other than `mod` and `use` at the top of the file, by keyword.
    pub(crate) items: Vec<Spot>,
    /// Macros that `#[macro_export]` puts into the root of the crate, the only place for them.
    pub(crate) exported_macros: Vec<String>,
    pub(crate) unsafe_lines: Vec<usize>,
    /// The lines of `unsafe` blocks and implementations among them.
    pub(crate) promises: Vec<usize>,
    /// `true` if `#![cfg(test)]` or the like is at the top.
    pub(crate) only_test: bool,
}

impl Reading {
    /// A text that is no Rust reads as empty: the compiler has better words for it.
    pub(crate) fn of(text: &str) -> Self {
        let mut reading = Self::default();
        if let Ok(tokens) = TokenStream::from_str(text) {
            reading.walk(tokens, &Place::default());
        }
        reading
    }

    fn walk(&mut self, stream: TokenStream, place: &Place) {
        let mut tokens = Tokens::new(stream);
        let mut item = Item::default();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    self.attribute(&mut tokens, place, &mut item);
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => item = Item::default(),
                TokenTree::Ident(word) => self.word(&word, &mut tokens, place, &mut item),
                TokenTree::Group(group) => self.group(group, place, &mut item),
                TokenTree::Literal(literal) => self.literal(&literal),
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn literal(&mut self, literal: &Literal) {
        let found = quoted(&literal.to_string(), line(literal.span()));
        self.attributes.extend(found);
    }

    fn group(&mut self, group: Group, place: &Place, item: &mut Item) {
        let ends_item = group.delimiter() == Delimiter::Brace;
        let mut inner = place.clone();
        inner.test |= item.test;
        inner.inside.extend(item.module.take());
        inner.top &= !inner.inside.is_empty() && ends_item;
        self.walk(group.stream(), &inner);
        item.macro_call = false;
        if ends_item {
            *item = Item::default();
        }
    }

    fn attribute(&mut self, tokens: &mut Tokens, place: &Place, item: &mut Item) {
        let inner = tokens.skip_mark('!');
        let Some(TokenTree::Group(group)) = tokens.peek() else {
            return;
        };
        if group.delimiter() != Delimiter::Bracket {
            return;
        }
        let words = words_of(group.stream());
        let name = words.first().cloned().unwrap_or_default();
        let is_test = name == "test" || (name == "cfg" && asks_for_test(group.stream()));
        if inner {
            self.only_test |= is_test && place.top && place.inside.is_empty();
        } else {
            item.test |= is_test;
            item.conditional |= name == "cfg";
            item.exported |= name == "macro_export";
            item.path = path_of(group.stream()).or(item.path.take());
        }
        for token in group.stream() {
            if let TokenTree::Literal(text) = token {
                self.literal(&text);
            }
        }
        self.attributes.push(Attribute::of(group));
        tokens.next();
    }

    fn word(&mut self, word: &Ident, tokens: &mut Tokens, place: &Place, item: &mut Item) {
        let name = word.to_string();
        let test = place.test || item.test;
        let spot = |name: &str| Spot {
            name: name.to_owned(),
            line: line(word.span()),
            test,
        };
        match name.as_str() {
            "use" if !tokens.at_mark('<') => {
                let tree = tokens.until_semicolon();
                // `use $crate::..` belongs to the place of the macro call.
                if !tree.first().is_some_and(|token| is_mark(token, '$')) {
                    self.use_tree(tree, &[], place, test);
                }
                *item = Item::default();
                return;
            }
            "pub" => return tokens.skip_scope(),
            "mod" => return self.module(word, tokens, place, item),
            "unsafe" => self.unsafety(line(word.span()), tokens.peek()),
            _ => {}
        }
        let path = tokens.path_from(word);
        if tokens.is_macro_call() {
            let called = path.last().expect("a path has a first segment");
            self.macros.push(spot(called));
            item.macro_call = true;
            let defined = tokens.defined_macro().filter(|_| item.exported);
            self.exported_macros.extend(defined);
        }
        let opens_item = ITEMS.contains(&name.as_str()) || item.macro_call;
        if place.top && opens_item && !item.open && place.inside.is_empty() {
            self.items.push(spot(&name));
            item.open = true;
        }
        if path.len() > 1 && !tokens.was_foreign() {
            self.mentions.push(Mention {
                segments: path,
                line: line(word.span()),
                inside: place.inside.clone(),
                test,
                alias: None,
            });
        }
    }

    fn unsafety(&mut self, line: usize, next: Option<&TokenTree>) {
        self.unsafe_lines.push(line);
        let promises = match next {
            Some(TokenTree::Group(block)) => block.delimiter() == Delimiter::Brace,
            Some(TokenTree::Ident(word)) => word == "impl",
            _ => false,
        };
        self.promises.extend(promises.then_some(line));
    }

    fn module(&mut self, word: &Ident, tokens: &mut Tokens, place: &Place, item: &mut Item) {
        let Some(TokenTree::Ident(name)) = tokens.next() else {
            return;
        };
        if tokens.at_mark(';') {
            self.mods.push(ModLine {
                name: name.to_string(),
                line: line(word.span()),
                inside: place.inside.clone(),
                test: place.test || item.test,
                conditional: item.conditional,
                path: item.path.take(),
            });
        } else {
            item.module = Some(name.to_string());
            item.open = true;
        }
    }

    /// Reads `a::{b, c as d, e::*}` into one mention a leaf.
    fn use_tree(&mut self, tokens: Vec<TokenTree>, prefix: &[String], place: &Place, test: bool) {
        for branch in tokens.split(|token| is_mark(token, ',')) {
            let mut segments = prefix.to_vec();
            let mut alias = None;
            let mut at = None;
            let mut nested = None;
            for token in branch {
                at.get_or_insert(line(token.span()));
                match token {
                    TokenTree::Ident(word) if alias.as_deref() == Some("") => {
                        alias = Some(word.to_string());
                    }
                    TokenTree::Ident(word) if word == "as" => alias = Some(String::new()),
                    TokenTree::Ident(word) => segments.push(word.to_string()),
                    TokenTree::Punct(mark) if mark.as_char() == '*' => segments.push("*".into()),
                    TokenTree::Group(group) => nested = Some(group.stream()),
                    TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
            if let Some(stream) = nested {
                self.use_tree(stream.into_iter().collect(), &segments, place, test);
            } else if let Some(line) = at {
                self.mentions.push(leaf(segments, alias, line, place, test));
            }
        }
    }
}

const ITEMS: [&str; 9] = [
    "fn", "struct", "enum", "trait", "impl", "static", "const", "type", "union",
];

fn leaf(
    mut segments: Vec<String>,
    alias: Option<String>,
    line: usize,
    place: &Place,
    test: bool,
) -> Mention {
    // `use a::{self}` names `a`.
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
        segments.pop();
    }
    let alias = alias.or_else(|| segments.last().filter(|last| *last != "*").cloned());
    Mention {
        segments,
        line,
        inside: place.inside.clone(),
        test,
        alias,
    }
}

/// The position of the walk.
#[derive(Clone, Debug)]
struct Place {
    inside: Vec<String>,
    test: bool,
    /// `true` if the position is in no item other than `mod name { .. }`.
    top: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            inside: Vec::new(),
            test: false,
            top: true,
        }
    }
}

/// The facts of the current item.
#[derive(Debug, Default)]
struct Item {
    test: bool,
    conditional: bool,
    open: bool,
    macro_call: bool,
    exported: bool,
    path: Option<String>,
    /// Set between `mod name` and its body.
    module: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::Reading;

    fn paths(text: &str) -> Vec<String> {
        let mentions = Reading::of(text).mentions;
        mentions.iter().map(|m| m.segments.join("::")).collect()
    }

    #[test]
    fn nested_use_gives_one_mention_a_leaf() {
        let text = "use crate::{a::{self, B as C}, d::*};";
        assert_eq!(paths(text), ["crate::a", "crate::a::B", "crate::d::*"]);
    }

    #[test]
    fn path_in_a_macro_call_is_read() {
        let text = "fn f() { debug_assert!(x.is(crate::task::IDLE), \"crate::not::this\"); }";
        assert_eq!(paths(text), ["crate::task::IDLE"]);
    }

    #[test]
    fn path_after_a_type_colon_is_read() {
        let text = "struct S { field: crate::task::Id, other: ::std::sync::Mutex<u8> }";
        assert_eq!(paths(text), ["crate::task::Id"]);
    }

    #[test]
    fn comment_and_macro_crate_are_not_read() {
        assert!(paths("// crate::a::b\n/// crate::c::d\nfn f() { $crate::e::f() }").is_empty());
    }

    #[test]
    fn inline_module_and_its_cfg_are_known() {
        let reading = Reading::of("#[cfg(all(test, loom))]\nmod models { use super::State; }");
        let mention = &reading.mentions[0];
        assert!(mention.test);
        assert_eq!(mention.inside, ["models"]);
        assert_eq!(mention.line, 2);
    }

    #[test]
    fn scope_of_visibility_is_not_read() {
        assert_eq!(
            paths("pub(in super::super) fn f(a: super::b::C) {}"),
            ["super::b::C"]
        );
    }

    #[test]
    fn file_named_by_attribute_is_known() {
        let reading = Reading::of("#[cfg(test)]\n#[path = \"ring_tests.rs\"]\nmod tests;");
        let line = &reading.mods[0];
        assert_eq!(
            (line.path.as_deref(), line.test),
            (Some("ring_tests.rs"), true)
        );
    }

    #[test]
    fn exported_macro_is_known_by_name() {
        let reading = Reading::of("#[macro_export]\nmacro_rules! a { }\nmacro_rules! b { }");
        assert_eq!(reading.exported_macros, ["a"]);
    }

    #[test]
    fn cfg_not_test_is_no_test() {
        let text =
            "#[cfg(not(test))]\nuse a::b;\n#[cfg(all(test, not(loom)))]\nuse c::d;\nuse e::f;";
        let mentions = Reading::of(text).mentions;
        let tests: Vec<bool> = mentions.iter().map(|m| m.test).collect();
        assert_eq!(tests, [false, true, false]);
    }

    #[test]
    fn items_are_counted_once_each() {
        let reading =
            Reading::of("fn f() -> impl Fn() { const X: u8 = 1; }\npub struct S;\nuse a::b;");
        let names: Vec<&str> = reading
            .items
            .iter()
            .map(|item| item.name.as_str())
            .collect();
        assert_eq!(names, ["fn", "struct"]);
    }
}
