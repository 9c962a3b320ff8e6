//! The program that a batch becomes.

use super::chosen::is_explicit;
use crate::command_line::Layout;
use crate::generate::Function;

/// A family of functions of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Names it to people: the seed and the index.
    pub(crate) name: String,
    pub(crate) functions: Vec<Function>,
    /// The options of the attribute.
    pub(crate) options: &'static str,
    /// The names of those whose machines are explicit.
    pub(crate) explicit: Vec<String>,
}

/// The function and the version of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) member: usize,
    pub(crate) function: usize,
    pub(crate) machine: bool,
}

/// A program, and the places of its lines.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) text: String,
    places: Vec<(usize, usize, Place)>,
}

/// The options of machines that are stored at each await.
pub(crate) const STORED: &str = "(derive(Serialize, Deserialize), explicit)";

/// Words of functions that box futures. Beside the option `native`, such a function has the option
/// `local`, because its machine may have to be `Send`. A function whose layout the macro chooses
/// has no option, so that the run finds such requirements.
const BOXING: [&str; 4] = ["Box::pin", "erased(", "heap(", "all("];

/// Gives each family its options.
pub(crate) fn members(families: Vec<(String, Vec<Function>)>, layout: Layout) -> Vec<Member> {
    let member = |(name, functions): (String, Vec<Function>)| {
        let sum: usize = functions.iter().map(|function| function.source.len()).sum();
        let has_word = |it: &Function| BOXING.iter().any(|word| it.source.contains(word));
        let boxes = layout == Layout::Native && functions.iter().any(has_word);
        let options = match (layout, sum % 8) {
            (Layout::Native, 0..=2) if boxes => "(native, trace = false, local)",
            (Layout::Native, _) if boxes => "(native, local)",
            (Layout::Native, 0..=2) => "(native, trace = false)",
            (Layout::Native, _) => "(native)",
            (Layout::Stored, _) => STORED,
            (Layout::Explicit | Layout::Auto, _) => "",
        };
        let explicit = functions.iter().filter(|one| is_explicit(options, one));
        Member {
            explicit: explicit.map(|one| one.name.clone()).collect(),
            name,
            functions,
            options,
        }
    };
    families.into_iter().map(member).collect()
}

impl Member {
    /// Returns the number of bytes by which the machine may be larger than the compiler's future: a
    /// part for itself, and a part for each machine that it may contain.
    fn allowed(&self, function: &Function) -> usize {
        let own = match self.options {
            // The wrapper that stores the machine is measured in its place.
            STORED => return UNLIMITED,
            // Such a machine stores its stage beside the coroutine.
            options if options.contains("trace = false") => 8,
            _ => 0,
        };
        let earlier = self
            .functions
            .iter()
            .take_while(|other| other.name != function.name);
        let held = earlier.map(|other| {
            let calls = calls(&function.source, &other.name);
            if calls > 0 {
                // The container aligns its fields.
                calls * (self.allowed(other).next_multiple_of(16))
            } else {
                0
            }
        });
        own + held.sum::<usize>()
    }

    /// Returns `true` if the machine of the function is explicit.
    pub(crate) fn is_explicit(&self, name: &str) -> bool {
        self.explicit.iter().any(|explicit| explicit == name)
    }

    /// Takes out a function and all that call it; gives their names.
    pub(crate) fn remove(&mut self, name: &str) -> Vec<String> {
        let mut removed = vec![name.to_owned()];
        let calls_removed = |function: &&Function, removed: &[String]| {
            let mut called = removed.iter();
            !removed.contains(&function.name) && called.any(|it| mentions(&function.source, it))
        };
        while let Some(caller) = self.functions.iter().find(|it| calls_removed(it, &removed)) {
            removed.push(caller.name.clone());
        }
        self.functions
            .retain(|function| !removed.contains(&function.name));
        removed
    }

    /// Takes out the functions that the one of that name does not need.
    pub(crate) fn keep_only(&mut self, name: &str) {
        let mut needed = vec![name.to_owned()];
        let is_called = |function: &&Function, needed: &[String]| {
            let mut callers = self.functions.iter().filter(|it| needed.contains(&it.name));
            !needed.contains(&function.name)
                && callers.any(|caller| mentions(&caller.source, &function.name))
        };
        while let Some(called) = self.functions.iter().find(|it| is_called(it, &needed)) {
            needed.push(called.name.clone());
        }
        self.functions
            .retain(|function| needed.contains(&function.name));
    }

    /// How much source it is.
    pub(crate) fn length(&self) -> usize {
        let sources = self
            .functions
            .iter()
            .flat_map(|function| function.source.chars());
        sources.filter(|c| !c.is_whitespace()).count()
    }
}

/// Returns `true` if a function of this name is called.
fn mentions(source: &str, name: &str) -> bool {
    calls(source, name) > 0
}

/// How often a function of that name is called. Other types have methods of some names, and only
/// those are called without a path.
fn calls(source: &str, name: &str) -> usize {
    let is_numbered = name.ends_with(|last: char| last.is_ascii_digit());
    let is_call = |at: &(usize, &str)| {
        let before = &source[..at.0];
        !before.ends_with("fn ") && (is_numbered || before.ends_with("::"))
    };
    let called = |end: &str| {
        let found = format!("{name}{end}");
        source.match_indices(&found).filter(is_call).count()
    };
    called("(") + called("::<")
}

