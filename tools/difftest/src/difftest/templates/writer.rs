//! Fills the holes of templates.
//!
//! | hole | what fills it |
//! | --- | --- |
//! | `@#` | a number that is unique in the family |
//! | `@1` … `@9` | a new name, the same in the whole template |
//! | `@u` and other small letters | an expression of that type ([`Kind`](super::values)) |
//! | `@U` and other capitals | a local of that type that is visible, and hidden afterwards |
//! | `@M` | a local with a destructor that is moved away |
//! | `@{..}` | a block of statements; its locals within, as in `@{u1 r2}`; `loop 1` names its loop |
//! | `@<` … `@>` | a function of its own that does not await: a closure |
//! | `@[` … `@]` | a function of its own that awaits: an `async` block |
//! | `@!` | the name of a loop around |
//! | `@^`, `@~` | an attribute in front, and one within |
//! | `@@` | an `@` |
//! | `@=` | an expression of the type that the function returns |

use std::collections::{HashMap, VecDeque};

use super::ambiguous;
use super::signature::FunctionHead;
use super::statements::{BY_LOOP, BY_OPTION, BY_RESULT, FRAGMENTS, LEAVING, STATEMENTS};
use super::values::{FRAGMENT_VALUES, values};
use crate::generate::Rng;

/// A local that is visible.
#[derive(Clone, Debug)]
pub(super) struct VisibleLocal {
    pub(super) name: String,
    pub(super) kind: char,
    /// The number of blocks around it.
    depth: usize,
}

/// Writes the body of one function.
#[derive(Debug)]
pub(super) struct TemplateWriter<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) next_id: &'a mut u32,
    /// Functions that may be awaited.
    pub(super) callees: &'a [FunctionHead],
    pub(super) locals: Vec<VisibleLocal>,
    /// The locals that are hidden until the end of the statement.
    taken: Vec<String>,
    pub(super) returns: char,
    /// The borrowed argument that is returned, if there is one.
    pub(super) borrowed: Option<String>,
    /// `true` if the function is in a macro with fragments.
    pub(super) fragments: bool,
    loops: Vec<String>,
    next_name: u32,
    depth: usize,
    nesting: usize,
    budget: usize,
    calls: usize,
    body: Body,
}

/// The body that is written. `return` and `break` do not leave a closure or an `async` block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Body {
    Function,
    AsyncBlock,
    /// Cannot await. A block within a closure counts as the closure.
    Closure,
}

/// Returns `true` if the requirements of a template are met at this place.
fn fits(template: &str, writer: &TemplateWriter<'_>) -> bool {
    let awaits = template.contains(".await")
        || template.contains("@[")
        || template.contains("join!")
        || template.contains("select!");
    if awaits && writer.body == Body::Closure {
        return false;
    }
    let mut counts: HashMap<char, usize> = HashMap::new();
    for hole in holes(template) {
        if hole.is_ascii_uppercase() {
            *counts.entry(hole).or_default() += 1;
        }
        if hole.is_ascii_lowercase() && writer.nesting > 2 {
            return false;
        }
        if hole == '{' && (writer.depth > 5 || writer.budget == 0) {
            return false;
        }
        if hole == '!' && (writer.body != Body::Function || writer.loops.is_empty()) {
            return false;
        }
    }
    counts
        .into_iter()
        .all(|(kind, count)| writer.seen(kind).len() >= count)
}

/// Returns the types and names of `u1 d2`.
fn pairs(declared: &str) -> Vec<(char, char)> {
    let pair = |word: &str| {
        let mut letters = word.chars();
        letters.next().zip(letters.next())
    };
    declared.split(' ').filter_map(pair).collect()
}

/// Returns the letter after each `@`.
fn holes(template: &str) -> impl Iterator<Item = char> + '_ {
    template
        .split('@')
        .skip(1)
        .filter_map(|hole| hole.chars().next())
}

