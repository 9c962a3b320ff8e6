//! The source file of a function: other uses of a name in it.
//!
//! The macro cannot resolve names of the module. An item that it declares takes precedence over a
//! glob import and over a crate of the same name. So the macro reads the file for uses of the name
//! that cannot mean the item. If the file cannot be read, the macro assumes nothing about the name.

mod pattern_names;
mod foreign_names;

use std::path::PathBuf;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

pub(crate) use self::foreign_names::{ForeignNames, foreign_names};
pub(crate) use self::pattern_names::PatternItems;
use super::file_modules::module_of;
use super::indexed_code::IndexedCode;
use super::machines::{count_before, has_name};
use super::name_context::{NameContext, group_at, last_word, uses as words_of};
use super::plain_functions::{ModuleFunctions, parameter_count};
use crate::names::any_token;

/// Returns `true` if the file of the span has a glob import, declares no type of the name, and uses
/// the name as a machine cannot be used: `Name { .. }`, `Name(..)`, `Name::new`, `dyn Name`.
pub(crate) fn imports_by_glob(span: Span, name: &str) -> bool {
    module_of(span).is_some_and(|module| {
        let code = module.code();
        module.has_glob()
            && !declares(code, name)
            && code.uses(name).iter().any(NameContext::is_of_another_item)
    })
}

/// Returns `true` if the file of the span has a path that begins with the name: `name::item`.
pub(crate) fn begins_path(span: Span, name: &str) -> bool {
    module_of(span).is_some_and(|module| {
        let mut uses = module.code().uses(name).into_iter();
        uses.any(|of| of.begins_path() || of.is_imported())
    })
}

/// Returns `true` if the module of the span declares a type of the name, or imports one.
pub(crate) fn declares_type(span: Span, name: &str) -> bool {
    module_of(span).is_some_and(|module| declares(module.items(), name))
}

/// Returns `true` if the module of the span imports the item of the name from the crate `root`, and
/// no other item as that name.
pub(crate) fn imports_only_from(span: Span, root: &str, name: &str) -> bool {
    module_of(span).is_some_and(|module| {
        let uses = module.code().uses(name).into_iter();
        let imports = uses.filter(|of| of.is_imported() && of.is_item() || of.is_declared_macro());
        let is_from_root = |of: NameContext<'_>| {
            of.is_imported() && !of.is_declared_macro() && of.imported_root() == root
        };
        let mut roots = imports.map(is_from_root);
        roots
            .next()
            .is_some_and(|first| first && roots.all(|is_root| is_root))
    })
}

/// Returns `true` if the module of the span imports all items of the crate `root`, and does not
/// declare or import the name otherwise. Another glob import with an item of that name is an error.
pub(super) fn imports_all_from(span: Span, root: &str, name: &str) -> bool {
    module_of(span).is_some_and(|module| {
        let mut uses = module.code().uses(name).into_iter();
        let mut roots = module.items().uses(root).into_iter();
        !uses.any(|of| of.is_imported() || of.is_declared_macro())
            && roots.any(|of| last_word(of.before) == "use" && of.is_glob())
    })
}

/// Returns `true` if the module of the span declares a module of the name, or another item with
/// which a type alias of the name would conflict.
pub(crate) fn declares_module(span: Span, name: &str) -> bool {
    module_of(span).is_some_and(|module| {
        let items = module.items();
        let mut uses = items.uses(name).into_iter();
        let is_module = uses.any(|of| last_word(of.before) == "mod");
        is_module || declares(items, name)
    })
}

/// Returns `true` if the module of the span has a block with machines of the type `owner` that has
/// the method too, and another qualified name.
pub(crate) fn has_other_block(span: Span, owner: &str, method: &str, qualified: &str) -> bool {
    module_of(span).is_some_and(|module| {
        let mut blocks = module.impl_blocks().iter();
        blocks.any(|block| {
            block.owner == owner
                && block.qualified != qualified
                && block.methods.iter().any(|name| name == method)
        })
    })
}

/// Returns the number of machines in the module of a function that have the name, before its own.
pub(crate) fn count_machines_before(name: &str, owner: Option<&str>, function: &Ident) -> usize {
    module_of(function.span()).map_or(0, |module| {
        let machines = module.named_machines();
        count_before(machines, name, owner, &function.to_string())
    })
}

