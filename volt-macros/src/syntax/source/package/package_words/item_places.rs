//! `ItemPlaces`: the places of items in the code of a module.

use super::super::super::name_context::last_word;
use super::super::super::words::next_word;
use super::item_uses::called_macro;

/// The place of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemPlace {
    Module,
    /// In an implementation or a trait of the module.
    Impl,
    /// In the body of another item.
    Body,
    /// In the rules of a `macro_rules!`.
    Rules,
    /// In the arguments of a macro.
    Arguments,
}

/// The call of a macro.
#[derive(Debug)]
pub(super) struct MacroCall<'c> {
    pub(super) name: &'c str,
    pub(super) place: ItemPlace,
}

/// The brackets around a place in the code of a module, which moves from its begin to its end.
pub(super) struct ItemPlaces<'c> {
    code: &'c str,
    at: usize,
    open: Vec<OpenBracket>,
    /// The calls of macros before the place.
    pub(super) calls: Vec<MacroCall<'c>>,
}

/// An open bracket.
struct OpenBracket {
    /// `true` for a brace that contains items or statements.
    is_brace: bool,
    place: ItemPlace,
    /// The begin of the last item or statement in it.
    head: usize,
    /// The head of the implementation or trait, and the name of the macro, around the place.
    around: (usize, usize),
    /// `true` in the body of a function, also in one that a macro declares.
    is_in_function: bool,
}

impl<'c> ItemPlaces<'c> {
    pub(super) fn new(code: &'c str) -> Self {
        let open = vec![OpenBracket {
            is_brace: true,
            place: ItemPlace::Module,
            head: 0,
            around: (0, 0),
            is_in_function: false,
        }];
        Self {
            code,
            at: 0,
            open,
            calls: Vec::new(),
        }
    }

    /// Moves to a place, which must not be before that of the last call.
    pub(super) fn move_to(&mut self, place: usize) {
        let bytes = self.code.as_bytes();
        while self.at < place {
            let at = self.at;
            match bytes[at] {
                b'{' | b'(' | b'[' => self.open(at),
                b'}' | b')' | b']' => {
                    if self.open.len() > 1 {
                        self.open.pop();
                    }
                    if bytes[at] == b'}' {
                        self.end_item(at + 1);
                    }
                }
                b';' => self.end_item(at + 1),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Returns the kind of the place.
    pub(super) fn kind(&self) -> ItemPlace {
        self.open
            .last()
            .map_or(ItemPlace::Module, |open| open.place)
    }

    /// Returns the code from the begin of the item to the place.
    pub(super) fn head(&self) -> &'c str {
        let mut open = self.open.iter().rev();
        let start = open.find(|open| open.is_brace).map_or(0, |open| open.head);
        &self.code[start..self.at]
    }

    /// Returns the head of the implementation or trait around the place, or the name of the macro
    /// whose rules are around it.
    pub(super) fn around(&self) -> &'c str {
        let around = self.open.last().map_or((0, 0), |open| open.around);
        &self.code[around.0..around.1]
    }

    /// Returns `true` if the place is in the body of a function.
    pub(super) fn is_nested(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_in_function)
    }

    fn end_item(&mut self, at: usize) {
        if let Some(open) = self.open.last_mut().filter(|open| open.is_brace) {
            open.head = at;
        }
    }

    fn open(&mut self, at: usize) {
        let Some(outer) = self.open.last() else {
            return;
        };
        let (code, is_brace) = (self.code, self.code.as_bytes()[at] == b'{');
        let (mut place, mut around) = (outer.place, outer.around);
        let is_body = || {
            let head = &code[outer.head..at];
            is_brace && outer.is_brace && keyword(head) == Some("fn")
        };
        let is_in_function = outer.is_in_function || is_body();
        let is_macro = place == ItemPlace::Rules || place == ItemPlace::Arguments;
        let name = called_macro(&code[..at]);
        let rules = declared_macro(&code[..at]);
        if let Some(name) = name {
            self.calls.push(MacroCall { name, place });
        }
        if is_macro {
            // Each item belongs to the outermost macro.
        } else if let Some(name) = rules {
            (place, around) = (ItemPlace::Rules, name);
        } else if name.is_some() {
            place = ItemPlace::Arguments;
        } else if is_brace && outer.is_brace {
            let head = outer.head;
            place = match (place, keyword(&code[head..at])) {
                (ItemPlace::Module, Some("impl" | "trait")) => {
                    around = (head, at);
                    ItemPlace::Impl
                }
                (ItemPlace::Module, None) => ItemPlace::Module,
                _ => ItemPlace::Body,
            };
        } else if is_brace {
            place = ItemPlace::Body;
        }
        self.open.push(OpenBracket {
            is_brace,
            place,
            head: at + 1,
            around,
            is_in_function,
        });
    }
}

/// Returns the ends of the name of the macro whose rules begin after the code.
fn declared_macro(before: &str) -> Option<(usize, usize)> {
    let before = before.trim_end();
    let name = last_word(before);
    let start = before.len() - name.len();
    let keyword = before[..start].trim_end().strip_suffix('!')?.trim_end();
    let is_declared = !name.is_empty() && last_word(keyword) == "macro_rules";
    is_declared.then_some((start, before.len()))
}

/// Returns the word that declares the item of a head, or none for a module.
fn keyword(head: &str) -> Option<&str> {
    const KEYWORDS: [&str; 8] = [
        "enum", "fn", "impl", "static", "struct", "trait", "union", "use",
    ];
    let (mut from, mut last, mut before) = (0, None, "");
    while let Some((start, end)) = next_word(head.as_bytes(), from) {
        let word = &head[start..end];
        from = end;
        // The braces of the module `name` may be absent.
        if KEYWORDS.contains(&word) && before != "mod" {
            return Some(word);
        }
        last = (before != "mod" && word != "mod").then_some(word);
        before = word;
    }
    last.filter(|_| !head.trim_end().is_empty())
}