impl<'a> TemplateWriter<'a> {
    pub(super) fn new(
        rng: &'a mut Rng,
        next_id: &'a mut u32,
        callees: &'a [FunctionHead],
        returns: char,
        fragments: bool,
    ) -> Self {
        let budget = 3 + rng.below(8);
        Self {
            rng,
            next_id,
            callees,
            locals: Vec::new(),
            taken: Vec::new(),
            returns,
            borrowed: None,
            fragments,
            loops: Vec::new(),
            next_name: 0,
            depth: 0,
            nesting: 0,
            budget,
            calls: 2,
            body: Body::Function,
        }
    }

    /// Writes the body of the function, without its braces.
    pub(super) fn body(&mut self) -> String {
        let mut body = self.statements();
        let value = self.filled("@=", &[]);
        body += &format!("    {value}\n");
        body
    }

    pub(super) fn declare(&mut self, name: &str, kind: char) {
        self.locals.push(VisibleLocal {
            name: name.to_owned(),
            kind,
            depth: self.depth,
        });
    }

    pub(super) fn new_name(&mut self) -> String {
        self.next_name += 1;
        format!("x{}", self.next_name)
    }

    /// Returns the locals that can fill a capital letter.
    fn seen(&self, hole: char) -> Vec<String> {
        let kind = match hole {
            'M' => 'd',
            'X' => 'u',
            other => other.to_ascii_lowercase(),
        };
        let is_free = |local: &&VisibleLocal| {
            let movable = local.depth == self.depth && self.body == Body::Function;
            local.kind == kind && !self.taken.contains(&local.name) && (hole != 'M' || movable)
        };
        self.locals
            .iter()
            .filter(is_free)
            .map(|local| local.name.clone())
            .collect()
    }

    fn statements(&mut self) -> String {
        let mut written = String::new();
        let most = 1 + self.rng.below(if self.depth == 0 { 6 } else { 3 });
        for _ in 0..most {
            if self.budget == 0 && self.depth > 0 {
                break;
            }
            self.budget = self.budget.saturating_sub(1);
            let (template, declared) = self.statement();
            let taken = self.taken.len();
            let text = self.filled(template, &declared);
            self.taken.truncate(taken);
            written += &format!("    {text}\n");
        }
        written
    }

    /// Returns a template that fits, and the locals that it declares.
    fn statement(&mut self) -> (&'static str, Vec<(char, char)>) {
        for _ in 0..60 {
            let table = match self.rng.below(100) {
                0..=5 => BY_LOOP,
                6..=9 if self.returns == 'r' && self.body == Body::Function => BY_RESULT,
                6..=9 if self.returns == 'o' && self.body == Body::Function => BY_OPTION,
                10..=11 if self.body == Body::Function => LEAVING,
                12..=24 if self.fragments => FRAGMENTS,
                25..=30 => ambiguous::STATEMENTS,
                _ => STATEMENTS,
            };
            let (template, declared) = self.rng.pick(table);
            if fits(template, self) {
                return (template, pairs(declared));
            }
        }
        ("note(@#);", Vec::new())
    }

    /// Writes an expression of the type.
    fn value(&mut self, kind: char) -> String {
        if kind == 'u'
            && self.calls > 0
            && self.body != Body::Closure
            && self.rng.chance(10)
            && let Some(callee) = self.rng.any(self.callees)
        {
            self.calls -= 1;
            let call = self.call(&callee, false);
            return callee.as_number(&call);
        }
        let table = match kind {
            'u' if self.fragments && self.rng.chance(30) => FRAGMENT_VALUES,
            _ => values(kind),
        };
        for _ in 0..40 {
            let template = self.rng.pick(table);
            if fits(template, self) {
                return self.filled(template, &[]);
            }
        }
        self.filled(values(kind)[0], &[])
    }

    /// Returns the value that the function returns.
    fn returned(&mut self) -> String {
        match &self.borrowed {
            Some(name) => name.clone(),
            None => self.value(self.returns),
        }
    }

    /// Returns `true` if the holes of a template can be filled here.
    pub(super) fn fits(&self, template: &str) -> bool {
        fits(template, self)
    }

