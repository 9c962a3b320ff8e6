//! Words that mean the items of one module.

use super::PackageWords;

/// Returns `true` if the words of a function of the first module lead back to it.
fn leads_back(name: &str, text: &str, modules: &[(&str, &str)]) -> bool {
    let mut package = PackageWords::default();
    let numbers: Vec<usize> = modules
        .iter()
        .map(|(name, code)| package.enter(name, None, code))
        .collect();
    let origin = package.items.origin(name, numbers[0]);
    assert!(origin.is_some());
    package.lead_back([name, "Machine"], origin.as_ref(), text)
}

#[test]
fn bare_name_means_the_item_of_its_module() {
    let own = "async fn walk() { run() } async fn run() {}";
    let other = "pub async fn run() { walk() } pub async fn walk() {}";
    assert!(!leads_back("walk", "run ()", &[("a", own), ("b", other)]));
    let own = "async fn walk() { run() } async fn run() { walk() }";
    assert!(leads_back("walk", "run ()", &[("a", own), ("b", other)]));
    let conditional = "async fn walk() {} #[cfg(unix)] async fn run() {} use b::run;";
    let other = "pub async fn run() { super::a::walk() }";
    let modules = [("a", conditional), ("b", other)];
    assert!(leads_back("walk", "run ()", &modules));
}

#[test]
fn imports_are_followed() {
    let other = "pub async fn run() { crate::a::walk() }";
    let by = |import: &str, call: &str| {
        let own = format!("{import} pub async fn walk() {{ {call} }}");
        let exports = "pub use super::b::*;";
        leads_back("walk", call, &[("a", &own), ("b", other), ("c", exports)])
    };
    assert!(by("use crate::b::run;", "run ()"));
    assert!(by("use crate::b::run as go;", "go ()"));
    assert!(by("use crate::c::*;", "run ()"));
    assert!(by("use crate::c as d;", "d :: run ()"));
    assert!(by("", "b :: run ()"));
    assert!(!by("", "run ()"));
    assert!(!by("use foreign::*;", "run ()"));
    assert!(!by("use foreign::run;", "run ()"));
    assert!(!by("", "foreign :: run ()"));
}

#[test]
fn files_of_other_names_may_be_any_module() {
    let own = "#[path =  ] mod b; use b::run; async fn walk() { run() }";
    let other = "pub async fn run() { super::walk() }";
    assert!(leads_back("walk", "run ()", &[("a", own), ("file", other)]));
}

#[test]
fn inner_function_is_used_in_its_function() {
    let own = "async fn walk() { run() }
        async fn run() { async fn inner() { walk() } }
        async fn other() {}";
    assert!(leads_back("walk", "run ()", &[("a", own)]));
    assert!(!leads_back("walk", "inner ()", &[("a", own)]));
    // An import in the body comes before the items of the module.
    let other = "pub async fn run() { crate::a::walk() }";
    let text = "fn walk () { use crate :: b :: * ; run () }";
    let own = "async fn walk() { use crate::b::*; run() } async fn run() {}";
    assert!(leads_back("walk", text, &[("a", own), ("b", other)]));
}

#[test]
fn macro_declares_functions_where_it_is_called() {
    let own = "macro_rules! make { () => { async fn run() { walk() } }; }
        make!(); async fn walk() { run() }";
    let other = "macro_rules! make { () => { async fn run() {} } } make!(); async fn walk() {}";
    assert!(leads_back("walk", "run ()", &[("a", own), ("b", other)]));
    assert!(!leads_back("walk", "run ()", &[("b", other), ("a", own)]));
    let nested = "macro_rules! all { () => { make!(); } } async fn walk() {}";
    assert!(leads_back("walk", "run ()", &[("c", nested), ("a", own)]));
    let given = "given! { async fn run() { walk() } } async fn walk() {}";
    assert!(leads_back("walk", "run ()", &[("a", given)]));
}

#[test]
fn methods_of_unknown_types_do_not_count() {
    let own =
        "struct Tree; impl Tree { async fn walk(&self) { self.run() } async fn run(&self) {} }
        struct Leaf; impl Leaf { pub async fn run(&self) { Tree.walk() } }";
    let back =
        |text: &str, own: &str, other: &str| leads_back(".walk", text, &[("a", own), ("b", other)]);
    assert!(!back("self . run ()", own, "") && !back("Tree :: run (self)", own, ""));
    assert!(back("leaf . run ()", own, "") && back("Leaf :: run (leaf)", own, ""));
    let tree = "struct Tree; impl Tree { pub async fn walk(&self) { x.run() } }";
    let apart = "struct Leaf; impl Leaf { pub async fn run(&self) { x.walk() } }";
    let beside = format!("use crate::a::Tree; {apart}");
    assert!(!back("x . run ()", tree, apart) && back("x . run ()", tree, &beside));
    let private = beside.replace("pub ", "");
    assert!(!back("x . run ()", tree, &private));
    let of_trait = "use crate::a::Tree; impl Run for Leaf { async fn run(&self) { x.walk() } }";
    assert!(back("x . run ()", tree, of_trait));
}
