//! The words in the functions and types of a package, and the futures that they may contain.
//!
//! A function that boxes a future may contain its own machine only if the names in its body lead
//! back to its name or to its machine. The compiler looks through the future of an `async fn` and
//! through the output `impl Trait`. It looks into a type that a signature or a declaration names.
//! So the search follows each word that may use a function, a type or a `macro_rules!` of that
//! name, as far as the module of the word may use it. The body of a function counts only if the
//! compiler looks through the function's output. The name of a function with a receiver has a point
//! before it, `.name`, and that of an associated type two colons, `::Name`.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use proc_macro2::Span;

use super::super::file_modules::{DeclaredFn, Module, module_of, read_file};
use super::super::item_scopes::OddItems;
use super::super::name_context::{is_word, last_word, uses};
use super::super::words::is_awaited;
use super::package_words::{Origin, PackageWords};
use super::read_package::{ReadPackage, with_package};

/// The file of a function, and the place at which its module begins there.
type ModulePlace = Option<(PathBuf, usize)>;

impl ReadPackage {
    /// Returns `true` if words of the text may lead back to a name. Most names are used by no
    /// other item, which a search of the text shows without its words.
    fn lead_back(&mut self, names: [&str; 2], module: &ModulePlace, text: &str) -> bool {
        if self.words.is_none() {
            let has_name = |text: &str| {
                let mut names = names.iter();
                names.any(|name| text.contains(name.trim_start_matches('.')))
            };
            let named = self.texts.iter().filter(|(_, text)| has_name(text));
            let named = PackageWords::of(named.map(|(path, _)| path));
            if !named.use_any(names) {
                return false;
            }
        }
        let words = self.words();
        words.lead_back(names, origin(words, names[0], module).as_ref(), text)
    }

    fn words(&mut self) -> &PackageWords {
        let all = || PackageWords::of(self.texts.iter().map(|(path, _)| path));
        self.words.get_or_insert_with(all)
    }

    /// Returns `true` if words of the text may lead back to a name, and only through machines. A
    /// call by the own name may be that of another machine.
    fn link_back(
        &mut self,
        names: [&str; 2],
        module: &ModulePlace,
        text: &str,
        names_itself: bool,
    ) -> bool {
        let leads_back = self.lead_back(names, module, text);
        let words = self.words();
        let origin = origin(words, names[0], module);
        let origin = origin.as_ref();
        (leads_back || names_itself && words.has_machines(names[0], origin))
            && !words.lead_back_by_others(names, origin, text)
    }
}

/// Calls a function with the words of the package, and with the place of a function in it. The
/// function has a name among the words, and its place.
pub(super) fn with_origin<T>(
    (name, place): (&str, Span),
    find: impl FnOnce(&PackageWords, Option<&Origin>) -> T,
) -> Option<T> {
    let module = module_place(place);
    with_words(place, |words| {
        find(words, origin(words, name, &module).as_ref())
    })
}

/// Returns the place of a function, if the package shows it.
fn origin(words: &PackageWords, name: &str, module: &ModulePlace) -> Option<Origin> {
    let module = module.as_ref();
    words.origin(name, module.map(|(file, start)| (&**file, *start)))
}

/// Returns the module of a place.
fn module_place(place: Span) -> ModulePlace {
    Some((place.local_file()?, module_of(place)?.start()))
}

/// Returns `true` if the words in the text of a function may lead back to one of its names through
/// other functions and types of the package, or if the package cannot be read. The names are those
/// of the function and of its machine.
pub(crate) fn words_lead_back(names: [&str; 2], place: Span, text: &str) -> bool {
    may_lead_back(names, place, text).unwrap_or(true)
}

