//! Functions whose names lead back to them, and others.

use std::path::PathBuf;

use super::{ModuleFunctions, ModuleKey, WaysBack, enter_functions};

fn lead_back(name: &str, impl_target: Option<&str>, text: &str, is_named: bool) -> WaysBack {
    lead_back_in(name, impl_target, None, text, is_named)
}

fn lead_back_in(
    name: &str,
    impl_target: Option<&str>,
    module: Option<ModuleKey>,
    text: &str,
    is_named: bool,
) -> WaysBack {
    super::names_lead_back(
        name,
        impl_target,
        module,
        [text, text],
        is_named,
        &|_, _| false,
    )
}

fn lead_back_linked(name: &str, text: &str, unlinked: &str) -> WaysBack {
    super::names_lead_back(name, None, None, [text, unlinked], false, &|_, _| false)
}

fn names_lead_back(name: &str, impl_target: Option<&str>, text: &str) -> bool {
    lead_back(name, impl_target, text, true).any()
}

#[test]
fn name_of_another_item_does_not_lead_back() {
    let text = "fn hidden (n : u32) { hidden (n) ; self :: hidden (n) ; through_hidden (n) }";
    assert!(!lead_back("hidden", None, text, false).any());
    let through = "fn through_hidden (n : u32) { hidden (n) }";
    assert!(lead_back("through_hidden", None, through, true).any());
    assert!(lead_back("hidden", None, text, true).any());
}

#[test]
fn self_naming_function_leads_back() {
    assert!(names_lead_back(
        "own",
        None,
        "fn own (n : u32) { join (n . map (own)) }"
    ));
    assert!(names_lead_back(
        "deep",
        None,
        "fn deep () { crate :: a :: deep (1) }"
    ));
    assert!(!names_lead_back(
        "printed",
        None,
        "fn printed () { log (stringify ! (printed)) ; log (stringify!(printed)) }"
    ));
    assert!(!names_lead_back(
        "other",
        None,
        "fn other () { Type :: other () ; x . other () }"
    ));
    assert!(!names_lead_back(
        "word",
        None,
        "fn word () { let word = 1 ; a (& word) }"
    ));
}

#[test]
fn recursive_namesake_does_not_lead_back() {
    assert!(names_lead_back(
        "shared",
        None,
        "fn shared () { heap (shared ()) }"
    ));
    assert!(!names_lead_back(
        "shared",
        None,
        "fn shared () { heap (unrelated ()) }"
    ));
}

#[test]
fn last_function_of_a_cycle_leads_back() {
    assert!(!names_lead_back(
        "first",
        None,
        "fn first () { heap (second ()) }"
    ));
    assert!(!names_lead_back(
        "second",
        None,
        "fn second () { list (| k | third (k)) }"
    ));
    assert!(names_lead_back(
        "third",
        None,
        "fn third () { Box :: pin (first ()) }"
    ));
    assert!(!names_lead_back(
        "fourth",
        None,
        "fn fourth () { third () }"
    ));
}

#[test]
fn cycle_of_linked_calls_has_no_machine() {
    let (to, from) = ("fn to () { from () }", "fn from () { to () }");
    assert!(!lead_back_linked("to", to, "fn to () {}").by_others);
    let ways = lead_back_linked("from", from, "fn from () {}");
    assert!(ways.by_others && !ways.by_machines);
    // Another use of the name is that of the machine.
    let ways = lead_back_linked("from", from, from);
    assert!(ways.by_others && ways.by_machines);
}

#[test]
fn function_with_a_machine_is_in_each_cycle() {
    let calls = "fn beginning () { middle () }";
    assert!(!lead_back_linked("beginning", calls, "fn beginning () {}").any());
    let both = "fn middle () { beginning () ; ending (beginning) }";
    let unlinked = "fn middle () { ending (beginning) }";
    assert!(lead_back_linked("middle", both, unlinked).by_machines);
    // Its calls stay those of machines, because it has no copy.
    let calls = "fn ending () { middle () }";
    let ways = lead_back_linked("ending", calls, "fn ending () {}");
    assert!(ways.by_others && ways.by_machines);
}

#[test]
fn methods_lead_back_within_their_type() {
    let node = Some("Node");
    assert!(!names_lead_back(
        "sum",
        node,
        "fn sum (& self) { k . sum () }"
    ));
    assert!(!names_lead_back(
        "even",
        node,
        "fn even (& self) { k . odd () }"
    ));
    assert!(!names_lead_back(
        "odd",
        Some("Leaf"),
        "fn odd (& self) { k . even () }"
    ));
    assert!(names_lead_back(
        "odd",
        node,
        "fn odd (& self) { k . even () }"
    ));
}

