//! The machines in the code of a module that would have one name: those of `get` and `_get`.
//!
//! `get` keeps the name. Machines with the option `name` or under a condition do not count, because
//! another one of them may have the name already.

use super::super::module_items::item_bodies;
use super::super::name_context::{is_word, uses};
use crate::names::machine_text;

/// A machine that gets its name from its function.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::syntax::source) struct NamedMachine {
    name: String,
    /// The last name of its type, if it is of a method.
    owner: Option<String>,
    function: String,
}

/// Returns `true` if another function may have a machine of the same name as this one: words of the
/// name are empty, begin with a digit, or have capitals.
pub(crate) fn may_share_machine_name(function: &str) -> bool {
    let name = function.strip_prefix("r#").unwrap_or(function);
    let is_odd = |word: &str| word.is_empty() || word.starts_with(|it: char| it.is_ascii_digit());
    name.split('_').any(is_odd) || name.contains(char::is_uppercase)
}

/// The machines of a module, outside of function bodies. The last ones are those of functions that
/// may share the name of a machine with others.
pub(in crate::syntax::source) fn named_machines(code: &str) -> Vec<NamedMachine> {
    let mut machines = Vec::new();
    for (head, body) in item_bodies(code) {
        let owner = impl_target(head);
        match &owner {
            Some(_) if head.contains("state_machine") => {
                let methods = item_bodies(body).into_iter();
                let methods = methods.filter_map(|(head, _)| async_function(head));
                let methods = methods.filter(|(head, _)| !has_own_name(head));
                let new = methods.map(|(_, function)| NamedMachine::new(owner.clone(), function));
                machines.extend(new);
            }
            Some(_) => {}
            None => {
                let function = async_function(head);
                let function = function
                    .filter(|(head, _)| head.contains("state_machine") && !has_own_name(head));
                machines.extend(function.map(|(_, function)| NamedMachine::new(None, function)));
            }
        }
    }
    machines.sort_by_key(|machine| may_share_machine_name(&machine.function));
    machines
}

/// Returns the number of machines that have the name, before that of the function.
pub(in crate::syntax::source) fn count_before(
    machines: &[NamedMachine],
    name: &str,
    owner: Option<&str>,
    function: &str,
) -> usize {
    let mut functions = Vec::new();
    for machine in machines.iter().filter(|machine| machine.name == name) {
        let id = (machine.owner.as_deref(), machine.function.as_str());
        if id == (owner, function) {
            return functions.len();
        }
        if !functions.contains(&id) {
            functions.push(id);
        }
    }
    // A macro declares the function, or the body of another one.
    0
}

/// Returns `true` if one of the machines has the name.
pub(in crate::syntax::source) fn has_name(machines: &[NamedMachine], name: &str) -> bool {
    machines.iter().any(|machine| machine.name == name)
}

impl NamedMachine {
    fn new(owner: Option<String>, function: &str) -> Self {
        Self {
            name: machine_text(owner.as_deref(), function),
            owner,
            function: function.to_owned(),
        }
    }
}

/// The last name of the type, if the head is that of an `impl`.
fn impl_target(head: &str) -> Option<String> {
    let of_impl = uses(head, "impl").next()?;
    // The `impl` of an argument or of an output is in parentheses, or behind an arrow.
    if uses(of_impl.before, "fn").next().is_some() {
        return None;
    }
    let block: syn::ItemImpl = syn::parse_str(&format!("impl {} {{}}", of_impl.after)).ok()?;
    let syn::Type::Path(ty) = &*block.self_ty else {
        return Some(String::new());
    };
    Some(ty.path.segments.last()?.ident.to_string())
}

/// The head of an `async` function before its name, and its name.
fn async_function(head: &str) -> Option<(&str, &str)> {
    let of = uses(head, "fn").next()?;
    uses(of.before, "async").next()?;
    let raw = of.after.strip_prefix("r#").map_or(0, |_| 2);
    let end = of.after[raw..].find(|letter| !is_word(letter))?;
    Some((of.before, &of.after[..raw + end]))
}

/// Returns `true` if options or conditions decide the name of a machine.
fn has_own_name(head: &str) -> bool {
    let mut words = ["name", "skip", "cfg", "cfg_attr"].into_iter();
    words.any(|word| uses(head, word).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(code: &str, owner: Option<&str>, function: &str) -> usize {
        let machines = named_machines(code);
        let name = machine_text(owner, function);
        count_before(&machines, &name, owner, function)
    }

    #[test]
    fn functions_with_one_machine_name_are_counted() {
        let code = "#[volt::state_machine(explicit)] pub(crate) async fn _get() -> u8 { 1 } \
                    #[volt::state_machine] async fn get() {} \
                    #[state_machine] async unsafe fn get_(f: impl Fn()) {} ";
        assert_eq!(before(code, None, "get"), 0);
        assert_eq!(before(code, None, "_get"), 1);
        assert_eq!(before(code, None, "get_"), 2);
        assert_eq!(before(code, None, "g_et"), 0);
    }

    #[test]
    fn methods_of_one_type_are_counted() {
        let code = "#[state_machine] impl<T> Shelf<T> { async fn get(&self) {} \
                    async fn _get(&self) { loop {} } } \
                    #[state_machine] impl Other { async fn _get() {} }";
        assert_eq!(before(code, Some("Shelf"), "get"), 0);
        assert_eq!(before(code, Some("Shelf"), "_get"), 1);
        assert_eq!(before(code, Some("Other"), "_get"), 0);
    }

    #[test]
    fn raw_name_is_the_same_word() {
        let code = "{ #[state_machine] async fn r#box() {} #[state_machine] async fn box_() {} }";
        assert_eq!(before(code, None, "r#box"), 0);
        assert_eq!(before(code, None, "box_"), 1);
    }

    #[test]
    fn plain_functions_and_own_names_are_left_out() {
        let code = "async fn get() {} \
                    #[state_machine(name = Other)] async fn __get() {} \
                    #[cfg(unix)] #[state_machine] async fn get__() {} \
                    #[state_machine] impl A { #[state_machine(skip)] async fn a() {} \
                    fn b() {} } impl A { async fn c() {} } \
                    #[state_machine] async fn _get() { #[state_machine] async fn get_() {} }";
        assert_eq!(before(code, None, "_get"), 0);
        assert_eq!(named_machines(code).len(), 1);
    }
}