/// Returns `true` if the words in the text of a function may lead back to it through machines, and
/// through no other function or type of the package. `names_itself` is `true` if it may call a
/// function of its name.
pub(crate) fn machines_lead_back(
    names: [&str; 2],
    place: Span,
    text: &str,
    names_itself: bool,
) -> bool {
    let module = module_place(place);
    let links_back =
        |package: &mut ReadPackage| package.link_back(names, &module, text, names_itself);
    with_package(place, links_back).unwrap_or(false)
}

/// Returns `true` if the declarations of types lead from one type of the package to another one.
pub(crate) fn type_leads_to(from: &str, to: &str, place: Span) -> bool {
    with_words(place, |words| words.type_leads_to(from, to)).unwrap_or(false)
}

/// Calls a function with the words of the package, if it can be read.
pub(super) fn with_words<T>(place: Span, find: impl FnOnce(&PackageWords) -> T) -> Option<T> {
    with_package(place, |package| find(package.words()))
}

/// Returns `true` if the package declares no macro of a name, and imports no macros by
/// `#[macro_use] extern crate`. It must be readable.
pub(in super::super) fn has_no_macro(name: &str, place: Span) -> bool {
    let has_none =
        |words: &PackageWords| !words.uses_foreign_macros && !words.macros.contains_key(name);
    with_words(place, has_none).unwrap_or(false)
}

/// Returns `true` if the package may store the future of a function of this name: it calls a
/// function of the name, and does not await the output at once.
pub(crate) fn is_stored(name: &str, place: Span) -> bool {
    let is_stored = |package: &mut ReadPackage| {
        let texts = package.texts.iter().map(|(_, text)| text.as_str());
        let found = || texts.flat_map(stored_names).map(str::to_owned).collect();
        package.stored.get_or_insert_with(found).contains(name)
    };
    with_package(place, is_stored).unwrap_or(true)
}

/// Returns `true` if the text of a function calls an `async fn` of the package and does not await
/// the output at once. The text may be that of tokens.
pub(crate) fn stores_future(text: &str, place: Span) -> bool {
    let stores_future = |package: &mut ReadPackage| {
        let texts = package.texts.iter().map(|(_, text)| text.as_str());
        let found = || texts.flat_map(async_names).map(str::to_owned).collect();
        let names = package.async_functions.get_or_insert_with(found);
        stored_names(text).any(|name| names.contains(name))
    };
    with_package(place, stores_future).unwrap_or(true)
}

/// Returns the names of the `async` functions that a text declares.
fn async_names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("async").filter_map(|(at, word)| {
        let after = text[at + word.len()..].trim_start();
        let after = after.strip_prefix("unsafe").unwrap_or(after).trim_start();
        let name = after.strip_prefix("fn ")?.trim_start();
        Some(
            name.split(|letter| !is_word(letter))
                .next()
                .unwrap_or_default(),
        )
    })
}

/// Returns the names of the functions that a text calls without an await of the output.
fn stored_names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').filter_map(|(at, _)| {
        let called = text[..at].trim_end();
        let name = last_word(called);
        let before = &called[..called.len() - name.len()];
        let is_call = name.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
            && last_word(before.trim_end()) != "fn";
        (is_call && !is_awaited(&text[at..])).then_some(name)
    })
}

/// Returns `true` if a module of the package may name the machine of a function, or if the package
/// cannot be read. A module that declares a machine of this name means its own.
pub(crate) fn machine_is_named(machine: &str, of: &DeclaredFn<'_>, place: Span) -> bool {
    let own = module_of(place);
    let is_own = |module: &Module| own.as_deref().is_some_and(|own| std::ptr::eq(own, module));
    let may_name = |module: &Module| {
        !module.code().uses(machine).is_empty() && (is_own(module) || !module.declares(of))
    };
    let is_named = |package: &mut ReadPackage| {
        let texts = package
            .texts
            .iter()
            .filter(|(_, text)| text.contains(machine));
        let mut files = texts.filter_map(|(path, _)| read_file(path.clone()));
        files.any(|file| file.modules().any(may_name))
    };
    with_package(place, is_named).unwrap_or(true)
}

