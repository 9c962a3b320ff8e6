//! The scan of a file for scopes and items.

use super::super::words::{find_byte, is_word_byte, next_word};
use super::item_scope::{Enum, ItemScope, ItemScopes, is_odd};
use super::use_tree::imports;

impl ItemScopes {
    /// Scans code without comments and literals.
    pub(in super::super) fn new(code: &str) -> Self {
        let mut scan = Scan {
            code,
            scopes: vec![ItemScope {
                ends: (0, code.len()),
                module: Some(String::new()),
                ..ItemScope::default()
            }],
            open: vec![Open::new(0, Kind::Scope(Some(0)))],
            head: Head::default(),
            begins: true,
        };
        scan.run();
        Self::in_order(scan.scopes)
    }
}

struct Scan<'c> {
    code: &'c str,
    scopes: Vec<ItemScope>,
    /// The open braces.
    open: Vec<Open>,
    /// The declaration before the next brace.
    head: Head,
    /// `true` at the start of an item, statement or variant.
    begins: bool,
}

/// An open brace.
struct Open {
    start: usize,
    kind: Kind,
    /// The number of open parentheses and brackets in it.
    nested: usize,
    /// The head before it, if it is within parentheses.
    head: Head,
}

/// The text in braces.
#[derive(Clone, Copy)]
enum Kind {
    /// A module or block. A block without items has no scope.
    Scope(Option<usize>),
    /// An enum of a scope.
    Enum(usize),
    /// The arguments of a macro. Their items belong to the scope around them.
    Arguments,
    /// Fields, associated items, and rules of a macro.
    Other,
}

/// The declaration that a brace may follow.
#[derive(Clone, Copy, Default)]
enum Head {
    #[default]
    Block,
    Module((usize, usize)),
    Enum((usize, usize)),
    Other,
}

impl Open {
    fn new(start: usize, kind: Kind) -> Self {
        Self {
            start,
            kind,
            nested: 0,
            head: Head::Block,
        }
    }
}