#[test]
fn name_of_a_module_means_its_own_function() {
    let module = |start: usize| (PathBuf::from("names.rs"), start);
    for start in 1..=2 {
        let names = vec!["ask".to_owned(), "answer".to_owned()];
        let functions = ModuleFunctions {
            names,
            ..ModuleFunctions::default()
        };
        enter_functions(Some(&module(start)), Some(functions));
    }
    let leads_back = |name: &str, start: usize, text: &str| {
        lead_back_in(name, None, Some(module(start)), text, true).any()
    };
    assert!(!leads_back("answer", 1, "fn answer () { ask () }"));
    assert!(!leads_back("ask", 2, "fn ask () { answer () }"));
    // A module that declares no such function imports it.
    assert!(!leads_back("inquire", 3, "fn inquire () { ask () }"));
    assert!(leads_back("ask", 1, "fn ask () { inquire () }"));
}

#[test]
fn type_of_a_module_means_its_own_method() {
    let module = |start: usize| (PathBuf::from("types.rs"), start);
    for start in 1..=2 {
        let functions = ModuleFunctions {
            methods: vec![("Shop".to_owned(), "count".to_owned())],
            ..ModuleFunctions::default()
        };
        enter_functions(Some(&module(start)), Some(functions));
    }
    let leads_back = |start: usize, text: &str| {
        lead_back_in("count", Some("Shop"), Some(module(start)), text, true).by_others
    };
    for call in [
        "Shop :: count (n)",
        "Self :: count (n)",
        "self . count (n)",
        "other . count (n)",
        "Shop :: < u8 > :: count (n)",
    ] {
        let text = format!("fn count (n : u8) {{ heap ({call}) }}");
        assert!(!leads_back(1, &text), "{call}");
        assert!(!leads_back(2, &text), "{call}");
    }
    // A longer path may mean that of the other module.
    let path = "fn count (n : u8) { heap (return one :: Shop :: count (n)) }";
    assert!(!leads_back(1, path));
    assert!(leads_back(2, path));
}

#[test]
fn expanded_function_belongs_to_its_module() {
    let module = |start: usize| (PathBuf::from("expanded.rs"), start);
    let leads_back = |name: &str, of_type: Option<&str>, start: usize, text: &str| {
        lead_back_in(name, of_type, Some(module(start)), text, true).by_others
    };
    // The source of these modules shows neither, because a macro declares them.
    for start in 1..=2 {
        let text = "fn made (n : u8) { list (made (n)) }";
        assert!(!leads_back("made", None, start, text));
        let text = "fn grow (& self) { list (k . grow ()) ; Tree :: grow (k) }";
        assert!(!leads_back("grow", Some("Tree"), start, text));
    }
}

fn lead_back_of_types(impl_target: &str, name: &str, text: &str, are_linked: bool) -> WaysBack {
    super::names_lead_back(name, Some(impl_target), None, [text; 2], true, &|_, _| {
        are_linked
    })
}

#[test]
fn methods_of_linked_types_lead_back() {
    let (stored, awaited) = (
        "fn weigh (& self) { heap (self . x . weigh ()) }",
        "fn weigh (& self) { self . x . weigh () . await }",
    );
    lead_back_of_types("Apple", "weigh", stored, true);
    assert!(!lead_back_of_types("Stone", "weigh", stored, false).any());
    // The future of one of them may be in a box.
    assert!(lead_back_of_types("Pear", "weigh", awaited, true).by_machines);

    // The arguments have the types.
    let of_pot = "fn stir (& self , pan : & Pan) { heap (pan . stir (self)) }";
    let of_pan = "fn stir (& self , pot : & Pot) { pot . stir (self) . await }";
    lead_back_of_types("Pot", "stir", of_pot, false);
    assert!(lead_back_of_types("Pan", "stir", of_pan, false).by_others);

    let text = "fn drain (& self) { self . x . drain () . await }";
    lead_back_of_types("Pool", "drain", text, true);
    assert!(!lead_back_of_types("Sink", "drain", text, true).any());
    let block = "fn drain (& self) { boxes (async { self . x . drain () . await }) }";
    let block = format!("async {block}");
    assert!(lead_back_of_types("Tank", "drain", &block, true).by_others);
}

#[test]
fn own_name_in_linked_method_is_no_machine() {
    let [text, unlinked] = [
        "fn total (& self) { heap (self . x . total ()) . await . total () }",
        "fn total (& self) { heap (self . x . linked ()) . await . total () }",
    ];
    let ways = |of_type, unlinked| {
        super::names_lead_back(
            "total",
            Some(of_type),
            None,
            [text, unlinked],
            false,
            &|_, _| true,
        )
    };
    ways("Bill", unlinked);
    let ways = ways("Item", unlinked);
    assert!(ways.by_others && !ways.by_machines);
}