/// Returns `true` if the package may name the machine of the function of a path. Its name ends with
/// `camel`, unless an option gives it another one. A module that declares a machine of this name
/// means its own. The call is in the function `by`, which has a name among the words of the
/// package, and a place.
pub(crate) fn may_name_machine(path: &str, camel: &str, by: (&str, Span)) -> bool {
    let function = last_word(path);
    let named = |package: &mut ReadPackage| {
        let texts = package.texts.iter();
        let named =
            texts.filter(|(_, text)| ends_word(text, camel) || has_named_machine(text, function));
        let named: Vec<PathBuf> = named.map(|(path, _)| path.clone()).collect();
        named
    };
    let Some(named) = with_package(by.1, named) else {
        return true;
    };
    let may_name = |words: &PackageWords, origin: Option<&Origin>, path_of: &Path| {
        let Some(file) = read_file(path_of.to_owned()) else {
            return true;
        };
        file.modules().any(|module| {
            let code = module.code().text();
            let is_own = || words.means_own_machine(path, origin, (path_of, module.start()));
            ends_word(code, camel) && !is_own() || has_named_machine(code, function)
        })
    };
    let is_named = |words: &PackageWords, origin: Option<&Origin>| {
        named.iter().any(|file| may_name(words, origin, file))
    };
    !named.is_empty() && with_origin(by, is_named).unwrap_or(true)
}

/// Returns `true` if a word of the text ends with some letters.
fn ends_word(text: &str, end: &str) -> bool {
    let mut found = text.match_indices(end);
    found.any(|(at, _)| !text[at + end.len()..].starts_with(is_word))
}

/// Returns `true` if an option names the machine of a function.
fn has_named_machine(text: &str, function: &str) -> bool {
    let mut attributes = text.match_indices("state_machine(");
    attributes.any(|(at, _)| {
        let (options, after) = text[at..].split_once(']').unwrap_or_default();
        let declared = uses(after, "fn").next();
        let is_function = |after: &str| {
            let name = after.trim_start().strip_prefix(function);
            name.is_some_and(|after| !after.starts_with(is_word))
        };
        uses(options, "name").next().is_some() && declared.is_some_and(|of| is_function(of.after))
    })
}

/// Returns the items of a package that patterns may name, if the package can be read.
pub(in super::super) fn odd_items(place: Span) -> Option<Rc<OddItems>> {
    with_package(place, |package| {
        let found = || Rc::new(OddItems::of(&package.texts));
        package.odd_items.get_or_insert_with(found).clone()
    })
}

/// Returns the result of the search, unless the package cannot be read.
fn may_lead_back(names: [&str; 2], place: Span, text: &str) -> Option<bool> {
    let module = module_place(place);
    with_package(place, |package| package.lead_back(names, &module, text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn option_names_the_machine_of_its_function() {
        let text = "#[state_machine(name = Odd)] #[inline] async fn uneven(n: u32) {}
            #[state_machine(local)] async fn even(n: u32) {}";
        assert!(super::has_named_machine(text, "uneven"));
        assert!(!super::has_named_machine(text, "even"));
        assert!(!super::has_named_machine(text, "une"));
    }

    #[test]
    fn async_functions_are_found() {
        let text = "pub async fn walk(n: u32) {} async unsafe fn run<T>() {} fn plain() {}
            let block = async move { 3 }; async fn $name() {}";
        let names: Vec<_> = super::async_names(text).collect();
        assert_eq!(names, ["walk", "run", ""]);
    }

    #[test]
    fn calls_without_an_await_are_stored() {
        let text = "Box::pin(walk(1)).await; self.left.visit(2); a::b(f(3)).await;
            fn declared(n: u32) { direct(run((1, 2))) . await; Some(next) } // …last(n)";
        let names: Vec<_> = super::stored_names(text).collect();
        assert_eq!(names, ["walk", "visit", "f", "run", "last"]);
    }
}