/// Returns `true` if the module of the span has a machine that gets the name from its function.
pub(crate) fn has_machine(span: Span, name: &str) -> bool {
    module_of(span).is_some_and(|module| has_name(module.named_machines(), name))
}

/// A module, identified by its file and by the place at which it begins there.
pub(crate) type ModuleKey = (PathBuf, usize);

/// The module of the span, and its functions. Only the first call for a module returns those.
pub(crate) fn take_functions(span: Span) -> Option<(ModuleKey, Option<ModuleFunctions>)> {
    let module = module_of(span)?;
    let key = (span.local_file()?, module.start());
    Some((key, module.take_functions()))
}

/// Returns `true` if the module of the name declares functions of that name, and none of them has
/// so many parameters. An item of another module may be in scope by that name. With an owner, it is
/// a function of that type, which the module has to declare.
pub(in crate::syntax) fn has_other_parameters(
    owner: Option<&Ident>,
    name: &Ident,
    count: usize,
) -> bool {
    module_of(name.span()).is_some_and(|module| {
        let is_own = owner.is_none_or(|owner| {
            let owner = owner.to_string();
            let declares = |of: &NameContext<'_>| matches!(last_word(of.before), "struct" | "enum");
            owner == "Self" || module.code().uses(&owner).iter().any(declares)
        });
        let name = name.to_string();
        let uses = module.code().uses(&name);
        let is_declared = |of: &NameContext<'_>| last_word(of.before) == "fn";
        let mut found = uses.iter().filter(|of| is_declared(of)).peekable();
        is_own
            && found.peek().is_some()
            && !uses.iter().any(NameContext::is_imported)
            && found.all(|of| parameter_count(of.after).is_some_and(|it| it != count))
    })
}

/// Returns `true` if the module of the name declares functions of that name, each with a word
/// before `fn`: `async` or `unsafe`. An item of another module may be in scope by that name.
pub(in crate::syntax) fn is_declared_as(name: &Ident, word: &str) -> bool {
    module_of(name.span()).is_some_and(|module| {
        let name = name.to_string();
        let uses = module.code().uses(&name);
        let heads = uses.iter().filter_map(|of| of.before.strip_suffix("fn"));
        let mut heads = heads.peekable();
        heads.peek().is_some()
            && !uses.iter().any(NameContext::is_imported)
            && heads.all(|head| last_word(head.trim_end()) == word)
    })
}

/// Returns `true` if the module of the name declares a trait of that name with an `async fn`, so
/// that no `dyn` type of it exists. Another attribute may rewrite the trait.
pub(in crate::syntax) fn is_async_trait(name: &Ident) -> bool {
    module_of(name.span()).is_some_and(|module| {
        let name = name.to_string();
        let uses = module.code().uses(&name);
        let mut declared = uses.iter().filter(|of| last_word(of.before) == "trait");
        let (Some(only), None) = (declared.next(), declared.next()) else {
            return false;
        };
        let head = only
            .before
            .rfind(['}', ';'])
            .map_or(only.before, |at| &only.before[at..]);
        let body = only
            .after
            .find('{')
            .and_then(|at| group_at(&only.after[at..]));
        body.is_some_and(|body| {
            let mut functions = words_of(body, "fn");
            functions.any(|of| last_word(of.before) == "async")
                && words_of(body, "Sized").next().is_none()
        }) && !head.contains('#')
            && !uses.iter().any(NameContext::is_imported)
    })
}

/// Returns `true` if the module of the name declares and imports no value of that name, and imports
/// nothing by a glob.
pub(in crate::syntax) fn is_undeclared_value(name: &Ident) -> bool {
    const KINDS: [&str; 5] = ["fn", "const", "static", "mut", "as"];
    module_of(name.span()).is_some_and(|module| {
        let name = name.to_string();
        let mut uses = module.code().uses(&name).into_iter();
        !module.has_glob()
            && !uses.any(|of| KINDS.contains(&last_word(of.before)) || of.is_imported())
    })
}