    /// Returns a parameter, and the code at the start of the body that uses it.
    pub(super) fn parameter(
        &mut self,
        declared: &str,
        locals: &str,
        used: &str,
    ) -> (String, String) {
        let mut names = HashMap::new();
        let declared = self.fill(declared, &mut names);
        let used = self.fill(used, &mut names);
        self.declare_all(&pairs(locals), &names);
        (declared, used)
    }

    /// Returns the template with its holes filled.
    pub(super) fn filled(&mut self, template: &str, declared: &[(char, char)]) -> String {
        let mut names = HashMap::new();
        let text = self.fill(template, &mut names);
        self.declare_all(declared, &names);
        text
    }

    /// Returns the locals for the capitals of a template, and the ones that it moves away.
    fn places(&mut self, template: &str) -> (VecDeque<String>, Vec<String>) {
        let (mut places, mut moved) = (VecDeque::new(), Vec::new());
        for capital in holes(template).filter(char::is_ascii_uppercase) {
            let seen = self.seen(capital);
            let name = self.rng.pick(&seen);
            if !matches!(capital, 'U' | 'R') {
                self.taken.push(name.clone());
            }
            if capital == 'M' {
                moved.push(name.clone());
            }
            places.push_back(name);
        }
        (places, moved)
    }

    fn declare_all(&mut self, declared: &[(char, char)], names: &HashMap<char, String>) {
        for (kind, name) in declared {
            if let Some(name) = names.get(name) {
                self.declare(name, *kind);
            }
        }
    }

    fn fill(&mut self, template: &str, names: &mut HashMap<char, String>) -> String {
        let mut text = String::new();
        // The locals are chosen first, so that no other hole takes them.
        let (mut places, moved) = self.places(template);
        let mut around = Vec::new();
        self.nesting += 1;
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('@') {
            text += before;
            let hole = after.chars().next().expect("a hole after each @");
            rest = &after[hole.len_utf8()..];
            match hole {
                '#' => {
                    *self.next_id += 1;
                    text += &self.next_id.to_string();
                }
                '0'..='9' => {
                    let name = match names.get(&hole) {
                        Some(name) => name.clone(),
                        None => self.new_name(),
                    };
                    text += &name;
                    names.insert(hole, name);
                }
                '{' => {
                    let (inner, after) = rest.split_once('}').expect("`@{` ends");
                    rest = after;
                    text += &self.block(inner, names);
                }
                '<' | '[' => {
                    let opened = if hole == '<' {
                        Body::Closure
                    } else {
                        Body::AsyncBlock
                    };
                    around.push(self.body);
                    self.body = self.body.max(opened);
                }
                '>' | ']' => self.body = around.pop().expect("an open body"),
                '!' => text += &self.rng.pick(&self.loops.clone()),
                '@' => text.push('@'),
                '^' => text += "#[warn(unused)]",
                '~' => text += "#![warn(unused)]",
                '=' => text += &self.returned(),
                capital if capital.is_ascii_uppercase() => {
                    text += &places.pop_front().expect("one for each capital");
                }
                small => text += &self.value(small),
            }
        }
        text += rest;
        self.nesting -= 1;
        self.locals.retain(|local| !moved.contains(&local.name));
        text
    }

    /// Writes a block of statements, whose first locals the enclosing template declares.
    fn block(&mut self, inner: &str, names: &mut HashMap<char, String>) -> String {
        let (outer, nesting) = (self.locals.len(), std::mem::take(&mut self.nesting));
        self.depth += 1;
        let mut words = inner.split(' ').filter(|word| !word.is_empty()).peekable();
        let mut is_loop = false;
        while let Some(word) = words.next() {
            if word == "loop" {
                let digit = words
                    .next()
                    .and_then(|name| name.chars().next())
                    .expect("a name");
                let name = names.get(&digit).cloned().expect("a loop has a name");
                self.loops.push(name);
                is_loop = true;
                continue;
            }
            self.declare_all(&pairs(word), names);
        }
        let statements = self.statements();
        if is_loop {
            self.loops.pop();
        }
        self.depth -= 1;
        self.locals.truncate(outer);
        self.nesting = nesting;
        format!("{{\n{statements}    }}")
    }
}