/// Any number of bytes.
const UNLIMITED: usize = 1 << 20;

const HEAD: &str = r#"#![allow(warnings, reason = "the code is random")]
#![recursion_limit = "512"]
"#;
const IMPORTS: &str = r"    use std::future::{Future, poll_fn};
    use std::pin::Pin;
    use volt::future::FuturesExt as _;

    hosts!();

";

/// The names of the library, for the modules without a glob import. Under one, a name in a pattern
/// may be that of an item.
const NAMES: &str = "\
    All, BorrowingFuture, Chained, CopyWithDrop, DropLogger, ErrorA, ErrorB, First, ForeignGuard, \
    ForeignOwner, Fresh, LargeValue, Look, Marked, Mixed, Pair, PartlyMovable, Request, Source, \
    Step, Visit, again, all, beside, both, boundary, boxed, by, chained, consume, d, done, erased, \
    error_a, flip, foreign_owner, heap, last_name, leak, leak_shared, lend, look, maybe, more, \
    note, num, of, outcome, partly_movable, pass, poll_some, poll_with, ready, seen, shown, step, \
    stored, tick, touch, two, with, \
    bound, fields, hosts, join, kept, one, said, said_text, select, throw, twice";

/// Imports the library: by a glob for every second family.
fn library(member: &Member) -> String {
    let sum: usize = member.name.bytes().map(usize::from).sum();
    if sum.is_multiple_of(2) {
        "    use runtime::*;\n".to_owned()
    } else {
        format!("    use runtime::{{{NAMES}}};\n")
    }
}

/// Imports a trait of each method that no function of the family calls.
fn collisions(member: &Member) -> String {
    let calls = |method: &str| {
        let polls = |source: &str| source.contains("join!(") || source.contains("select!");
        let in_macro = |source: &str| method == "as_mut" && polls(source);
        let call = format!(".{method}(");
        let mut sources = member.functions.iter().map(|function| &function.source);
        sources.any(|source| source.contains(&call) || in_macro(source))
    };
    let free = runtime::collisions::ALL
        .iter()
        .filter(|(_, method)| !calls(method));
    let imports = free.map(|(name, _)| format!("    use runtime::collisions::{name} as _;\n"));
    imports.collect()
}

impl Program {
    pub(crate) fn new(members: &[Member]) -> Self {
        let mut program = Self::default();
        program.text += HEAD;
        let mut cases = String::new();
        for (index, member) in members.iter().enumerate() {
            for machine in [false, true] {
                program.module(index, member, machine);
            }
            for function in &member.functions {
                let Function { name, .. } = function;
                cases += &format!(
                    "        (\"{}.{name}\", native_{index}::case_{name}, machine_{index}::case_{name}, {}),\n",
                    member.name,
                    member.allowed(function)
                );
            }
        }
        program.text += &format!("fn main() {{\n    runtime::compare(&[\n{cases}    ]);\n}}\n");
        program
    }

    fn module(&mut self, index: usize, member: &Member, machine: bool) {
        let kind = if machine { "machine" } else { "native" };
        let (library, traits) = (library(member), collisions(member));
        self.text += &format!("mod {kind}_{index} {{\n{library}{IMPORTS}{traits}");
        for (index_in, function) in member.functions.iter().enumerate() {
            let Function { name, call, .. } = function;
            let from = self.text.lines().count() + 1;
            let attribute = if machine {
                format!("#[volt::state_machine{}]\n", member.options)
            } else {
                String::new()
            };
            self.text += &function.items(machine, &attribute);
            let case = match (machine, member.options) {
                (true, STORED) => format!("stored({call})"),
                (true, _) => format!("shown(kept!({call}))"),
                (false, _) => format!("shown({call})"),
            };
            self.text += &format!(
                "\npub fn case_{name}() -> Pin<Box<dyn Future<Output = String>>> {{\n    {case}\n}}\n\n"
            );
            let place = Place {
                member: index,
                function: index_in,
                machine,
            };
            self.places.push((from, self.text.lines().count(), place));
        }
        self.text += "}\n";
    }

    /// Returns the place of a line.
    pub(crate) fn place(&self, line: usize) -> Option<&Place> {
        let found = self
            .places
            .iter()
            .find(|(from, to, _)| (*from..=*to).contains(&line));
        found.map(|(_, _, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::NAMES;

    /// Returns the words of the library's exports, without the modules.
    fn exported() -> BTreeSet<&'static str> {
        let text = include_str!("../../runtime/mod.rs");
        let lists = text.split("pub use ").skip(1);
        let lists = lists.filter_map(|list| list.split(';').next());
        let names = lists.flat_map(|list| list.rsplit("::").next().unwrap_or_default().split(','));
        names
            .map(|name| name.trim_matches(['{', '}', ' ', '\n']))
            .collect()
    }

    #[test]
    fn all_names_of_the_library_are_imported() {
        let imported: BTreeSet<&str> = NAMES.split(", ").collect();
        // The program calls these by their paths, or its modules do not need them.
        let others = [
            "Case",
            "ElseFuture",
            "IfMachine",
            "Kept",
            "collisions",
            "compare",
            "",
        ];
        let exported = exported();
        assert!(exported.len() > 40, "{exported:?}");
        for name in exported.iter().filter(|name| !others.contains(name)) {
            assert!(imported.contains(name), "{name}");
        }
    }
}