/// Returns the first name of a primitive type in the tokens that belongs to another type in the
/// module of the span: `struct u64(String);`. A glob import of such a type is not found.
pub(crate) fn own_primitive(
    span: Span,
    names: &[&'static str],
    tokens: impl FnOnce() -> TokenStream,
) -> Option<Ident> {
    let module = module_of(span)?;
    let own = module.own_primitives(|code| {
        let names = names.iter().copied();
        names
            .filter(|name| declares_primitive(code, name))
            .collect()
    });
    let mut found = None;
    if !own.is_empty() {
        any_token(tokens(), &mut |token| {
            if let TokenTree::Ident(word) = token {
                found = own.contains(&&*word.to_string()).then(|| word.clone());
            }
            found.is_some()
        });
    }
    found
}

/// Returns `true` if the code declares a type with the name of a primitive type, or imports one.
/// The modules of that name in the standard library are no types.
fn declares_primitive(code: &IndexedCode, name: &str) -> bool {
    const KINDS: [&str; 4] = ["struct", "enum", "union", "type"];
    code.uses(name).into_iter().any(|of| {
        let is_import = || of.is_item() && of.is_imported();
        KINDS.contains(&last_word(of.before))
            || is_import() && !matches!(of.imported_root(), "std" | "core")
    })
}

/// Returns `true` if the code declares an item of the name, or imports one.
fn declares(code: &IndexedCode, name: &str) -> bool {
    const KINDS: [&str; 6] = ["struct", "enum", "union", "trait", "type", "as"];
    code.uses(name).into_iter().any(|of| {
        let word = last_word(of.before);
        KINDS.contains(&word) || of.is_imported()
    })
}

impl NameContext<'_> {
    fn is_in_path(&self) -> bool {
        self.before.ends_with("::")
    }

    /// Returns `true` if a path begins with the name.
    fn begins_path(&self) -> bool {
        self.after.starts_with("::") && !self.is_in_path() && last_word(self.before) != "mod"
    }

    /// The statement or item that contains the use, up to the name.
    fn statement(&self) -> &str {
        let start = self.before.rfind(';').map_or(0, |at| at + 1);
        self.before[start..].trim_start()
    }

    /// The text between the keyword `use` and the name, if there is one in the statement.
    fn text_after_use(&self) -> Option<&str> {
        let statement = self.statement();
        let is_keyword = |at: &usize| {
            let before = statement[..*at].chars().next_back();
            !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
        };
        let mut keywords = statement.rmatch_indices("use ").map(|(at, _)| at);
        keywords.find(is_keyword).map(|at| &statement[at + 4..])
    }

    /// Returns `true` if the name is a part of a `use`.
    pub(super) fn is_imported(&self) -> bool {
        self.text_after_use().is_some_and(|path| {
            let is_path = |letter: char| {
                letter.is_alphanumeric() || letter.is_whitespace() || "_:{},".contains(letter)
            };
            path.chars().all(is_path)
        }) && !self.is_glob()
    }

    /// Returns `true` if a path ends with the name, so that the name is in scope by itself.
    pub(super) fn is_item(&self) -> bool {
        self.after.starts_with([',', ';', '}'])
    }

    /// Returns `true` if the name is that of a `macro_rules!`, or of an import by another name.
    fn is_declared_macro(&self) -> bool {
        self.before.ends_with("macro_rules!") || last_word(self.before) == "as"
    }

    /// The crate from which the name is imported.
    pub(super) fn imported_root(&self) -> &str {
        let path = self.text_after_use().unwrap_or_default();
        let path = path.trim_start().trim_start_matches("::");
        path.split("::").next().unwrap_or_default().trim()
    }

    fn is_glob(&self) -> bool {
        self.after.starts_with("::*")
    }

    /// Returns `true` if the name is used as a machine cannot be used. A machine has no public
    /// fields, functions or variants, and is no trait.
    fn is_of_another_item(&self) -> bool {
        const OF_MACHINES: [&str; 8] = [
            "STATES",
            "NAME",
            "LAYOUT",
            "TRANSITIONS",
            "NATIVE_SIZE",
            "TABLES",
            "mermaid",
            "dot",
        ];
        if self.is_in_path() {
            return false;
        }
        let before = last_word(self.before);
        let is_value = !matches!(before, "impl" | "for" | "fn" | "mod" | "macro_rules");
        let is_block = self.before.ends_with("->") || self.before.ends_with('>');
        match self.after.strip_prefix("::") {
            Some(item) => {
                let item = item.trim_start();
                let letter = |letter: char| !letter.is_alphanumeric() && letter != '_';
                let end = item.find(letter).unwrap_or(item.len());
                end > 0 && !OF_MACHINES.contains(&&item[..end])
            }
            None if self.after.starts_with('{') => is_value && !is_block,
            None if self.after.starts_with('(') => is_value,
            None => before == "dyn",
        }
    }
}

#[cfg(test)]
mod tests;