impl Scan<'_> {
    fn run(&mut self) {
        let (bytes, length) = (self.code.as_bytes(), self.code.len());
        let mut at = 0;
        while at < length {
            let byte = bytes[at];
            if is_word_byte(byte) {
                at = self.word(at);
                continue;
            }
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => {}
                b'#' if self.begins => {
                    at = end_of_brackets(bytes, at);
                    continue;
                }
                b'{' => self.open_brace(at),
                b'}' => self.close_brace(at),
                b'(' | b'[' => self.nest(1),
                b')' | b']' => self.nest(-1),
                b';' => self.end_item(),
                b',' => self.begins = self.is_in_enum(),
                _ => self.begins = false,
            }
            at += 1;
        }
    }

    fn last(&mut self) -> Option<&mut Open> {
        self.open.last_mut()
    }

    fn nest(&mut self, by: isize) {
        self.begins = false;
        if let Some(open) = self.last() {
            open.nested = open.nested.saturating_add_signed(by);
        }
    }

    fn end_item(&mut self) {
        if self.last().is_some_and(|open| open.nested == 0) {
            (self.begins, self.head) = (true, Head::Block);
        }
    }

    fn is_in_enum(&mut self) -> bool {
        let is_enum = |open: &mut Open| open.nested == 0 && matches!(open.kind, Kind::Enum(_));
        self.last().is_some_and(is_enum)
    }

    fn open_brace(&mut self, at: usize) {
        let is_nested = self.last().is_some_and(|open| open.nested > 0);
        let head = if is_nested { Head::Block } else { self.head };
        let kind = match head {
            Head::Module(name) => {
                let name = self.code[name.0..name.1].to_owned();
                Kind::Scope(Some(self.add_scope(at, Some(name))))
            }
            Head::Enum(name) => match self.scope() {
                Some(scope) => {
                    let name = self.code[name.0..name.1].to_owned();
                    let variants = Vec::new();
                    self.scopes[scope].enums.push(Enum { name, variants });
                    Kind::Enum(scope)
                }
                None => Kind::Other,
            },
            Head::Block if self.is_in_enum() => Kind::Other,
            Head::Block if is_macro(&self.code[..at]) => Kind::Arguments,
            Head::Block => Kind::Scope(None),
            Head::Other => Kind::Other,
        };
        let mut open = Open::new(at, kind);
        open.head = self.head;
        self.open.push(open);
        (self.begins, self.head) = (true, Head::Block);
    }

    fn close_brace(&mut self, at: usize) {
        if self.open.len() == 1 {
            return;
        }
        let Some(closed) = self.open.pop() else {
            return;
        };
        if let Kind::Scope(Some(scope)) = closed.kind {
            self.scopes[scope].ends.1 = at;
        }
        let is_nested = self.last().is_some_and(|open| open.nested > 0);
        self.head = if is_nested { closed.head } else { Head::Block };
        self.begins = !is_nested && !self.is_in_enum();
    }

    /// Adds a scope that begins at a place.
    fn add_scope(&mut self, start: usize, module: Option<String>) -> usize {
        self.scopes.push(ItemScope {
            ends: (start, self.code.len()),
            module,
            ..ItemScope::default()
        });
        self.scopes.len() - 1
    }

    /// The scope of an item that begins here. The first item of a block creates its scope.
    fn scope(&mut self) -> Option<usize> {
        let is_around = |open: &Open| !matches!(open.kind, Kind::Arguments);
        let around = self.open.iter().rposition(is_around)?;
        match self.open[around].kind {
            Kind::Scope(Some(scope)) => Some(scope),
            Kind::Scope(None) => {
                let scope = self.add_scope(self.open[around].start, None);
                self.open[around].kind = Kind::Scope(Some(scope));
                Some(scope)
            }
            _ => None,
        }
    }

    /// Reads the word at a place, and the declaration that it begins. Returns the place after it.
    fn word(&mut self, at: usize) -> usize {
        let bytes = self.code.as_bytes();
        let Some((start, end)) = next_word(bytes, at) else {
            return bytes.len();
        };
        if !self.begins {
            return end;
        }
        if let Some(Kind::Enum(scope)) = self.open.last().map(|open| open.kind) {
            self.begins = false;
            return self.variant(scope, start, end);
        }
        self.begins = false;
        match &self.code[start..end] {
            "pub" => {
                self.begins = true;
                return after_restriction(bytes, end);
            }
            "unsafe" | "default" => self.begins = true,
            "const" => self.value(end, |after| after.starts_with(':')),
            "struct" => {
                self.value(end, ends_as_value);
                self.head = Head::Other;
            }
            "mod" => self.head = self.name_after(end).map_or(Head::Block, Head::Module),
            "enum" => self.head = self.name_after(end).map_or(Head::Block, Head::Enum),
            "impl" | "trait" | "union" | "macro_rules" => self.head = Head::Other,
            "use" => return self.import(end),
            _ => {}
        }
        end
    }

    /// The ends of the name after a keyword.
    fn name_after(&self, at: usize) -> Option<(usize, usize)> {
        let bytes = self.code.as_bytes();
        let (start, end) = next_word(bytes, at)?;
        match &self.code[start..end] {
            "r" if bytes.get(end) == Some(&b'#') => next_word(bytes, end),
            _ => Some((start, end)),
        }
    }

    /// Adds the value after a keyword, if the code after its name is that of a value.
    fn value(&mut self, at: usize, is_value: impl Fn(&str) -> bool) {
        let Some((start, end)) = self.name_after(at) else {
            return;
        };
        let (name, after) = (&self.code[start..end], self.code[end..].trim_start());
        if is_odd(name)
            && name != "_"
            && is_value(after)
            && let Some(scope) = self.scope()
        {
            self.scopes[scope].values.push(name.to_owned());
        }
    }

    fn variant(&mut self, scope: usize, start: usize, end: usize) -> usize {
        let is_raw = &self.code[start..end] == "r" && self.code[end..].starts_with('#');
        let name = if is_raw { self.name_after(start) } else { None };
        let (start, end) = name.unwrap_or((start, end));
        let name = &self.code[start..end];
        if is_odd(name)
            && let Some(of) = self.scopes[scope].enums.last_mut()
        {
            of.variants.push(name.to_owned());
        }
        end
    }

    fn import(&mut self, at: usize) -> usize {
        let end = find_byte(self.code.as_bytes(), at, [b';'; 2]);
        let found = imports(&self.code[at..end]);
        if let Some(scope) = self.scope() {
            self.scopes[scope].imports.extend(found);
        }
        end
    }
}

/// The place after an attribute.
fn end_of_brackets(bytes: &[u8], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from + 1);
    while at < bytes.len() {
        match bytes[at] {
            b'[' => depth += 1,
            b']' if depth <= 1 => return at + 1,
            b']' => depth -= 1,
            b'!' | b' ' | b'\n' => {}
            _ if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The place after `(crate)`, if it follows.
fn after_restriction(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) == Some(&b'(') {
        return find_byte(bytes, at, [b')'; 2]) + 1;
    }
    at
}

/// Returns `true` if the code after the name of a struct declares no named fields.
fn ends_as_value(after: &str) -> bool {
    let end = after.find(['{', '(', ';']);
    end.is_some_and(|end| !after[end..].starts_with('{'))
}

/// Returns `true` if a brace after the code begins the arguments of a macro: `name! {`, and
/// `name! word {`.
fn is_macro(before: &str) -> bool {
    let before = before.trim_end();
    let name = before.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let mark = if name.ends_with(char::is_whitespace) {
        name.trim_end()
    } else {
        before
    };
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    mark.strip_suffix('!')
        .is_some_and(|name| name.ends_with(is_letter))
}
