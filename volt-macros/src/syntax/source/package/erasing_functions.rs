//! Functions of the crate that put a future into a `dyn Future` without `Send`.
//!
//! ```text
//! fn erase<'a, T>(f: impl Future<Output = T> + 'a) -> Pin<Box<dyn Future<Output = T> + 'a>>
//! ```
//!
//! A machine that awaits such a box is not `Send`, whatever future the box contains. The compiler
//! can determine that without the type of the future, so a recursion through it is no cycle. The
//! attribute sees only the name of the function, so the macro reads the files of the crate for it.

use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use super::super::file_modules::{FileModules, file_of, read_file};
use super::super::indexed_code::IndexedCode;
use super::super::name_context::{NameContext, is_word, last_word, uses};
use super::package_files::package_files;

/// The limit of files that a search reads, which bounds its time in a large package.
const MAX_FILES: usize = 500;

/// The files in which a search looks for functions and types.
pub(crate) struct Erasing {
    own: Rc<FileModules>,
    path: PathBuf,
}

impl Erasing {
    /// The search for names in the file of the span, and in the other files of its crate.
    pub(crate) fn new(span: Span) -> Option<Self> {
        Some(Self {
            own: file_of(span)?,
            path: span.local_file()?,
        })
    }

    /// Returns `true` if tokens pass a future to such a function: as an argument, as the receiver,
    /// or to a function of such a type. `is_future` returns `true` for tokens that may create the
    /// future.
    pub(crate) fn is_in(
        &self,
        tokens: TokenStream,
        is_future: &dyn Fn(&TokenTree) -> bool,
    ) -> bool {
        let (mut has_future, mut ty, mut name) = (false, None, None);
        for token in tokens {
            match &token {
                TokenTree::Group(group) => {
                    let called = name.take().filter(|_| {
                        let is_call = group.delimiter() == Delimiter::Parenthesis;
                        is_call && (has_future || contains(group.stream(), is_future))
                    });
                    let is_type = || ty.as_deref().is_some_and(|ty| self.erases_in_type(ty));
                    if called.is_some_and(|name: String| self.erases(&name) || is_type())
                        || self.is_in(group.stream(), is_future)
                    {
                        return true;
                    }
                    has_future |= contains(group.stream(), is_future);
                    ty = None;
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    if word.starts_with(char::is_uppercase) {
                        ty = Some(word.clone());
                    }
                    name = Some(word);
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => {
                    (ty, name) = (None, None);
                }
                TokenTree::Punct(_) => {}
                TokenTree::Literal(_) => name = None,
            }
            has_future |= is_future(&token);
        }
        false
    }

    /// Returns `true` if tokens name a type whose declaration contains such a future.
    pub(crate) fn is_named_in(&self, tokens: TokenStream) -> bool {
        let mut is_path = false;
        tokens.into_iter().any(|token| match &token {
            TokenTree::Group(group) => self.is_named_in(group.stream()),
            TokenTree::Ident(word) => {
                let (word, is_path) = (word.to_string(), std::mem::take(&mut is_path));
                if !is_uppercase(&word) {
                    return false;
                }
                // The prelude has most other names.
                let may_be_elsewhere = || is_path || imports_from_crate(&self.own, &word);
                let elsewhere = || may_be_elsewhere() && self.is_erased_elsewhere(&word);
                type_erases(&self.own, &word).unwrap_or_else(elsewhere)
            }
            TokenTree::Punct(punct) => {
                is_path = punct.as_char() == ':';
                false
            }
            TokenTree::Literal(_) => false,
        })
    }

    fn is_erased_elsewhere(&self, name: &str) -> bool {
        self.others()
            .any(|file| type_erases(&file, name) == Some(true))
    }

    fn erases(&self, name: &str) -> bool {
        let is_found = |file: &FileModules| self.erases_in(file, name);
        if declares_function(&self.own, name) {
            return is_found(&self.own);
        }
        self.others().any(|file| is_found(&file))
    }

    fn erases_in(&self, file: &FileModules, name: &str) -> bool {
        let mut functions = functions(file, name);
        functions.any(|function| {
            let head = function.after.split(['{', ';']).next().unwrap_or_default();
            let output = head.rsplit_once("->").map_or("", |(_, output)| output);
            is_erased(output) || words(output).any(|word| self.erases_in_type(word))
        })
    }

    /// Returns `true` if the declaration of a type contains such a future.
    fn erases_in_type(&self, name: &str) -> bool {
        is_uppercase(name)
            && type_erases(&self.own, name).unwrap_or_else(|| self.is_erased_elsewhere(name))
    }

    /// The other files of the crate.
    fn others(&self) -> impl Iterator<Item = Rc<FileModules>> + use<> {
        let paths = package_files(&self.path, MAX_FILES);
        let own = self.path.clone();
        paths
            .into_iter()
            .filter(move |path| *path != own)
            .filter_map(read_file)
    }
}

fn contains(tokens: TokenStream, is_future: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| {
        is_future(&token)
            || matches!(token, TokenTree::Group(group) if contains(group.stream(), is_future))
    })
}

fn functions<'f>(file: &'f FileModules, name: &'f str) -> impl Iterator<Item = NameContext<'f>> {
    let uses = file
        .modules()
        .flat_map(move |module| module.code().uses(name));
    uses.filter(|of| last_word(of.before) == "fn")
}

fn declares_function(file: &FileModules, name: &str) -> bool {
    functions(file, name).next().is_some()
}

/// Returns `true` if the declaration of a type in a file contains such a future, and `None` if the
/// file does not declare the type.
fn type_erases(file: &FileModules, name: &str) -> Option<bool> {
    let codes = file.modules().map(|module| module.code());
    codes
        .filter_map(|code| type_of_code_erases(code, name))
        .next()
}

fn type_of_code_erases(code: &IndexedCode, name: &str) -> Option<bool> {
    let mut uses = code.uses(name).into_iter();
    let kinds = ["type", "struct", "enum"];
    let declared = uses.find(|of| kinds.contains(&last_word(of.before)))?;
    let after = declared.after;
    let end = after.find([';', '}']).unwrap_or(after.len());
    Some(is_erased(&after[..end]))
}

/// Returns `true` if a type has a future without `Send`: `dyn Future<Output = T> + 'a`.
fn is_erased(ty: &str) -> bool {
    let is_send = |word: &str| word == "Send";
    let is_future =
        |rest: &str| words(rest).any(|word| word == "Future") && !words(rest).any(is_send);
    uses(ty, "LocalBoxFuture").next().is_some() || uses(ty, "dyn").any(|of| is_future(of.after))
}

/// Returns `true` if a file imports a name from its own package.
fn imports_from_crate(file: &FileModules, name: &str) -> bool {
    let modules = file.modules();
    let mut found = modules.flat_map(|module| module.code().uses(name));
    found.any(|of| {
        let statement = of.before.rsplit([';', '}']).next().unwrap_or_default();
        let path = statement.trim_start().rsplit_once("use ");
        path.is_some_and(|(_, path)| {
            let root = words(path).next().unwrap_or_default();
            ["crate", "super", "self"].contains(&root)
        })
    })
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter| !is_word(letter))
        .filter(|word| !word.is_empty())
}

fn is_uppercase(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests;
